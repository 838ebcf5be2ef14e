"""Novelty beside the script that everybody writes: `python -m benchmarks.novelty [MEGABYTES]`.

A reference of this size, and a candidate of a tenth of it, are parts of one text of `benchmarks.text`.
The script keeps the n-grams of `str.split` of the reference in sets of tuples, which fits for small texts.
Ours saves a state of the reference, and compares the candidate with it, in `--memory 1GB`. Each is one
process per line.
`python -m benchmarks.novelty script A B` is the script, and `… parts FOLDER MEGABYTES` writes the texts.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.__main__ import Timed, timed
from benchmarks.text import write_text

MEGABYTES, SMALL, TURNS, LENGTHS = 1000, 10, 3, range(1, 9)
DISTINCTLY = [sys.executable, "-m", "distinctly"]
# Texts of candidates: those that follow the reference, and its own first ones.
NEW, COPIED = "other texts", "the first texts of the reference"


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


def novelty(reference: Path, candidate: Path) -> list[str]:
    """Return our command that compares a candidate with a reference or its state."""
    specs = [word for n in LENGTHS for word in ("-m", f"novelty:n={n}")]
    options = ["--tokenizer", "whitespace", "--memory", "1GB", "--format", "json"]
    return [*DISTINCTLY, "compare", str(reference), str(candidate), *specs, *options]


def values(run: Timed) -> dict[str, float]:
    """Return the novelty of each length from our JSON."""
    return {str(score["options"]["n"]): score["value"] for score in json.loads(run.output)["scores"]}


def median(runs: list[Timed]) -> str:
    """Return cells with the median wall and processor seconds and peak memory."""
    seconds, processor, peak = (
        statistics.median(getattr(run, name) for run in runs) for name in ("seconds", "processor", "peak")
    )
    return f"{seconds:.1f} | {processor:.1f} | {peak:.2f}"


def parts_of(folder: Path) -> tuple[Path, dict[str, Path]]:
    """Return the files of the reference and of the candidates."""
    return folder / "reference.txt", {NEW: folder / "new.txt", COPIED: folder / "copied.txt"}


def write_parts(folder: Path, megabytes: int) -> None:
    """Write a reference, and candidates of a tenth of its size."""
    text = folder / "text.txt"
    write_text(text, 1.1 * megabytes)
    lines = text.read_bytes()
    text.unlink()
    end = lines.index(b"\n", megabytes * 1_000_000) + 1
    reference, candidates = parts_of(folder)
    reference.write_bytes(lines[:end])
    candidates[NEW].write_bytes(lines[end:])
    candidates[COPIED].write_bytes(lines[: lines.index(b"\n", megabytes * 100_000) + 1])


def table(megabytes: int) -> list[str]:
    """Return the lines of the table."""
    lines = [
        f"| n = {LENGTHS[0]}–{LENGTHS[-1]} | wall s | processor s | peak GB |",
        "|---|---:|---:|---:|",
    ]
    for size in sorted({min(SMALL, megabytes), megabytes}):
        with tempfile.TemporaryDirectory() as name:
            # In a process of its own: a process that is started later is charged with the memory of this one.
            subprocess.run([sys.executable, "-m", "benchmarks.novelty", "parts", name, str(size)], check=True)
            reference, candidates = parts_of(Path(name))
            state = Path(name) / "reference.state"
            title = f"{size / 10:g} MB against {size:,} MB"
            save = [*DISTINCTLY, "state", "save", str(reference), "-m", "novelty:n=1", "-o", str(state)]
            saved = timed([*save, "--tokenizer", "whitespace", "--memory", "1GB"])
            lines.append(
                f"| state of {size:,} MB, of {state.stat().st_size / 1e9:.2f} GB, saved | {median([saved])} |"
            )
            for what, candidate in candidates.items():
                timed(novelty(state, candidate))  # compiled loops are stored by the first run
                runs = [timed(novelty(state, candidate)) for _ in range(TURNS)]
                lines.append(f"| {title}, {what}: from the state | {median(runs)} |")
            if size <= SMALL:
                theirs = timed(
                    [
                        sys.executable,
                        "-m",
                        "benchmarks.novelty",
                        "script",
                        str(reference),
                        str(candidates[NEW]),
                    ]
                )
                own = [timed(novelty(reference, candidates[NEW])) for _ in range(TURNS)]
                if values(own[0]) != json.loads(theirs.output):
                    raise RuntimeError(f"{values(own[0])} and {theirs.output}")
                lines.append(f"| {title}, {NEW}: without a state | {median(own)} |")
                lines.append(f"| … by sets of tuples | {median([theirs])} |")
        print("\n".join(lines[2:]), file=sys.stderr)
    return lines


if __name__ == "__main__":
    if sys.argv[1:2] == ["parts"]:
        write_parts(Path(sys.argv[2]), int(sys.argv[3]))
    elif len(sys.argv) > 3:
        print(json.dumps(script(*sys.argv[2:])))
    else:
        print("\n".join(table(int(sys.argv[1]) if len(sys.argv) > 1 else MEGABYTES)))
