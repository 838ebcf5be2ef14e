"""The released formula of IRPR: `IRPR_distance` of compcor 1.0.6 (IBM, Apache-2.0), on vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics.pairwise import cosine_similarity


def irpr(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the distance; each sum of nearest angles is divided by the other corpus's size."""
    cosines = np.clip(cosine_similarity(one, other), -1, 1)
    table = np.arccos(cosines) / np.pi
    precision = np.nansum(np.nanmin(table, axis=1)) / table.shape[1]
    recall = np.nansum(np.nanmin(table, axis=0)) / table.shape[0]
    return float(2 * (precision * recall) / (precision + recall))
