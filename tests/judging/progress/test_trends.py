"""Lines and rank correlations of a value with a step."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.oracles import trends as oracle

from distinctly.judging.lines import fit_line
from distinctly.judging.progress.trends import rank_trend

POINTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=6)


def columns(points: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    steps, values = zip(*points)
    return np.array(steps, np.float64), np.array(values, np.float64)


@given(POINTS)
def test_slope_and_rank_correlation_are_those_by_the_book(points):
    steps, values = columns(points)
    assume(len(set(steps)) > 1)
    assert fit_line(steps, values).slope.value == pytest.approx(
        oracle.slope(list(steps), list(values)), abs=1e-12
    )
    assume(len(set(values)) > 1)
    rho, p = rank_trend(steps, values)
    assert rho == pytest.approx(oracle.pearson(oracle.ranks(list(steps)), oracle.ranks(list(values))))
    assert p == pytest.approx(oracle.rank_p(list(steps), list(values)))


def test_interval_and_band_are_those_of_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    steps = np.array([1.0, 2, 3, 5, 8, 13, 21, 34])
    values = np.array([9.0, 7, 7.5, 6, 4, 4.2, 2, 1])
    trend = fit_line(steps, values)
    fitted = api.OLS(values, api.add_constant(steps)).fit()
    np.testing.assert_allclose([trend.slope.low, trend.slope.high], fitted.conf_int()[1], rtol=1e-9)
    at = np.array([0.0, 10, 40])
    band = fitted.get_prediction(api.add_constant(at)).conf_int()
    np.testing.assert_allclose(trend.at(at) - trend.half_band(at), band[:, 0], rtol=1e-9)
    np.testing.assert_allclose(trend.at(at) + trend.half_band(at), band[:, 1], rtol=1e-9)


def test_many_points_have_the_p_value_of_scipy():
    from scipy.stats import spearmanr

    steps = np.arange(20.0)
    values = np.sin(steps) - steps / 10
    rho, p = rank_trend(steps, values)
    expected = spearmanr(steps, values)
    assert (rho, p) == (pytest.approx(expected.statistic), pytest.approx(expected.pvalue))


def test_few_points():
    one = fit_line(np.array([3.0]), np.array([1.0]))
    assert math.isnan(one.slope.value)
    two = fit_line(np.array([1.0, 3.0]), np.array([5.0, 1.0]))
    assert two.slope.value == -2.0  # (1 − 5) / (3 − 1)
    assert two.at(np.array([2.0])) == [3.0]
    # Two points are always on a line, so there is no interval.
    assert all(math.isnan(one) for one in (two.slope.low, two.slope.high, *two.half_band(np.array([2.0]))))
    assert math.isnan(fit_line(np.zeros(0), np.zeros(0)).slope.value)
    assert math.isnan(fit_line(np.array([2.0, 2.0]), np.array([1.0, 5.0])).slope.value)
    assert all(math.isnan(one) for one in rank_trend(np.array([1.0, 2.0]), np.array([4.0, 4.0])))
