"""Correction of p-values for many tests at once: the false discovery rate."""

from __future__ import annotations

import numpy as np

from distinctly.arrays import Reals
from distinctly.ragged import Integers


def benjamini_hochberg(p_values: Reals, times: Integers | None = None, tests: int | None = None) -> Reals:
    """Return p-values that are corrected by the procedure of Benjamini and Hochberg (1995).

    If all tests with a corrected p-value of at most q are called discoveries, the expected share of false
    ones among them is at most q. The i-th smallest of m p-values becomes ``min over j ≥ i of p(j)·m/j``, as
    ``p.adjust(p, "BH")`` of R does.

    Parameters
    ----------
    p_values
        One p-value per test. NaN stays NaN, and is not counted as a test.
    times
        The number of tests with each of the p-values; by default 1.
    tests
        The number of all tests, if that is larger; the others count as if their p-value were 1, which makes
        no corrected p-value smaller.

    Examples
    --------
    >>> benjamini_hochberg(np.array([0.01, 0.04, np.nan, 0.03])).round(4).tolist()
    [0.03, 0.04, nan, 0.04]
    >>> benjamini_hochberg(np.array([0.01, 0.04]), times=np.array([1, 2])).round(4).tolist()
    [0.03, 0.04]
    >>> benjamini_hochberg(np.array([0.01]), tests=10).tolist()
    [0.1]
    """
    corrected = np.full(len(p_values), np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    descending = known[np.argsort(-p_values[known], kind="stable")]
    counted = np.ones(len(known), np.int64) if times is None else times[descending]
    ranks = np.cumsum(counted[::-1])[::-1]
    number = max(int(counted.sum()), tests or 0)
    corrected[descending] = np.minimum(np.minimum.accumulate(p_values[descending] * (number / ranks)), 1.0)
    return corrected
