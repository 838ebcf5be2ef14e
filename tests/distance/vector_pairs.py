"""Pairs of corpora as vectors, for the tests of distances between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

import distinctly as dy

Table = np.ndarray[Any, Any]
Rows = list[list[int]]


def pairs(least: int = 1, most: int = 6) -> st.SearchStrategy[tuple[Rows, Rows]]:
    """Draw two corpora of small integers: vectors repeat, are zero, or are collinear."""

    def of(size: int) -> st.SearchStrategy[Rows]:
        return st.lists(
            st.lists(st.integers(-2, 2), min_size=size, max_size=size), min_size=least, max_size=most
        )

    return st.integers(1, 5).flatmap(lambda size: st.tuples(of(size), of(size)))


def compare(one: Any, other: Any, spec: str, **options: Any) -> dy.Score:
    """Compare two arrays of vectors."""
    return dy.compare(np.asarray(one, float), np.asarray(other, float), spec, **options)[0]


def real(shared: Path, name: str, size: int, start: int = 0) -> Table:
    """Return MiniLM vectors of a public corpus, as float32."""
    vectors = np.load(shared / "embeddings" / f"{name}-minilm.npz")["vectors"]
    return vectors[start : start + size].astype(np.float32)
