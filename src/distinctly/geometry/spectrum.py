"""`CosineSpectrum`: the eigenvalues of the matrix of cosines between texts."""

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
    """

    values: Reals
    texts: int
    zeros: int
    dimensions: int = 0

    @classmethod
    def of(cls, matrix: Any, device: Device, texts: int, zeros: int, dimensions: int = 0) -> Eigenvalues:
        """Compute the eigenvalues of a matrix of trace 1 on a device.

        Examples
        --------
        >>> Eigenvalues.of(np.array([[0.75, 0.0], [0.0, 0.25]]), Device(), texts=2, zeros=0).values.tolist()
        [0.75, 0.25]
        """
        values = device.take(device.eigenvalues(matrix))[::-1] if len(matrix) else np.zeros(0)
        return cls(values[values >= SMALLEST], texts, zeros, dimensions)


@dataclass(frozen=True)
class CosineSpectrum(Derived[Eigenvalues]):
    """The eigenvalues of K/n, K the cosines between n texts.

    They are those of the smaller of two matrices: the cosines between the different vectors, each weighted
    by its number of texts, and the products of dimensions.
    """

    view: VectorView

    def sources(self) -> tuple[Directions]:
        """Return the directions."""
        return (Directions(self.view),)

    def derive(self, rays: Rays) -> Eigenvalues:
        """Make the smaller matrix and compute its eigenvalues."""
        dimensions, device = rays.dimensions, rays.device
        weights = np.sqrt(rays.counts / max(rays.placed, 1))[:, None]
        matrix = device.put(np.zeros((dimensions, dimensions)))
        if len(rays) <= dimensions:
            units = np.concatenate([np.zeros((0, dimensions)), *(units for _, units in rays.blocks())])
            weighted = device.put(units * weights)
            matrix = device.products(weighted, weighted)
        else:
            for where, units in rays.blocks():
                weighted = device.put(units * weights[where])
                matrix += device.products(weighted.T, weighted.T)
        return Eigenvalues.of(matrix, device, rays.texts, rays.zeros, dimensions)
