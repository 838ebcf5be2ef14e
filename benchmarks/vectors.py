"""Time metrics in embedding space beside vendi-score and plain numpy: `python -m benchmarks.vectors`.

Times are the shortest of three calls in one process, after models and packages are loaded. Ours are those of
the whole `measure` (checking, hashing, signing).
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
    """Return the shortest time of several calls, and the result of the last."""
    times, result = [], None
    for _ in range(turns):
        began = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - began)
    return min(times), result


def lines() -> list[str]:
    """Return the lines of the table."""
    warnings.simplefilter("ignore")  # vendi-score uses deprecated parts of scipy
    import numpy as np
    from scipy.cluster.hierarchy import fcluster, linkage
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

    groups = [f"g{row // 20}" for row in range(20_000)]

    def answers_by_scipy(rows: Any) -> Any:
        counts = []
        for start in range(0, len(rows), 20):
            tree = linkage(rows[start : start + 20].astype(np.float64), "complete", "cosine")
            counts.append(len(set(fcluster(tree, 1 - 0.05, "distance"))))
        return np.mean(counts)

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
        (
            "answers, 1,000 groups of 20 × 256, within and across",
            lambda: dy.measure(vectors[:20_000], "answers:threshold=0.05", groups=groups)[0].value,
            "scipy, `linkage` per group, only within",
            lambda: answers_by_scipy(vectors[:20_000]),
        ),
    ]
    table = ["| | seconds | beside | seconds | ours is faster by |\n|---|---:|---|---:|---:|"]
    for task, own_call, name, peer_call in compared:
        (own_time, own), (peer_time, theirs) = best(own_call), best(peer_call)
        if abs(own - theirs) > 1e-4 * abs(own):  # score_X computes in float32
            raise RuntimeError(f"{task}: {name} gives {theirs}, distinctly {own}")
        table.append(f"| {task} | {own_time:.2f} | {name} | {peer_time:.2f} | {peer_time / own_time:.1f}× |")
        print(table[-1], file=sys.stderr)
    for metric, rows in (("dispersion", vectors), ("chamfer", vectors[:20_000])):
        seconds, _ = best(ours(rows, metric), 1)
        table.append(f"| {metric}, {len(rows):,} × 256 | {seconds:.2f} | | | |")
        print(table[-1], file=sys.stderr)
    if (SHARED / "banking77.jsonl").exists():
        import wordllama

        texts = [json.loads(line)["text"] for line in (SHARED / "banking77.jsonl").open(encoding="utf-8")]
        embedder = find_embedder("wordllama")
        model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
        own_time, own = best(lambda: embedder.embed(texts))
        peer_time, theirs = best(lambda: model.embed(texts, norm=True))
        if not np.array_equal(own, theirs):
            raise RuntimeError("the vectors differ from those of WordLlama")
        table.append(
            f"| wordllama, {len(texts):,} sentences | {own_time:.2f} | its own `embed` | {peer_time:.2f} "
            f"| {peer_time / own_time:.1f}× |"
        )
        print(table[-1], file=sys.stderr)
    return table


if __name__ == "__main__":
    print("\n".join(lines()))
