"""Metrics in embedding space beside vendi-score and plain numpy: `python -m benchmarks.vectors`.

Times are the best of three, in one process, models and packages loaded; ours include everything that
`measure` does with an array (checking, hashing, signing).
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"


def best(call: Callable[[], Any], turns: int = 3) -> tuple[float, Any]:
    """Return the shortest time of several, and what the call returned."""
    times, found = [], None
    for _ in range(turns):
        began = time.perf_counter()
        found = call()
        times.append(time.perf_counter() - began)
    return min(times), found


def lines() -> list[str]:
    """Return a table of times."""
    warnings.simplefilter("ignore")  # vendi-score uses what scipy has deprecated
    import numpy as np
    from vendi_score import vendi as peer

    import distinctly as dy
    from distinctly.embedders import find_embedder

    draw = np.random.default_rng(0)
    vectors = draw.standard_normal((100_000, 256)).astype(np.float32)
    few = vectors[:4000]

    def ours(rows: Any, metric: str) -> Callable[[], float]:
        return lambda: dy.measure(rows, metric)[0].value

    def all_pairs(rows: Any) -> Any:
        units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return 1 - (units @ units.T)[~np.eye(len(rows), dtype=bool)].mean()

    def nearest(rows: Any) -> Any:
        units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        cosines = units @ units.T
        np.fill_diagonal(cosines, -1)
        return 1 - cosines.max(axis=1).mean()

    compared: list[tuple[str, Callable[[], Any], str, Callable[[], Any]]] = [
        (
            "vendi, 100,000 × 256",
            ours(vectors, "vendi"),
            "vendi-score `score_dual`, float64",
            lambda: peer.score_dual(vectors.astype(np.float64)),
        ),
        ("vendi, 4,000 × 256", ours(few, "vendi"), "vendi-score `score_X`", lambda: peer.score_X(few)),
        (
            "dispersion, 4,000 × 256",
            ours(few, "dispersion"),
            "numpy, all pairs, float64",
            lambda: all_pairs(few.astype(np.float64)),
        ),
        (
            "chamfer, 4,000 × 256",
            ours(few, "chamfer"),
            "numpy, all pairs, float64",
            lambda: nearest(few.astype(np.float64)),
        ),
    ]
    table = ["| | seconds | beside | seconds | ours is faster by |\n|---|---:|---|---:|---:|"]
    for what, mine, name, theirs in compared:
        (own_time, own), (their_time, other) = best(mine), best(theirs)
        if abs(own - other) > 1e-4 * abs(own):  # score_X computes in the array's own float32
            raise RuntimeError(f"{what}: {name} gives {other}, we {own}")
        table.append(
            f"| {what} | {own_time:.2f} | {name} | {their_time:.2f} | {their_time / own_time:.1f}× |"
        )
        print(table[-1], file=sys.stderr)
    for metric, rows in (("dispersion", vectors), ("chamfer", vectors[:20_000])):
        took, _ = best(ours(rows, metric), 1)
        table.append(f"| {metric}, {len(rows):,} × 256 | {took:.2f} | | | |")
        print(table[-1], file=sys.stderr)
    if (SHARED / "banking77.jsonl").exists():
        import wordllama

        texts = [json.loads(line)["text"] for line in (SHARED / "banking77.jsonl").open(encoding="utf-8")]
        embedder = find_embedder("wordllama")
        model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
        own_time, own = best(lambda: embedder.embed(texts))
        their_time, other = best(lambda: model.embed(texts, norm=True))
        if not np.array_equal(own, other):
            raise RuntimeError("our vectors are not those of WordLlama")
        table.append(
            f"| wordllama, {len(texts):,} sentences | {own_time:.2f} | its own `embed` | {their_time:.2f} "
            f"| {their_time / own_time:.1f}× |"
        )
        print(table[-1], file=sys.stderr)
    return table


if __name__ == "__main__":
    print("\n".join(lines()))
