"""Novelty (n = 1–8) beside the script that everybody writes, and from the state of a large reference.

A reference of this size, and a candidate of a tenth of it, are parts of one generated text. The script keeps
the n-grams of `str.split` of the reference in sets of tuples, which fits for small texts. Ours runs in
`--memory 1GB`. `python -m benchmarks.novelty script A B` is the script; `… parts MEGABYTES` writes the texts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.text import folder, generated_text
from benchmarks.turns import Command, Row, distinctly, in_turns, python, run, sized

MEGABYTES, SMALL, LENGTHS = 1000, 10, range(1, 9)
OPTIONS = ("--tokenizer", "whitespace", "--memory", "1GB")


def script(first: str, second: str) -> dict[str, float]:
    """Return the share of n-grams of each length that are new, as a script for a paper would."""
    shares = {}
    for n in LENGTHS:
        with open(first, encoding="utf-8") as lines:
            known = {gram for line in lines for gram in _ngrams(line, n)}
        new = total = 0
        with open(second, encoding="utf-8") as lines:
            for line in lines:
                grams = list(_ngrams(line, n))
                total += len(grams)
                new += sum(gram not in known for gram in grams)
        shares[str(n)] = new / total
    return shares


def _ngrams(line: str, n: int) -> zip[tuple[str, ...]]:
    tokens = line.split()
    return zip(*(tokens[start:] for start in range(n)))


def parts_of(megabytes: int) -> list[Path]:
    """Return the files of a reference, of texts that follow it, and of its own first texts."""
    return [folder() / f"{name}-{megabytes}.txt" for name in ("reference", "new", "copied")]


def write_parts(megabytes: int) -> None:
    """Write a reference, and two candidates of a tenth of its size."""
    lines = generated_text(1.1 * megabytes).read_bytes()
    end = lines.index(b"\n", megabytes * 1_000_000) + 1
    parts = lines[:end], lines[end:], lines[: lines.index(b"\n", megabytes * 100_000) + 1]
    for path, content in zip(parts_of(megabytes), parts):
        path.write_bytes(content)


def made_parts(megabytes: int) -> list[Path]:
    """Write the files in a process of its own, whose memory is not counted elsewhere, and return them."""
    run(python("-m", "benchmarks.novelty", "parts", str(megabytes)))
    return parts_of(megabytes)


def novelty(reference: Path, candidate: Path) -> Command:
    """Return our command that compares a candidate with a reference or its state."""
    specs = [word for n in LENGTHS for word in ("-m", f"novelty:n={n}")]
    return distinctly("compare", reference, candidate, *specs, *OPTIONS, "--format", "json")


def same(ours: str, theirs: str) -> bool:
    """Return whether our values are those of the script."""
    values = {str(score["options"]["n"]): score["value"] for score in json.loads(ours)["scores"]}
    return values == json.loads(theirs)


def beside_script(megabytes: int) -> Row | str:
    """Time ours beside the script, without a state."""
    reference, new, _ = made_parts(megabytes)
    return in_turns(
        f"{megabytes / 10:g} MB against {megabytes:,} MB",
        novelty(reference, new),
        "sets of tuples",
        python("-m", "benchmarks.novelty", "script", reference, new),
        same=same,
    )


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    small, large = sized(SMALL), sized(MEGABYTES)
    yield beside_script(small)
    for megabytes in (small, large):
        reference, *candidates = made_parts(megabytes)
        state = reference.with_suffix(".state")
        save = distinctly("state", "save", reference, "-m", "novelty:n=1", "-o", state, *OPTIONS)
        yield in_turns(f"state of {megabytes:,} MB, saved", save)
        yield f"The state of {megabytes:,} MB has {state.stat().st_size / 1e9:.2f} GB."
        for candidate in candidates[: 2 if megabytes == small else 1]:
            what = "the following texts" if candidate == candidates[0] else "the first texts of the reference"
            yield in_turns(
                f"{megabytes / 10:g} MB, {what}, against the state of {megabytes:,} MB",
                novelty(state, candidate),
            )


if __name__ == "__main__":
    if sys.argv[1] == "parts":
        write_parts(int(sys.argv[2]))
    else:
        print(json.dumps(script(*sys.argv[2:])))
