"""Vectors in memory without texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.batch import Batch
from distinctly.sources.base import Source


class VectorSource(Source):
    """The rows of a 2-D float array, each the vector of a text."""

    name = title = "texts"

    def __init__(self, table: NDArray[np.floating[Any]]) -> None:
        self._table = table

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the vectors in batches; in one batch if no size is given."""
        step = rows or max(len(self._table), 1)
        for start in range(0, max(len(self._table), 1), step):
            yield Batch.of_vectors(self._table[start : start + step])
