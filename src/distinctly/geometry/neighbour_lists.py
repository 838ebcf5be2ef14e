"""`Near`: lists of the nearest points within one crowd, with exact distances to the k-th of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from distinctly.geometry.points import PlacedPoints
from distinctly.geometry.screening import Crowd, Screen

# The number of extra entries per list, so that few lists are too short.
SPARE = 3
# The largest share of lists whose entries all lie within the error of a distance.
MOST_ROUGH = 0.05


class _Smallest:
    """The smallest bounds of each row of a table within a crowd, as blocks come in."""

    def __init__(self, screen: Screen, rows: int, count: int) -> None:
        self._device, self._kind, self._count = screen.device, screen.kind, count
        self.bounds = self._device.put(np.full((rows, count), np.inf, screen.kind))
        self.places = self._device.put(np.zeros((rows, count), np.int64))

    def start(self, top: int, table: Any) -> None:
        """Add a block on the diagonal, which is the first for its rows."""
        bounds, places = self._device.smallest(table, min(self._count, int(table.shape[1])))
        rows = slice(top, top + int(table.shape[0]))
        self.bounds[rows, : int(bounds.shape[1])] = bounds
        self.places[rows, : int(bounds.shape[1])] = places + top

    def add(self, top: int, left: int, table: Any) -> None:
        """Add the small entries of a block off the diagonal, for its rows and for its columns."""
        limits = self.bounds[:, -1]
        height, width = int(table.shape[0]), int(table.shape[1])
        below = self._device.below(table, limits[top : top + height], limits[left : left + width])
        rows, columns, bounds = below[0] + top, below[1] + left, below[2]
        for points, neighbours in ((rows, columns), (columns, rows)):
            kept = bounds <= limits[points]
            self._merge(points[kept], neighbours[kept], bounds[kept])

    def _merge(self, rows: Any, places: Any, bounds: Any) -> None:
        """Merge entries into the lists of their rows."""
        xp, device = self._device.xp, self._device
        if not int(rows.shape[0]):
            return
        order = xp.argsort(bounds, stable=True)
        order = order[xp.argsort(rows[order], stable=True)]
        rows, places, bounds = rows[order], places[order], bounds[order]
        within = device.put(np.arange(int(rows.shape[0]))) - xp.searchsorted(rows, rows)
        is_first = within == 0
        # Only rows with new entries are changed, and only their smallest new entries can be kept.
        touched, line = rows[is_first], xp.cumulative_sum(xp.astype(is_first, xp.int64)) - 1
        width = min(int(xp.max(within)) + 1, self._count)
        kept = within < width
        shape = int(touched.shape[0]), width
        new_bounds = device.put(np.full(shape, np.inf, self._kind))
        new_places = device.put(np.zeros(shape, np.int64))
        new_bounds[line[kept], within[kept]] = bounds[kept]
        new_places[line[kept], within[kept]] = places[kept]
        joined = xp.concat([self.places[touched], new_places], axis=1)
        self.bounds[touched], order = device.smallest(
            xp.concat([self.bounds[touched], new_bounds], axis=1), self._count
        )
        self.places[touched] = xp.take_along_axis(joined, order, axis=1)


@dataclass(frozen=True)
class Near:
    """For each point of a crowd, the others that seem nearest.

    Attributes
    ----------
    screen
        The table of the crowd.
    bounds, places
        Lower bounds of half the squared distances, ascending, and the places of the points in the crowd.
    is_all
        Whether the lists contain all other points.
    """

    screen: Screen
    bounds: Any
    places: Any
    is_all: bool

    @classmethod
    def of(cls, points: PlacedPoints, crowd: Crowd, count: int) -> Near:
        """Find `count` points; in double precision if single precision cannot distinguish many of them."""
        near = cls._by(Screen(points, crowd), count)
        return cls._by(Screen(points, crowd, double=True), count) if near.is_rough else near

    @classmethod
    def _by(cls, screen: Screen, count: int) -> Near:
        """Find `count` points, and `SPARE` extra ones, by the smallest bounds."""
        size = int(screen.numbers[0].shape[0])
        kept = min(count + SPARE, size - 1)
        smallest = _Smallest(screen, size, kept)
        for top, left, table in screen.blocks() if kept else ():
            if top == left:
                smallest.start(top, table)
            else:
                smallest.add(top, left, table)
        bounds = screen.device.xp.astype(smallest.bounds, screen.device.xp.float64)
        return cls(screen, bounds, smallest.places, kept == size - 1)

    @property
    def numbers(self) -> Any:
        """The numbers of the points."""
        return self.screen.numbers[0]

    @property
    def is_rough(self) -> bool:
        """Whether, for many points, all entries of the list may be equally far."""
        if self.is_all or self.screen.device.tf32:
            return False
        spread = self.bounds[:, -1] - self.bounds[:, 0]
        return int(self.screen.device.xp.sum(spread <= self.widths)) > MOST_ROUGH * int(spread.shape[0])

    @cached_property
    def widths(self) -> Any:
        """The largest excess of half a squared distance over its bound, for each point."""
        every = self.screen.device.put(np.arange(int(self.numbers.shape[0])))
        xp, squares = self.screen.device.xp, self.screen.squares[0]
        farthest = xp.take_along_axis(self.places, xp.argmax(squares[self.places], axis=1)[:, None], axis=1)
        return self.screen.widths(every, farthest[:, 0])

    def kth(self, k: int, counts: Any) -> Any:
        """Return the squared distance to the k-th nearest other text; there must be at least k.

        Parameters
        ----------
        k
            The rank of the neighbour, counted from 1.
        counts
            The number of texts at each point.
        """
        device = self.screen.device
        xp = device.xp
        before = counts - 1
        if not int(self.places.shape[1]):
            return xp.zeros_like(before, dtype=xp.float64)
        weights = counts[self.places]
        at = _first_with(k, before, weights, xp)
        level = xp.take_along_axis(self.bounds, at, axis=1)
        if device.tf32:
            return xp.where(before < k, 2 * xp.maximum(level, xp.zeros_like(level))[:, 0], 0.0)
        doubtful = xp.abs(self.bounds - level) <= self.widths[:, None]
        nearer = xp.where(~doubtful & (self.bounds < level), weights, 0)
        measured = self._measured(doubtful)
        order = xp.argsort(measured, axis=1)
        weights = xp.take_along_axis(xp.where(doubtful, weights, 0), order, axis=1)
        at = _first_with(k, before + xp.sum(nearer, axis=1), weights, xp)
        squares = xp.take_along_axis(xp.take_along_axis(measured, order, axis=1), at, axis=1)[:, 0]
        squares = xp.where(before < k, squares, 0.0)
        if not self.is_all:
            short = xp.nonzero((before < k) & (squares > 2 * self.bounds[:, -1]))[0]
            for row in device.take(short).tolist():
                squares[row] = self._in_full(row, k, counts)
        return squares

    def sorted(self) -> tuple[Any, Any, Any]:
        """Return the squared distances in the lists, ascending, their places, and the number of certain ones.

        An entry is certain if no point outside the list can be nearer.
        """
        xp = self.screen.device.xp
        if self.screen.device.tf32:
            squares, places = 2 * xp.maximum(self.bounds, xp.zeros_like(self.bounds)), self.places
        else:
            measured = self._measured(xp.ones_like(self.bounds, dtype=xp.bool))
            order = xp.argsort(measured, axis=1)
            squares = xp.take_along_axis(measured, order, axis=1)
            places = xp.take_along_axis(self.places, order, axis=1)
        farthest = np.inf if self.is_all else 2 * self.bounds[:, -1:]
        return squares, places, xp.sum(squares <= farthest, axis=1)

    def _measured(self, chosen: Any) -> Any:
        """Return the squared distances of chosen pairs; infinite for the others."""
        xp = self.screen.device.xp
        rows, columns = xp.nonzero(chosen)
        squares = xp.full_like(self.bounds, np.inf)
        squares[rows, columns] = self.screen.points.squares(
            self.numbers[rows], self.numbers[self.places[rows, columns]]
        )
        return squares

    def _in_full(self, row: int, k: int, counts: Any) -> Any:
        """Return the squared distance from all points, for a point whose list is too short."""
        xp = self.screen.device.xp
        squares = self.screen.points.squares(xp.full_like(self.numbers, int(self.numbers[row])), self.numbers)
        squares[row] = np.inf
        order = xp.argsort(squares)
        at = int(xp.sum(counts[row] - 1 + xp.cumulative_sum(counts[order]) < k))
        return squares[order[at]]


def _first_with(k: int, before: Any, weights: Any, xp: Any) -> Any:
    """Return the column at which the running sum of each row reaches k."""
    reached = xp.sum(before[:, None] + xp.cumulative_sum(weights, axis=1) < k, axis=1)
    return xp.clip(reached, 0, int(weights.shape[1]) - 1)[:, None]
