"""Distances between many points, screened in single precision and decided in double precision.

Half of the squared distance of two points is ``|x|²/2 + |y|²/2 − xy``: a matrix product of points with two
more coordinates. In single precision its error is at most ``(d + 16)·2⁻²⁴·(|x|² + |y|²)``, for any order of
summation. So a table holds lower bounds, every distance lies between its bound and a little more, and only
the pairs for which the difference matters are measured again. If these are too many (points in tight
groups, far from each other), the table is computed in double precision instead. Tables are computed in
square blocks, so memory is linear in the points. In TF32, nothing is measured again.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import Any

import numpy as np

from distinctly.geometry.points import PlacedPoints
from distinctly.ragged import Integers

# The number of rows that are converted to single precision at once.
ROWS = 4096
# The rounding errors of single and of double precision, and the largest error of underflow.
UNITS = {False: 2.0**-24, True: 2.0**-53}
UNDERFLOW = 1e-36
# Splits a number of single precision into two that TF32 can represent (Dekker).
SPLITTER = 8193.0


@dataclass(frozen=True)
class Crowd:
    """Some of the points, and the number of texts at each.

    Attributes
    ----------
    numbers
        The numbers of the points, ascending.
    counts
        The number of texts at each point.

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
        """Count the texts at each point; texts without a point (−1) are left out."""
        different, counts = np.unique(numbers[numbers >= 0], return_counts=True)
        return cls(different, counts.astype(np.int64))

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def texts(self) -> int:
        """The number of texts."""
        return int(self.counts.sum())


