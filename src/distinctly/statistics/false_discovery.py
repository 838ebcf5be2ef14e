"""Correction of p-values for many tests at once: the false discovery rate."""

from __future__ import annotations

import numpy as np

from distinctly.arrays import Reals


def benjamini_hochberg(p_values: Reals) -> Reals:
    """Return p-values that are corrected by the procedure of Benjamini and Hochberg (1995).

    If all tests with a corrected p-value of at most q are called discoveries, the expected share of false
    ones among them is at most q. The i-th smallest of m p-values becomes ``min over j ≥ i of p(j)·m/j``, as
    ``p.adjust(p, "BH")`` of R does.

    Parameters
    ----------
    p_values
        One p-value per test. NaN stays NaN, and is not counted as a test.

    Examples
    --------
    >>> benjamini_hochberg(np.array([0.01, 0.04, np.nan, 0.03])).round(4).tolist()
    [0.03, 0.04, nan, 0.04]
    """
    corrected = np.full(len(p_values), np.nan)
    tests = np.flatnonzero(~np.isnan(p_values))
    descending = tests[np.argsort(-p_values[tests], kind="stable")]
    ranks = np.arange(len(tests), 0, -1)
    corrected[descending] = np.minimum(
        np.minimum.accumulate(p_values[descending] * (len(tests) / ranks)), 1.0
    )
    return corrected
