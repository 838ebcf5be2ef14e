"""A line of least squares by the textbook: sums in loops, Student's t by scipy."""

from __future__ import annotations

import math
from collections.abc import Sequence


def line(
    levels: Sequence[float], values: Sequence[float]
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Return slope and intercept, each with the bounds of its 95 % interval."""
    from scipy.stats import t

    count = len(levels)
    mean_x, mean_y = sum(levels) / count, sum(values) / count
    spread = sum((x - mean_x) ** 2 for x in levels)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(levels, values)) / spread
    intercept = mean_y - slope * mean_x
    variance = sum((y - intercept - slope * x) ** 2 for x, y in zip(levels, values)) / (count - 2)
    width = t.ppf(0.975, count - 2)
    of_slope = width * math.sqrt(variance / spread)
    of_intercept = width * math.sqrt(variance * (1 / count + mean_x**2 / spread))
    return (
        (slope, slope - of_slope, slope + of_slope),
        (intercept, intercept - of_intercept, intercept + of_intercept),
    )
