"""`SimilaritySums`: how similar each text is to all texts, from the similarities of all pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from distinctly.arrays import Reals
from distinctly.geometry.directions import Directions, Rays
from distinctly.geometry.pair_functions import PairFunction
from distinctly.ragged import Integers
from distinctly.statistics.base import Derived
from distinctly.views.vectors import VectorView


@dataclass(frozen=True)
class Similarities:
    """The sums of the similarities of texts to all texts.

    Attributes
    ----------
    counts
        The number of copies of each different text (or vector).
    sums
        The sum of its similarities to all texts, its own copies included; each of those is 1.
    texts, zeros
        The number of all texts, and of those that have no similarity to any text, not even to themselves.
    dimensions
        The number of coordinates of the vectors; 0 if there are none.
    """

    counts: Integers
    sums: Reals
    texts: int
    zeros: int
    dimensions: int = 0

    @property
    def shares(self) -> Reals:
        """The share of each different text among those that are compared."""
        shares: Reals = self.counts / max(self.texts - self.zeros, 1)
        return shares

    @property
    def ordinariness(self) -> Reals:
        """The mean similarity of each different text to all texts that are compared."""
        means: Reals = self.sums / max(self.texts - self.zeros, 1)
        return means


@dataclass(frozen=True)
class SimilaritySums(Derived[Similarities]):
    """The sums of a function of cosines over the pairs of each text, without a matrix of all pairs.

    Examples
    --------
    >>> from distinctly.embedders.given import GivenVectors
    >>> from distinctly.geometry.pair_functions import PositiveCosine
    >>> rows = np.array([[3.0, 0.0], [0.0, 2.0], [0.0, -1.0]])
    >>> sums = SimilaritySums(VectorView(GivenVectors.of([rows])), PositiveCosine())
    >>> sums.derive(Rays(rows, np.array([1, 4, 1]), 6, 0)).sums.tolist()
    [1.0, 4.0, 1.0]
    """

    view: VectorView
    function: PairFunction

    def sources(self) -> tuple[Directions]:
        """Return the directions."""
        return (Directions(self.view),)

    def derive(self, rays: Rays) -> Similarities:
        """Add up the rows of the table of all pairs, block by block."""
        sums = rays.table(directed=True).row_sums(rays.counts.astype(np.float64), self.function)
        return Similarities(rays.counts, sums, rays.texts, rays.zeros, rays.dimensions)
