"""One row per text, beside a loop over lexicalrichness.

Both read a CSV file of 5,000 texts and write a CSV file with four columns of values, in one process each. The
values are compared. `python -m benchmarks.per_text FILE OUT` is the loop.
"""

from __future__ import annotations

import csv
import math
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.text import folder, generated_text
from benchmarks.turns import Row, distinctly, in_turns, python, sized

TEXTS = 5_000
# Our spec, and the call of lexicalrichness with the same definition and tokens.
METRICS: dict[str, Callable[[Any], float]] = {
    "ttr:preset=lexicalrichness": lambda theirs: theirs.ttr,
    "mattr:window=25,preset=lexicalrichness": lambda theirs: theirs.mattr(25),
    "mtld:preset=lexicalrichness": lambda theirs: theirs.mtld(),
    "hdd:preset=lexicalrichness": lambda theirs: theirs.hdd(42),
}
# Words per text: below and above 4 MB of text, from where on ours uses compiled loops.
LENGTHS = {"short": (50, 100), "long": (150, 350)}


def loop(file: str, out: str) -> None:
    """Measure each text of a file with lexicalrichness."""
    from lexicalrichness import LexicalRichness

    with open(file, encoding="utf-8", newline="") as source, open(out, "w", encoding="utf-8") as target:
        writer = csv.writer(target)
        writer.writerow(METRICS)
        for record in csv.DictReader(source):
            theirs = LexicalRichness(record["text"])
            writer.writerow([repr(float(call(theirs))) for call in METRICS.values()])


def write_texts(path: Path, number: int, shortest: int, longest: int) -> None:
    """Write a seeded file of texts of random lengths."""
    draw = random.Random(0)
    words = generated_text(number * longest * 8 / 1_000_000).read_text(encoding="ascii").split()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text"])
        start = 0
        for row in range(number):
            count = draw.randint(shortest, longest)
            writer.writerow([row, " ".join(words[start : start + count])])
            start += count


def values(path: Path) -> list[float]:
    """Return the values of a file that was written."""
    with path.open(encoding="utf-8", newline="") as file:
        return [float(record[spec] or "nan") for record in csv.DictReader(file) for spec in METRICS]


def row(number: int, length: str) -> Row | str:
    """Time ours beside the loop on a number of texts."""
    file, theirs, ours = (folder() / f"{part}-{length}-{number}.csv" for part in ("texts", "theirs", "ours"))
    write_texts(file, number, *LENGTHS[length])
    specs = [word for spec in METRICS for word in ("-m", spec)]

    def same(*_: str) -> bool:
        pairs = zip(values(ours), values(theirs), strict=True)
        return all(math.isclose(a, b, rel_tol=1e-9) for a, b in pairs)

    shortest, longest = LENGTHS[length]
    return in_turns(
        f"{number:,} {length} texts, {shortest} to {longest} words, {file.stat().st_size / 1e6:.1f} MB",
        distinctly("measure", file, "--per-text", *specs, "-o", ours),
        "loop over lexicalrichness",
        python("-m", "benchmarks.per_text", file, theirs),
        needs="lexicalrichness",
        same=same,
    )


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    return (row(sized(TEXTS, 100), length) for length in LENGTHS)


if __name__ == "__main__":
    loop(*sys.argv[1:])