class Screen:
    """The table of lower bounds of half the squared distances between two crowds, or within one."""

    def __init__(
        self, points: PlacedPoints, left: Crowd, right: Crowd | None = None, *, double: bool = False
    ) -> None:
        self.points, self.device = points, points.device
        self.is_double, self.kind = double, np.float64 if double else np.float32
        self.is_within = right is None
        crowds = [left] if right is None else [left, right]
        numbers = [self.device.put(crowd.numbers) for crowd in crowds]
        self.slack = 0.0 if self.device.tf32 else (2 * int(points.rows.shape[1]) + 32) * UNITS[double]
        # Directions are already near the origin.
        centre = self._centre(numbers) if points.space == "euclidean" else None
        centred = [self._centred(members, centre) for members in numbers]
        squares = [_squared_lengths(points, rows) for rows in centred]
        self._bases = [lengths * ((1 - self.slack) / 2) - UNDERFLOW for lengths in squares]
        self._left = self._extended(centred[0], self._bases[0], first=True)
        self._right = self._extended(centred[-1], self._bases[-1], first=False)
        self.numbers, self.squares = (numbers[0], numbers[-1]), (squares[0], squares[-1])

    def _centre(self, numbers: list[Any]) -> Any:
        """Return the approximate mean of all points: any point is correct, a near one has small errors."""
        xp, total, count = self.device.xp, 0.0, 0
        for members in numbers:
            for start in range(0, int(members.shape[0]), ROWS):
                total = total + xp.sum(self._rows(members[start : start + ROWS]), axis=0)
                count += int(members[start : start + ROWS].shape[0])
        return total / max(count, 1)

    def _rows(self, numbers: Any) -> Any:
        return self.points.exactly(numbers) if self.is_double else self.points.roughly(numbers)

    def _centred(self, numbers: Any, centre: Any) -> Any:
        """Return points relative to the centre, in the precision of the table."""
        rows = self.device.put(np.empty((int(numbers.shape[0]), int(self.points.rows.shape[1])), self.kind))
        for start in range(0, int(numbers.shape[0]), ROWS):
            part = self._rows(numbers[start : start + ROWS])
            rows[start : start + ROWS] = part if centre is None else part - centre
        return rows

    def _extended(self, centred: Any, bases: Any, *, first: bool) -> Any:
        """Append the coordinates that make a product a distance, and zeros up to a multiple of 8."""
        xp = self.device.xp
        rows, dimensions = (int(size) for size in centred.shape)
        extended = self.device.put(np.zeros((rows, -(-(dimensions + 4) // 8) * 8), self.kind))
        extended[:, :dimensions] = -centred if first else centred
        bases = xp.astype(bases, extended.dtype)
        # In two parts, so that a product in TF32 does not lose the differences of lengths.
        scaled = bases * SPLITTER
        high = scaled - (scaled - bases)
        own, other = (dimensions, dimensions + 2) if first else (dimensions + 2, dimensions)
        extended[:, own], extended[:, own + 1] = high, bases - high
        extended[:, other : other + 2] = 1.0
        return extended

    def blocks(self) -> Iterator[tuple[int, int, Any]]:
        """Yield the table in square blocks, each after its first row and column.

        Within one crowd each pair occurs once, and the blocks on the diagonal are first.
        """
        rows, columns = int(self._left.shape[0]), int(self._right.shape[0])
        most = max(isqrt(self.device.rows_per_block(1)), 1)
        # Blocks of equal size, since a narrow one at the end is slow.
        side = -(-max(rows, columns) // -(-max(rows, columns) // most))
        corners = [
            (top, left)
            for top in range(0, rows, side)
            for left in range(top if self.is_within else 0, columns, side)
        ]
        if self.is_within:
            corners.sort(key=lambda corner: corner[0] != corner[1])
        for (top, left), table in zip(corners, self._products(corners, side)):
            yield top, left, table

    def _product(self, top: int, left: int, side: int) -> Any:
        if not self.is_within or top != left:
            return self.device.products(self._left[top : top + side], self._right[left : left + side])
        # BLAS computes only one half of the product of a matrix with itself.
        own = self._right[top : top + side, : int(self.points.rows.shape[1])]
        bases = self.device.xp.astype(self._bases[0][top : top + side], own.dtype)
        table = self.device.products(own, own)
        table *= -1
        table += bases
        table += bases[:, None]
        places = self.device.put(np.arange(int(table.shape[0])))
        table[places, places] = np.inf
        return table

    def _products(self, corners: list[tuple[int, int]], side: int) -> Iterator[Any]:
        """Yield the product of each block; on the CPU, the next one is computed in the background."""
        if len(corners) == 1 or not self.device.is_numpy:
            yield from (self._product(*corner, side) for corner in corners)
            return
        with ThreadPoolExecutor(1) as ahead:
            coming = ahead.submit(self._product, *corners[0], side)
            for corner in corners[1:]:
                table = coming.result()
                coming = ahead.submit(self._product, *corner, side)
                yield table
                del table
            yield coming.result()

    def widths(self, rows: Any, columns: Any) -> Any:
        """Return the largest excess of half a squared distance over its bound."""
        return self.slack * (self.squares[0][rows] + self.squares[1][columns]) + 4 * UNDERFLOW

    def are_within(self, rows: Any, columns: Any, bounds: Any, radii: Any) -> Any:
        """Return which pairs are nearer than their (squared) radii; only doubtful pairs are measured."""
        xp = self.device.xp
        bounds = xp.astype(bounds, xp.float64)
        within = bounds < radii / 2
        if self.device.tf32:
            return within
        doubtful = xp.nonzero(within & (bounds + self.widths(rows, columns) >= radii / 2))[0]
        if int(doubtful.shape[0]):
            first, second = self.numbers[0][rows[doubtful]], self.numbers[1][columns[doubtful]]
            within[doubtful] = self.points.squares(first, second) < radii[doubtful]
        return within


def _squared_lengths(points: PlacedPoints, centred: Any) -> Any:
    """Return the squared lengths of points, added up in double precision."""
    xp = points.device.xp
    if points.space == "angular":
        return points.device.put(np.ones(int(centred.shape[0])))
    starts = range(0, int(centred.shape[0]), ROWS)
    parts = [centred[start : start + ROWS] for start in starts]
    return xp.concat([xp.sum(part * part, axis=1, dtype=xp.float64) for part in parts])
