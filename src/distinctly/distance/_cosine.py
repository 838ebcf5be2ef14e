"""The cosine distance of two vectors that stand for corpora."""

from __future__ import annotations

import math

import numpy as np

from distinctly.arrays import Reals


def cosine_distance(one: Reals, other: Reals) -> float:
    """Return 1 − cosine; NaN where a vector is zero.

    Half of the square of the difference of the unit vectors: 1 − cosine itself has no digits at small angles.

    Examples
    --------
    >>> cosine_distance(np.array([2.0, 0.0]), np.array([0.0, 5.0]))
    1.0
    """
    units = []
    for vector in (one, other):
        largest = np.abs(vector).max(initial=0.0)
        if not largest:
            return math.nan
        scaled = vector / largest
        units.append(scaled / np.linalg.norm(scaled))
    return min(float(((units[0] - units[1]) ** 2).sum()) / 2, 2.0)
