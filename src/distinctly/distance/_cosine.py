"""The cosine distance of two vectors."""

from __future__ import annotations

import math

import numpy as np

from distinctly.arrays import Reals


def cosine_distance(first: Reals, second: Reals) -> float:
    """Return 1 − cosine; NaN where a vector is zero.

    It is computed as half the squared difference of the unit vectors, since 1 − cosine loses all digits at
    small angles.

    Examples
    --------
    >>> cosine_distance(np.array([2.0, 0.0]), np.array([0.0, 5.0]))
    1.0
    """
    units = []
    for vector in (first, second):
        largest = np.abs(vector).max(initial=0.0)
        if not largest:
            return math.nan
        scaled = vector / largest
        units.append(scaled / np.linalg.norm(scaled))
    return min(float(((units[0] - units[1]) ** 2).sum()) / 2, 2.0)
