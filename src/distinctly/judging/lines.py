"""A straight line through values at known levels: its slope, and the interval of the slope."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from distinctly.judging.measures import Reals

# Fewer points always lie on a line, so there is no interval.
LEAST_POINTS = 3


@dataclass(frozen=True)
class Estimate:
    """A number and its 95 % interval; the bounds are NaN if there is no interval."""

    value: float
    low: float = math.nan
    high: float = math.nan

    def times(self, factor: float) -> Estimate:
        """Return the estimate multiplied by a factor, which must not be negative."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


NOTHING = Estimate(math.nan)


@dataclass(frozen=True)
class Line:
    """A line fitted by least squares.

    Attributes
    ----------
    slope, intercept
        With intervals by Student's t with n − 2 degrees of freedom for n points.
    relative
        The slope divided by the absolute mean value: the relative change per step. Its interval is Fieller's
        (1954), which is exact for the ratio of two means. Undefined if the mean is 0.
    mean
        The mean value.
    bend
        The largest distance of a point from the line, divided by the absolute mean value.
    points, middle
        Number of points, and the mean of their levels.
    """

    slope: Estimate
    intercept: Estimate
    relative: Estimate
    mean: float = math.nan
    bend: float = math.nan
    points: int = 0
    middle: float = math.nan
    _spread: float = math.nan

    def at(self, levels: Reals) -> Reals:
        """Return the values of the line at these levels."""
        return self.mean + self.slope.value * (levels - self.middle)

    def half_band(self, levels: Reals) -> Reals:
        """Return half the width of the 95 % confidence band of the line; NaN if there is none."""
        of_slope = (self.slope.high - self.slope.low) / 2
        of_mean = of_slope * math.sqrt(self._spread / max(self.points, 1))
        return np.hypot(of_mean, of_slope * (levels - self.middle))


def fit_line(levels: Reals, values: Reals) -> Line:
    """Fit a line to points with equal weights.

    If several values of a level depend on each other, pass their mean as one point. The interval then depends
    on how far the levels are from the line, and more values per level do not make it narrower.

    Examples
    --------
    >>> line = fit_line(np.array([1.0, 2.0, 3.0, 4.0]), np.array([8.0, 7.0, 5.0, 4.0]))
    >>> round(line.slope.value, 3), round(line.slope.low, 3), round(line.slope.high, 3)
    (-1.4, -2.008, -0.792)
    >>> round(line.relative.value, 4)
    -0.2333
    >>> line.at(np.array([2.5, 3.5])).tolist(), line.half_band(np.array([2.5])).round(3).tolist()
    ([6.0, 4.6], [0.68])
    """
    from scipy.special import stdtrit

    count = len(values)
    if not np.isfinite(values).all() or len(np.unique(levels)) < 2:
        return Line(NOTHING, NOTHING, NOTHING)
    # Relative to the first value, in units of the largest difference: nothing overflows, and equal values
    # have a slope of exactly 0.
    differences = values - values[0]
    unit = float(np.abs(differences).max()) or 1.0
    scaled = differences / unit
    middle, mean_level = float(scaled.mean()), float(levels.mean())
    across = levels - mean_level
    spread = float(across @ across)
    slope = float(across @ scaled) / spread
    off = scaled - middle - slope * across
    variance = float(off @ off) / (count - 2) if count >= LEAST_POINTS else math.nan
    mean = float(values[0]) + unit * middle
    width = float(stdtrit(max(count - 2, 1), 0.975))
    slope_error, mean_error = math.sqrt(variance / spread), math.sqrt(variance / count)
    intercept_error = math.hypot(mean_error, mean_level * slope_error)
    intercept = mean - unit * slope * mean_level
    return Line(
        _around(unit * slope, width * unit * slope_error),
        _around(intercept, width * unit * intercept_error),
        _ratio(unit * slope, abs(mean), width * unit * slope_error, width * unit * mean_error),
        mean,
        unit * float(np.abs(off).max()) / abs(mean) if mean else math.nan,
        count,
        mean_level,
        spread,
    )


def _around(value: float, half: float) -> Estimate:
    return Estimate(value, value - half, value + half)


def _ratio(above: float, below: float, above_half: float, below_half: float) -> Estimate:
    """Divide two independent estimates, given half the width of their intervals (Fieller)."""
    if not below:
        return NOTHING
    ratio, doubt = above / below, (below_half / below) ** 2
    if not doubt < 1:  # the mean may be 0, so the ratio has no bounds
        return Estimate(ratio)
    half = math.sqrt((above_half / below) ** 2 * (1 - doubt) + ratio**2 * doubt)
    return Estimate(ratio, (ratio - half) / (1 - doubt), (ratio + half) / (1 - doubt))
