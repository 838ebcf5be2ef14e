"""How much single vectors contribute to the Fréchet distance of two Gaussians: its derivative."""

from __future__ import annotations

import math

import numpy as np

from distinctly.arrays import Reals
from distinctly.embedders.base import Vectors
from distinctly.geometry.blocks import row_blocks
from distinctly.geometry.moments import Moment

# Smaller shares of the largest eigenvalue are rounding errors.
ROUNDING = 1e-10


def frechet_influences(moment: Moment, other: Moment, vectors: Vectors) -> Reals:
    """Return the derivative of the Fréchet distance in the weight of each of some vectors of a corpus.

    ``2 (μ₁ − μ₂)·(x − μ₁) + (x − μ₁)ᵀ (I − T) (x − μ₁)``, less its mean, where T maps the first Gaussian to
    the second one: ``T = Σ₁^−½ (Σ₁^½ Σ₂ Σ₁^½)^½ Σ₁^−½``. Without a vector of n, the distance changes by about
    −1/(n − 1) of it, besides what all vectors have in common.

    Examples
    --------
    >>> rows, others = np.array([[-1.0], [0.0], [1.0]]), np.array([[-2.0], [0.0], [2.0]])
    >>> moments = Moment.of(rows), Moment.of(others)
    >>> frechet_influences(*moments, rows).round(9).tolist()  # T = 2: x²(1 − 2), less its mean −2/3
    [-0.333333333, 0.666666667, -0.333333333]
    """
    roots = [side.root / math.sqrt(side.texts - 1) for side in (moment, other)]
    values, axes = np.linalg.eigh(roots[0].T @ roots[0])
    kept = values > ROUNDING * max(values[-1], 0.0)
    scales, axes = np.sqrt(values[kept]), axes[:, kept]
    # In the axes of the first Gaussian, scaled to variance 1.
    across = (roots[1] @ axes) * scales
    squares, directions = np.linalg.eigh(across.T @ across)
    transport = (directions * np.sqrt(np.maximum(squares, 0.0))) @ directions.T
    gap = moment.mean - other.mean
    influences = np.empty(len(vectors))
    for block in row_blocks(len(vectors)):
        apart = vectors[block] - moment.mean
        scaled = (apart @ axes) / scales
        moved = np.einsum("ij,jk,ik->i", scaled, transport, scaled, optimize=True)
        influences[block] = 2 * apart @ gap + (apart**2).sum(axis=1) - moved
    centred: Reals = influences - influences.mean()
    return centred
