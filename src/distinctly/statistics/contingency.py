"""Tests of 2×2 tables of counts, many tables at a time: log-likelihood (G²) and χ².

A table has the counts ``a b`` in its first row and ``c d`` in its second. All functions take one array per
count, with one entry per table, and return one number per table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from distinctly.arrays import Reals

# Below this relative difference of observed and expected counts, a series is more accurate than logarithms.
_CLOSE = 0.01
# The number of terms of that series; the next one is below the rounding of the first.
_TERMS = 9


def expected(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike) -> Reals:
    """Return the expected count of the first cell if rows and columns were independent.

    Examples
    --------
    >>> expected([10], [20], [30], [40]).tolist()  # 30 · 40 / 100
    [12.0]
    """
    a, b, c, d = _counts(a, b, c, d)
    with np.errstate(invalid="ignore"):
        return np.asarray((a + b) * (a + c) / (a + b + c + d), np.float64)


def log_likelihood(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike) -> Reals:
    """Return the log-likelihood ratio ``G² = 2 Σ O ln(O/E)`` over the four cells (Dunning, 1993).

    ``0 ln 0`` is 0, so that a table with an empty row or column has a G² of 0; a table without counts has
    NaN. Each cell adds ``E·((1+x) ln(1+x) − x)`` with ``x = (O−E)/E``, which has the same sum, is never
    negative, and loses no digits where O is close to E.

    Examples
    --------
    >>> log_likelihood([10, 5, 0], [20, 5, 0], [30, 10, 7], [40, 10, 9]).round(4).tolist()
    [0.8043, 0.0, 0.0]
    """
    a, b, c, d = _counts(a, b, c, d)
    first, second, left, right = a + b, c + d, a + c, b + d
    difference = a * d - b * c
    total = first + second
    g2 = np.zeros(np.shape(difference))
    cells = ((a, first, left, 1), (b, first, right, -1), (c, second, left, -1), (d, second, right, 1))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for observed, row, column, sign in cells:
            product = row * column
            term = product / total * _divergence(observed, sign * difference / product)
            g2 += np.where(product > 0, term, 0.0)
    return np.where(total > 0, 2 * g2, np.nan)


def _divergence(observed: Reals, x: Reals) -> Reals:
    """Return ``(1+x) ln(1+x) − x``, given the observed counts, which are 0 where x is −1."""
    direct = np.where(observed == 0, 1.0, (1 + x) * np.log1p(x) - x)
    # (1+x) ln(1+x) − x = x²/(1·2) − x³/(2·3) + x⁴/(3·4) − …
    coefficients = [(-1) ** k / (k * (k - 1)) for k in range(2, 2 + _TERMS)]
    series = x * x * np.polynomial.polynomial.polyval(x, coefficients)
    return np.where(np.abs(x) < _CLOSE, series, np.maximum(direct, 0.0))


def chi_squared(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike, *, yates: bool = False) -> Reals:
    """Return Pearson's ``χ² = N (ad − bc)² / (row sums · column sums)``.

    Parameters
    ----------
    a, b, c, d
        The counts. If a row or a column is empty, χ² is NaN.
    yates
        Whether to apply the continuity correction of Yates: ``|ad − bc|`` is reduced by N/2, to at least 0.

    Examples
    --------
    >>> chi_squared([10], [20], [30], [40]).round(4).tolist()  # 100 · 200² / (30 · 70 · 40 · 60)
    [0.7937]
    >>> chi_squared([10], [20], [30], [40], yates=True).round(4).tolist()  # 100 · 150² / (30 · 70 · 40 · 60)
    [0.4464]
    """
    a, b, c, d = _counts(a, b, c, d)
    total = a + b + c + d
    difference = np.abs(a * d - b * c)
    if yates:
        difference = np.maximum(difference - total / 2, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        # In this order, no product is too large for a float.
        shares = difference / ((a + b) * (c + d)) * (difference / ((a + c) * (b + d)))
    return np.asarray(shares * total, np.float64)


def chi_squared_p(statistic: ArrayLike) -> Reals:
    """Return the p-value of G² or χ² with one degree of freedom; the far tail is accurate to underflow.

    Examples
    --------
    >>> [f"{p:.4g}" for p in chi_squared_p([0.0, 3.841458820694124, 1000.0])]
    ['1', '0.05', '1.796e-219']
    """
    from scipy.special import erfc

    return np.asarray(erfc(np.sqrt(np.asarray(statistic, np.float64) / 2)), np.float64)


def _counts(*columns: ArrayLike) -> tuple[Reals, ...]:
    return tuple(np.asarray(column, np.float64) for column in columns)
