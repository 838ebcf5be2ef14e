"""`median`: by hand, and against loops."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.distance import cosine
from tests.distance.vector_pairs import Rows, compare, pairs, real
from tests.oracles import moments as oracle

import distinctly as dy


def test_by_hand() -> None:
    # Medians (1, 0) of three and (2, 2) of four (the mean of 1 and 3 in each): 45°.
    score = compare([[1, 0], [1, 9], [8, 0]], [[1, 1], [3, 3], [1, 1], [9, 9]], "median")
    assert score.value == pytest.approx(1 - math.sqrt(0.5), rel=1e-14)
    assert score.parts["zero_vectors"] == 0


@given(both=pairs().filter(lambda both: all(any(map(any, rows)) for rows in both)))
def test_against_loops(both: tuple[Rows, Rows]) -> None:
    expected = oracle.median(*both)
    assert compare(*both, "median").value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("sizes", [(100, 101), (50, 2850)])
def test_against_numpy_on_real_vectors(shared: Path, sizes: tuple[int, int]) -> None:
    one, other = real(shared, "clinc150", sizes[0]), real(shared, "banking77", sizes[1])
    expected = cosine(np.median(one.astype(float), axis=0), np.median(other.astype(float), axis=0))
    assert dy.compare(one, other, "median")[0].value == pytest.approx(expected, rel=1e-9)


def test_vectors_of_zeros_are_left_out_and_noted() -> None:
    score = compare([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]], [[1.0, 0.0]], "median")
    assert score.value == 0
    assert score.notes[0] == "2 of 4 texts have a zero vector, which has no direction; they are left out."
    nothing = compare(np.zeros((3, 2)), [[1.0, 0.0]], "median", permutations=3)
    assert math.isnan(nothing.value)
    assert nothing.undefined is not None


def test_medians_of_zero_have_no_direction() -> None:
    score = compare([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], [[1.0, 0.0]], "median")
    assert math.isnan(score.value)
    assert score.undefined.startswith("the median vector of a corpus is zero")


def test_outliers_move_the_mean_and_not_the_median() -> None:
    rows = np.random.default_rng(0).standard_normal((201, 3)) + np.array([5.0, 0.0, 0.0])
    spoiled = rows.copy()
    spoiled[:5] = [0.0, 1e6, 0.0]
    assert compare(rows, spoiled, "median").value < 0.01
    assert compare(rows, spoiled, "medoid").value > 0.9
