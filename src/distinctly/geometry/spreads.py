"""`Spreads`: the mean and the spread of each coordinate of the vectors of two corpora."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from distinctly.arrays import Reals, threads_for
from distinctly.embedders.base import Vectors
from distinctly.geometry.blocks import row_blocks
from distinctly.geometry.moments import Moment, Moments
from distinctly.geometry.scaling import near_one
from distinctly.ragged import Integers
from distinctly.statistics.pairing import MergeablePair, PairIndex, PairRows
from distinctly.statistics.pool import Pool
from distinctly.views.vectors import VectorTable, VectorView


@dataclass(frozen=True)
class Spread:
    """The number of vectors, and the mean and the sum of squared deviations of each coordinate.

    The scale is the same for both corpora: that of their pool, near 1, or that of saved moments.
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
        known = [vectors - first] if len(blocks) == 1 else []  # of many vectors, they are computed twice
        parts = [known or (vectors[block] - first for block in blocks) for _ in range(2)]
        beyond = sum(part.sum(axis=0) for part in parts[0]) / len(vectors)
        squares = sum(_squares(part, beyond).sum(axis=0) for part in parts[1])
        return cls(len(vectors), first + beyond, np.asarray(squares))

    @classmethod
    def of_moment(cls, moment: Moment) -> Spread:
        """Return the means and the diagonal of the scatter."""
        with np.errstate(over="ignore", invalid="ignore"):
            return cls(moment.texts, moment.mean, (moment.root**2).sum(axis=0))

    @property
    def overflows(self) -> bool:
        """Whether the squares of saved moments are too large for a float."""
        return not np.isfinite(self.squares).all()


def _squares(table: Reals, mean: Reals) -> Reals:
    """Return the squared deviations from a mean, in place of a table."""
    table -= mean
    return np.square(table, out=table)


TwoSpreads = tuple[Spread, Spread]


@dataclass(frozen=True)
class Spreads(MergeablePair[TwoSpreads]):
    """The means and spreads of coordinates in a reference and a candidate.

    Without a pool they come from the moments of each side, so that one state serves `frechet` too.

    Examples
    --------
    >>> from distinctly.embedders.given import GivenVectors
    >>> rows = np.array([[0.0], [2.0], [4.0]])
    >>> spreads = Spreads(VectorView(GivenVectors.of([rows])))
    >>> [side.squares.round(9).tolist() for side in spreads.combine(Moment.of(rows), Moment.of(rows[:2]))]
    [[8.0], [2.0]]
    """

    view: VectorView

    def index(self, pool: Pool) -> SpreadIndex:
        """Take the vectors of the pool."""
        return SpreadIndex(pool.view(self.view))

    def side(self) -> Moments:
        """Return the moments of each side."""
        return Moments(self.view)

    def combine(self, reference: Moment, candidate: Moment) -> TwoSpreads:
        """Return the spreads of both sides."""
        return Spread.of_moment(reference), Spread.of_moment(candidate)


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
            with threads_for(2 * counts.shape[0] * self._vectors.size):
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
