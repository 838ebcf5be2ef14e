"""`CosineSpectrum`: the eigenvalues of the matrix of cosines between texts, and the sum of their squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from distinctly.arrays import Device, Reals
from distinctly.geometry.directions import Directions, Rays
from distinctly.statistics.base import Derived
from distinctly.views.vectors import VectorView

# Eigenvalues below this are rounding.
SMALLEST = 1e-12


@dataclass(frozen=True)
class Eigenvalues:
    """The eigenvalues of K/n, in descending order, K a matrix of similarities between n texts.

    Attributes
    ----------
    values
        Those that are not zero; they sum to 1.
    texts, zeros
        The number of all texts, and of those that have no similarity to any text, not even to themselves.
    dimensions
        The number of coordinates of the vectors; 0 if there are none.
    features
        The number of random features that approximate K; 0 if it is exact.
    """

    values: Reals
    texts: int
    zeros: int
    dimensions: int = 0
    features: int = 0

    @classmethod
    def of(
        cls, matrix: Any, device: Device, texts: int, zeros: int, dimensions: int = 0, features: int = 0
    ) -> Eigenvalues:
        """Compute the eigenvalues of a matrix of trace 1 on a device.

        Examples
        --------
        >>> Eigenvalues.of(np.array([[0.75, 0.0], [0.0, 0.25]]), Device(), texts=2, zeros=0).values.tolist()
        [0.75, 0.25]
        """
        values = device.take(device.eigenvalues(matrix))[::-1] if len(matrix) else np.zeros(0)
        return cls(values[values >= SMALLEST], texts, zeros, dimensions, features)


@dataclass(frozen=True)
class SquaredNorm:
    """The sum of the squared eigenvalues of K/n, which is the sum of its squared entries.

    Attributes
    ----------
    value
        The sum; 0 if no texts are compared.
    different
        The number of different texts (or vectors).
    texts, zeros, dimensions
        As for `Eigenvalues`.
    """

    value: float
    different: int
    texts: int
    zeros: int
    dimensions: int = 0


@dataclass(frozen=True)
class CosineSpectrum(Derived[Eigenvalues]):
    """The eigenvalues of K/n, K the cosines between n texts."""

    view: VectorView

    def sources(self) -> tuple[Directions]:
        """Return the directions."""
        return (Directions(self.view),)

    def derive(self, rays: Rays) -> Eigenvalues:
        """Make the smaller matrix and compute its eigenvalues."""
        return Eigenvalues.of(_smaller(rays), rays.device, rays.texts, rays.zeros, rays.dimensions)


@dataclass(frozen=True)
class CosineSquaredNorm(Derived[SquaredNorm]):
    """The squared Frobenius norm of K/n, K the cosines between n texts."""

    view: VectorView

    def sources(self) -> tuple[Directions]:
        """Return the directions."""
        return (Directions(self.view),)

    def derive(self, rays: Rays) -> SquaredNorm:
        """Add up the squares of the smaller matrix, which has the same eigenvalues."""
        matrix = _smaller(rays)
        value = float(rays.device.xp.sum(matrix * matrix))
        return SquaredNorm(value, len(rays), rays.texts, rays.zeros, rays.dimensions)


def _smaller(rays: Rays) -> Any:
    """Return the smaller of two matrices whose eigenvalues are those of K/n, apart from zeros.

    They are the cosines between the different vectors, each weighted by its number of texts, and the products
    of dimensions.
    """
    dimensions, device = rays.dimensions, rays.device
    weights = np.sqrt(rays.counts / max(rays.placed, 1))[:, None]
    if len(rays) <= dimensions:
        units = np.concatenate([np.zeros((0, dimensions)), *(units for _, units in rays.blocks())])
        weighted = device.put(units * weights)
        return device.products(weighted, weighted)
    matrix = device.put(np.zeros((dimensions, dimensions)))
    for where, units in rays.blocks():
        weighted = device.put(units * weights[where])
        matrix += device.products(weighted.T, weighted.T)
    return matrix
