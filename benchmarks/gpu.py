"""Distances on a GPU: `python -m benchmarks.gpu` on a machine that has one; it needs numpy and torch only.

Vectors are random, 384 dimensions, float32, in the main memory: the time is that of the whole `dy.compare`,
with checking, hashing and copying. The ceilings are measured in the same run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

DIMENSIONS = 384


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that a call takes, and what it returns."""
    import torch

    torch.cuda.synchronize()
    began = time.perf_counter()
    found = call()
    torch.cuda.synchronize()
    return time.perf_counter() - began, found


def ceilings() -> dict[str, float]:
    """Measure what the card can do: products in float32, TF32 and float64 (FLOP/s), and copies (bytes/s)."""
    import torch

    found = {}
    side = 16_384
    for name, kind, tf32 in (
        ("float32", torch.float32, False),
        ("TF32", torch.float32, True),
        ("float64", torch.float64, False),
    ):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        # As the distances have it: long and thin tables, a wide product.
        one = torch.randn(side, DIMENSIONS, device="cuda", dtype=kind)
        torch.mm(one, one.T)
        seconds, _ = timed(lambda one=one: [torch.mm(one, one.T) for _ in range(10)])
        found[name] = 10 * 2 * side * side * DIMENSIONS / seconds
    torch.backends.cuda.matmul.allow_tf32 = False
    table = torch.empty(1 << 30, dtype=torch.float32, device="cuda")
    other = torch.empty_like(table)
    other.copy_(table)
    seconds, _ = timed(lambda to=other, of=table: [to.copy_(of) for _ in range(5)])
    found["copy"] = 5 * 2 * table.numel() * 4 / seconds
    del table, other
    torch.cuda.empty_cache()
    return found


def vectors(size: int) -> list[Any]:
    """Return two clouds of vectors, one of them moved a little."""
    import numpy as np

    draw = np.random.default_rng(0)
    one, other = (draw.standard_normal((size, DIMENSIONS), dtype=np.float32) for _ in range(2))
    other[:, 0] += 1
    return [one, other]


def main(sizes: list[int]) -> None:
    """Print the table."""
    import torch

    import distinctly as dy

    card = torch.cuda.get_device_name()
    best = ceilings()
    print(
        f"{card}, torch {torch.__version__}. Ceilings measured in this run, tables of {DIMENSIONS} columns:"
    )
    told = ", ".join(f"{name} {best[name] / 1e12:.0f} TFLOP/s" for name in ("float32", "TF32", "float64"))
    print(f"{told}; copying {best['copy'] / 1e12:.1f} TB/s (read and written).\n")
    print("| | vectors a side | seconds | values | TFLOP/s of the products | of the ceiling |")
    print("|---|---:|---:|---|---:|---:|", flush=True)
    small = vectors(2000)
    for specs in (["pr", "dc"], ["mauve:seeds=1"], ["frechet"], ["energy"]):
        dy.compare(*small, specs, device="cuda")  # loads the kernels
    for size in sizes:
        rows = vectors(size)
        # Products of n × n: the two self tables, half of each, and the one between.
        tables = 2 * 2 * size * size * DIMENSIONS
        runs: list[tuple[str, list[str], bool, float]] = [
            ("pr + dc, float32", ["pr", "dc"], False, tables),
            ("pr + dc, TF32", ["pr", "dc"], True, tables),
            ("mauve, 1,000 clusters", ["mauve:clusters=1000,seeds=1"], False, 0.0),
            ("frechet", ["frechet"], False, 0.0),
        ]
        if size <= 200_000:
            runs += [("energy", ["energy"], False, tables)]
        for name, specs, tf32, operations in runs:
            seconds, scores = timed(partial(dy.compare, *rows, specs, device="cuda", tf32=tf32))
            rate = operations / seconds
            ceiling = best["TF32" if tf32 else "float32"]
            share = f"{rate / 1e12:.1f} | {rate / ceiling:.0%}" if operations else "|"
            values = ", ".join(f"{score.value:.4f}" for score in scores)
            print(f"| {name} | {size:,} | {seconds:.2f} | {values} | {share} |", flush=True)
        if size <= 200_000:
            seconds, scores = timed(partial(dy.measure, rows[0], "vendi", device="cuda"))
            print(f"| vendi | {size:,} | {seconds:.2f} | {scores[0].value:.2f} | | |", flush=True)
    print(f"\nPeak memory on the card: {torch.cuda.max_memory_allocated() / 1e9:.1f} GB.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int, default=[100_000, 1_000_000])
    main(parser.parse_args(sys.argv[1:]).sizes)
