"""Vectors in memory without texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.batch import Batch, VectorHashes
from distinctly.errors import InputError
from distinctly.sources.base import Source
from distinctly.strings import Strings


class VectorSource(Source):
    """The rows of a 2-D float array, each the vector of a text."""

    name = title = "texts"

    def __init__(
        self,
        table: NDArray[np.floating[Any]],
        hashes: VectorHashes | None = None,
        groups: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
    ) -> None:
        for name, column in (("groups", groups), ("ids", ids)):
            if column is not None and len(column) != len(table):
                raise InputError(
                    f"expected one entry of `{name}` per vector, got {len(column)} for {len(table)} vectors."
                )
        self._table, self._hashes = table, hashes
        self._groups = None if groups is None else Strings.encode([str(group) for group in groups])
        self._ids = None if ids is None else Strings.encode([str(text_id) for text_id in ids])

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the vectors in batches; in one batch if no size is given."""
        step = rows or max(len(self._table), 1)
        for start in range(0, max(len(self._table), 1), step):
            end = min(start + step, len(self._table))
            rows_of_batch = np.arange(start, end)
            yield Batch.of_vectors(
                self._table[start:end],  # not copied
                groups=None if self._groups is None else self._groups.take(rows_of_batch),
                ids=None if self._ids is None else self._ids.take(rows_of_batch),
                hashes=None if self._hashes is None else self._hashes.take(rows_of_batch),
            )
