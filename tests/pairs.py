"""Vectors for metrics of all pairs: Hypothesis strategies, and real corpora."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

# Few small integers, so that vectors are repeated, opposite or zero; and some nearly equal ones.
_STEPS = st.sampled_from([0.0, 0.0, 1e-4, 1e-8, -1e-12])


def corpora(least: int = 2) -> st.SearchStrategy[tuple[Any, Any]]:
    """Draw the vectors of two corpora of one dimension."""
    return st.integers(1, 4).flatmap(lambda size: st.tuples(*[_rows(size, least)] * 2))


def _rows(size: int, least: int) -> st.SearchStrategy[Any]:
    number = st.builds(lambda whole, step: whole + step, st.integers(-2, 2), _STEPS)
    row = st.lists(number, min_size=size, max_size=size)
    return st.lists(row, min_size=least, max_size=7).map(lambda rows: np.array(rows, np.float64))


def real(shared: Path, texts: int) -> tuple[Any, Any]:
    """Return vectors of two corpora of questions, by all-MiniLM-L6-v2."""
    names = ("clinc150", "banking77")
    found = [np.load(shared / "embeddings" / f"{name}-minilm.npz")["vectors"][:texts] for name in names]
    return found[0], found[1]
