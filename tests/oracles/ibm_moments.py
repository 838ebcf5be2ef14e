"""IBM's formulas as released (compcor 1.0.6, corpus_metrics.py), on vectors."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import spatial
from scipy.linalg import sqrtm
from scipy.stats import ttest_ind

Table = np.ndarray[Any, Any]


def fid_distance(one: Table, other: Table) -> float:
    """The Fréchet distance with a matrix square root, of which the real part is kept."""
    covariances = np.cov(one, rowvar=False), np.cov(other, rowvar=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "Matrix is singular": it is, where there are few texts
        root = sqrtm(covariances[0].dot(covariances[1])).real
    apart = np.sum((one.mean(axis=0) - other.mean(axis=0)) ** 2.0)
    return float(apart + np.trace(covariances[0] + covariances[1] - 2.0 * root))


def medoid_distance(one: Table, other: Table) -> float:
    """The cosine distance of the means."""
    return float(spatial.distance.cosine(np.mean(one, axis=0), np.mean(other, axis=0)))


def ttest_distance(one: Table, other: Table) -> float:
    """One minus the mean p-value of pooled t-tests, without coordinates that have none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on constant coordinates
        return float(1 - np.nanmean(ttest_ind(one, other).pvalue))
