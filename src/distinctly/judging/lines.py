"""A straight line through values at known levels: how much a score changes a step, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from distinctly.judging.measures import Reals

# Fewer points than this are always on a line, so that there is no interval.
LEAST_POINTS = 3


@dataclass(frozen=True)
class Estimate:
    """A number and its 95 % interval; without an interval, the bounds are NaN."""

    value: float
    low: float = math.nan
    high: float = math.nan

    def times(self, factor: float) -> Estimate:
        """Return it in another unit; the factor is not negative."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


NOTHING = Estimate(math.nan)


@dataclass(frozen=True)
class Line:
    """The line of least squares.

    Attributes
    ----------
    slope, intercept
        By Student's t with two degrees of freedom fewer than there are points.
    relative
        The slope over the size of the mean value: the share by which the value changes a step. Its interval
        is Fieller's (1954), which is exact for the ratio of two means. Undefined where the mean is 0.
    mean
        The mean value.
    bend
        The largest distance of a point from the line, over the size of the mean: how far it is from straight.
    points, middle
        How many points there are, and the mean of their levels.
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
        """Return the line at some levels."""
        return self.mean + self.slope.value * (levels - self.middle)

    def half_band(self, levels: Reals) -> Reals:
        """Return half of the 95 % interval of the line itself; NaN where there is none."""
        of_slope = (self.slope.high - self.slope.low) / 2
        of_mean = of_slope * math.sqrt(self._spread / max(self.points, 1))
        return np.hypot(of_mean, of_slope * (levels - self.middle))


def fit_line(levels: Reals, values: Reals) -> Line:
    """Lay a line through points, each of which counts the same.

    Where several values of a level are not independent of each other, their mean is one point: the interval
    then comes from how far the levels are from a line, and more values of a level do not make it narrower.

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
    # Around the first value, in units of the largest difference: nothing overflows, and equal values have a
    # slope of 0 and not of a rounding error.
    apart = values - values[0]
    unit = float(np.abs(apart).max()) or 1.0
    scaled = apart / unit
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
    """Divide two estimates that do not depend on each other, given half of the interval of each (Fieller)."""
    if not below:
        return NOTHING
    ratio, doubt = above / below, (below_half / below) ** 2
    if not doubt < 1:  # the mean may be 0, so that the ratio may be anything
        return Estimate(ratio)
    half = math.sqrt((above_half / below) ** 2 * (1 - doubt) + ratio**2 * doubt)
    return Estimate(ratio, (ratio - half) / (1 - doubt), (ratio + half) / (1 - doubt))
