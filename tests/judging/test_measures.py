"""The measures of a trial: worked by hand, against loops, and against scipy and statsmodels."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import stats
from tests.oracles import judgements as oracle

from distinctly.judging.measures import (
    accuracy,
    correlation,
    judgements,
    linearity,
    monotonicity,
    pairs_of,
    separability,
    standardized,
)

VALUES = st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda one: round(one, 3))


@st.composite
def distances(draw: st.DrawFn) -> tuple[int, np.ndarray]:
    k = draw(st.integers(3, 8))
    pairs = k * (k - 1) // 2
    # Few different values, so that there are ties.
    some = draw(st.lists(VALUES, min_size=2, max_size=6, unique=True))
    values = draw(st.lists(st.sampled_from(some), min_size=pairs, max_size=pairs))
    assume(len(set(values)) > 1)
    return k, np.array(values)


@pytest.mark.parametrize(("k", "count"), [(3, 2), (4, 9), (7, 105), (12, 935), (50, 269_500)])
def test_how_many_judgements_there_are(k: int, count: int) -> None:
    # The sum over lengths l of (k − l) intervals, each around l(l+1)/2 − 1 others.
    assert judgements(k).count == sum(
        (k - length) * (length * (length + 1) // 2 - 1) for length in range(1, k)
    )
    assert judgements(k).count == count


@pytest.mark.parametrize(("k", "count"), [(7, 156), (8, 339), (12, 6053)])
def test_how_many_the_released_recursion_lists(k: int, count: int) -> None:
    assert judgements(k, repeated=True).count == len(oracle.released(k)) == count


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("k", range(2, 10))
def test_the_judgements_are_those_of_the_loops(k: int, repeated: bool) -> None:
    pairs = [(i + 1, j + 1) for i, j in pairs_of(k)]
    asked = judgements(k, repeated=repeated)
    found: Counter[oracle.Judgement] = Counter()
    for inner, outer, times in zip(asked.inner, asked.outer, asked.times):
        found[pairs[inner], pairs[outer]] += int(times)
    assert found == Counter(oracle.released(k) if repeated else oracle.distinct(k))


def test_accuracy_by_hand() -> None:
    # Four corpora; pairs 12 13 14 23 24 34 have these distances.
    #   12 = 1, 13 = 3, 14 = 3, 23 = 2, 24 = 1, 34 = 2
    # In 13: 12 (1 < 3), 23 (2 < 3), both right. In 24: 23 (2 > 1) wrong, 34 (2 > 1) wrong.
    # In 14: 12, 23, 34 right (harder by 2 each), 13 a tie (harder by 1), 24 right (harder by 1).
    # Right: 2 + 5 = 7 of 9; strictly 6 of 9; 1 tie.
    # Weights: 13 and 24 have 1 + 1 each, 14 has 3 · 1/2 + 2 = 3.5: 7.5. Right: 2 + 3.5; strictly 2 + 2.5.
    found = accuracy(np.array([1.0, 3, 3, 2, 1, 2]), judgements(4))
    assert (found.plain, found.strict, found.ties) == (7 / 9, 6 / 9, 1 / 9)
    assert found.weighted == pytest.approx(5.5 / 7.5, rel=1e-12)
    assert found.strict_weighted == pytest.approx(4.5 / 7.5, rel=1e-12)


def test_a_perfect_distance_is_right_always() -> None:
    found = accuracy(np.array([float(j - i) for i, j in pairs_of(12)]), judgements(12))
    assert (found.plain, found.weighted, found.strict, found.strict_weighted, found.ties) == (1, 1, 1, 1, 0)
    turned = accuracy(np.array([float(i - j) for i, j in pairs_of(12)]), judgements(12))
    assert turned.plain == 0


@given(distances(), st.booleans())
def test_accuracy_is_that_of_the_loops(case: tuple[int, np.ndarray], repeated: bool) -> None:
    k, values = case
    by_pair = {(i + 1, j + 1): value for (i, j), value in zip(pairs_of(k), values.tolist())}
    asked = oracle.released(k) if repeated else oracle.distinct(k)
    found = accuracy(values, judgements(k, repeated=repeated))
    got = (found.plain, found.weighted, found.strict, found.strict_weighted, found.ties)
    assert got == pytest.approx(oracle.shares_right(by_pair, asked), rel=1e-12)


def test_omega_squared_by_hand() -> None:
    # Levels 1, 1, 2, 2 with 0, 1, 4, 5: means .5 and 4.5, of all 2.5. Between: 4 · 2² = 16; within:
    # 4 · .5² = 1, over 4 − 2: .5. (16 − 1 · .5) / (17 + .5) = 15.5 / 17.5.
    found = separability(np.array([1, 1, 2, 2]), np.array([0.0, 1, 4, 5]))
    assert found == pytest.approx(15.5 / 17.5, rel=1e-12)


def test_correlations_by_hand() -> None:
    levels, values = np.array([1, 2, 3]), np.array([1.0, 2.0, 6.0])
    # Minus their means: −1, 0, 1 and −2, −1, 3: r = 5 / √(2 · 14); in ranks both are 1, 2, 3.
    assert correlation(levels, values) == pytest.approx(5 / math.sqrt(28), rel=1e-12)
    assert linearity(levels, values) == pytest.approx(25 / 28, rel=1e-12)
    assert monotonicity(levels, values) == 1
    assert monotonicity(levels, -values) == -1


@given(distances())
@example((3, np.array([1e300, -1e300, 5e299])))
@example((3, np.array([1e-300, 2e-300, 3e-300])))
def test_correlations_are_those_of_scipy(case: tuple[int, np.ndarray]) -> None:
    k, values = case
    levels = np.array([j - i for i, j in pairs_of(k)])
    # Scaled by a power of two, which changes no correlation, so that scipy's squares are floats.
    even = np.ldexp(values, -int(np.frexp(np.abs(values).max())[1]))
    assert monotonicity(levels, values) == pytest.approx(
        stats.spearmanr(levels, values)[0], rel=1e-9, abs=1e-12
    )
    r = stats.pearsonr(levels, even)[0]
    assert correlation(levels, values) == pytest.approx(r, rel=1e-9, abs=1e-9)
    assert linearity(levels, values) == pytest.approx(r**2, rel=1e-9, abs=1e-9)


@given(distances())
def test_omega_squared_is_that_of_the_loops(case: tuple[int, np.ndarray]) -> None:
    k, values = case
    levels = np.array([j - i for i, j in pairs_of(k)])
    scaled = (values / np.abs(values).max()).tolist()
    found = separability(levels, values)
    assert found == pytest.approx(oracle.omega_squared(levels.tolist(), scaled), rel=1e-8, abs=1e-8)


def test_omega_squared_is_that_of_statsmodels() -> None:
    anova = pytest.importorskip("statsmodels.stats.anova")
    formula = pytest.importorskip("statsmodels.formula.api")
    pandas = pytest.importorskip("pandas")
    levels = np.array([j - i for i, j in pairs_of(7)])
    values = np.random.default_rng(0).normal(levels, 1.5)
    frame = pandas.DataFrame({"level": levels, "value": values})
    table = anova.anova_lm(formula.ols("value ~ C(level)", frame).fit())
    between, within = table["sum_sq"]
    mean_square = table["mean_sq"].iloc[1]
    expected = (between - table["df"].iloc[0] * mean_square) / (between + within + mean_square)
    assert separability(levels, values) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    "values",
    [
        [2.0] * 6,
        [0.0] * 6,
        [1.0, math.nan, 2, 3, 4, 5],
        [1.0, math.inf, 2, 3, 4, 5],
        [1.0, -math.inf, 2, 3, 4, 5],
    ],
    ids=["constant", "zero", "nan", "infinite", "minus infinite"],
)
def test_what_tells_nothing_is_undefined(values: list[float]) -> None:
    given_values, levels = np.array(values), np.array([1, 2, 3, 1, 2, 1])
    for measure in (monotonicity, correlation, linearity, separability):
        assert math.isnan(measure(levels, given_values))
    assert math.isnan(accuracy(given_values, judgements(4)).plain)


def test_too_little_is_undefined() -> None:
    assert math.isnan(correlation(np.array([2, 2]), np.array([0.0, 1.0])))  # one level
    assert math.isnan(monotonicity(np.array([2, 2]), np.array([0.0, 1.0])))
    assert math.isnan(separability(np.array([2, 2]), np.array([0.0, 1.0])))
    assert math.isnan(separability(np.array([1, 2]), np.array([0.0, 1.0])))  # nothing varies within a level
    assert math.isnan(monotonicity(np.array([1]), np.array([0.0])))
    assert math.isnan(accuracy(np.array([1.0]), judgements(2)).plain)  # nothing lies within the only pair


@given(st.lists(VALUES, min_size=2, max_size=20).filter(lambda some: len(set(some)) > 1))
def test_z_scores_have_mean_0_and_deviation_1(values: list[float]) -> None:
    found = standardized(np.array(values))
    assert found.mean() == pytest.approx(0, abs=1e-6)
    assert found.std() == pytest.approx(1, rel=1e-9)
