"""`NearestAcross`: for each text of two corpora, the nearest text of the other one."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from distinctly.arrays import Reals
from distinctly.geometry.neighbour_walks import MOST_SHORT, Lists, lists_for
from distinctly.geometry.points import PlacedPoints, Points, Space
from distinctly.geometry.screening import UNDERFLOW, Crowd, Screen
from distinctly.ragged import Integers
from distinctly.statistics.pairing import PairIndex, PairRows, PairStatistic
from distinctly.statistics.pool import Pool
from distinctly.views.vectors import VectorView

# The largest mean number of pending pairs per point, which are still to be measured.
PENDING = 16
# If selections lack at most this share of the points, nearest points are kept, and only lost ones replaced.
MOST_LACKING = 0.1


@dataclass(frozen=True)
class NearestPoints:
    """The nearest points of another corpus to the points of one corpus.

    Attributes
    ----------
    crowd
        The points, and the number of texts at each.
    distances
        The distance to the nearest point of the other corpus.
    partners
        The number of that point.
    """

    crowd: Crowd
    distances: Reals
    partners: Integers

    @property
    def mean(self) -> float:
        """The mean distance over the texts."""
        # Added up without rounding, so the order does not matter.
        texts = self.crowd.texts
        if self.largest > sys.float_info.max / texts:  # the sum overflows, the mean does not
            return math.fsum(self.distances * (self.crowd.counts / texts))
        return math.fsum(self.distances * self.crowd.counts) / texts

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
        The nearest points of the other corpus; there are none if no text of one of them has a direction.
    numbers
        The points of the texts of each, as they were selected; −1 for texts without a direction.
    """

    reference: NearestPoints
    candidate: NearestPoints
    numbers: tuple[Integers, Integers]

    def text_distances(self, side: int) -> Reals:
        """Return the distance of each text of the reference (0) or the candidate (1) to the other corpus.

        Texts are in the order in which they were selected; NaN for those without a nearest one.
        """
        nearest, numbers = (self.reference, self.candidate)[side], self.numbers[side]
        distances = np.full(len(numbers), np.nan)
        placed = np.isin(numbers, nearest.crowd.numbers)
        distances[placed] = nearest.distances[np.searchsorted(nearest.crowd.numbers, numbers[placed])]
        return distances

    def pairs(self) -> tuple[Integers, Integers, Reals]:
        """Return each text of the reference with its nearest candidate, and their distance, nearest first.

        Texts are given by their places in the selections; of several texts at one point, the first is used.
        """
        texts = np.flatnonzero(np.isin(self.numbers[0], self.reference.crowd.numbers))
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
    view
        The vectors of the texts.
    space
        How distances are measured: between vectors as they are, or between their directions, as a part of
        a half turn.
    """

    view: VectorView
    space: Space = "angular"

    def index(self, pool: Pool) -> NearestIndex:
        """Number the vectors of the pool."""
        return NearestIndex(Points.of(pool.view(self.view), self.space))


class NearestIndex(PairIndex[BothWays]):
    """The vectors of a pool, for finding the nearest texts across selections."""

    def __init__(self, points: Points) -> None:
        self._points = points
        self._lists: _MeasuredLists | None = None

    def summarize(self, reference: Integers, candidate: Integers) -> BothWays:
        """Find the nearest points in both directions from one table."""
        numbers = self._points.numbers[reference], self._points.numbers[candidate]
        left, right = Crowd.of(numbers[0]), Crowd.of(numbers[1])
        if not len(left) or not len(right):
            nothing = np.zeros(0, np.int64)
            nowhere = NearestPoints(Crowd.of(nothing), np.zeros(0), nothing)
            return BothWays(nowhere, nowhere, numbers)
        return BothWays(*_both_ways(self._points.placed(), left, right), numbers)

    def each(self, pairs: Sequence[PairRows]) -> Iterator[BothWays]:
        """Compare many pairs with what all of them have in common, if that is less work.

        That is the nearest points of all texts of each side if few are left out of each pair, or else lists
        of near points.
        """
        points = self._points.placed()
        numbers = [(self._points.numbers[left], self._points.numbers[right]) for left, right in pairs]
        crowds = [(Crowd.of(left), Crowd.of(right)) for left, right in numbers]
        wholes = tuple(map(_union, zip(*crowds)))
        if len(pairs) > 1 and all(map(len, wholes)) and _lacking(crowds, wholes) <= MOST_LACKING:
            left, right = _both_ways(points, *wholes)
            for selected, (reference, candidate) in zip(numbers, crowds):
                ways = _kept(points, left, reference, candidate), _kept(points, right, candidate, reference)
                yield BothWays(*ways, selected)
            return
        lists = lists_for(points, crowds, 1, None if self._lists is None else self._lists.lists)
        if lists is None:
            yield from super().each(pairs)
            return
        if self._lists is None or lists is not self._lists.lists:
            self._lists = _MeasuredLists.of(lists)
        for rows, selected, (reference, candidate) in zip(pairs, numbers, crowds):
            forward = self._lists.walk(reference, candidate)
            backward = self._lists.walk(candidate, reference)
            if forward is None or backward is None:
                yield self.summarize(*rows)
            else:
                yield BothWays(forward, backward, selected)


class _Best:
    """The nearest points found so far, for the rows of a table (side 0) or for its columns (side 1)."""

    def __init__(self, screen: Screen, side: int) -> None:
        self._xp, self._slack = screen.device.xp, screen.slack
        put, self._lengths = screen.device.put, screen.squares[side]
        size = int(self._lengths.shape[0])
        self.limits = put(np.full(size, np.inf, screen.kind))
        self.squares = put(np.full(size, np.inf))
        self.places = put(np.zeros(size, np.int64))

    def lower(self, rows: slice, bounds: Any) -> Any:
        """Lower the limits by the smallest bound of each row of a block; return the limits of these rows.

        A point with a bound up to its limit may be nearest. Its length is ``|y|² ≤ 2|x|² + 2|x − y|²``, which
        bounds the error.
        """
        xp = self._xp
        smallest = xp.astype(bounds, xp.float64)
        lengths = 3 * self._lengths[rows] + 4 * xp.maximum(smallest, xp.zeros_like(smallest))
        limits = xp.astype(smallest + 1.1 * self._slack * lengths + 4 * UNDERFLOW, self.limits.dtype)
        self.limits[rows] = xp.minimum(self.limits[rows], limits)
        return self.limits[rows]

    def add(self, rows: Any, places: Any, squares: Any) -> None:
        """Add measured pairs."""
        xp = self._xp
        order = xp.argsort(squares, stable=True)
        order = order[xp.argsort(rows[order], stable=True)]
        rows, places, squares = rows[order], places[order], squares[order]
        is_first = xp.concat([xp.ones_like(rows[:1], dtype=xp.bool), rows[1:] != rows[:-1]])
        better = is_first & (squares < self.squares[rows])
        self.squares[rows[better]], self.places[rows[better]] = squares[better], places[better]


class _Search:
    """The search for the nearest point of each row and of each column of a table.

    It stops, marked as rough, if too many pairs of a table in single precision may be nearest.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen, self._xp = screen, screen.device.xp
        self.rows, self.columns = _Best(screen, 0), _Best(screen, 1)
        # Pairs that may be nearest and are not measured yet: rows, columns, bounds.
        self._pending: list[tuple[Any, Any, Any]] = []
        size = sum(int(numbers.shape[0]) for numbers in screen.numbers)
        self.is_rough = False
        for top, left, table in screen.blocks():
            self._look_at(top, left, table)
            if sum(int(rows.shape[0]) for rows, _, _ in self._pending) > PENDING * size:
                if not screen.is_double and not screen.device.tf32:
                    self.is_rough = True
                    return
                self._measure()
        self._measure()

    def _look_at(self, top: int, left: int, table: Any) -> None:
        xp = self._xp
        height, width = int(table.shape[0]), int(table.shape[1])
        limits = (
            self.rows.lower(slice(top, top + height), xp.min(table, axis=1)),
            self.columns.lower(slice(left, left + width), xp.min(table, axis=0)),
        )
        rows, columns, bounds = self._screen.device.below(table, *limits)
        self._pending.append((rows + top, columns + left, bounds))

    def _measure(self) -> None:
        """Measure the pairs that may still be nearest, now that limits are lower."""
        xp, screen = self._xp, self._screen
        rows, columns, bounds = (xp.concat(list(column)) for column in zip(*self._pending))
        self._pending = []
        may = xp.nonzero((bounds <= self.rows.limits[rows]) | (bounds <= self.columns.limits[columns]))[0]
        rows, columns, bounds = rows[may], columns[may], xp.astype(bounds[may], xp.float64)
        if screen.device.tf32:
            squares = 2 * xp.maximum(bounds, xp.zeros_like(bounds))
        else:
            squares = screen.points.squares(screen.numbers[0][rows], screen.numbers[1][columns])
        self.rows.add(rows, columns, squares)
        self.columns.add(columns, rows, squares)


