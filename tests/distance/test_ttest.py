"""`ttest`: by hand, against scipy, and against IBM's formula."""

from __future__ import annotations

import math
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import ttest_ind
from tests.distance.vector_pairs import Rows, Table, compare, pairs, real
from tests.oracles import ibm_moments

import distinctly as dy


def p_values(one: Table, other: Table, *, pooled: bool = False) -> Table:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on constant coordinates
        return ttest_ind(one, other, equal_var=pooled).pvalue


def test_by_hand() -> None:
    # 1, 2, 3 and 2, 3, 4: t = 1 / √(1/3 + 1/3) = 1.2247 with 4 degrees of freedom (sizes and variances are
    # equal). With 4 of them P(T ≤ t) = ½ + ½ x (1 + ½ (1 − x²)), x = t/√(4 + t²) = √(3/11): p = .28786.
    # The second coordinate is 7 everywhere: p = 1.
    x = math.sqrt(3 / 11)
    p = 1 - x * (1 + (1 - x * x) / 2)
    score = compare([[1, 7], [2, 7], [3, 7]], [[2, 7], [3, 7], [4, 7]], "ttest")
    assert score.value == pytest.approx(1 - (p + 1) / 2, rel=1e-12)
    assert score.parts["mean_p"] == pytest.approx((p + 1) / 2, rel=1e-12)
    assert score.parts["significant"] == 0
    assert score.parts["constant"] == 1
    skipped = compare([[1, 7], [2, 7], [3, 7]], [[2, 7], [3, 7], [4, 7]], "ttest:constant=skip")
    assert skipped.value == pytest.approx(1 - p, rel=1e-12)


@given(both=pairs(least=2, most=9))
def test_against_scipy(both: tuple[Rows, Rows]) -> None:
    one, other = (np.array(rows, float) for rows in both)
    expected = p_values(one, other)
    # scipy gives NaN where nothing varies or differs; here p is 1.
    expected = np.where(np.isnan(expected), 1.0, expected)
    score = compare(one, other, "ttest")
    assert score.parts["mean_p"] == pytest.approx(expected.mean(), rel=1e-9)
    assert score.parts["significant"] == pytest.approx((expected < 0.05).mean())


@given(both=pairs(least=2, most=9))
def test_preset_paper_against_ibm(both: tuple[Rows, Rows]) -> None:
    one, other = (np.array(rows, float) for rows in both)
    score = compare(one, other, "ttest:preset=paper")
    if np.isnan(p_values(one, other, pooled=True)).all():
        assert score.undefined.startswith("all coordinates are constant")
    else:
        assert score.value == pytest.approx(ibm_moments.ttest_distance(one, other), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("sizes", [(100, 100), (50, 2850)])
def test_on_real_vectors(shared: Path, sizes: tuple[int, int]) -> None:
    one, other = real(shared, "clinc150", sizes[0]), real(shared, "banking77", sizes[1])
    wide = one.astype(float), other.astype(float)
    # Two coordinates of MiniLM are constant except for the rounding of float16.
    expected = p_values(*wide)
    expected = np.where(np.isnan(expected), 1.0, expected)
    assert dy.compare(one, other, "ttest")[0].parts["mean_p"] == pytest.approx(expected.mean(), rel=1e-9)
    paper = dy.compare(one, other, "ttest:preset=paper")[0]
    assert paper.value == pytest.approx(ibm_moments.ttest_distance(*wide), rel=1e-9)


def test_constants_that_differ_are_different_for_sure() -> None:
    assert compare(np.full((3, 2), 0.1), np.full((5, 2), 0.2), "ttest").value == 1
    assert compare(np.full((3, 2), 0.1), np.full((5, 2), 0.1), "ttest").value == 0


def test_one_text_is_undefined() -> None:
    score = compare([[1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0]], "ttest")
    assert score.undefined == "the reference has 1 text; 'ttest' needs at least 2."


def test_samples_of_one_source_have_a_half() -> None:
    # The mean of 100 uniform p-values in 400 coordinates: ½ ± 3/√(12·400).
    draw = np.random.default_rng(0)
    score = compare(draw.standard_normal((100, 400)), draw.standard_normal((100, 400)), "ttest")
    assert score.value == pytest.approx(0.5, abs=3 / math.sqrt(12 * 400))


def test_any_scale_will_do() -> None:
    one, other = np.array([[1.0], [2.0], [3.0]]), np.array([[2.0], [3.0], [4.0]])
    expected = compare(one, other, "ttest").value
    for scale in (2.0**-1000, 2.0**1000):
        assert compare(one * scale, other * scale, "ttest").value == expected
