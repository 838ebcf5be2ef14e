"""Distances between many points, screened in single precision and decided in double precision.

Half of the squared distance of two points is ``|x|²/2 + |y|²/2 − xy``: a matrix product of points with two
more coordinates. In single precision it is off by at most ``(d + 8)·2⁻²⁴·(|x|² + |y|²)``, in whatever order
it is added up. So a table holds lower bounds, every pair lies between its bound and a little more, and
only the pairs for which that little matters are measured again. Tables come in square blocks: memory is
linear in the points. In TF32, nothing is measured again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import Any

import numpy as np

from distinctly.ragged import Integers
from distinctly.statistics.points import PlacedPoints

# A list of near points is longer than what is asked for by this, so that it seldom turns out too short.
SPARE = 3
# A block is this part of what a device has room for: several tables of its size are held at once.
BLOCK_SHARE = 4
# Rows that are brought to single precision at once.
ROWS = 4096
# The rounding of single precision, and what numbers too small for it may be off by.
UNIT = 2.0**-24
UNDERFLOW = 1e-36
# Splits a number of single precision in two that TF32 can hold (Dekker).
SPLITTER = 8193.0


@dataclass(frozen=True)
class Crowd:
    """Some of the points, and how many texts are at each.

    Attributes
    ----------
    numbers
        Of the points, ascending.
    counts
        How many texts each stands for.

    Examples
    --------
    >>> crowd = Crowd.of(np.array([4, 2, 4, -1]))
    >>> crowd.numbers.tolist(), crowd.counts.tolist(), crowd.texts
    ([2, 4], [1, 2], 3)
    """

    numbers: Integers
    counts: Integers

    @classmethod
    def of(cls, numbers: Integers) -> Crowd:
        """Count the texts at each point; those at none (−1) are left out."""
        different, counts = np.unique(numbers[numbers >= 0], return_counts=True)
        return cls(different, counts.astype(np.int64))

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def texts(self) -> int:
        """How many texts there are."""
        return int(self.counts.sum())


class Screen:
    """The table of lower bounds of half the squared distances between two crowds, or within one."""

    def __init__(self, points: PlacedPoints, one: Crowd, other: Crowd | None = None) -> None:
        self.points, self.device = points, points.device
        self.is_within = other is None
        crowds = [one] if other is None else [one, other]
        numbers = [self.device.put(crowd.numbers) for crowd in crowds]
        self.slack = 0.0 if self.device.tf32 else (2 * int(points.rows.shape[1]) + 16) * UNIT
        centre = self._centre(numbers)
        centred = [self._centred(own, centre) for own in numbers]
        squares = [_squared_lengths(points, own) for own in centred]
        bases = [own * ((1 - self.slack) / 2) - UNDERFLOW for own in squares]
        self._left = self._extended(-centred[0], bases[0], first=True)
        self._right = self._extended(centred[-1], bases[-1], first=False)
        self.numbers, self.squares = (numbers[0], numbers[-1]), (squares[0], squares[-1])

    def _centre(self, numbers: list[Any]) -> Any:
        """Return about the mean of all: any point would do, a near one makes errors small."""
        xp, total, many = self.device.xp, 0.0, 0
        for own in numbers:
            for start in range(0, int(own.shape[0]), ROWS):
                total = total + xp.sum(self.points.measured(own[start : start + ROWS]), axis=0)
                many += int(own[start : start + ROWS].shape[0])
        return total / max(many, 1)

    def _centred(self, numbers: Any, centre: Any) -> Any:
        """Return points about the centre; what is single precision already is rounded only here."""
        xp = self.device.xp
        starts = range(0, int(numbers.shape[0]), ROWS)
        parts = [self.points.measured(numbers[start : start + ROWS]) - centre for start in starts]
        return xp.concat([xp.astype(part, xp.float32) for part in parts])

    def _extended(self, centred: Any, bases: Any, *, first: bool) -> Any:
        """Append the coordinates that make a product a distance, and zeros up to a multiple of 8."""
        xp = self.device.xp
        singles = xp.astype(bases, xp.float32)
        # In two parts, so that a product in TF32 does not lose what differs between lengths.
        scaled = singles * SPLITTER
        high = scaled - (scaled - singles)
        ones = xp.ones_like(singles)
        more = [high, singles - high, ones, ones] if first else [ones, ones, high, singles - high]
        padding = [xp.zeros_like(singles)] * (-(int(centred.shape[1]) + 4) % 8)
        return xp.concat([centred, *(column[:, None] for column in (*more, *padding))], axis=1)

    def blocks(self) -> Iterator[tuple[int, int, Any]]:
        """Yield the table in square blocks, and where each begins; within one crowd each pair once."""
        rows, columns = int(self._left.shape[0]), int(self._right.shape[0])
        most = max(isqrt(self.device.rows_a_block(BLOCK_SHARE)), 1)
        # Blocks of one size: a narrow one at the end is slow.
        side = -(-max(rows, columns) // -(-max(rows, columns) // most))
        for top in range(0, rows, side):
            for left in range(top if self.is_within else 0, columns, side):
                table = self.device.products(self._left[top : top + side], self._right[left : left + side])
                if self.is_within and top == left:
                    places = self.device.put(np.arange(int(table.shape[0])))
                    table[places, places] = np.inf
                yield top, left, table

    def near(self, count: int) -> tuple[Near, Near]:
        """Find the points with the smallest bounds: for each row of the table, and for each column."""
        sizes = int(self._left.shape[0]), int(self._right.shape[0])
        rows = _Smallest(self, 0, min(count, sizes[1] - self.is_within))
        columns = rows if self.is_within else _Smallest(self, 1, min(count, sizes[0]))
        for top, left, table in self.blocks():
            rows.add(top, left, table)
            if not self.is_within or top != left:
                columns.add(left, top, table.T)
        return rows.found(), columns.found()

    def are_within(self, rows: Any, columns: Any, bounds: Any, radii: Any) -> Any:
        """Tell which pairs are nearer than their (squared) radii, by their bounds where these can tell."""
        xp = self.device.xp
        bounds = xp.astype(bounds, xp.float64)
        found = bounds < radii / 2
        if self.device.tf32:
            return found
        widths = self.slack * (self.squares[0][rows] + self.squares[1][columns]) + 4 * UNDERFLOW
        doubtful = xp.nonzero(found & (bounds + widths >= radii / 2))[0]
        if int(doubtful.shape[0]):
            one, other = self.numbers[0][rows[doubtful]], self.numbers[1][columns[doubtful]]
            found[doubtful] = self.points.squares(one, other) < radii[doubtful]
        return found


class _Smallest:
    """The smallest bounds of each row of a table (side 0) or of each column (side 1), as blocks come in."""

    def __init__(self, screen: Screen, side: int, count: int) -> None:
        self._screen, self._side, self._count = screen, side, count
        xp = screen.device.xp
        size = int(screen.numbers[side].shape[0])
        empty = np.full((size, count), np.inf, np.float32)
        self._bounds = screen.device.put(empty)
        self._places = screen.device.put(np.zeros(empty.shape, np.int64))
        self._xp = xp

    def add(self, start: int, offset: int, table: Any) -> None:
        """Take in a block that begins at this row, and whose columns begin there."""
        if not self._count:
            return
        xp, device = self._xp, self._screen.device
        rows = slice(start, start + int(table.shape[0]))
        bounds, places = device.smallest(table, min(self._count, int(table.shape[1])))
        bounds = xp.concat([self._bounds[rows], bounds], axis=1)
        places = xp.concat([self._places[rows], places + offset], axis=1)
        self._bounds[rows], order = device.smallest(bounds, self._count)
        self._places[rows] = xp.take_along_axis(places, order, axis=1)

    def found(self) -> Near:
        """Return the lists, once all blocks are in."""
        screen, xp = self._screen, self._xp
        others = int(screen.numbers[1 - self._side].shape[0]) - screen.is_within
        return Near(
            screen,
            self._side,
            xp.astype(self._bounds, xp.float64),
            self._places,
            is_all=self._count >= others,
        )


@dataclass(frozen=True)
class Near:
    """For each point of one side of a table, those of the other side that seem nearest.

    Attributes
    ----------
    screen, side
        The table, and whether the points are its rows (0) or its columns (1).
    bounds, places
        Lower bounds of half the squared distances, ascending, and which points of the other side they are.
    is_all
        Whether there are no others than these.
    """

    screen: Screen
    side: int
    bounds: Any
    places: Any
    is_all: bool

    def __len__(self) -> int:
        return int(self.bounds.shape[0])

    @property
    def numbers(self) -> Any:
        """The numbers of the points."""
        return self.screen.numbers[self.side]

    @property
    def others(self) -> Any:
        """The numbers of the points of the other side."""
        return self.screen.numbers[1 - self.side]

    @cached_property
    def widths(self) -> Any:
        """By how much half a squared distance may be above its bound, for each point."""
        xp, squares = self.screen.device.xp, self.screen.squares
        farthest = xp.max(squares[1 - self.side][self.places], axis=1)
        return self.screen.slack * (squares[self.side] + farthest) + 4 * UNDERFLOW

    def kth(self, k: int, counts: Any, own: Any) -> tuple[Any, Any]:
        """Return the squared distance to the k-th nearest text, and at which place of the other side it is.

        Parameters
        ----------
        k
            Counted from 1; there are as many texts.
        counts
            How many texts are at each point of the other side.
        own
            How many other texts are at the point itself, so at a distance of 0.
        """
        device = self.screen.device
        xp = device.xp
        if not int(self.places.shape[1]):
            return xp.zeros_like(self.numbers, dtype=xp.float64), xp.zeros_like(self.numbers)
        weights = counts[self.places]
        at = _first_with(k, own, weights, xp)
        level = xp.take_along_axis(self.bounds, at, axis=1)
        if device.tf32:
            squares, places = 2 * xp.maximum(level, xp.zeros_like(level)), self.places
        else:
            doubtful = xp.abs(self.bounds - level) <= self.widths[:, None]
            nearer = xp.where(~doubtful & (self.bounds < level), weights, 0)
            measured = self._measured(doubtful)
            order = xp.argsort(measured, axis=1)
            weights = xp.take_along_axis(xp.where(doubtful, weights, 0), order, axis=1)
            at = _first_with(k, own + xp.sum(nearer, axis=1), weights, xp)
            places = xp.take_along_axis(self.places, order, axis=1)
            squares = xp.take_along_axis(xp.take_along_axis(measured, order, axis=1), at, axis=1)
        squares = xp.where(own < k, squares[:, 0], 0.0)
        places = xp.take_along_axis(places, at, axis=1)[:, 0]
        if not device.tf32 and not self.is_all:
            short = xp.nonzero((own < k) & (squares > 2 * self.bounds[:, -1]))[0]
            for row in device.take(short).tolist():
                squares[row], places[row] = self._in_full(row, k, counts, int(own[row]))
        return squares, places

    def sorted(self) -> tuple[Any, Any, Any]:
        """Return the squared distances to all in the lists, in order, their places, and how many are sure.

        Sure are those that no point outside the list can be nearer than.
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
        found = xp.full_like(self.bounds, np.inf)
        found[rows, columns] = self.screen.points.squares(
            self.numbers[rows], self.others[self.places[rows, columns]]
        )
        return found

    def _in_full(self, row: int, k: int, counts: Any, own: int) -> tuple[Any, Any]:
        """Do the same with all points of the other side, for a point whose list is too short."""
        screen = self.screen
        xp = screen.device.xp
        squares = screen.points.squares(xp.full_like(self.others, int(self.numbers[row])), self.others)
        if screen.is_within:
            squares[row] = np.inf
        order = xp.argsort(squares)
        at = int(xp.sum(own + xp.cumulative_sum(counts[order]) < k))
        return squares[order[at]], order[at]


def _first_with(k: int, before: Any, weights: Any, xp: Any) -> Any:
    """Return the column at which the running sum of each row reaches k."""
    reached = xp.sum(before[:, None] + xp.cumulative_sum(weights, axis=1) < k, axis=1)
    return xp.clip(reached, 0, int(weights.shape[1]) - 1)[:, None]


def _squared_lengths(points: PlacedPoints, centred: Any) -> Any:
    """Return the squared lengths of points in single precision, added up in double precision."""
    xp = points.device.xp
    starts = range(0, int(centred.shape[0]), ROWS)
    parts = [centred[start : start + ROWS] for start in starts]
    return xp.concat([xp.sum(part * part, axis=1, dtype=xp.float64) for part in parts])
