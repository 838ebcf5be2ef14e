"""`irpr`: by hand, against all pairs, and against IBM's formula."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.distance.neighbour_corpora import PAIRS, real
from tests.oracles import ibm_irpr
from tests.oracles import neighbours as oracle

import distinctly as dy


def test_by_hand() -> None:
    # Reference at 0°, candidate at 45° and 90°. From the reference: 45°, 1/4 of a half turn. From the
    # candidate: (1/4 + 1/2)/2 = 3/8. Harmonic mean 2·(1/4)(3/8)/(5/8) = 3/10. Lengths do not matter.
    score = dy.compare(np.array([[2.0, 0]]), np.array([[3.0, 3], [0, 0.5]]), "irpr")[0]
    assert score.value == pytest.approx(0.3, rel=1e-15)
    assert score.parts["precision"] == pytest.approx(1 / 4, rel=1e-15)
    assert score.parts["recall"] == pytest.approx(3 / 8, rel=1e-15)
    # As released: 1/4·1 divided by 2 texts, and 3/4 by 1: 2·(1/8)(3/4)/(7/8) = 3/14.
    paper = dy.compare(np.array([[2.0, 0]]), np.array([[3.0, 3], [0, 0.5]]), "irpr:preset=paper")[0]
    assert paper.value == pytest.approx(3 / 14, rel=1e-15)


@given(pair=PAIRS)
def test_against_all_pairs(pair: tuple[list[list[int]], list[list[int]]]) -> None:
    one, other = pair
    score = dy.compare(np.array(one, float), np.array(other, float), "irpr")[0]
    placed = [[row for row in rows if any(row)] for rows in pair]
    if not all(placed):
        assert math.isnan(score.value)
        assert score.undefined.startswith("all texts of the ")
        return
    assert score.value == pytest.approx(oracle.irpr(*placed), rel=1e-9, abs=1e-12)
    assert len(score.notes) >= sum(len(kept) < len(rows) for kept, rows in zip(placed, pair))


@given(seed=st.integers(0, 1000))
def test_tiny_angles_keep_their_digits(seed: int) -> None:
    draw = np.random.default_rng(seed)
    one = draw.normal(size=(5, 4))
    other = one * (1 + 1e-9 * draw.normal(size=(5, 4)))
    expected = oracle.irpr(one.tolist(), other.tolist())
    assert 0 < expected < 1e-8
    # Units are rounded at 1e-16, the angles are 1e-9.
    assert dy.compare(one, other, "irpr")[0].value == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("n", "m"), [(1000, 1000), (10, 500)])
def test_preset_paper_is_the_released_formula(shared: Path, n: int, m: int) -> None:
    one, other = real(shared, "clinc150", n).astype(float), real(shared, "banking77", m).astype(float)
    # The peer's arccos loses digits at small angles; there are none here.
    expected = ibm_irpr.irpr(one, other)
    assert dy.compare(one, other, "irpr:preset=paper")[0].value == pytest.approx(expected, rel=1e-9)


def test_identical_corpora_are_at_zero() -> None:
    rows = np.random.default_rng(0).normal(size=(30, 384)).astype(np.float32)
    score = dy.compare(rows, rows, "irpr")[0]
    assert (score.value, score.parts["precision"], score.parts["recall"]) == (0, 0, 0)


def test_opposite_corpora_are_a_half_turn_apart() -> None:
    assert dy.compare(np.array([[1.0, 2, 3]]), np.array([[-2.0, -4, -6]]), "irpr")[0].value == 1


def test_vectors_of_zeros_are_left_out_and_noted() -> None:
    score = dy.compare(np.array([[1.0, 0], [0, 0]]), np.array([[0, 1.0]]), "irpr")[0]
    assert score.value == 0.5
    assert score.notes[0] == (
        "1 of 2 texts of the reference have a zero vector, which has no direction; they are left out."
    )


@pytest.mark.parametrize("scale", [1e-200, 1e-30, 1e30, 1e200])
def test_the_length_of_vectors_does_not_matter(scale: float) -> None:
    draw = np.random.default_rng(0)
    one, other = draw.normal(size=(20, 5)), draw.normal(size=(20, 5))
    expected = dy.compare(one, other, "irpr")[0].value
    assert dy.compare(one * scale, other, "irpr")[0].value == pytest.approx(expected, rel=1e-12)


def test_one_dimension_has_two_directions() -> None:
    # 3 has the direction of 1; −1 is half a turn away from both. From the reference (0 + 0)/2, from the
    # candidate (0 + 1)/2; the harmonic mean of 0 and 1/2 is 0.
    score = dy.compare(np.array([[1.0], [2]]), np.array([[3.0], [-1]]), "irpr")[0]
    assert (score.value, score.parts["precision"], score.parts["recall"]) == (0, 0, 0.5)
