"""Tests of 2×2 tables against arithmetic with 60 digits, and against scipy."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

from distinctly.statistics.contingency import chi_squared, chi_squared_p, expected, log_likelihood
from distinctly.statistics.false_discovery import benjamini_hochberg

Counts = tuple[int, int, int, int]
COUNTS = st.tuples(*[st.integers(0, 50) | st.integers(0, 10**10)] * 4)
FULL = st.tuples(*[st.integers(1, 50) | st.integers(1, 10**8)] * 4)


def g2_with_digits(table: Counts) -> float:
    """Return 2 Σ O ln(O/E), computed with 60 digits."""
    with localcontext() as context:
        context.prec = 60
        a, b, c, d = map(Decimal, table)
        total = a + b + c + d
        cells = ((a, a + b, a + c), (b, a + b, b + d), (c, c + d, a + c), (d, c + d, b + d))
        return float(2 * sum(o * (o * total / (row * column)).ln() for o, row, column in cells if o))


@given(COUNTS)
def test_g2_has_the_digits_of_exact_arithmetic(table: Counts) -> None:
    if not sum(table):
        assert np.isnan(log_likelihood(*table))
        return
    g2 = float(log_likelihood(*table))
    assert g2 >= 0
    # Where a·d and b·c agree in all digits of a float, only their size bounds the error of G².
    assert g2 == pytest.approx(g2_with_digits(table), rel=1e-9, abs=1e-14 * sum(table) ** 0.5)


@pytest.mark.parametrize("shift", [1, 1000, 100_000])
def test_g2_is_accurate_where_observed_and_expected_are_close(shift: int) -> None:
    table = (10**7 + shift, 10**7, 10**7, 10**7)
    assert float(log_likelihood(*table)) == pytest.approx(g2_with_digits(table), rel=1e-9)


@given(FULL)
def test_agrees_with_scipy(table: Counts) -> None:
    observed = np.array(table).reshape(2, 2)
    plain = chi2_contingency(observed, correction=False)
    assert float(chi_squared(*table)) == pytest.approx(plain.statistic, rel=1e-6, abs=1e-6)
    assert float(expected(*table)) == pytest.approx(plain.expected_freq[0, 0])


def test_the_correction_of_yates_is_at_most_the_whole_difference() -> None:
    # ad − bc = 5·5 − 4·5 = 5, less than N/2 = 9.5; and 100·(200 − 50)² / (30·70·40·60) = 0.44643.
    corrected = chi_squared([5, 10], [4, 20], [5, 30], [5, 40], yates=True)
    assert corrected.tolist() == pytest.approx([0.0, 0.446428571])


def test_an_empty_row_says_nothing() -> None:
    assert log_likelihood(0, 0, 7, 9) == 0
    assert np.isnan(chi_squared(0, 0, 7, 9))


@given(st.floats(0, 1400))
def test_p_values_are_those_of_scipy(statistic: float) -> None:
    assert float(chi_squared_p(statistic)) == pytest.approx(chi2.sf(statistic, 1), rel=1e-9, abs=0)


def test_corrected_p_values_by_hand() -> None:
    # Five tests: 0.5·5/5 = 0.5, and 0.04·5/4 = 0.03·5/3 = 0.02·5/2 = 0.01·5/1 = 0.05.
    corrected = benjamini_hochberg(np.array([0.04, 0.5, 0.01, np.nan, 0.03, 0.02]))
    assert corrected.tolist() == pytest.approx([0.05, 0.5, 0.05, np.nan, 0.05, 0.05], nan_ok=True)
    assert benjamini_hochberg(np.zeros(0)).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_corrected_p_values_are_the_least_of_the_larger_ones(p_values: list[float]) -> None:
    corrected = benjamini_hochberg(np.array(p_values))
    ascending = sorted(p_values)
    size = len(ascending)
    for p_value, value in zip(p_values, corrected):
        least = min(ascending[j] * size / (j + 1) for j in range(size) if ascending[j] >= p_value)
        assert value == pytest.approx(min(least, 1.0))
