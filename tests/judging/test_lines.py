"""Lines of least squares and their intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.lines import line as slow_line

from distinctly.judging.lines import Estimate, fit_line

POINTS = st.lists(
    st.tuples(st.integers(1, 100), st.floats(-100, 100).map(lambda number: round(number, 3))),
    min_size=3,
    max_size=12,
    unique_by=lambda point: point[0],
)


def columns(points: list[tuple[int, float]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([x for x, _ in points], float), np.array([y for _, y in points], float)


def triple(one: Estimate) -> list[float]:
    return [one.value, one.low, one.high]


@given(POINTS)
def test_as_by_the_textbook(points: list[tuple[int, float]]) -> None:
    levels, values = columns(points)
    found = fit_line(levels, values)
    slope, intercept = slow_line(levels.tolist(), values.tolist())
    # 1e-9 of the largest value: the sums of both cancel.
    assert triple(found.slope) == pytest.approx(slope, rel=1e-9, abs=1e-9)
    assert triple(found.intercept) == pytest.approx(intercept, rel=1e-9, abs=1e-7)


def test_as_statsmodels() -> None:
    models = pytest.importorskip("statsmodels.api", reason="statsmodels is what this is compared with")
    levels, values = np.array([2.0, 3.0, 5.0, 8.0, 9.0]), np.array([0.31, 0.28, 0.27, 0.2, 0.21])
    theirs = models.OLS(values, models.add_constant(levels)).fit()
    found = fit_line(levels, values)
    for place, own in enumerate((found.intercept, found.slope)):
        assert triple(own) == pytest.approx([theirs.params[place], *theirs.conf_int()[place]], rel=1e-9)


@given(POINTS)
def test_the_relative_slope_has_fieller_s_interval(points: list[tuple[int, float]]) -> None:
    """At each bound r, slope − r·|mean| is just significantly different from 0 in a t-test."""
    levels, values = columns(points)
    found = fit_line(levels, values)
    if math.isnan(found.relative.low):
        return
    count, size = len(values), abs(values.mean())
    width_of_slope = (found.slope.high - found.slope.low) / 2
    # The mean's standard error is the slope's, times √(Sxx / n).
    width_of_mean = width_of_slope * math.sqrt(((levels - levels.mean()) ** 2).sum() / count)
    for bound in (found.relative.low, found.relative.high):
        off, allowed = found.slope.value - bound * size, math.hypot(width_of_slope, bound * width_of_mean)
        assert abs(off) == pytest.approx(allowed, rel=1e-6, abs=1e-9)


def test_points_on_a_line_leave_no_doubt() -> None:
    found = fit_line(np.array([1.0, 2.0, 3.0]), np.array([12.0, 10.0, 8.0]))
    assert triple(found.slope) == pytest.approx([-2.0, -2.0, -2.0])
    assert triple(found.intercept) == pytest.approx([14.0, 14.0, 14.0])
    assert found.relative.value == pytest.approx(-0.2)  # −2 of a mean of 10
    assert found.bend == pytest.approx(0.0, abs=1e-12)


def test_the_bend_is_the_farthest_point_off_the_line() -> None:
    # The line through 1, 4, 1 is level at 2, their mean; the middle is 2 off: 100 % of the mean.
    found = fit_line(np.array([1.0, 2.0, 3.0]), np.array([1.0, 4.0, 1.0]))
    assert found.slope.value == pytest.approx(0.0)
    assert found.bend == pytest.approx(1.0)


def test_equal_values_have_no_slope_at_all() -> None:
    found = fit_line(np.array([1.0, 2.0, 4.0]), np.full(3, 0.1))
    assert triple(found.slope) == [0.0, 0.0, 0.0]
    assert triple(found.relative) == [0.0, 0.0, 0.0]


def test_negative_scores_that_rise_rise() -> None:
    found = fit_line(np.array([1.0, 2.0, 3.0]), np.array([-3.0, -2.0, -1.0]))
    assert found.relative.value == pytest.approx(0.5)  # +1 a step, of a mean whose size is 2


def test_a_mean_of_zero_has_no_shares() -> None:
    assert math.isnan(fit_line(np.array([1.0, 2.0, 3.0]), np.zeros(3)).relative.value)


def test_a_mean_that_may_be_zero_has_no_bounds() -> None:
    found = fit_line(np.array([1.0, 2.0, 3.0, 4.0]), np.array([9.0, -9.0, 9.0, -8.0]))
    assert not math.isnan(found.relative.value)
    assert math.isnan(found.relative.low)
    assert math.isnan(found.relative.high)


@pytest.mark.parametrize("values", [[1.0], [1.0, math.nan, 2.0], [1.0, math.inf, 2.0]])
def test_undefined(values: list[float]) -> None:
    found = fit_line(np.arange(len(values), dtype=float), np.array(values))
    assert math.isnan(found.slope.value)
    assert math.isnan(found.relative.value)


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_no_size_is_too_small_or_too_large(size: float) -> None:
    found = fit_line(np.arange(1.0, 6.0), np.array([1.0, 2.0, 3.5, 4.0, 5.0]) * size)
    # Σ(x − 3)·y / Σ(x − 3)² = (−2 − 2 + 4 + 10) / 10.
    assert found.slope.value == pytest.approx(size)
    assert 0 < found.relative.low < 1 / 3.1 < found.relative.high < 1
