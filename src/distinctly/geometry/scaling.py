"""Scaling of vectors, so that their sums and squares neither overflow nor underflow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.embedders.base import Vectors


def near_one(vectors: Vectors) -> tuple[Vectors, float]:
    """Divide a table by a power of 2, so that its largest number is near 1; also return that power.

    The division is exact. A table in float32 is not scaled, since its squares fit a float64.

    Examples
    --------
    >>> near_one(np.array([[3.0, -1.0]]))
    (array([[ 0.75, -0.25]]), 4.0)
    """
    if vectors.dtype != np.float64 or not vectors.size:
        return vectors, 1.0
    _, exponent = np.frexp(max(vectors.max(), -vectors.min()))
    # The exponent of a power of 2 must be below 1024.
    power = float(np.ldexp(1.0, max(min(int(exponent), 1000), -1000)))
    return vectors / power, power


def each_near_one(vectors: Vectors) -> Vectors:
    """Divide each vector by its own power of 2, so that its largest number is near 1.

    Examples
    --------
    >>> each_near_one(np.array([[3.0, -1.0], [0.0, 8.0]])).tolist()
    [[0.75, -0.25], [0.0, 0.5]]
    """
    if vectors.dtype != np.float64:
        return vectors
    _, exponents = np.frexp(np.abs(vectors).max(axis=1, initial=0.0))
    scaled: Vectors = np.ldexp(vectors, -exponents[:, None])
    return scaled


def have_directions(vectors: Vectors) -> NDArray[np.bool_]:
    """Return which vectors are not zero.

    Examples
    --------
    >>> have_directions(np.array([[0.0, 2.0], [0.0, 0.0], [1.0, 0.0]])).tolist()
    [True, False, True]
    """
    # Few vectors begin with a zero, so that only these are looked at as a whole.
    are_placed: NDArray[np.bool_] = (vectors[:, :1] != 0).any(axis=1)
    doubtful = np.flatnonzero(~are_placed)
    are_placed[doubtful] = (vectors[doubtful] != 0).any(axis=1)
    return are_placed
