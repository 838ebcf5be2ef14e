"""`MagnitudeOfPoints`: the magnitude of the metric space that the different vectors of texts form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from distinctly.arrays import Reals
from distinctly.geometry.directions import Directions, Rays
from distinctly.geometry.pair_functions import CosineDecay, Laplacian
from distinctly.statistics.base import Derived
from distinctly.views.vectors import VectorView

DistanceName = Literal["cosine", "euclidean"]

# The largest number of different vectors: their matrix takes 800 MB.
MOST_TEXTS = 10_000
# A point is a copy of others if they determine its similarities up to this share of their variance: among
# points at the cosine distance d, that is d = 5e-11, which is rounding of float32 vectors.
COPY = 1e-10


@dataclass(frozen=True)
class PointMagnitude:
    """The magnitude of the different vectors.

    Attributes
    ----------
    value
        The sum of the entries of the inverse matrix of similarities; NaN beyond `MOST_TEXTS` vectors.
    points
        The number of different vectors that are not copies up to rounding.
    texts, zeros, dimensions
        The number of all texts, of those whose vectors are zero, and of coordinates.
    """

    value: float
    points: int
    texts: int
    zeros: int
    dimensions: int


@dataclass(frozen=True)
class MagnitudeOfPoints(Derived[PointMagnitude]):
    """The sum of the entries of the inverse of exp(−scale·d), d the distances of different vectors.

    Examples
    --------
    >>> from distinctly.embedders.given import GivenVectors
    >>> rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> magnitude = MagnitudeOfPoints(VectorView(GivenVectors.of([rows])), "cosine", 1.0)
    >>> round(magnitude.derive(Rays(rows, np.array([3, 1]), 4, 0)).value, 6)  # 2 / (1 + 1/e)
    1.462117
    """

    view: VectorView
    distance: DistanceName
    scale: float

    def sources(self) -> tuple[Directions]:
        """Return the vectors."""
        return (Directions(self.view, at_scale=self.distance == "euclidean"),)

    def derive(self, rays: Rays) -> PointMagnitude:
        """Compute the matrix of similarities, and solve for the weights of the points."""
        if len(rays) > MOST_TEXTS:
            return PointMagnitude(np.nan, len(rays), rays.texts, rays.zeros, rays.dimensions)
        directed = self.distance == "cosine"
        table = rays.table(directed=directed)
        function = CosineDecay(self.scale) if directed else Laplacian(self.scale * table.unit)
        # Squared distances that rounding makes negative are replaced.
        with np.errstate(invalid="ignore", over="ignore"):
            matrix = table.matrix(function)
        value, points = _magnitude(matrix)
        return PointMagnitude(value, points, rays.texts, rays.zeros, rays.dimensions)


def _magnitude(matrix: Reals) -> tuple[float, int]:
    """Return the sum of the entries of the inverse of a matrix, and the number of rows that are not copies.

    With Z = LLᵀ, the sum 1ᵀZ⁻¹1 is |L⁻¹1|². The points are taken in the order in which each is farthest from
    being determined by those before it; what remains are copies, without which the sum is the same.
    """
    if not len(matrix):
        return np.nan, 0
    from scipy.linalg import solve_triangular
    from scipy.linalg.lapack import dpstrf

    # Of a symmetric matrix, the transpose is in the order of columns that LAPACK overwrites.
    factor, _, points, _ = dpstrf(matrix.T, tol=COPY, lower=1, overwrite_a=1)
    weights = solve_triangular(factor[:points, :points], np.ones(points), lower=True, check_finite=False)
    return float(weights @ weights), int(points)
