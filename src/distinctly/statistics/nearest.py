"""`NearestAcross`: for each text of two corpora, the nearest text of the other one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from distinctly import arrays
from distinctly.embedders.base import Embedder
from distinctly.ragged import Integers
from distinctly.statistics.derived import TextPool
from distinctly.statistics.embeddings import Embeddings
from distinctly.statistics.pairing import PairIndex, PairStatistic, Rows
from distinctly.statistics.points import PlacedPoints, Points, Reals, Space
from distinctly.statistics.screening import SPARE, Crowd, Near, Screen
from distinctly.statistics.walking import MOST_SHORT, Lists, lists_for


@dataclass(frozen=True)
class Nearest:
    """From the points of one corpus to the nearest of another.

    Attributes
    ----------
    crowd
        The points, and how many texts are at each.
    distances
        How far the nearest point of the other corpus is.
    partners
        Which point that is, by its number.
    """

    crowd: Crowd
    distances: Reals
    partners: Integers

    @property
    def mean(self) -> float:
        """The mean distance over the texts."""
        return float((self.distances * self.crowd.counts).sum()) / self.crowd.texts

    @property
    def largest(self) -> float:
        """The largest distance."""
        return float(self.distances.max())


@dataclass(frozen=True)
class BothWays:
    """The nearest texts of two corpora to each other.

    Attributes
    ----------
    reference, candidate
        From the points of each to the nearest of the other.
    numbers
        The points of the texts of each, as they were selected; −1 for texts without a direction.
    """

    reference: Nearest
    candidate: Nearest
    numbers: tuple[Integers, Integers]

    def pairs(self) -> tuple[Integers, Integers, Reals]:
        """Return each text of the reference with its nearest candidate, and their distance, nearest first.

        Texts are given by their places in the selections; of several at one point the first is taken.
        """
        texts = np.flatnonzero(self.numbers[0] >= 0)
        at = np.searchsorted(self.reference.crowd.numbers, self.numbers[0][texts])
        distances = self.reference.distances[at]
        known, first = np.unique(self.numbers[1], return_index=True)
        partners = first[np.searchsorted(known, self.reference.partners[at])]
        order = np.lexsort((texts, distances))
        return texts[order], partners[order], distances[order]


@dataclass(frozen=True)
class NearestAcross(PairStatistic[BothWays]):
    """The distance of each text to the nearest one of the other corpus.

    Attributes
    ----------
    embedder
        What makes the vectors.
    space
        How distances are measured: between vectors as they are, or between their directions, as a part of
        a half turn.
    """

    embedder: Embedder
    space: Space = "angular"

    def index(self, pool: TextPool) -> NearestIndex:
        """Number the vectors of the pool."""
        return NearestIndex(Points.of(pool.whole(Embeddings(self.embedder)), self.space))


class NearestIndex(PairIndex[BothWays]):
    """The vectors of a pool, for finding who is nearest across selections."""

    def __init__(self, points: Points) -> None:
        self._points = points
        self._lists: _Measured | None = None

    def summarize(self, reference: Integers, candidate: Integers) -> BothWays:
        """Find the nearest both ways in one table."""
        numbers = self._points.numbers[reference], self._points.numbers[candidate]
        one, other = Crowd.of(numbers[0]), Crowd.of(numbers[1])
        if not len(one) or not len(other):
            nothing = np.zeros(0, np.int64)
            nowhere = Nearest(Crowd.of(nothing), np.zeros(0), nothing)
            return BothWays(nowhere, nowhere, numbers)
        points = self._points.on(arrays.current())
        rows, columns = Screen(points, one, other).near(1 + SPARE)
        return BothWays(_first(points, rows, one, other), _first(points, columns, other, one), numbers)

    def each(self, pairs: Sequence[Rows]) -> Iterator[BothWays]:
        """Compare many pairs by one set of lists of near points, where that pays."""
        points = self._points.on(arrays.current())
        numbers = [(self._points.numbers[one], self._points.numbers[other]) for one, other in pairs]
        crowds = [(Crowd.of(one), Crowd.of(other)) for one, other in numbers]
        lists = lists_for(points, crowds, 1, None if self._lists is None else self._lists.lists)
        if lists is None:
            yield from super().each(pairs)
            return
        if self._lists is None or lists is not self._lists.lists:
            self._lists = _Measured.of(lists)
        for rows, selected, (reference, candidate) in zip(pairs, numbers, crowds):
            one, other = (self._lists.walk(*way) for way in ((reference, candidate), (candidate, reference)))
            if one is None or other is None:
                yield self.summarize(*rows)
            else:
                yield BothWays(one, other, selected)


def _first(points: PlacedPoints, near: Near, crowd: Crowd, others: Crowd) -> Nearest:
    device = points.device
    nobody = device.put(np.zeros(len(crowd), np.int64))
    squares, places = near.kth(1, device.put(others.counts), nobody)
    partners = near.others[places]
    distances = points.distances(near.numbers, partners, squares)
    return Nearest(crowd, device.take(distances), device.take(partners))


@dataclass(frozen=True)
class _Measured:
    """Lists with distances, of which the first of another corpus is wanted."""

    lists: Lists
    distances: Reals

    @classmethod
    def of(cls, lists: Lists) -> _Measured:
        """Make distances of the squares of all lists."""
        device, shape = lists.points.device, lists.nearest.shape
        numbers = lists.crowd.numbers
        one, other = np.repeat(numbers, shape[1]), numbers[lists.nearest.ravel()]
        squares = device.put(lists.squares.ravel())
        found = device.take(lists.points.distances(device.put(one), device.put(other), squares))
        return cls(lists, found.reshape(shape))

    def walk(self, crowd: Crowd, others: Crowd) -> Nearest | None:
        """Find the first entry of each list that is of the other corpus; None where many have none."""
        places, is_other = self.lists.places(crowd), self.lists.counts(others) > 0
        nearest = self.lists.nearest[places]
        hits = is_other[nearest] & (np.arange(nearest.shape[1]) < self.lists.lengths[places, None])
        at = hits.argmax(axis=1)
        every = np.arange(len(places))
        distances, partners = self.distances[places, at], nearest[every, at]
        # A point of both corpora is nearest to itself.
        distances, partners = (
            np.where(is_other[places], 0.0, distances),
            np.where(is_other[places], places, partners),
        )
        short = np.flatnonzero(~hits[every, at] & ~is_other[places])
        if len(short) > max(MOST_SHORT * len(self.lists), 8):
            return None
        for row in short.tolist():
            squares = np.where(is_other, self.lists.in_full(int(places[row])), np.inf)
            partners[row] = squares.argmin()
            distances[row] = self._distance(int(places[row]), int(partners[row]), squares.min())
        return Nearest(crowd, distances, self.lists.crowd.numbers[partners])

    def _distance(self, place: int, partner: int, square: float) -> float:
        device, numbers = self.lists.points.device, self.lists.crowd.numbers
        pair = (device.put(numbers[[place]]), device.put(numbers[[partner]]))
        return float(device.take(self.lists.points.distances(*pair, device.put(np.array([square]))))[0])
