"""`GaussianSpectrum`: the eigenvalues of the matrix of a Gaussian kernel of texts, and their squares."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from distinctly.geometry.blocks import row_blocks
from distinctly.geometry.directions import Directions, Rays
from distinctly.geometry.pair_functions import Gaussian
from distinctly.geometry.spectrum import Eigenvalues, SquaredNorm
from distinctly.statistics.base import Derived
from distinctly.views.vectors import VectorView

# The largest number of different vectors whose matrix is computed; beyond it, features approximate it.
EXACT_UP_TO = 20_000


@dataclass(frozen=True)
class GaussianSpectrum(Derived[Eigenvalues]):
    """The eigenvalues of K/n, K the kernel exp(−‖x−y‖²/2σ²) of the vectors of n texts.

    Beyond `EXACT_UP_TO` different vectors, K is approximated by random Fourier features: cosines and sines of
    products with random vectors, whose own products have K as their mean.

    Attributes
    ----------
    view
        The vectors of the texts.
    sigma
        The bandwidth σ.
    features, seed
        The number of random vectors, each for a cosine and a sine, and the seed that they are drawn with.

    Examples
    --------
    >>> from distinctly.embedders.given import GivenVectors
    >>> rows = np.array([[1.0, 0.0], [1.0, 100.0]])
    >>> spectrum = GaussianSpectrum(VectorView(GivenVectors.of([rows])), 0.5, 16, 0)
    >>> spectrum.derive(Rays(rows, np.array([3, 1]), 4, 0)).values.round(12).tolist()
    [0.75, 0.25]
    """

    view: VectorView
    sigma: float
    features: int
    seed: int

    def sources(self) -> tuple[Directions]:
        """Return the vectors."""
        return (Directions(self.view, at_scale=True),)

    def derive(self, rays: Rays) -> Eigenvalues:
        """Compute the matrix, or that of the features."""
        if len(rays) > EXACT_UP_TO:
            return self._by_features(rays)
        table, device = rays.table(directed=False), rays.device
        matrix = table.matrix(Gaussian(self.sigma / table.unit))
        weights = np.sqrt(rays.counts / max(rays.placed, 1))
        matrix *= weights[:, None]
        matrix *= weights
        return Eigenvalues.of(device.put(matrix), device, rays.texts, rays.zeros, rays.dimensions)

    def _by_features(self, rays: Rays) -> Eigenvalues:
        """Add up the products of the features, which have the eigenvalues of the approximate matrix."""
        device, draw = rays.device, np.random.default_rng(self.seed)
        xp = device.xp
        frequencies = device.put(draw.standard_normal((self.features, rays.dimensions)) / self.sigma)
        matrix = device.put(np.zeros((2 * self.features, 2 * self.features)))
        weights = np.sqrt(rays.counts / max(rays.placed, 1) / self.features)
        for where in row_blocks(len(rays)):
            angles = device.products(device.put(rays.rows[where].astype(np.float64)), frequencies)
            features = xp.concat([xp.cos(angles), xp.sin(angles)], axis=1)
            features *= device.put(weights[where, None])
            matrix += device.products(features.T, features.T)
        return Eigenvalues.of(matrix, device, rays.texts, rays.zeros, rays.dimensions, self.features)


@dataclass(frozen=True)
class GaussianSquaredNorm(Derived[SquaredNorm]):
    """The squared Frobenius norm of K/n, K the kernel exp(−‖x−y‖²/2σ²), without the matrix K."""

    view: VectorView
    sigma: float

    def sources(self) -> tuple[Directions]:
        """Return the vectors."""
        return (Directions(self.view, at_scale=True),)

    def derive(self, rays: Rays) -> SquaredNorm:
        """Add up the squared kernel, which is the kernel of another bandwidth, block by block."""
        table = rays.table(directed=False)
        squared = Gaussian(self.sigma / math.sqrt(2) / table.unit)
        value = table.within(rays.counts / max(rays.placed, 1), squared)
        return SquaredNorm(value, len(rays), rays.texts, rays.zeros, rays.dimensions)
