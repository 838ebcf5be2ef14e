"""`hausdorff`: by hand, against all pairs, and against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.distance import directed_hausdorff
from tests.distance.neighbour_corpora import PAIRS
from tests.oracles import neighbours as oracle

import distinctly as dy


def test_by_hand() -> None:
    # Reference at 0°, candidate at 45° and 90°: 1/4 in one direction, (1/4 + 1/2)/2 = 3/8 in the other; mean
    # 5/16.
    one, other = np.array([[2.0, 0]]), np.array([[3.0, 3], [0, 0.5]])
    score = dy.compare(one, other, "hausdorff")[0]
    assert score.value == pytest.approx(5 / 16, rel=1e-15)
    assert dy.compare(one, other, "hausdorff:mode=max")[0].value == pytest.approx(1 / 2, rel=1e-15)


@pytest.mark.parametrize("mode", ["mean", "max"])
@given(pair=PAIRS)
def test_against_all_pairs(pair: tuple[list[list[int]], list[list[int]]], mode: str) -> None:
    one, other = pair
    score = dy.compare(
        np.array(one, float), np.array(other, float), f"hausdorff:mode={mode},metric=euclidean"
    )[0]
    ways = oracle.nearest(one, other, math.dist), oracle.nearest(other, one, math.dist)
    means = [math.fsum(way) / len(way) for way in ways]
    expected = max(map(max, ways)) if mode == "max" else sum(means) / 2
    assert score.value == pytest.approx(expected, rel=1e-12)


def test_the_largest_is_that_of_scipy() -> None:
    draw = np.random.default_rng(0)
    one, other = draw.normal(size=(300, 8)), draw.normal(size=(200, 8)) + 0.3
    expected = max(directed_hausdorff(one, other)[0], directed_hausdorff(other, one)[0])
    found = dy.compare(one, other, "hausdorff:mode=max,metric=euclidean")[0].value
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 1e-30, 1.0, 1e30, 1e150])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_vectors_large_small_or_far_from_the_origin(scale: float, offset: float) -> None:
    draw = np.random.default_rng(0)
    one, other = draw.normal(size=(20, 5)) + offset, draw.normal(size=(30, 5)) + offset
    expected = max(directed_hausdorff(one, other)[0], directed_hausdorff(other, one)[0])
    found = dy.compare(one * scale, other * scale, "hausdorff:mode=max,metric=euclidean")[0].value
    # Scaling by anything but a power of 2 rounds coordinates that are a million times the distances.
    assert found == pytest.approx(expected * scale, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-40, 1e37])
def test_single_precision_at_its_ends(scale: float) -> None:
    draw = np.random.default_rng(0)
    one, other = (draw.normal(size=(20, 5)) * scale).astype(np.float32), np.eye(5, dtype=np.float32) * scale
    exact = [rows.astype(float) / scale for rows in (one, other)]
    expected = max(directed_hausdorff(*exact)[0], directed_hausdorff(*exact[::-1])[0])
    found = dy.compare(one, other.astype(np.float32), "hausdorff:mode=max,metric=euclidean")[0].value
    assert found == pytest.approx(expected * scale, rel=1e-9)


def test_identical_corpora_are_at_zero() -> None:
    rows = np.random.default_rng(0).normal(size=(30, 5))
    for metric in ("angular", "euclidean"):
        assert dy.compare(rows, rows, f"hausdorff:metric={metric}")[0].value == 0


def test_vectors_of_zeros_have_no_angle() -> None:
    rows = np.array([[0.0, 0], [1, 0]])
    score = dy.compare(rows, np.zeros((1, 2)), "hausdorff")[0]
    assert math.isnan(score.value)
    assert score.undefined == "all texts of the candidate have a zero vector, which has no direction."
    assert dy.compare(rows, np.zeros((1, 2)), "hausdorff:metric=euclidean")[0].value == 0.25
