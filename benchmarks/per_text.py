"""Time one row per text beside a loop over lexicalrichness: `python -m benchmarks.per_text`.

Both read a CSV file of 5,000 texts and write a CSV file with four columns of values. Each line is one
process, in turns: wall time includes start-up, reading, writing and, for ours, loading compiled loops if they
are used. The values are compared. `python -m benchmarks.per_text FILE OUT` is the loop.
"""

from __future__ import annotations

import csv
import math
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.richness import text_of

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
NEAR = 1e-9


def loop(file: str, out: str) -> None:
    """Measure each text of a file with lexicalrichness."""
    from lexicalrichness import LexicalRichness

    with open(file, encoding="utf-8", newline="") as source, open(out, "w", encoding="utf-8") as target:
        writer = csv.writer(target)
        writer.writerow(METRICS)
        for row in csv.DictReader(source):
            theirs = LexicalRichness(row["text"])
            writer.writerow([repr(float(call(theirs))) for call in METRICS.values()])


def write_texts(path: Path, shortest: int, longest: int) -> int:
    """Write a seeded file of texts of random lengths; return its number of bytes."""
    draw = random.Random(0)
    words = text_of(TEXTS * longest).split()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text"])
        start = 0
        for number in range(TEXTS):
            count = draw.randint(shortest, longest)
            writer.writerow([number, " ".join(words[start : start + count])])
            start += count
    return path.stat().st_size


def timed(command: list[str]) -> tuple[float, float]:
    """Return the seconds on the clock and of the processor that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def values(path: Path) -> list[list[float]]:
    """Return the values of a file that was written."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return [[float(row[spec] or "nan") for spec in METRICS] for row in rows]


def lines(turns: int = 3) -> list[str]:
    """Return the lines of the table."""
    table = [
        f"| {TEXTS:,} texts, {len(METRICS)} metrics, whole process | loop over lexicalrichness, s | ours, s "
        "| ratio | processor: theirs, s | ours, s | ratio |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, (shortest, longest) in LENGTHS.items():
        with tempfile.TemporaryDirectory() as folder:
            file, theirs, ours = (Path(folder) / part for part in ("texts.csv", "theirs.csv", "ours.csv"))
            size = write_texts(file, shortest, longest)
            peer = [sys.executable, "-m", "benchmarks.per_text", str(file), str(theirs)]
            specs = [word for spec in METRICS for word in ("-m", spec)]
            command = [sys.executable, "-m", "distinctly", "measure", str(file), "--per-text", *specs]
            command += ["-o", str(ours)]
            timed(command)  # compiled loops are stored by the first run
            runs = [(timed(peer), timed(command)) for _ in range(turns)]
            for left, right in zip(values(theirs), values(ours), strict=True):
                if not all(math.isclose(a, b, rel_tol=NEAR) for a, b in zip(left, right)):
                    raise RuntimeError(f"{name}: {left} and {right}")
        (a, c), (b, d) = (
            (statistics.median(run[side][0] for run in runs), statistics.median(run[side][1] for run in runs))
            for side in (0, 1)
        )
        table.append(
            f"| {name} texts, {shortest} to {longest} words, {size / 1e6:.1f} MB | {a:.2f} | {b:.2f} | "
            f"{a / b:.1f}× | {c:.2f} | {d:.2f} | {c / d:.1f}× |"
        )
        print(table[-1], file=sys.stderr)
    return table


if __name__ == "__main__":
    if len(sys.argv) == 3:
        loop(*sys.argv[1:])
    else:
        print("\n".join(lines()))
