"""Does a value rise or fall with a step? A straight line with its interval, and a rank correlation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from distinctly.judging.measures import Reals, monotonicity

# Up to so many steps all orders are gone through for a p-value: 8! = 40,320.
EXACT = 8


@dataclass(frozen=True)
class Trend:
    """The line of least squares.

    Attributes
    ----------
    slope, intercept
        Of the line; NaN where there are not two different steps.
    error
        The standard error of the slope; NaN with two points, which are always on a line.
    low, high
        The 95 % interval of the slope, by Student's t.
    points, middle, spread, residual
        How many points there are, their mean step, the sum of squares of the steps around it, and the
        standard deviation of the values around the line: what a band around the line takes.
    """

    slope: float
    intercept: float
    error: float
    low: float
    high: float
    points: int
    middle: float
    spread: float
    residual: float

    def at(self, steps: Reals) -> Reals:
        """Return the line's values."""
        return self.intercept + self.slope * steps

    def half_band(self, steps: Reals) -> Reals:
        """Return half of the 95 % interval of the line itself; NaN where there is none."""
        apart = (steps - self.middle) ** 2 / self.spread if self.spread else np.full(len(steps), math.nan)
        found: Reals = _width(self.points - 2) * self.residual * np.sqrt(1 / max(self.points, 1) + apart)
        return found


def fit_trend(steps: Reals, values: Reals) -> Trend:
    """Lay a line through points.

    Examples
    --------
    >>> found = fit_trend(np.array([1.0, 2.0, 3.0, 4.0]), np.array([8.0, 7.0, 5.0, 4.0]))
    >>> round(found.slope, 3), round(found.low, 3), round(found.high, 3)
    (-1.4, -2.008, -0.792)
    """
    points = len(values)
    middle = float(steps.mean()) if points else math.nan
    across = steps - middle
    spread = float(across @ across)
    if not spread > 0:
        no = math.nan
        return Trend(no, no, no, no, no, points, middle, 0.0, no)
    mean = float(values.mean())
    slope = float(across @ (values - mean)) / spread
    off = values - mean - slope * across
    residual = math.sqrt(float(off @ off) / (points - 2)) if points > 2 else math.nan
    error = residual / math.sqrt(spread)
    half = _width(points - 2) * error
    return Trend(
        slope, mean - slope * middle, error, slope - half, slope + half, points, middle, spread, residual
    )


def _width(freedom: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975)) if freedom > 0 else math.nan


def rank_trend(steps: Reals, values: Reals) -> tuple[float, float]:
    """Return Spearman's ρ of step and value, and how often steps in a random order would give as much.

    The p-value is exact for up to eight points; beyond that ρ is taken as Student's t.

    Examples
    --------
    >>> rank_trend(np.array([1.0, 2.0, 3.0, 4.0]), np.array([9.0, 7.0, 5.0, 1.0]))   # 2 of 24 orders
    (-1.0, 0.08333333333333333)
    """
    from scipy.special import stdtr
    from scipy.stats import rankdata

    rho = monotonicity(steps, values)
    points = len(values)
    if math.isnan(rho):
        return math.nan, math.nan
    if points > EXACT:
        t = abs(rho) * math.sqrt((points - 2) / max(1 - rho**2, 1e-300))
        return rho, float(2 * stdtr(points - 2, -t))
    ranks, orders = rankdata(values), np.array(list(permutations(rankdata(steps))))
    # Ranks have the same mean and spread in any order, so that their products are ordered as ρ is.
    products = np.abs((orders - orders.mean()) @ (ranks - ranks.mean()))
    return rho, float((products >= products[0] - 1e-9).mean())
