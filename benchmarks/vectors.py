"""Metrics in embedding space beside vendi-score, SciPy and plain numpy.

Ours is the whole `measure` (checking, hashing, signing), after models and packages are loaded.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import distinctly as dy
from benchmarks.text import texts_of
from benchmarks.turns import Row, in_turns, sized

ALL_PAIRS = "numpy, all pairs, float64"


def drawn(number: int) -> Any:
    """Return random vectors of 256 dimensions."""
    return np.random.default_rng(0).standard_normal((number, 256), np.float32)


def near(ours: float, theirs: float) -> bool:
    """Return whether two values are equal up to float32, in which `score_X` computes."""
    return abs(ours - theirs) <= 1e-4 * abs(ours)


def cosines(rows: Any) -> Any:
    """Return the cosines of all pairs, in float64."""
    rows = rows.astype(np.float64)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units @ units.T


def mean_distance(rows: Any) -> float:
    """Return the mean cosine distance of all pairs."""
    return float(1 - cosines(rows)[~np.eye(len(rows), dtype=bool)].mean())


def mean_nearest(rows: Any) -> float:
    """Return the mean cosine distance to the nearest other row."""
    table = cosines(rows)
    np.fill_diagonal(table, -1)
    return float(1 - table.max(axis=1).mean())


def vendi_score(name: str, rows: Any) -> float:
    """Call vendi-score."""
    from vendi_score import vendi

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated parts of scipy
        return float(getattr(vendi, name)(rows))


def linkage_per_group(rows: Any, size: int) -> float:
    """Return the mean number of clusters per group by SciPy."""
    from scipy.cluster.hierarchy import fcluster, linkage

    counts = []
    for start in range(0, len(rows), size):
        tree = linkage(rows[start : start + size].astype(np.float64), "complete", "cosine")
        counts.append(len(set(fcluster(tree, 1 - 0.05, "distance"))))
    return float(np.mean(counts))


def value(rows: Any, spec: str, groups: list[str] | None = None) -> float:
    """Return our value."""
    return dy.measure(rows, spec, groups=groups)[0].value


def vendi(number: int) -> Row | str:
    """Time Vendi of a few vectors beside `score_X`."""
    rows = drawn(number)
    return in_turns(
        f"vendi, {number:,} × 256",
        partial(value, rows, "vendi"),
        "vendi-score `score_X`",
        partial(vendi_score, "score_X", rows),
        needs="vendi_score",
        same=near,
    )


def vendi_of_many(number: int) -> Row | str:
    """Time Vendi of many vectors beside `score_dual`."""
    rows = drawn(number)
    return in_turns(
        f"vendi, {number:,} × 256",
        partial(value, rows, "vendi"),
        "vendi-score `score_dual`, float64",
        lambda: vendi_score("score_dual", rows.astype(np.float64)),
        needs="vendi_score",
        same=near,
    )


def dispersion(number: int) -> Row | str:
    """Time dispersion beside all pairs."""
    rows = drawn(number)
    ours, theirs = partial(value, rows, "dispersion"), partial(mean_distance, rows)
    return in_turns(f"dispersion, {number:,} × 256", ours, ALL_PAIRS, theirs, same=near)


def chamfer(number: int) -> Row | str:
    """Time chamfer beside all pairs."""
    rows = drawn(number)
    ours, theirs = partial(value, rows, "chamfer"), partial(mean_nearest, rows)
    return in_turns(f"chamfer, {number:,} × 256", ours, ALL_PAIRS, theirs, same=near)


def answers(groups: int, spec: str = "answers:threshold=0.05", size: int = 20) -> Row | str:
    """Time the number of different answers per prompt, beside SciPy's clusters within prompts only."""
    rows = drawn(groups * size)
    names = [f"g{row // size}" for row in range(len(rows))]
    return in_turns(
        f"`{spec}`, {groups:,} groups of {size} × 256, all scopes",
        partial(value, rows, spec, names),
        "SciPy, `linkage` per group, only within",
        partial(linkage_per_group, rows, size),
        same=None if "preset" in spec else near,
    )


def embedding() -> Row | str:
    """Time WordLlama beside its own `embed`."""
    import wordllama

    from distinctly.embedders import find_embedder

    texts = texts_of("banking77.jsonl")[: sized(20_000)]
    model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    return in_turns(
        f"`wordllama`, {len(texts):,} sentences",
        partial(find_embedder("wordllama").embed, texts),
        "its own `embed`",
        partial(model.embed, texts, norm=True),
        same=np.array_equal,
    )


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    many, few = sized(100_000), sized(4000)
    yield vendi_of_many(many)
    yield vendi(few)
    yield dispersion(few)
    yield chamfer(few)
    yield answers(sized(1000))
    yield answers(sized(1000), "answers:preset=noveltybench,threshold=0.05")
    for metric, number in (("dispersion", many), ("chamfer", sized(20_000))):
        yield in_turns(f"{metric}, {number:,} × 256", partial(value, drawn(number), metric))
    yield embedding()
