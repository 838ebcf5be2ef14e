"""Correlations: against loops, SciPy, exact permutations, and known populations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from tests.oracles import correlations as oracle

from distinctly.judging.correlations import (
    MEASURES,
    Correlation,
    compare_correlations,
    kendall,
    pearson,
    spearman,
    steiger,
    williams,
)

# Few different values, so that there are ties.
PAIRS = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=3, max_size=25)


def columns(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    x, y = (np.array(column, float) for column in zip(*pairs))
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    return x, y


@pytest.mark.parametrize("measure", MEASURES)
@given(pairs=PAIRS)
def test_values_are_those_of_loops_over_pairs(measure: str, pairs: list[tuple[int, int]]) -> None:
    x, y = columns(pairs)
    found = MEASURES[measure](x, y)
    assert found.value == pytest.approx(getattr(oracle, measure)(x.tolist(), y.tolist()), abs=1e-9)
    assert found.pairs == len(x)


@given(pairs=PAIRS)
def test_p_values_are_those_of_scipy(pairs: list[tuple[int, int]]) -> None:
    x, y = columns(pairs)
    # If ranks correlate perfectly, SciPy's t divides by 0 or by a rounding error; the p-value is 0.
    assume(abs(oracle.spearman(x.tolist(), y.tolist())) < 1 - 1e-9)
    assume(abs(oracle.pearson(x.tolist(), y.tolist())) < 1 - 1e-9)
    assert pearson(x, y).p == pytest.approx(stats.pearsonr(x, y).pvalue, rel=1e-6)
    assert spearman(x, y).p == pytest.approx(stats.spearmanr(x, y).pvalue, rel=1e-6)
    assert kendall(x, y).p == stats.kendalltau(x, y).pvalue


@given(pairs=PAIRS.filter(lambda pairs: len(pairs) > 3))
def test_the_interval_of_pearson_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    x, y = columns(pairs)
    assume(abs(oracle.pearson(x.tolist(), y.tolist())) < 1 - 1e-9)
    found = pearson(x, y)
    assert (found.low, found.high) == pytest.approx(
        tuple(stats.pearsonr(x, y).confidence_interval()), abs=1e-9
    )


def test_kendall_is_exact_for_few_pairs_without_ties() -> None:
    x, y = [1.0, 2, 3, 4, 5, 6], [2.0, 1, 3, 5, 6, 4]
    # All 720 orders of six scores.
    assert kendall(np.array(x), np.array(y)).p == pytest.approx(oracle.kendall_p(x, y), rel=1e-12)


def test_intervals_by_hand() -> None:
    # ρ = 0.8 of five pairs: d² = 1 + 1 + 1 + 1, ρ = 1 − 6·4 / (5·24) = 0.8; arctanh 0.8 = 1.0986;
    # Bonett and Wright: √((1 + 0.32) / 2) = 0.8124, times 1.96 = 1.5923, so tanh(−0.4937) and tanh(2.6909).
    # τ = (8 − 2) / 10 = 0.6, arctanh 0.6 = 0.6931; Fieller: √0.437 · 1.96 = 1.2957,
    # so tanh(−0.6025) and tanh(1.9888).
    x, y = np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 4, 3, 5])
    assert (spearman(x, y).low, spearman(x, y).high) == pytest.approx((-0.4572, 0.9909), abs=1e-4)
    assert (kendall(x, y).low, kendall(x, y).high) == pytest.approx((-0.5388, 0.9632), abs=1e-4)


@pytest.mark.parametrize(
    ("measure", "true"),
    # Of normal columns that correlate by 0.6: r itself, (6/π) arcsin(r/2), and (2/π) arcsin r.
    [
        ("pearson", 0.6),
        ("spearman", 6 / math.pi * math.asin(0.3)),
        ("kendall", 2 / math.pi * math.asin(0.6)),
    ],
)
def test_intervals_hold_the_population_as_often_as_they_say(measure: str, true: float) -> None:
    draw = np.random.default_rng([5, 1])
    held = []
    for _ in range(600):
        x, noise = draw.standard_normal((2, 40))
        found = MEASURES[measure](x, 0.6 * x + 0.8 * noise)
        held.append(found.low <= true <= found.high)
    # 95 % of 600 draws: within three standard deviations (0.9 %) and the error of the approximation.
    assert 0.92 < np.mean(held) < 0.985


@pytest.mark.parametrize("measure", MEASURES)
class TestUndefined:
    """Undefined correlations are NaN, with a reason."""

    def check(self, found: Correlation, why: str) -> None:
        assert math.isnan(found.value)
        assert math.isnan(found.p)
        assert math.isnan(found.low)
        assert why in found.note

    def test_too_few_pairs(self, measure: str) -> None:
        self.check(MEASURES[measure](np.array([1.0, 2.0]), np.array([1.0, 2.0])), "needs 3 pairs, got 2")

    def test_constant_metric(self, measure: str) -> None:
        self.check(MEASURES[measure](np.ones(9), np.arange(9.0)), "all values of the metric are equal")

    def test_constant_people(self, measure: str) -> None:
        self.check(MEASURES[measure](np.arange(9.0), np.ones(9)), "all human scores are equal")

    def test_the_interval_takes_more_pairs_than_the_value(self, measure: str) -> None:
        found = MEASURES[measure](np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 2.0]))
        assert not math.isnan(found.value)
        assert math.isnan(found.low)
        assert "interval needs" in found.note

    def test_a_perfect_correlation_has_an_interval_of_a_point(self, measure: str) -> None:
        found = MEASURES[measure](np.arange(9.0), np.arange(9.0) * 2)
        assert (found.value, found.low, found.high) == pytest.approx((1.0, 1.0, 1.0), abs=1e-12)
        assert found.p < 1e-4


CORRELATIONS = st.floats(-0.95, 0.95)


@given(one=CORRELATIONS, other=CORRELATIONS, between=CORRELATIONS, n=st.integers(5, 300))
def test_williams_and_steiger_are_as_steiger_prints_them(
    one: float, other: float, between: float, n: int
) -> None:
    matrix = [[1, one, other], [one, 1, between], [other, between, 1]]
    assume(np.linalg.det(np.array(matrix)) > 1e-6)  # otherwise no three columns correlate so
    assume(one != other)
    t, p = williams(one, other, between, n)
    assert t == pytest.approx(oracle.williams(one, other, between, n), rel=1e-6)
    assert p == pytest.approx(2 * stats.t.sf(abs(t), n - 3), rel=1e-9)
    mean = (one + other) / 2
    assume(abs(mean) < 0.9)
    z, p_z = steiger(one, other, between, n)
    assert z == pytest.approx(oracle.steiger(one, other, between, n), rel=1e-6)
    assert p_z == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-9)


def test_the_example_of_steiger() -> None:
    # Masculinity and femininity with verbal ability, 103 people. `r.test(n = 103, r12 = .4, r13 = .5,
    # r23 = .1)` of the R package psych prints "t value -0.89 with probability < 0.37" (Williams' test).
    t, p = williams(0.4, 0.5, 0.1, 103)
    assert (round(t, 2), round(p, 2)) == (-0.89, 0.37)


def test_noise_is_called_a_difference_as_often_as_it_should() -> None:
    # Two metrics that are human scores with the same amount of noise: neither is better.
    draw = np.random.default_rng([5, 2])
    found = []
    for _ in range(500):
        people, *noise = draw.standard_normal((3, 60))
        found.append(
            [
                compare_correlations(people + noise[0], people + noise[1], people, ranks=r)
                for r in (False, True)
            ]
        )
    for place in (0, 1):
        # 5 % of 500, within three standard deviations (1 %) and the approximation on ranks.
        assert 0.015 < np.mean([pair[place].p < 0.05 for pair in found]) < 0.09
        assert 0.015 < np.mean([pair[place].p_z < 0.05 for pair in found]) < 0.09


def test_a_difference_is_seen() -> None:
    draw = np.random.default_rng([5, 3])
    people, *noise = draw.standard_normal((3, 200))
    found = compare_correlations(people + 0.3 * noise[0], people + 3 * noise[1], people)
    assert found.value > 0.4
    assert max(found.p, found.p_z) < 1e-6


def test_metrics_that_differ_in_scale_alone_do_not_differ() -> None:
    draw = np.random.default_rng([5, 4])
    people, values = draw.standard_normal((2, 20))
    found = compare_correlations(values, values * 3 + 1, people)
    assert found.value == pytest.approx(0, abs=1e-12)
    assert found.p == pytest.approx(1, abs=1e-6)
    assert found.p_z == pytest.approx(1, abs=1e-6)


def test_too_few_sets_for_a_difference() -> None:
    three = np.array([1.0, 2.0, 4.0])
    assert math.isnan(compare_correlations(three, three[::-1].copy(), three**2).p)
