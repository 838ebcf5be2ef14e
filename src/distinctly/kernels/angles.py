"""Sums of the angles of cosines, computed while the cosines are in the cache."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import summing

# asin s = s + s³·R(s²), with R of degree 7 fitted at the Chebyshev points of 0 ≤ s² ≤ ¼; error below 2e-12.
_R0 = 0.16666666665418342
_R1 = 0.07500000629389267
_R2 = 0.04464233869167576
_R3 = 0.030398113657133494
_R4 = 0.02212692149481775
_R5 = 0.019338861102937706
_R6 = 0.005347848217563885
_R7 = 0.029414684266790482
_QUARTER = math.pi / 2


@summing
def sum_angles(
    cosines: NDArray[np.floating[Any]], weights: NDArray[np.float64], most: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return, for each row, the weighted sum of the angles of its cosines, and the number of doubtful ones.

    A cosine is doubtful if its absolute value is above `most`; it adds 0 to the sum.
    """
    sums, doubtful = np.empty(len(cosines)), np.empty(len(cosines), np.int64)
    for i in range(cosines.shape[0]):
        total, doubts = 0.0, 0
        for j in range(cosines.shape[1]):
            cosine = np.float64(cosines[i, j])
            size = abs(cosine)
            # Above ½, asin c = π/2 − 2·asin √((1 − c)/2).
            large = size > 0.5
            square = 0.5 * (1 - size) if large else size * size
            root = math.sqrt(square) if large else size
            tail = _R4 + square * (_R5 + square * (_R6 + square * _R7))
            series = _R0 + square * (_R1 + square * (_R2 + square * (_R3 + square * tail)))
            arc = root + root * square * series
            arc = _QUARTER - 2 * arc if large else arc
            known = size <= most
            total += weights[j] * (_QUARTER - math.copysign(arc, cosine)) if known else 0.0
            doubts += 0 if known else 1
        sums[i], doubtful[i] = total, doubts
    return sums, doubtful
