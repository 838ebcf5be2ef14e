"""`Neighbours`: the texts of two corpora that lie in each other's nearest neighbourhoods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from distinctly.geometry.neighbour_lists import Near
from distinctly.geometry.neighbour_walks import Lists, is_worth_compiling, lists_for, visits
from distinctly.geometry.points import Bools, PlacedPoints, Points, Space
from distinctly.geometry.screening import Crowd, Screen
from distinctly.ragged import Integers
from distinctly.statistics.pairing import PairIndex, PairRows, PairStatistic
from distinctly.statistics.pool import Pool
from distinctly.views.vectors import VectorView


@dataclass(frozen=True)
class Balls:
    """The texts in the balls around the texts of the other corpus.

    The ball of a text reaches to its k-th nearest neighbour in its own corpus, and does not contain it.

    Attributes
    ----------
    k
        The number of neighbours that a ball reaches to.
    reference, candidate
        The points of the corpus, and the number of texts at each point.
    covered
        For each point of the reference, whether a candidate is in its ball.
    recalled
        For each point of the reference, whether it is in the ball of a candidate.
    inside
        For each point of the candidate, whether it is in a ball of the reference.
    hits
        The number of pairs of a reference and a candidate that is in its ball.
    empty
        The number of texts whose ball has a radius of 0, since k others have the same vector: of the
        reference and of the candidate.
    numbers
        The points of the texts of each, as they were selected; −1 for texts without a direction.
    """

    k: int
    reference: Crowd
    candidate: Crowd
    covered: Bools
    recalled: Bools
    inside: Bools
    hits: int
    empty: tuple[int, int]
    numbers: tuple[Integers, Integers]

    @property
    def precision(self) -> float:
        """The share of the candidate that is in some ball of the reference."""
        return int(self.candidate.counts[self.inside].sum()) / self.candidate.texts

    @property
    def recall(self) -> float:
        """The share of the reference that is in some ball of the candidate."""
        return int(self.reference.counts[self.recalled].sum()) / self.reference.texts

    @property
    def density(self) -> float:
        """The mean number of balls of the reference that a candidate is in, divided by k."""
        return self.hits / (self.k * self.candidate.texts)

    @property
    def coverage(self) -> float:
        """The share of the reference that has a candidate in its ball."""
        return int(self.reference.counts[self.covered].sum()) / self.reference.texts

    def uncovered_references(self) -> Integers:
        """Return the places of the reference texts without a candidate in their balls."""
        return _places(self.reference, ~self.covered, self.numbers[0])

    def outside_candidates(self) -> Integers:
        """Return the places of the candidate texts that are in no ball of the reference."""
        return _places(self.candidate, ~self.inside, self.numbers[1])


def _places(crowd: Crowd, chosen: Bools, numbers: Integers) -> Integers:
    return np.flatnonzero(np.isin(numbers, crowd.numbers[chosen]))


@dataclass(frozen=True)
class Neighbours(PairStatistic[Balls]):
    """The balls of k nearest neighbours around the texts of two corpora, and the texts in them.

    Attributes
    ----------
    view
        The vectors of the texts.
    k
        The number of neighbours that a ball reaches to.
    space
        How distances are measured: between vectors as they are, or between their directions.
    both
        Compute the balls of both corpora, or only those of the reference, which is less work.
    """

    view: VectorView
    k: int
    space: Space = "euclidean"
    both: bool = True

    def index(self, pool: Pool) -> NeighbourIndex:
        """Number the vectors of the pool."""
        return NeighbourIndex(Points.of(pool.view(self.view), self.space), self.k, both=self.both)

    def includes(self, other: PairStatistic[Any]) -> bool:
        """Return whether its balls include those of another statistic."""
        return isinstance(other, Neighbours) and self.both and self == replace(other, both=True)


class NeighbourIndex(PairIndex[Balls]):
    """The vectors of a pool, for comparing selections."""

    def __init__(self, points: Points, k: int, *, both: bool = True) -> None:
        self._points, self._k, self._both = points, k, both
        self._lists: Lists | None = None

    def summarize(self, reference: Integers, candidate: Integers) -> Balls:
        """Find the balls, then the texts in them."""
        numbers = self._points.numbers[reference], self._points.numbers[candidate]
        crowds = Crowd.of(numbers[0]), Crowd.of(numbers[1])
        if not all(map(len, crowds)):
            covered, inside = (np.zeros(len(crowd), np.bool_) for crowd in crowds)
            return Balls(self._k, *crowds, covered, covered, inside, 0, (0, 0), numbers)
        points = self._points.placed()
        around = crowds if self._both else crowds[:1]
        radii, were_double = zip(*(_radii(points, crowd, self._k) for crowd in around))
        empty = [_empty(points, crowd, squares) for crowd, squares in zip(around, radii)]
        marks, hits = _compared(Screen(points, *crowds, double=any(were_double)), crowds, radii)
        return Balls(self._k, *crowds, *marks, hits, (empty[0], empty[-1] if self._both else 0), numbers)

    def each(self, pairs: Sequence[PairRows]) -> Iterator[Balls]:
        """Compare many pairs with one set of lists of near points, if that is less work."""
        points = self._points.placed()
        numbers = [(self._points.numbers[left], self._points.numbers[right]) for left, right in pairs]
        crowds = [(Crowd.of(left), Crowd.of(right)) for left, right in numbers]
        self._lists = lists = lists_for(points, crowds, self._k, self._lists)
        if lists is None:
            yield from super().each(pairs)
            return
        compiled = is_worth_compiling(lists.nearest.size * len(pairs))
        for rows, selected, (reference, candidate) in zip(pairs, numbers, crowds):
            reference_counts, candidate_counts = lists.counts(reference), lists.counts(candidate)
            forward = visits(lists, reference_counts, candidate_counts, self._k, compiled=compiled)
            backward = visits(lists, candidate_counts, reference_counts, self._k, compiled=compiled)
            if forward is None or backward is None:
                yield self.summarize(*rows)
                continue
            places = lists.places(reference)
            marks = (
                forward.reached[places],
                backward.entered[places],
                forward.entered[lists.places(candidate)],
            )
            empty = forward.empty, backward.empty
            yield Balls(self._k, reference, candidate, *marks, forward.hits, empty, selected)


def _radii(points: PlacedPoints, crowd: Crowd, k: int) -> tuple[Any, bool]:
    """Return the squared radius of the ball of each point, and whether double precision was needed.

    The radius is −∞ if there are at most k texts.
    """
    device = points.device
    if crowd.texts <= k:
        return device.put(np.full(len(crowd), -np.inf)), False
    near = Near.of(points, crowd, k)
    return near.kth(k, device.put(crowd.counts)), near.screen.is_double


def _empty(points: PlacedPoints, crowd: Crowd, radii: Any) -> int:
    """Return the number of texts whose ball has a radius of 0."""
    return int(crowd.counts[points.device.take(radii) == 0].sum())


def _compared(
    screen: Screen, crowds: tuple[Crowd, Crowd], radii: Sequence[Any]
) -> tuple[tuple[Bools, Bools, Bools], int]:
    """Return which references are covered and recalled, which candidates are inside, and the hits.

    No reference is recalled if there are only radii of the reference.
    """
    device = screen.device
    xp = device.xp
    covered, recalled = (device.put(np.zeros(len(crowds[0]), bool)) for _ in range(2))
    inside = device.put(np.zeros(len(crowds[1]), bool))
    counts = [device.put(crowd.counts) for crowd in crowds]
    # Rounded up, so that every text that may be in a ball is examined.
    reaches = [xp.astype(squares * (0.5 + 1e-6), xp.float32) for squares in radii]
    hits = 0
    for top, left, table in screen.blocks():
        height, width = int(table.shape[0]), int(table.shape[1])
        across = reaches[1][left : left + width] if len(radii) > 1 else None
        rows, columns, bounds = device.below(table, reaches[0][top : top + height], across)
        rows, columns = rows + top, columns + left
        in_reference = screen.are_within(rows, columns, bounds, radii[0][rows])
        covered[rows[in_reference]] = True
        inside[columns[in_reference]] = True
        hits += int(xp.sum(counts[0][rows[in_reference]] * counts[1][columns[in_reference]]))
        if len(radii) > 1:
            recalled[rows[screen.are_within(rows, columns, bounds, radii[1][columns])]] = True
    return (device.take(covered), device.take(recalled), device.take(inside)), hits
