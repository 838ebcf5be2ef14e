"""`Medians`: the coordinate-wise medians of the vectors of two corpora."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from distinctly.arrays import Reals
from distinctly.geometry.scaling import have_directions, near_one
from distinctly.geometry.sorted_columns import SortedIndex
from distinctly.ragged import Integers
from distinctly.statistics.pairing import PairStatistic
from distinctly.statistics.pool import Pool
from distinctly.views.vectors import VectorTable, VectorView


@dataclass(frozen=True)
class TwoMedians:
    """The median of each coordinate in two corpora, the number of texts, and of vectors that are zero.

    Vectors of zeros have no direction and are left out; a corpus that has no others has medians of zero.
    """

    reference: Reals
    candidate: Reals
    texts: int
    zeros: int


@dataclass(frozen=True)
class Medians(PairStatistic[TwoMedians]):
    """The medians of coordinates in a reference and a candidate."""

    view: VectorView

    def index(self, pool: Pool) -> MedianIndex:
        """Take the vectors of the pool."""
        return MedianIndex(pool.view(self.view))


class MedianIndex(SortedIndex[TwoMedians]):
    """The coordinates of a pool."""

    def __init__(self, table: VectorTable) -> None:
        super().__init__(near_one(table.rows)[0], table.device)
        self._placed = have_directions(table.rows)

    def chosen(self, rows: Integers) -> Integers:
        """Leave out vectors of zeros."""
        placed: Integers = rows[self._placed[rows]]
        return placed

    def compare(self, reference: Any, candidate: Any) -> Any:
        """Take the middle of each."""
        xp = self.device.xp
        return xp.stack([_middle(reference, xp), _middle(candidate, xp)], axis=1)

    def summary(self, reference: Integers, candidate: Integers, compared: Reals) -> TwoMedians:
        """Return the medians."""
        texts = len(reference) + len(candidate)
        placed = len(self.chosen(reference)) + len(self.chosen(candidate))
        return TwoMedians(compared[:, 0], compared[:, 1], texts, texts - placed)


def _middle(columns: Any, xp: Any) -> Any:
    """Return the median of each sorted row; zeros if there are no numbers."""
    size = columns.shape[1]
    middle = columns[:, (size - 1) // 2 : size // 2 + 1] if size else columns
    return xp.sum(xp.astype(middle, xp.float64), axis=1) / max(middle.shape[1], 1)
