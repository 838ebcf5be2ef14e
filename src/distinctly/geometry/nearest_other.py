"""`NearestOther`: the distances of texts to the nearest other text of the same corpus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from distinctly.arrays import CPU
from distinctly.geometry.directions import Directions, Rays
from distinctly.statistics.base import Derived
from distinctly.views.vectors import VectorView


@dataclass(frozen=True)
class NearestSum:
    """The sum of the cosine distances of texts to the nearest other text.

    Attributes
    ----------
    total
        The sum of 1 − cosine.
    repeated
        The number of texts whose vector another text has as well; their distance is 0.
    texts, zeros, dimensions
        The number of all texts, of those without a direction, and of coordinates.
    """

    total: float
    repeated: int
    texts: int
    zeros: int
    dimensions: int


@dataclass(frozen=True)
class NearestOther(Derived[NearestSum]):
    """The cosine distance of each text to the nearest other one, without a matrix of all pairs.

    Examples
    --------
    >>> from distinctly.embedders.given import GivenVectors
    >>> rows = np.array([[3.0, 0.0], [0.0, 2.0]])
    >>> nearest = NearestOther(VectorView(GivenVectors.of([rows])))
    >>> nearest.derive(Rays(rows, np.array([1, 4]), 5, 0))
    NearestSum(total=1.0, repeated=4, texts=5, zeros=0, dimensions=2)
    """

    view: VectorView

    def sources(self) -> tuple[Directions]:
        """Return the directions."""
        return (Directions(self.view),)

    def derive(self, rays: Rays) -> NearestSum:
        """Compare blocks with blocks, each pair of blocks once."""
        largest = np.full(len(rays), -1.0)
        for rows, units in rays.blocks():
            cosines = CPU.products(units, units)
            np.fill_diagonal(cosines, -1.0)
            np.maximum(largest[rows], cosines.max(axis=1), out=largest[rows])
            for others, other_units in rays.blocks(rows.stop):
                cosines = CPU.products(units, other_units)
                np.maximum(largest[rows], cosines.max(axis=1), out=largest[rows])
                np.maximum(largest[others], cosines.max(axis=0), out=largest[others])
        alone = rays.counts == 1
        # Rounding must not make a distance negative.
        total = float(np.maximum(1.0 - largest[alone], 0.0).sum())
        return NearestSum(total, int(rays.counts[~alone].sum()), rays.texts, rays.zeros, rays.dimensions)
