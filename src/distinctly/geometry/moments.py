"""`Moments`: the number, the mean and the covariance of vectors, in a form that loses no digits."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from distinctly import arrays
from distinctly.embedders.base import Embedder, Vectors
from distinctly.geometry.embeddings import Embeddings, Reals
from distinctly.statistics.derived import Derived

# Of a column's square, the part that must be its own: the error is about 1e-16 over this.
LEAST_PIVOT = 1e-4


@dataclass(frozen=True)
class Moment:
    """How many vectors there are, their mean, and R, a root of their scatter: ``RᵀR = Σ(x − m)(x − m)ᵀ``.

    R is kept and not the scatter, since a product of small differences has half of their digits. It has as
    many rows as there are vectors, or, from more vectors than dimensions on, as there are dimensions.

    Examples
    --------
    >>> both = Moment.of(np.array([[0.0], [2.0]])) + Moment.of(np.array([[4.0]]))
    >>> both.texts, both.mean.tolist(), round(both.variance, 12)
    (3, [2.0], 4.0)
    """

    texts: int
    mean: Reals
    root: Reals

    def __add__(self, other: Moment) -> Moment:
        if not self.texts or not other.texts:
            return self if self.texts else other
        texts = self.texts + other.texts
        apart = other.mean - self.mean
        between = np.sqrt(self.texts * other.texts / texts) * apart[None, :]
        device = arrays.current()
        root = _folded(device, device.put(np.concatenate([self.root, other.root, between])))
        return Moment(texts, self.mean + apart * (other.texts / texts), root)

    @property
    def dimensions(self) -> int:
        """Of the vectors."""
        return len(self.mean)

    @property
    def variance(self) -> float:
        """The trace of the unbiased covariance; it takes two vectors."""
        return float((self.root**2).sum()) / (self.texts - 1)

    @classmethod
    def of(cls, vectors: Vectors) -> Moment:
        """Take the moments of one block of vectors."""
        if not len(vectors):
            return cls(0, np.zeros(vectors.shape[1]), np.zeros(vectors.shape))
        device = arrays.current()
        table = device.xp.astype(device.put(vectors), device.xp.float64)
        # From the first one on, so that a constant does not differ from its mean by rounding.
        first = table[0, :]
        rows = table - first
        beyond = device.xp.mean(rows, axis=0)
        return cls(len(vectors), device.take(first + beyond), _folded(device, rows - beyond))


@dataclass(frozen=True)
class Moments(Derived[Moment]):
    """The moments of the vectors of texts."""

    embedder: Embedder

    def sources(self) -> tuple[Embeddings]:
        """Return the vectors."""
        return (Embeddings(self.embedder),)

    def derive(self, vectors: Vectors) -> Moment:
        """Take the moments block by block, so that no second table of all vectors is made."""
        size = arrays.current().rows_a_block(vectors.shape[1], 8)
        starts = range(0, max(len(vectors), 1), size)
        with np.errstate(over="ignore", invalid="ignore"):  # who reads it sees that nothing finite is left
            return functools.reduce(operator.add, (Moment.of(vectors[at : at + size]) for at in starts))


def _folded(device: arrays.Device, table: Any) -> Reals:
    """Return as few rows with the same products of columns: R of a QR, where there are too many.

    It is also the Cholesky factor of the products of columns, which is 3 times as fast to find (2,850 rows,
    384 columns), but has no digits where the columns are nearly dependent. Between columns scaled to length
    1 a pivot says how much of a column the others before it do not tell: where all are well above rounding,
    both ways agree to 15 digits; elsewhere it is the QR.
    """
    texts, dimensions = table.shape
    if texts > dimensions:
        root = _root_of_products(device, table)
        table = device.triangle(table) if root is None else root
    found: Reals = device.take(table)
    return found


def _root_of_products(device: arrays.Device, table: Any) -> Any | None:
    """Return the Cholesky factor of the products of columns; None where it would lose digits."""
    xp = device.xp
    products = table.T @ table
    lengths = xp.sqrt(xp.linalg.diagonal(products))
    constant = lengths == 0
    scales = xp.where(constant, 0.0, 1 / xp.where(constant, 1.0, lengths))
    # A column of zeros stands for itself: it depends on no other.
    alone = xp.where(constant[:, None], xp.eye(len(lengths), dtype=table.dtype, device=table.device), 0.0)
    lower = device.cholesky(products * scales * scales[:, None] + alone)
    if lower is None or float(xp.min(xp.linalg.diagonal(lower))) ** 2 < LEAST_PIVOT:
        return None
    return lower.T * lengths
