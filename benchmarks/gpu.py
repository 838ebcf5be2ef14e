"""Time distances on a GPU: `python -m benchmarks.gpu`, on a machine with a GPU, numpy and torch.

The vectors are random, 384 dimensions, float32, in main memory. The time is that of the whole `dy.compare`,
including checking, hashing and copying. The ceilings are measured in the same run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

DIMENSIONS = 384


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that a call takes, and its result."""
    import torch

    torch.cuda.synchronize()
    began = time.perf_counter()
    result = call()
    torch.cuda.synchronize()
    return time.perf_counter() - began, result


def ceilings() -> dict[str, float]:
    """Measure the limits of the card: products in float32, TF32 and float64 (FLOP/s), copies (bytes/s)."""
    import torch

    limits = {}
    side = 16_384
    for name, kind, tf32 in (
        ("float32", torch.float32, False),
        ("TF32", torch.float32, True),
        ("float64", torch.float64, False),
    ):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        # The shape of the distances: long and thin tables, a wide product.
        rows = torch.randn(side, DIMENSIONS, device="cuda", dtype=kind)
        torch.mm(rows, rows.T)
        seconds, _ = timed(lambda rows=rows: [torch.mm(rows, rows.T) for _ in range(10)])
        limits[name] = 10 * 2 * side * side * DIMENSIONS / seconds
    torch.backends.cuda.matmul.allow_tf32 = False
    table = torch.empty(1 << 30, dtype=torch.float32, device="cuda")
    copied = torch.empty_like(table)
    copied.copy_(table)
    seconds, _ = timed(lambda to=copied, of=table: [to.copy_(of) for _ in range(5)])
    limits["copy"] = 5 * 2 * table.numel() * 4 / seconds
    del table, copied
    torch.cuda.empty_cache()
    return limits


def vectors(size: int) -> list[Any]:
    """Return two corpora of random vectors, the second slightly shifted."""
    import numpy as np

    draw = np.random.default_rng(0)
    reference, candidate = (draw.standard_normal((size, DIMENSIONS), dtype=np.float32) for _ in range(2))
    candidate[:, 0] += 1
    return [reference, candidate]


@dataclass(frozen=True)
class Spent:
    """The seconds of a run: wall time, and products, other kernels and copies on the card."""

    wall: float
    products: float
    others: float
    copies: float
    scores: Any

    @classmethod
    def of(cls, call: Callable[[], Any]) -> Spent:
        """Run a call under the profiler of the card."""
        from torch.profiler import ProfilerActivity, profile

        with profile(activities=[ProfilerActivity.CUDA]) as profiled:
            wall, scores = timed(call)
        spent = {"products": 0.0, "others": 0.0, "copies": 0.0}
        for event in profiled.key_averages():
            kind = "products" if "gemm" in event.key else "copies" if "Memcpy" in event.key else "others"
            spent[kind] += event.self_device_time_total / 1e6
        return cls(wall, **spent, scores=scores)

    @property
    def bound(self) -> str:
        """The kind of work that takes most of the time."""
        host = self.wall - self.products - self.others - self.copies
        shares = {
            "products": self.products,
            "reading the tables": self.others,
            "copying to the card": self.copies,
            "the CPU: checking, hashing, ordering, starting kernels": host,
        }
        return max(shares, key=shares.__getitem__)


def row(name: str, size: int, spent: Spent, operations: float, ceiling: float, entries: float) -> str:
    """Return one row of the table."""
    values = ", ".join(f"{score.value:.4f}" for score in spent.scores)
    rate = operations / spent.products if operations else 0.0
    share = f"{spent.products:.2f} s, {rate / 1e12:.0f} TFLOP/s, {rate / ceiling:.0%}" if operations else ""
    read = f"{spent.others:.2f} s, {4 * entries / spent.others / 1e12:.2f} TB/s" if entries else ""
    return f"| {name} | {size:,} | {values} | {spent.wall:.2f} | {share} | {read} | {spent.bound} |"


def main(sizes: list[int]) -> None:
    """Print the table."""
    import torch

    import distinctly as dy

    limits = ceilings()
    print(
        f"{torch.cuda.get_device_name()}, torch {torch.__version__}. Ceilings measured in this run, tables "
        f"of {DIMENSIONS} columns: "
        + ", ".join(f"{name} {limits[name] / 1e12:.0f} TFLOP/s" for name in ("float32", "TF32", "float64"))
        + f"; copying {limits['copy'] / 1e12:.1f} TB/s (read and written).\n"
    )
    header = (
        "vectors per corpus",
        "values",
        "seconds",
        "products, of the ceiling",
        "other kernels",
        "bound by",
    )
    print(f"| | {' | '.join(header)} |")
    print("|---|---:|---|---:|---:|---:|---|", flush=True)
    small = vectors(2000)
    for spec in ("pr", "mauve", "frechet", "energy"):
        dy.compare(*small, spec, device="cuda")  # loads the kernels
    for size in sizes:
        rows = vectors(size)
        # Tables of n × n: half of that of each corpus with itself, and the one between the two.
        entries = 2.0 * size * size
        operations = 2 * DIMENSIONS * entries
        runs: list[tuple[str, list[str], bool, bool]] = [
            ("pr + dc, float32", ["pr", "dc"], False, True),
            ("pr + dc, TF32", ["pr", "dc"], True, True),
            ("mauve, 1,000 clusters", ["mauve:clusters=1000,seeds=1"], False, False),
            ("frechet", ["frechet"], False, False),
        ]
        if size <= 200_000:
            runs += [("energy", ["energy"], False, True)]
        for name, specs, tf32, tables in runs:
            spent = Spent.of(partial(dy.compare, *rows, specs, device="cuda", tf32=tf32))
            ceiling = limits["TF32" if tf32 else "float32"]
            print(row(name, size, spent, tables * operations, ceiling, tables * entries), flush=True)
        if size <= 200_000:
            spent = Spent.of(partial(dy.measure, rows[0], "vendi", device="cuda"))
            print(row("vendi", size, spent, 0.0, 1.0, 0.0), flush=True)
    print(
        "\nOther kernels read each entry of the tables several times; their TB/s count it once. "
        f"Peak memory on the card: {torch.cuda.max_memory_allocated() / 1e9:.1f} GB."
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int, default=[100_000, 1_000_000])
    main(parser.parse_args(sys.argv[1:]).sizes)
