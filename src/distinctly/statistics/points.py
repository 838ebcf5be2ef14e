"""`Points`: the vectors of a pool that differ, and how far apart pairs of them are, to the last bit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import Device
from distinctly.embedders.base import Vectors
from distinctly.hashing import hash_rows
from distinctly.ragged import Integers

Space = Literal["euclidean", "angular"]
Reals = NDArray[np.float64]
Bools = NDArray[np.bool_]

# Pairs of rows that are compared at once, and numbers of such pairs on a GPU.
PAIRS = 512
GPU_NUMBERS = 100_000_000
# Squares of numbers between these are numbers of single precision.
SMALLEST, LARGEST = 1e-15, 1e15


@dataclass(frozen=True)
class Points:
    """The vectors of texts that differ, as one way of measuring sees them.

    Attributes
    ----------
    rows
        One row a vector, in the order of their hashes.
    divisors
        What each is to be divided by: its length, where only directions count; None where nothing is to be
        divided.
    numbers
        For each text of the pool, the number of its vector; −1 for one without a direction, where only
        directions count.
    space
        How distances are measured.
    """

    rows: Vectors
    divisors: Reals | None
    numbers: Integers
    space: Space

    @classmethod
    def of(cls, vectors: Vectors, space: Space) -> Points:
        """Number the vectors that differ."""
        hashes = hash_rows(vectors) if len(vectors) else np.zeros(0, np.uint64)
        _, first, numbers = np.unique(hashes, return_index=True, return_inverse=True)
        rows = vectors[first]
        largest = np.abs(rows).max(axis=1, initial=0.0).astype(np.float64)
        if space == "euclidean":
            most = float(largest.max(initial=0.0))
            fits = most == 0 or SMALLEST < most < LARGEST
            # A power of 2 divides without rounding.
            power = 1.0 if fits else 2.0 ** np.frexp(most)[1]
            return cls(rows, None if power == 1 else np.full(len(rows), power), numbers, space)
        placed = largest > 0
        kept = np.where(placed, np.cumsum(placed) - 1, -1)
        rows, powers = rows[placed], 2.0 ** np.frexp(largest[placed])[1]
        lengths = np.zeros(len(rows))
        for start in range(0, len(rows), PAIRS):
            part = slice(start, start + PAIRS)
            lengths[part] = np.sqrt(tree_sum(np.square(rows[part] / powers[part, None]))) * powers[part]
        return cls(rows, lengths, kept[numbers], space)

    def __len__(self) -> int:
        return len(self.rows)

    def on(self, device: Device) -> PlacedPoints:
        """Bring the vectors to a device."""
        divisors = None if self.divisors is None else device.put(self.divisors)
        return PlacedPoints(device, device.put(self.rows), divisors, self.space)


@dataclass(frozen=True)
class PlacedPoints:
    """The vectors of `Points` on a device."""

    device: Device
    rows: Any
    divisors: Any
    space: Space

    @cached_property
    def _pairs_at_once(self) -> int:
        if self.device.is_numpy:
            return PAIRS
        return max(GPU_NUMBERS // max(int(self.rows.shape[1]), 1), 1)

    def measured(self, numbers: Any) -> Any:
        """Return vectors as they are measured: divided, or as they came."""
        rows = self.rows[numbers]
        if self.divisors is None:
            return rows
        return self.device.xp.astype(rows, self.device.xp.float64) / self.divisors[numbers][:, None]

    def squares(self, one: Any, other: Any, sign: int = -1) -> Any:
        """Return |x − y|² of pairs of vectors, given by their numbers; |x + y|² with the other sign.

        In double precision, and added up in an order that depends on nothing: vectors that are equally far
        away are so to the bit, whichever pairs are compared at once, and on which device.
        """
        xp = self.device.xp
        found = []
        for start in range(0, int(one.shape[0]), self._pairs_at_once):
            pairs = slice(start, start + self._pairs_at_once)
            doubles = (xp.astype(self.measured(own[pairs]), xp.float64) for own in (one, other))
            difference = next(doubles) + sign * next(doubles)
            found.append(tree_sum(difference * difference))
        return xp.concat(found) if found else xp.zeros(0, dtype=xp.float64)

    def distances(self, one: Any, other: Any, squares: Any) -> Any:
        """Return the distances of pairs whose squared distances are known; angles are parts of a half turn.

        An angle is ``2·atan(|x − y| / |x + y|)``, which is right for small ones, too.
        """
        xp = self.device.xp
        if self.space == "euclidean":
            return xp.sqrt(squares) * (1.0 if self.divisors is None else self.divisors[one])
        sums = xp.maximum(4 - squares, xp.zeros_like(squares))
        wide = xp.nonzero(squares > 2)[0]
        if int(wide.shape[0]):
            sums[wide] = self.squares(one[wide], other[wide], sign=1)
        return xp.atan2(xp.sqrt(squares), xp.sqrt(sums)) * (2 / np.pi)


def tree_sum(table: Any) -> Any:
    """Add up the columns: the first half to the second until one is left, always in the same order.

    Examples
    --------
    >>> tree_sum(np.array([[1.0, 2.0, 4.0]])).tolist()
    [7.0]
    """
    while table.shape[1] > 1:
        half = int(table.shape[1]) // 2
        rest = table[:, 2 * half :]
        table = table[:, :half] + table[:, half : 2 * half]
        if rest.shape[1]:
            table[:, 0] += rest[:, 0]
    return table[:, 0]
