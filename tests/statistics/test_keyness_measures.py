"""Measures of keyness against the tests of quanteda, arithmetic by hand, and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from distinctly.statistics.keyness_measures import KeynessMeasures

# The two documents of most tests of quanteda's textstat_keyness; the target is the candidate here.
TARGET = {"a": 3, "b": 2, "c": 6, "d": 1, "e": 1, "f": 1, "g": 1, "h": 2}
REFERENCE = {"a": 2, "b": 1, "c": 2, "d": 4, "e": 1, "f": 1, "g": 0, "h": 1}
TOTALS = (sum(REFERENCE.values()), sum(TARGET.values()))  # 12 and 17
COUNTS = st.tuples(st.integers(0, 50), st.integers(0, 50)).filter(any)


def measured(**options: float) -> KeynessMeasures:
    return KeynessMeasures(list(REFERENCE.values()), list(TARGET.values()), TOTALS, **options)


def order_of(values: np.ndarray) -> list[str]:
    return [term for _, term in sorted(zip(-values, TARGET), key=lambda pair: pair[0])]


def test_chi2_is_that_of_r_with_and_without_yates():
    # "b" of "b b b b b b b a a a" and "a a a a a a a b b": chisq.test(matrix(c(7, 3, 2, 7), 2)) of R.
    both = KeynessMeasures([2], [7], (9, 10))
    assert both.chi2 == pytest.approx(chi2_contingency([[7, 2], [3, 7]], correction=False).statistic)
    assert both.chi2_yates == pytest.approx(chi2_contingency([[7, 2], [3, 7]], correction=True).statistic)
    # 19·(7·7 − 2·3)² / (9·10·10·9), and with 43 − 19/2.
    assert both.chi2 == pytest.approx(19 * 43**2 / 8100)
    assert both.chi2_yates == pytest.approx(19 * 33.5**2 / 8100)


def test_three_documents_are_a_target_and_the_rest():
    # quanteda: d1 against d2 and d3 ("a a a b b b") together; "a" is 3 of 10 and 10 of 15.
    rest = KeynessMeasures([10], [3], (15, 10))
    assert rest.chi2 == pytest.approx(chi2_contingency([[3, 10], [7, 5]], correction=False).statistic)
    assert rest.chi2_yates == pytest.approx(chi2_contingency([[3, 10], [7, 5]], correction=True).statistic)
    assert rest.direction.tolist() == [-1]


def test_the_example_of_quanteda_with_yates():
    # Its tests state 0.1851001 for the table (3, 2; 14, 10) if the whole ½ is subtracted everywhere; R and
    # scipy subtract at most |O − E| = 2/29, which leaves 0.
    table = KeynessMeasures([2], [3], (12, 17))
    assert float(table.chi2_yates[0]) == pytest.approx(0, abs=1e-12)
    assert chi2_contingency([[3, 2], [14, 10]], correction=True).statistic == pytest.approx(0, abs=1e-12)


def test_g2_orders_as_quanteda_does_without_correction():
    signed = measured().g2 * measured().direction
    assert order_of(signed) == ["c", "g", "b", "h", "a", "e", "f", "d"]
    # The first test of quanteda: likelihood.test of (7, 2; 3, 7).
    expected = 2 * sum(o * math.log(o * 19 / e) for o, e in ((7, 90), (2, 81), (3, 100), (7, 90)))
    assert KeynessMeasures([2], [7], (9, 10)).g2 == pytest.approx(expected)


def test_pmi_is_that_of_quanteda():
    # log(dfmt[1, 1] * sum(dfmt) / (sum(dfmt[, 1]) * sum(dfmt[1, ]))) for "a".
    assert measured().pmi[0] == pytest.approx(math.log(3 * 29 / (5 * 17)))
    assert measured().pmi[list(TARGET).index("g")] == pytest.approx(math.log(1 * 29 / (1 * 17)))
    assert math.isnan(KeynessMeasures([1], [0], (5, 5)).pmi[0])


def test_rates_and_effects_by_hand():
    # 30 of 1,000 in the candidate, 5 of 2,000 in the reference.
    terms = KeynessMeasures([5, 0, 4], [30, 2, 0], (2000, 1000))
    assert [rates.tolist() for rates in terms.per_million] == [[2500, 0, 2000], [30000, 2000, 0]]
    # log2(0.03/0.0025); a count of 0 is ½: log2(0.002/(½/2000)) = 3, log2((½/1000)/0.002) = −2.
    assert terms.log_ratio.tolist() == pytest.approx([math.log2(12), 3, -2])
    assert terms.percent_difference.tolist() == pytest.approx([1100, math.nan, -100], nan_ok=True)
    assert terms.difference_coefficient.tolist() == pytest.approx([27500 / 32500, 1, -1])


def test_log_odds_by_hand():
    # Prior: as many as both have together, 3 + 9 = 12 of 300. Candidate: 9 + 12 = 21 of 200 + 300;
    # reference: 3 + 12 = 15 of 100 + 300.
    terms = KeynessMeasures([3], [9], (100, 200))
    expected = math.log(21 / (500 - 21)) - math.log(15 / (400 - 15))
    assert terms.log_odds == pytest.approx(expected)
    assert terms.log_odds_z == pytest.approx(expected / math.sqrt(1 / 21 + 1 / 15))


def test_the_prior_can_be_weaker():
    # 30 in place of 300 occurrences: 12 · 30/300 = 1.2 of the term.
    terms = KeynessMeasures([3], [9], (100, 200), prior=30)
    expected = math.log(10.2 / (230 - 10.2)) - math.log(4.2 / (130 - 4.2))
    assert terms.log_odds == pytest.approx(expected)
    assert terms.log_odds_z == pytest.approx(expected / math.sqrt(1 / 10.2 + 1 / 4.2))


@given(st.lists(COUNTS, min_size=1, max_size=8), st.integers(1, 40), st.integers(1, 40))
def test_exchanging_the_corpora_changes_only_signs(pairs, more, others):
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    totals = sum(first) + more, sum(second) + others
    there = KeynessMeasures(first, second, totals)
    back = KeynessMeasures(second, first, totals[::-1])
    for name in ("g2", "chi2", "chi2_yates"):
        assert getattr(there, name) == pytest.approx(getattr(back, name), rel=1e-9, abs=1e-12)
    for name in ("direction", "log_ratio", "difference_coefficient", "log_odds", "log_odds_z"):
        assert getattr(there, name) == pytest.approx(-getattr(back, name), rel=1e-9, abs=1e-12)
    assert (there.direction * there.log_odds >= -1e-12).all()
