"""Errors of approximate counts: `python -m benchmarks.sketches`. `--approximate` is timed by `counting`."""

from __future__ import annotations

import numpy as np

import distinctly as dy
from distinctly.statistics.sketches import HyperLogLog

CORPORA = 20


def errors() -> list[str]:
    """Compare estimates with exact counts, and return the lines of a table."""
    by_n: dict[int, list[float]] = {1: [], 2: [], 3: []}
    for seed in range(CORPORA):
        draw = np.random.default_rng(seed)
        words = draw.zipf(1.3, int(100 * 1.5**seed)) % 10_000_000
        texts = [" ".join(f"w{word}" for word in part) for part in np.array_split(words, len(words) // 10)]
        specs = [f"types:n={n}" for n in by_n]
        exact, estimated = dy.measure(texts, specs), dy.measure(texts, specs, approximate=True)
        for relative_errors, truth, score in zip(by_n.values(), exact, estimated):
            relative_errors.append(score.value / truth.value - 1)
    lines = ["| n | root mean square error | largest error |", "|---:|---:|---:|"]
    for n, relative_errors in by_n.items():
        root = float(np.sqrt(np.mean(np.square(relative_errors))))
        lines.append(f"| {n} | {root:.2%} | {max(map(abs, relative_errors)):.2%} |")
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


if __name__ == "__main__":
    print(f"Relative errors of N on {CORPORA} corpora of 100 to 220,000 tokens.\n")
    print("\n".join(errors()))
    print("\nEstimates of 50 random sketches per size.\n")
    print("\n".join(agreement()))
