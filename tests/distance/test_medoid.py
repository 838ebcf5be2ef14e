"""`medoid`: by hand, against loops, and against IBM's formula."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from tests.distance.vector_pairs import Rows, compare, pairs, real
from tests.oracles import ibm_moments
from tests.oracles import moments as oracle

import distinctly as dy


def test_by_hand() -> None:
    # Means (2, 0) and (1, 1): an angle of 45°.
    score = compare([[1, 1], [3, -1]], [[0, 1], [2, 1]], "medoid")
    assert score.value == pytest.approx(1 - math.sqrt(0.5), rel=1e-14)
    assert score.parts == {"reference_texts": 2, "candidate_texts": 2, "dimensions": 2}


@given(both=pairs())
def test_against_loops(both: tuple[Rows, Rows]) -> None:
    expected = oracle.medoid(*both)
    assert compare(*both, "medoid").value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("sizes", [(100, 100), (50, 2850)])
def test_against_ibm_on_real_vectors(shared: Path, sizes: tuple[int, int]) -> None:
    one, other = real(shared, "clinc150", sizes[0]), real(shared, "banking77", sizes[1])
    expected = ibm_moments.medoid_distance(one.astype(float), other.astype(float))
    assert dy.compare(one, other, "medoid")[0].value == pytest.approx(expected, rel=1e-9)


def test_vectors_that_cancel_have_no_direction() -> None:
    score = compare([[1.0, 0.0], [-1.0, 0.0]], [[1.0, 0.0]], "medoid")
    assert math.isnan(score.value)
    assert score.undefined == "the mean vector of a corpus is zero, which has no direction."
    # 0.1 + 0.2 − 0.3 is 5.6e-17 in floats: only rounding.
    assert math.isnan(compare([[0.1], [0.2], [-0.3]], [[1.0]], "medoid").value)
    assert math.isnan(compare(np.zeros((3, 2)), [[1.0, 0.0]], "medoid").value)


def test_a_small_angle_keeps_its_digits() -> None:
    # cos 1e-6 is 1 − 5e-13: 1 − cos has four correct digits, 2 sin²(½·1e-6) all.
    score = compare([[1.0, 0.0]], [[math.cos(1e-6), math.sin(1e-6)]], "medoid")
    assert score.value == pytest.approx(2 * math.sin(5e-7) ** 2, rel=1e-9)


def test_any_scale_will_do() -> None:
    for scale in (1e-300, 1e300):
        assert compare([[scale, 0.0]], [[0.0, scale], [0.0, scale]], "medoid").value == 1
