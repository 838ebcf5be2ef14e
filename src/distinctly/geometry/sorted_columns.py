"""Two corpora column by column, each sorted: the base of medians and one-dimensional transport."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from distinctly.arrays import Device, Reals
from distinctly.embedders.base import Vectors
from distinctly.ragged import Integers
from distinctly.statistics.pairing import PairIndex, PairRows, Summary

# The largest sorted pool, in bytes, that is kept for many selections; in larger pools, each selection is
# sorted separately.
MOST_KEPT = 2_000_000_000


class SortedIndex(PairIndex[Summary]):
    """A table of one row per text, whose columns are sorted once for all selections.

    The numbers of a selection are picked from the sorted numbers of the pool, and so are sorted.
    """

    def __init__(self, table: Vectors, device: Device) -> None:
        self._table, self.device = table, device

    @abstractmethod
    def compare(self, reference: Any, candidate: Any) -> Any:
        """Compare some columns (each a row here, sorted) of the two; one row of results per column."""

    @abstractmethod
    def summary(self, reference: Integers, candidate: Integers, compared: Reals) -> Summary:
        """Summarize the results of all columns."""

    def chosen(self, rows: Integers) -> Integers:
        """Return the texts of a selection that are compared."""
        return rows

    def summarize(self, reference: Integers, candidate: Integers) -> Summary:
        """Sort the columns of the two selections, a few at a time."""
        device = self.device
        reference_rows, candidate_rows = self.chosen(reference), self.chosen(candidate)
        compared = []
        for block in self._blocks(len(reference_rows) + len(candidate_rows)):
            columns = self._table[:, block]
            ordered = [
                device.xp.sort(device.put(columns[rows].T), axis=1)
                for rows in (reference_rows, candidate_rows)
            ]
            compared.append(device.take(self.compare(*ordered)))
        return self.summary(reference, candidate, np.concatenate(compared))

    def each(self, pairs: Sequence[PairRows]) -> Iterator[Summary]:
        """Pick the numbers of each selection from those of the pool, in their order."""
        if 16 * self._table.size > MOST_KEPT:
            yield from super().each(pairs)
            return
        device = self.device
        order, ordered = self._sorted
        for reference, candidate in pairs:
            chosen = [self.chosen(rows) for rows in (reference, candidate)]
            masks = [np.zeros(len(self._table), np.bool_) for _ in chosen]
            for mask, rows in zip(masks, chosen):
                mask[rows] = True
            placed = [device.put(mask) for mask in masks]
            compared = []
            for block in self._blocks(sum(map(len, chosen))):
                columns, places = ordered[block], order[block]
                picked = [
                    columns[mask[places]].reshape(len(columns), len(rows))
                    for mask, rows in zip(placed, chosen)
                ]
                compared.append(device.take(self.compare(*picked)))
            yield self.summary(reference, candidate, np.concatenate(compared))

    def _blocks(self, texts: int) -> list[slice]:
        """Cut the columns into blocks that are worked on together."""
        size = self.device.rows_per_block(texts, 8)
        return [slice(start, start + size) for start in range(0, self._table.shape[1], size)]

    @cached_property
    def _sorted(self) -> tuple[Any, Any]:
        """The rows of the pool in the order of each column, and the numbers in that order."""
        device = self.device
        columns = device.put(np.ascontiguousarray(self._table.T))
        order = device.xp.argsort(columns, axis=1)
        return order, device.xp.take_along_axis(columns, order, axis=1)
