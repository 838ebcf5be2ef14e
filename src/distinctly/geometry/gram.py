"""`PairSums`: the sums of a distance or a kernel over all pairs within and between two corpora.

The table of all pairs is computed in blocks, so memory is linear in the texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from distinctly.arrays import CPU, Device
from distinctly.embedders.base import Vectors
from distinctly.geometry.pair_functions import (
    Angular,
    Euclidean,
    Gaussian,
    PairFunction,
    Polynomial,
)
from distinctly.geometry.pair_table import Pair, PairTable, Side
from distinctly.geometry.scaling import have_directions
from distinctly.ragged import Integers
from distinctly.statistics.base import NeedsRows
from distinctly.statistics.pairing import PairIndex, PairRows, PairStatistic
from distinctly.statistics.pool import Pool
from distinctly.views.vectors import VectorTable, VectorView

Of = Literal["angular", "euclidean", "polynomial", "rbf"]

# The number of bytes of selections that are added up in one pass over the table.
SELECTIONS = 128_000_000


@dataclass(frozen=True)
class Sums:
    """Sums over pairs of texts. Tuples have one number for the reference and one for the candidate.

    Attributes
    ----------
    between
        The sum over all pairs of a text of the reference and a text of the candidate.
    within
        The sums over all ordered pairs of texts of one corpus, including each text with itself.
    own
        The sums over all texts with themselves.
    texts, zeros
        The number of paired texts, and of texts that are left out because their vectors are zero.
    bandwidth, drawn_pairs
        The median distance that scales the kernel, and the number of pairs drawn for it; 0 if there is no
        bandwidth, or if all pairs were used.
    """

    between: float
    within: tuple[float, float]
    own: tuple[float, float]
    texts: tuple[int, int]
    zeros: tuple[int, int]
    bandwidth: float = 0.0
    drawn_pairs: int = 0

    def mean_between(self) -> float:
        """Return the mean over the pairs of a reference text and a candidate text."""
        return self.between / (self.texts[0] * self.texts[1])

    def mean_within(self, side: int, *, unbiased: bool = True) -> float:
        """Return the mean over the pairs of one corpus; if `unbiased`, without a text paired with itself."""
        n = self.texts[side]
        if unbiased:
            return (self.within[side] - self.own[side]) / (n * (n - 1))
        return self.within[side] / (n * n)


@dataclass(frozen=True)
class Different:
    """The distinct vectors, in the order of their hashes, and the place of each text's vector among them."""

    rows: Vectors
    places: Integers
    device: Device = field(default=CPU, compare=False)


@dataclass(frozen=True)
class DifferentVectors(NeedsRows[Different]):
    """The distinct vectors of texts: equal vectors are weighted, not multiplied again."""

    view: VectorView

    def summarize(self, table: VectorTable) -> Different:
        """Number the distinct vectors."""
        _, first, places = np.unique(table.text_hashes, return_index=True, return_inverse=True)
        return Different(table.rows[first], places, table.device)


@dataclass(frozen=True)
class PairSums(PairStatistic[Sums]):
    """The sums of a distance or a kernel over the pairs within and between two corpora.

    Attributes
    ----------
    view
        The vectors of the texts.
    of
        ``angular`` | ``euclidean``: a distance. ``polynomial`` | ``rbf``: a kernel; the first is
        (xᵀy/d + 1)³ − 1, the second exp(−‖x−y‖²/2σ²) with σ the median distance in the two corpora
        together.
    """

    view: VectorView
    of: Of

    def index(self, pool: Pool) -> SumsIndex:
        """Prepare the vectors of the pool."""
        return SumsIndex(pool.whole(DifferentVectors(self.view)), self.of)


# Cosines that rounding makes larger than 1 are replaced. Sums that overflow are infinite, and metrics report
# them.
_QUIETLY = np.errstate(invalid="ignore", over="ignore")


