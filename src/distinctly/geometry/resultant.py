"""`UnitSum`: the sum of the unit vectors of texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from distinctly.geometry.directions import Directions, Rays
from distinctly.statistics.base import Derived
from distinctly.views.vectors import VectorView


@dataclass(frozen=True)
class Resultant:
    """The sum of the unit vectors of texts.

    Attributes
    ----------
    squared
        The square of its length.
    different
        The number of vectors that differ.
    texts, zeros, dimensions
        The number of all texts, of those without a direction, and of coordinates.
    """

    squared: float
    different: int
    texts: int
    zeros: int
    dimensions: int


@dataclass(frozen=True)
class UnitSum(Derived[Resultant]):
    """The sum of the unit vectors of texts.

    Examples
    --------
    >>> from distinctly.embedders.given import GivenVectors
    >>> rows = np.array([[3.0, 0.0], [0.0, 2.0]])
    >>> UnitSum(VectorView(GivenVectors.of([rows]))).derive(Rays(rows, np.array([3, 4]), 7, 0)).squared
    25.0
    """

    view: VectorView

    def sources(self) -> tuple[Directions]:
        """Return the directions."""
        return (Directions(self.view),)

    def derive(self, rays: Rays) -> Resultant:
        """Add up the unit vectors, block by block."""
        total = np.zeros(rays.dimensions)
        for where, units in rays.blocks():
            total += (units * rays.counts[where, None]).sum(axis=0)
        return Resultant(float((total * total).sum()), len(rays), rays.texts, rays.zeros, rays.dimensions)
