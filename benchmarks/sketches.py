"""Exact counts beside `--approximate`: `python -m benchmarks.sketches [MEGABYTES]`.

The text is that of `benchmarks.text`. Reading and tokenizing alone is the least that either needs.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import distinctly as dy
from distinctly.statistics.sketches import HyperLogLog

MEGABYTES, TURNS, CORPORA = 400, 3, 20
MEASURE = [sys.executable, "-m", "distinctly", "measure", "--tokenizer", "whitespace", "--format", "json"]
# What every run needs: reading, tokenizing, and the lengths and hashes of the texts.
SCAN = """
import sys
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.engine.local import summarize
from distinctly.run.plan import description
from distinctly.tokenizers import find_tokenizer
from distinctly.views.tokens import TokenView
view = TokenView(find_tokenizer("whitespace"))
summarize(Corpus.wrap(sys.argv[1]), description(view, approximate=True), RunConfig())
"""


def run(command: list[str], path: Path) -> tuple[float, float, float]:
    """Return the wall and processor seconds and the peak memory in GB of a command."""
    began = time.perf_counter()
    process = subprocess.Popen([*command, str(path)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{command} ended with status {status}")
    unit = 1e9 if sys.platform == "darwin" else 1e6
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit


def rates(path: Path) -> list[str]:
    """Measure exact and approximate counts in turns, and return the lines of a table."""
    lines = [
        "| | n | wall s | processor s | peak GB | faster by (wall) |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for most in (3, 4):
        specs = [word for n in range(1, most + 1) for word in ("-m", f"distinct:n={n}")]
        ways = {"exact": [*MEASURE, *specs], "`--approximate`": [*MEASURE, *specs, "--approximate"]}
        turns = [[run(command, path) for command in ways.values()] for _ in range(TURNS)]
        medians = [tuple(map(statistics.median, zip(*column))) for column in zip(*turns)]
        for name, (wall, processor, peak) in zip(ways, medians):
            ratio = "" if name == "exact" else f"{medians[0][0] / wall:.2f}×"
            lines.append(f"| {name} | 1–{most} | {wall:.2f} | {processor:.2f} | {peak:.2f} | {ratio} |")
    scans = [run([sys.executable, "-c", SCAN], path) for _ in range(TURNS)]
    wall, processor, peak = map(statistics.median, zip(*scans))
    lines.append(f"| reading and tokenizing alone | | {wall:.2f} | {processor:.2f} | {peak:.2f} | |")
    return lines


def errors() -> list[str]:
    """Compare estimates with exact counts, and return the lines of a table."""
    by_n: dict[int, list[float]] = {1: [], 2: [], 3: []}
    for seed in range(CORPORA):
        draw = np.random.default_rng(seed)
        words = draw.zipf(1.3, int(100 * 1.5**seed)) % 10_000_000
        texts = [" ".join(f"w{word}" for word in part) for part in np.array_split(words, len(words) // 10)]
        specs = [f"types:n={n}" for n in by_n]
        exact, estimated = dy.measure(texts, specs), dy.measure(texts, specs, approximate=True)
        for found, truth, score in zip(by_n.values(), exact, estimated):
            found.append(score.value / truth.value - 1)
    lines = ["| n | root mean square error | largest error |", "|---:|---:|---:|"]
    for n, found in by_n.items():
        root = float(np.sqrt(np.mean(np.square(found))))
        lines.append(f"| {n} | {root:.2%} | {max(map(abs, found)):.2%} |")
    return lines


def agreement() -> list[str]:
    """Compare our estimates with those of datasketches for the same registers."""
    import datasketches

    lines = [
        "| distinct items | bias | standard error | largest difference from datasketches |",
        "|---:|---:|---:|---:|",
    ]
    draw = np.random.default_rng(0)
    for size in (100, 1000, 10_000, 20_000, 40_000, 100_000, 1_000_000):
        sketches = [HyperLogLog.of(draw.integers(0, 2**64, size, np.uint64)) for _ in range(50)]
        ours = np.array([sketch.estimate for sketch in sketches])
        theirs = [
            datasketches.hll_sketch.deserialize(sketch.to_bytes()).get_estimate() for sketch in sketches
        ]
        differences = np.abs(np.array(theirs) / ours - 1)
        lines.append(
            f"| {size:,} | {ours.mean() / size - 1:+.2%} | {ours.std() / size:.2%} "
            f"| {differences.max():.3%} |"
        )
    return lines


def main() -> None:
    """Write the text, measure, and print the tables."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else MEGABYTES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        subprocess.run([sys.executable, "-m", "benchmarks.text", str(path), str(megabytes)], check=True)
        run([*MEASURE, "--approximate"], path)  # compiles
        table = rates(path)
    print(f"{megabytes:,} MB of text, median of {TURNS} runs in turns.\n", flush=True)
    print("\n".join(table))
    print(f"\nRelative errors of N on {CORPORA} corpora of 100 to 220,000 tokens.\n")
    print("\n".join(errors()))
    print("\nEstimates of 50 random sketches per size.\n")
    print("\n".join(agreement()))


if __name__ == "__main__":
    main()
