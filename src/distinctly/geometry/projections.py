"""`Projections`: two corpora along random directions, and the cost of moving one to the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from distinctly.arrays import CPU, Device, Reals
from distinctly.embedders.base import Vectors
from distinctly.geometry.blocks import row_blocks
from distinctly.geometry.scaling import near_one
from distinctly.geometry.sorted_columns import SortedIndex
from distinctly.ragged import Integers
from distinctly.statistics.pairing import PairStatistic
from distinctly.statistics.pool import Pool
from distinctly.views.vectors import VectorView


@dataclass(frozen=True)
class Costs:
    """The squared Wasserstein distance (p = 2) along each direction, in squares of `unit`."""

    squared: Reals
    unit: float
    dimensions: int


@dataclass(frozen=True)
class Projections(PairStatistic[Costs]):
    """The cost of moving a candidate to a reference along random directions.

    Attributes
    ----------
    view
        The vectors of the texts.
    directions, seed
        The number of random unit vectors, all directions being equally likely, and their seed.
    """

    view: VectorView
    directions: int
    seed: int

    def index(self, pool: Pool) -> ProjectionIndex:
        """Project the vectors of the pool."""
        table = pool.view(self.view)
        vectors, unit = near_one(table.rows)
        dimensions = vectors.shape[1]
        drawn = np.random.default_rng(self.seed).standard_normal((self.directions, dimensions))
        directions = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
        return ProjectionIndex(vectors, directions, unit, table.device)


class ProjectionIndex(SortedIndex[Costs]):
    """A pool along each direction: one product for all selections."""

    def __init__(self, vectors: Vectors, directions: Reals, unit: float, device: Device = CPU) -> None:
        axes = device.put(directions)
        blocks = (vectors[rows].astype(np.float64) for rows in row_blocks(len(vectors)))
        projected = [device.take(device.products(device.put(block), axes)) for block in blocks]
        super().__init__(np.concatenate(projected), device)
        self._unit, self._dimensions = unit, vectors.shape[1]

    def compare(self, reference: Any, candidate: Any) -> Any:
        """Move each quantile to its counterpart."""
        device = self.device
        xp, sizes = device.xp, (reference.shape[1], candidate.shape[1])
        if sizes[0] == sizes[1]:
            return xp.mean((reference - candidate) ** 2, axis=1)
        widths, places = quantile_steps(*sizes)
        left, right = (
            xp.take(columns, device.put(at), axis=1) for columns, at in zip((reference, candidate), places)
        )
        return (left - right) ** 2 @ device.put(widths)

    def summary(self, reference: Integers, candidate: Integers, compared: Reals) -> Costs:
        """Return the cost along each direction."""
        return Costs(compared, self._unit, self._dimensions)


def quantile_steps(first: int, second: int) -> tuple[Reals, tuple[Integers, Integers]]:
    """Return the intervals on which the quantile functions of two samples of given sizes are constant.

    These are the widths of the intervals of [0, 1], and the place of each sample's number there. They are
    computed in integers, so that rounding cannot misplace an interval.

    Examples
    --------
    >>> widths, (of_two, of_three) = quantile_steps(2, 3)
    >>> (6 * widths).round(9).tolist(), of_two.tolist(), of_three.tolist()
    ([2.0, 1.0, 1.0, 2.0], [0, 0, 1, 1], [0, 1, 1, 2])
    """
    ends = np.union1d(np.arange(1, first + 1) * second, np.arange(1, second + 1) * first)
    widths = np.diff(ends, prepend=0) / (first * second)
    return widths, ((ends - 1) // second, (ends - 1) // first)
