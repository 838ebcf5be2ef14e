"""Rank correlation of step and value, with a p-value that is exact for few steps."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np

from distinctly.judging.correlations import spearman
from distinctly.judging.measures import Reals, monotonicity, ranks

# Up to this number of steps all permutations are enumerated for a p-value: 8! = 40,320.
EXACT = 8


def rank_trend(steps: Reals, values: Reals) -> tuple[float, float]:
    """Return Spearman's ρ of step and value, and its two-sided p-value.

    The p-value is exact for up to eight points, and that of `spearman` for more.

    Examples
    --------
    >>> rank_trend(np.array([1.0, 2.0, 3.0, 4.0]), np.array([9.0, 7.0, 5.0, 1.0]))   # 2 of 24 orders
    (-1.0, 0.08333333333333333)
    """
    rho = monotonicity(steps, values)
    points = len(values)
    if math.isnan(rho):
        return math.nan, math.nan
    if points > EXACT:
        return rho, spearman(values, steps).p
    ranked, orders = ranks(values), np.array(list(permutations(ranks(steps))))
    # Ranks have the same mean and variance in any order, so the products have the same order as ρ.
    products = np.abs((orders - orders.mean()) @ (ranked - ranked.mean()))
    return rho, float((products >= products[0] - 1e-9).mean())
