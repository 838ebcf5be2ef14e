"""Functions of two vectors: distances and kernels, computed for all pairs of two blocks at once.

Each is a function of the product of two vectors, or of their squared distance, which is also computed from
products. Nearly equal vectors lose digits in this way: such pairs are *in doubt*, and are computed one by
one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from distinctly.arrays import Reals
from distinctly.embedders.base import Vectors


class PairFunction(ABC):
    """A number for each pair of vectors.

    Subclasses are frozen dataclasses.

    Attributes
    ----------
    squared
        Whether it is a function of the squared distance, not of the product.
    """

    squared: ClassVar[bool] = False

    @abstractmethod
    def values(self, table: Any, xp: Any) -> Any:
        """Return the values of a table of products or squared distances."""

    @abstractmethod
    def own(self, squares: Reals) -> Reals:
        """Return the values of vectors with themselves, by their squared lengths."""

    @abstractmethod
    def exact(self, left: Reals, right: Reals) -> Reals:
        """Return the value of each row of `left` with the same row of `right`, to full precision."""

    def in_doubt(self, table: Any, squares: Any, bound: float, xp: Any) -> Any:
        """Return which pairs are too near to be computed from products; None if no pair can be.

        `squares` are the squared lengths of the vectors of the rows.
        """
        return None


@dataclass(frozen=True)
class Angular(PairFunction):
    """The angle between two vectors of length 1, from 0 to π."""

    def values(self, table: Any, xp: Any) -> Any:
        """Return the angles; NaN if rounding makes a cosine larger than 1, which is in doubt."""
        return xp.acos(table)

    def own(self, squares: Reals) -> Reals:
        """Return 0 for each."""
        return np.zeros(len(squares))

    def exact(self, left: Reals, right: Reals) -> Reals:
        """Return the angles from the two diagonals of the rhombus (Kahan), accurate for all angles."""
        across, along = np.linalg.norm(left - right, axis=1), np.linalg.norm(left + right, axis=1)
        angles: Reals = 2 * np.arctan2(across, along)
        return angles

    def in_doubt(self, table: Any, squares: Any, bound: float, xp: Any) -> Any:
        """Return where the cosine is near 1 or −1."""
        return xp.abs(table) > 1 - bound


@dataclass(frozen=True)
class Euclidean(PairFunction):
    """The length of the difference of two vectors."""

    squared: ClassVar[bool] = True

    def values(self, table: Any, xp: Any) -> Any:
        """Return the distances; NaN if rounding makes a square negative, which is in doubt."""
        return xp.sqrt(table)

    def own(self, squares: Reals) -> Reals:
        """Return 0 for each."""
        return np.zeros(len(squares))

    def exact(self, left: Reals, right: Reals) -> Reals:
        """Return the distances from the differences."""
        distances: Reals = np.linalg.norm(left - right, axis=1)
        return distances

    def in_doubt(self, table: Any, squares: Any, bound: float, xp: Any) -> Any:
        """Return where the difference is much shorter than the vectors, whose lengths are then similar."""
        return table < 2 * bound * squares[:, None]


@dataclass(frozen=True)
class Polynomial(PairFunction):
    """(xᵀy/d + 1)³ − 1, where d is the number of dimensions.

    The 1 is subtracted, since it cancels in differences of means, so that small products keep their digits.

    Attributes
    ----------
    dimensions
        The number of coordinates of the vectors.
    unit
        The divisor of the vectors before they are multiplied.
    """

    dimensions: int
    unit: float

    def values(self, table: Any, xp: Any) -> Any:
        """Return the kernel minus 1."""
        scaled = table * self.unit * self.unit / self.dimensions
        return scaled * (3 + scaled * (3 + scaled))

    def own(self, squares: Reals) -> Reals:
        """Return the kernel minus 1."""
        kernel: Reals = self.values(squares, np)
        return kernel

    def exact(self, left: Reals, right: Reals) -> Reals:
        """Return the kernel minus 1."""
        kernel: Reals = self.values((left * right).sum(axis=1), np)
        return kernel


@dataclass(frozen=True)
class Gaussian(PairFunction):
    """exp(−‖x−y‖²/2σ²); 1 if σ is 0, that is, if all vectors are equal."""

    bandwidth: float

    squared: ClassVar[bool] = True

    def values(self, table: Any, xp: Any) -> Any:
        """Return the kernel."""
        rate = 0.5 / self.bandwidth / self.bandwidth if self.bandwidth else 0.0
        return xp.exp(-rate * table)

    def own(self, squares: Reals) -> Reals:
        """Return 1 for each."""
        return np.ones(len(squares))

    def exact(self, left: Reals, right: Reals) -> Reals:
        """Return the kernel from the differences."""
        kernel: Reals = self.values(((left - right) ** 2).sum(axis=1), np)
        return kernel


@dataclass(frozen=True)
class Laplacian(Euclidean):
    """exp(−rate·‖x−y‖)."""

    rate: float

    def values(self, table: Any, xp: Any) -> Any:
        """Return the kernel; NaN if rounding makes a square negative, which is in doubt."""
        return xp.exp(-self.rate * super().values(table, xp))

    def own(self, squares: Reals) -> Reals:
        """Return 1 for each."""
        return np.ones(len(squares))

    def exact(self, left: Reals, right: Reals) -> Reals:
        """Return the kernel from the differences."""
        kernel: Reals = np.exp(-self.rate * super().exact(left, right))
        return kernel


@dataclass(frozen=True)
class PositiveCosine(PairFunction):
    """The cosine of two vectors of length 1; 0 if it is negative."""

    def values(self, table: Any, xp: Any) -> Any:
        """Return the cosines from 0 to 1."""
        return xp.clip(table, 0.0, 1.0)

    def own(self, squares: Reals) -> Reals:
        """Return 1 for each."""
        return np.ones(len(squares))

    def exact(self, left: Reals, right: Reals) -> Reals:
        """Return the cosines from 0 to 1."""
        cosines: Reals = self.values((left * right).sum(axis=1), np)
        return cosines


@dataclass(frozen=True)
class CosineDecay(PairFunction):
    """exp(−rate·(1 − cos)) of two vectors of length 1."""

    rate: float

    def values(self, table: Any, xp: Any) -> Any:
        """Return the kernel."""
        return xp.exp(self.rate * (table - 1))

    def own(self, squares: Reals) -> Reals:
        """Return 1 for each."""
        return np.ones(len(squares))

    def exact(self, left: Reals, right: Reals) -> Reals:
        """Return the kernel."""
        kernel: Reals = self.values((left * right).sum(axis=1), np)
        return kernel


def directions(vectors: Vectors) -> Reals:
    """Scale vectors to length 1; vectors of zeros are unchanged.

    Examples
    --------
    >>> directions(np.array([[0, 5e200], [0, 0]])).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    rows = vectors.astype(np.float64)
    if vectors.dtype == np.float64:
        # Scale by powers of 2 first, so that no square overflows or underflows.
        _, exponents = np.frexp(np.abs(rows).max(axis=1, initial=0.0))
        rows = np.ldexp(rows, -exponents[:, None])
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rows /= np.where(lengths > 0, lengths, 1.0)[:, None]
    return rows