class SumsIndex(PairIndex[Sums]):
    """The distinct vectors of a pool, any two selections of which can be paired."""

    def __init__(self, different: Different, of: Of) -> None:
        self._of = of
        self._places = different.places
        rows = different.rows
        self._paired = np.ones(len(rows), bool) if of != "angular" else have_directions(rows)
        moved = of in ("euclidean", "rbf")  # these depend only on differences
        self._table = PairTable.of(rows, different.device, directed=of == "angular", moved=moved)

    def summarize(self, reference: Integers, candidate: Integers) -> Sums:
        """Pair two selections."""
        return self._one((self._side(reference), self._side(candidate)))

    def each(self, pairs: Sequence[PairRows]) -> Iterator[Sums]:
        """Pair many selections, in one pass over the table of the pool if that is less work."""
        at_once = max(SELECTIONS // (16 * max(len(self._paired), 1)), 1)
        for start in range(0, len(pairs), at_once):
            block = pairs[start : start + at_once]
            sides = [(self._side(reference), self._side(candidate)) for reference, candidate in block]
            yield from self._several(sides)

    def _side(self, rows: Integers) -> Side:
        counts = np.bincount(self._places[rows], minlength=len(self._paired))
        ids = np.flatnonzero(counts * self._paired)
        return Side(ids, counts[ids], int(counts[~self._paired].sum()))

    @_QUIETLY
    def _one(self, pair: Pair) -> Sums:
        function, bandwidth, drawn = self._function(pair)
        return self._sums(pair, function, self._table.one(pair, function), bandwidth, drawn)

    @_QUIETLY
    def _several(self, pairs: Sequence[Pair]) -> list[Sums]:
        summed: dict[int, Sums] = {}
        for places in self._by_function(pairs):
            group = [pairs[place] for place in places]
            together = np.unique(np.concatenate([side.ids for pair in group for side in pair]))
            dimensions = self._table.dimensions
            separate_cost = sum((len(left.ids) + len(right.ids)) ** 2 for left, right in group) * dimensions
            # Products of float64 cost twice those of float32, and there are two columns per pair.
            shared_cost = len(together) ** 2 * (2 * dimensions + 8 * len(group))
            if separate_cost <= shared_cost:
                summed |= {place: self._one(pair) for place, pair in zip(places, group)}
                continue
            function, bandwidth, drawn = self._function(group[0])
            totals = self._table.several(group, together, function)
            for place, pair, total in zip(places, group, totals.tolist()):
                summed[place] = self._sums(pair, function, total, bandwidth, drawn)
        return [summed[place] for place in range(len(pairs))]

    def _by_function(self, pairs: Sequence[Pair]) -> list[list[int]]:
        """Return the places of pairs, grouped by their function: with RBF, by their texts together."""
        if self._of != "rbf":
            return [list(range(len(pairs)))]
        groups: dict[bytes, list[int]] = {}
        for place, pair in enumerate(pairs):
            groups.setdefault(self._pooled(pair).tobytes(), []).append(place)
        return list(groups.values())

    def _pooled(self, pair: Pair) -> Integers:
        """Return the number of the vector of each text of both sides, ascending."""
        return np.sort(np.concatenate([np.repeat(side.ids, side.counts) for side in pair]))

    def _function(self, pair: Pair) -> tuple[PairFunction, float, int]:
        """Return the function to add up, its bandwidth or 0, and the number of pairs drawn for it."""
        if self._of == "angular":
            return Angular(), 0.0, 0
        if self._of == "euclidean":
            return Euclidean(), 0.0, 0
        if self._of == "polynomial":
            return Polynomial(self._table.dimensions, self._table.unit), 0.0, 0
        median, drawn = self._table.median_distance(self._pooled(pair))
        return Gaussian(median), median * self._table.unit, drawn

    def _sums(
        self, pair: Pair, function: PairFunction, totals: Sequence[float], bandwidth: float, drawn: int
    ) -> Sums:
        unit = {"angular": 1 / math.pi, "euclidean": self._table.unit}.get(self._of, 1.0)
        between, *within = (total * unit for total in totals)
        own = [float(side.counts @ self._table.own(side.ids, function)) * unit for side in pair]
        return Sums(
            between,
            (within[0], within[1]),
            (own[0], own[1]),
            (pair[0].texts, pair[1].texts),
            (pair[0].zeros, pair[1].zeros),
            bandwidth,
            drawn,
        )
