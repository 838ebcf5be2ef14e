"""`Spreads`: the mean and the spread of each coordinate of the vectors of two corpora."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from distinctly.arrays import Reals
from distinctly.embedders.base import Vectors
from distinctly.geometry.blocks import row_blocks
from distinctly.geometry.scaling import near_one
from distinctly.ragged import Integers
from distinctly.statistics.pairing import PairIndex, PairRows, PairStatistic
from distinctly.statistics.pool import Pool
from distinctly.views.vectors import VectorTable, VectorView


@dataclass(frozen=True)
class Spread:
    """The number of vectors, and the mean and the sum of squared deviations of each coordinate.

    The scale is that of the pool: the same for both corpora, and near 1.
    """

    texts: int
    mean: Reals
    squares: Reals

    @classmethod
    def of(cls, vectors: Vectors) -> Spread:
        """Compute the mean, and in a second pass the deviations from it."""
        # Relative to the first vector, so that a constant does not differ from its mean by rounding.
        first = vectors[0].astype(np.float64)
        blocks = list(row_blocks(len(vectors)))
        beyond = sum((vectors[block] - first).sum(axis=0) for block in blocks) / len(vectors)
        squares = sum((((vectors[block] - first) - beyond) ** 2).sum(axis=0) for block in blocks)
        return cls(len(vectors), first + beyond, np.asarray(squares))


TwoSpreads = tuple[Spread, Spread]


@dataclass(frozen=True)
class Spreads(PairStatistic[TwoSpreads]):
    """The means and spreads of coordinates in a reference and a candidate."""

    view: VectorView

    def index(self, pool: Pool) -> SpreadIndex:
        """Take the vectors of the pool."""
        return SpreadIndex(pool.view(self.view))


class SpreadIndex(PairIndex[TwoSpreads]):
    """The vectors of a pool; the sums of many selections are one matrix product."""

    def __init__(self, table: VectorTable) -> None:
        self._vectors, _ = near_one(table.rows)
        self._device = table.device

    def summarize(self, reference: Integers, candidate: Integers) -> TwoSpreads:
        """Compute the spread of each selection."""
        return Spread.of(self._vectors[reference]), Spread.of(self._vectors[candidate])

    @cached_property
    def _mean(self) -> Reals:
        mean: Reals = self._vectors.mean(axis=0, dtype=np.float64)
        return mean

    def each(self, pairs: Sequence[PairRows]) -> Iterator[TwoSpreads]:
        """Multiply the counts of texts per selection by the vectors and their squares."""
        device, texts = self._device, len(self._vectors)
        at_once = max(device.rows_per_block(texts, 8) // 2, 1)
        for start in range(0, len(pairs), at_once):
            selections = [rows for pair in pairs[start : start + at_once] for rows in pair]
            counts = np.stack([np.bincount(rows, minlength=texts) for rows in selections]).astype(np.float64)
            sums = sum(
                device.put(counts[:, block]) @ device.put(np.hstack([apart, apart**2]))
                for block, apart in self._from_the_mean()
            )
            pairs_of_sums = zip(selections, device.take(sums))
            spreads = [self._spread(len(rows), row_sums) for rows, row_sums in pairs_of_sums]
            yield from zip(spreads[::2], spreads[1::2])

    def _from_the_mean(self) -> Iterator[tuple[slice, Reals]]:
        """Yield slices of rows, each with its vectors relative to the mean of the pool."""
        for block in row_blocks(len(self._vectors)):
            yield block, self._vectors[block] - self._mean

    def _spread(self, texts: int, sums: Reals) -> Spread:
        total, squares = np.split(sums, 2)
        mean = total / texts
        spread = squares - texts * mean**2
        # Equal numbers have no spread besides rounding.
        spread = np.where(spread > texts * np.finfo(np.float64).eps * squares, spread, 0.0)
        return Spread(texts, self._mean + mean, spread)