def _both_ways(points: PlacedPoints, left: Crowd, right: Crowd) -> tuple[NearestPoints, NearestPoints]:
    """Find the nearest points in both directions from one table."""
    search = _Search(Screen(points, left, right))
    if search.is_rough:
        search = _Search(Screen(points, left, right, double=True))
    return _measured(points, left, right, search.rows), _measured(points, right, left, search.columns)


def _union(crowds: Sequence[Crowd]) -> Crowd:
    """Return all points of some crowds."""
    return Crowd.of(np.concatenate([crowd.numbers for crowd in crowds]))


def _lacking(pairs: Sequence[tuple[Crowd, Crowd]], wholes: Sequence[Crowd]) -> float:
    """Return the largest share of the points of a side that a pair lacks."""
    return max(1 - len(crowd) / len(whole) for pair in pairs for crowd, whole in zip(pair, wholes))


def _kept(points: PlacedPoints, nearest: NearestPoints, crowd: Crowd, others: Crowd) -> NearestPoints:
    """Keep the nearest points that are in another crowd, and find the others anew."""
    places = np.searchsorted(nearest.crowd.numbers, crowd.numbers)
    distances, partners = nearest.distances[places], nearest.partners[places]
    lost = np.flatnonzero(~np.isin(partners, others.numbers, kind="table"))
    if len(lost):
        again, _ = _both_ways(points, Crowd(crowd.numbers[lost], crowd.counts[lost]), others)
        distances[lost], partners[lost] = again.distances, again.partners
    return NearestPoints(crowd, distances, partners)


