"""`Points`: the vectors of a pool, and how far apart pairs of them are, to the last bit."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import CPU, Device, Reals
from distinctly.embedders.base import Vectors
from distinctly.geometry.scaling import each_near_one
from distinctly.hashing import hash_rows
from distinctly.ragged import Integers
from distinctly.views.vectors import VectorTable

Space = Literal["euclidean", "angular"]
Bools = NDArray[np.bool_]

# The number of pairs of rows that are compared at once, and of coordinates of such pairs on a GPU.
PAIRS = 512
GPU_NUMBERS = 100_000_000
# Squares of numbers between these limits neither overflow nor underflow in single precision.
SMALLEST, LARGEST = 1e-15, 1e15


@dataclass(frozen=True)
class Points:
    """The vectors of a pool of texts, as one way of measuring sees them.

    Attributes
    ----------
    rows
        One row per text.
    scales
        The factor of each vector: 1 over its length if only directions count; None if vectors are not
        scaled.
    numbers
        The first row with the vector of each text, so that texts with equal vectors have equal numbers; −1
        for a text without a direction, if only directions count.
    space
        How distances are measured.
    device
        Where distances are computed.
    """

    rows: Vectors
    scales: Reals | None
    numbers: Integers
    space: Space
    device: Device = field(default=CPU, compare=False)

    @classmethod
    def of(cls, table: VectorTable, space: Space) -> Points:
        """Number the distinct vectors."""
        vectors, device = table.rows, table.device
        lengths = _lengths(vectors)
        numbers = _first_of_its_kind(vectors, lengths)
        if space == "angular":
            rows, lengths = _moderate(vectors, lengths)
            scales = 1 / np.where(lengths > 0, lengths, 1.0)
            return cls(rows, scales, np.where(lengths > 0, numbers, -1), space, device)
        most = max(float(vectors.max(initial=0.0)), -float(vectors.min(initial=0.0)))
        if most == 0 or SMALLEST < most < LARGEST:
            return cls(vectors, None, numbers, space, device)
        # A power of 2 scales without rounding.
        scales = np.full(len(vectors), np.ldexp(1.0, -np.frexp(most)[1]))
        return cls(vectors.astype(np.float64), scales, numbers, space, device)

    def __len__(self) -> int:
        return len(self.rows)

    def placed(self) -> PlacedPoints:
        """Return the vectors on their device."""
        scales = None if self.scales is None else self.device.put(self.scales)
        return PlacedPoints(self.device, self.device.put(self.rows), scales, self.space)


@dataclass(frozen=True)
class PlacedPoints:
    """The vectors of `Points` on a device."""

    device: Device
    rows: Any
    scales: Any
    space: Space

    @cached_property
    def _pairs_at_once(self) -> int:
        if self.device.is_numpy:
            return PAIRS
        return max(GPU_NUMBERS // max(int(self.rows.shape[1]), 1), 1)

    def exactly(self, numbers: Any) -> Any:
        """Return vectors as they are measured, in double precision."""
        rows = self.rows[numbers]
        if self.scales is None:
            return self.device.xp.astype(rows, self.device.xp.float64)
        return rows * self.scales[numbers][:, None]

    def roughly(self, numbers: Any) -> Any:
        """Return vectors as they are measured, in the precision that they came in, rounded twice at most."""
        rows = self.rows[numbers]
        if self.scales is None:
            return rows
        return rows * self.device.xp.astype(self.scales[numbers], rows.dtype)[:, None]

    def squares(self, first: Any, second: Any, sign: int = -1) -> Any:
        """Return |x − y|² of pairs of vectors, given by their numbers; |x + y|² if `sign` is 1.

        They are computed in double precision, in a fixed order: equal distances are equal to the last bit
        on every device, whichever pairs are compared at once.
        """
        xp = self.device.xp
        sums = []
        for start in range(0, int(first.shape[0]), self._pairs_at_once):
            pairs = slice(start, start + self._pairs_at_once)
            table = self.exactly(first[pairs])
            if sign > 0:
                table += self.exactly(second[pairs])
            else:
                table -= self.exactly(second[pairs])
            table *= table
            sums.append(tree_sum(table))
        return xp.concat(sums) if sums else xp.zeros(0, dtype=xp.float64)

    def distances(self, first: Any, second: Any, squares: Any) -> Any:
        """Return the distances of pairs whose squared distances are known; angles are parts of a half turn.

        An angle is ``2·atan(|x − y| / |x + y|)``, which is also accurate for small angles.
        """
        xp = self.device.xp
        if self.space == "euclidean":
            return xp.sqrt(squares) * (1.0 if self.scales is None else 1 / self.scales[first])
        sums = xp.maximum(4 - squares, xp.zeros_like(squares))
        wide = xp.nonzero(squares > 2)[0]
        if int(wide.shape[0]):
            sums[wide] = self.squares(first[wide], second[wide], sign=1)
        return xp.atan2(xp.sqrt(squares), xp.sqrt(sums)) * (2 / np.pi)


def _first_of_its_kind(vectors: Vectors, lengths: Reals) -> Integers:
    """Return, for each row, the first row with an equal vector."""
    numbers = np.arange(len(vectors))
    _, inverse, counts = np.unique(lengths, return_inverse=True, return_counts=True)
    candidates = np.flatnonzero(counts[inverse] > 1)
    if len(candidates):
        _, first, same = np.unique(hash_rows(vectors[candidates]), return_index=True, return_inverse=True)
        numbers[candidates] = candidates[first][same]
    return numbers


def _moderate(vectors: Vectors, lengths: Reals) -> tuple[Vectors, Reals]:
    """Return vectors and lengths, scaled by powers of 2 if some squares would overflow or underflow."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    known = largest[largest > 0]
    if not len(known) or SMALLEST < float(known.min()) <= float(known.max()) < LARGEST:
        return vectors, lengths
    scaled = each_near_one(vectors.astype(np.float64))
    return scaled, _lengths(scaled)


def _lengths(vectors: Vectors) -> Reals:
    """Return the length of each vector; infinite or 0 if its square overflows or underflows."""
    lengths = np.zeros(len(vectors))
    with np.errstate(over="ignore", under="ignore"):
        for start in range(0, len(vectors), PAIRS):
            part = slice(start, start + PAIRS)
            lengths[part] = np.sqrt(np.square(vectors[part], dtype=np.float64).sum(axis=1))
    return lengths


def tree_sum(table: Any) -> Any:
    """Return the sum of the columns of a table, always added in the same order; overwrites the table.

    The last columns are added to the first ones, half of all at a time, until one is left.

    Examples
    --------
    >>> tree_sum(np.array([[1.0, 2.0, 4.0]])).tolist()
    [7.0]
    """
    width = int(table.shape[1])
    while width > 1:
        half = width // 2
        table[:, :half] += table[:, width - half : width]
        width -= half
    return table[:, 0]
