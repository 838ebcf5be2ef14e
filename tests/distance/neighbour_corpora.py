"""Pairs of corpora for the tests of distances, and peers that measure them."""

from __future__ import annotations

import contextlib
import functools
import gzip
import io
import json
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

# Two corpora of small integers, so that vectors repeat and distances tie, without rounding.
PAIRS = st.integers(1, 4).flatmap(
    lambda size: st.tuples(
        *[
            st.lists(st.lists(st.integers(-2, 2), min_size=size, max_size=size), min_size=1, max_size=12)
            for _ in range(2)
        ]
    )
)


@functools.cache
def real(shared: Path, name: str, many: int) -> Vectors:
    """Return MiniLM vectors of real texts, spread over the file."""
    rows = np.load(shared / "embeddings" / f"{name}-minilm.npz")["vectors"].astype(np.float32)
    return rows[np.linspace(0, len(rows) - 1, many).astype(int)]


@functools.cache
def wordllama(shared: Path, name: str, many: int) -> Vectors:
    """Return WordLlama's vectors of real texts."""
    from distinctly.embedders import find_embedder

    (path,) = shared.glob(f"{name}*.jsonl*")
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open() as lines:
        texts = [json.loads(line)["text"] for _, line in zip(range(many), lines)]
    return find_embedder("wordllama").embed(texts)


@functools.cache
def against_prdc(
    shared: Path, embedder: str, n: int, m: int, k: int
) -> tuple[Vectors, Vectors, dict[str, float]]:
    """Return two corpora of real texts and the results of prdc, without its console output."""
    from prdc import compute_prdc

    embed = real if embedder == "minilm" else wordllama
    one, other = embed(shared, "clinc150", n), embed(shared, "banking77", m)
    with contextlib.redirect_stdout(io.StringIO()):
        return one, other, compute_prdc(one, other, k)


# Embedder, numbers of texts, and k.
REAL = [
    ("minilm", 2850, 2850, 5),
    ("minilm", 50, 2850, 5),
    ("minilm", 100, 700, 10),
    ("wordllama", 900, 900, 5),
]