def _measured(points: PlacedPoints, crowd: Crowd, others: Crowd, best: _Best) -> NearestPoints:
    device = points.device
    partners = device.put(others.numbers)[best.places]
    distances = points.distances(device.put(crowd.numbers), partners, best.squares)
    return NearestPoints(crowd, device.take(distances), device.take(partners))


@dataclass(frozen=True)
class _MeasuredLists:
    """Lists with distances, in which the first point of another corpus is searched for."""

    lists: Lists
    distances: Reals

    @classmethod
    def of(cls, lists: Lists) -> _MeasuredLists:
        """Compute the distances of the squares of all lists."""
        device, shape = lists.points.device, lists.nearest.shape
        numbers = lists.crowd.numbers
        first, second = np.repeat(numbers, shape[1]), numbers[lists.nearest.ravel()]
        squares = device.put(lists.squares.ravel())
        distances = device.take(lists.points.distances(device.put(first), device.put(second), squares))
        return cls(lists, distances.reshape(shape))

    def walk(self, crowd: Crowd, others: Crowd) -> NearestPoints | None:
        """Find the first entry of each list in the other corpus; return None if many lists have none."""
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
            squares, order = self.lists.in_full(int(places[row]))
            partner = int(order[is_other[order].argmax()])
            partners[row] = partner
            distances[row] = self._distance(int(places[row]), partner, squares[partner])
        return NearestPoints(crowd, distances, self.lists.crowd.numbers[partners])

    def _distance(self, place: int, partner: int, square: float) -> float:
        device, numbers = self.lists.points.device, self.lists.crowd.numbers
        pair = (device.put(numbers[[place]]), device.put(numbers[[partner]]))
        return float(device.take(self.lists.points.distances(*pair, device.put(np.array([square]))))[0])
