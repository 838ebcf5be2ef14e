"""`pr`: by hand, against all pairs, and against prdc on real vectors."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.distance.neighbour_corpora import PAIRS, REAL, against_prdc
from tests.oracles import neighbours as oracle

import distinctly as dy
from distinctly.errors import SpecError


def test_by_hand() -> None:
    # On a line, k = 1. Reference 0, 1, 3: radii 1, 1, 2. Candidate 0.5, 2.5, 9: radii 2, 2, 6.5.
    # 0.5 is in the ball of 0; 2.5 in that of 3 (0.5 < 2); 9 in none: precision 2/3.
    # 0 is in the ball of 0.5 (0.5 < 2); 1 too; 3 in that of 2.5: recall 1. F1 = 2·(2/3)/(5/3) = 4/5.
    score = dy.compare(np.array([[0.0], [1], [3]]), np.array([[0.5], [2.5], [9]]), "pr:k=1")[0]
    assert score.value == pytest.approx(1 / 5, rel=1e-15)
    assert score.parts == {
        "reference_texts": 3,
        "candidate_texts": 3,
        "precision": 2 / 3,
        "recall": 1.0,
        "k": 1,
    }


def test_the_border_of_a_ball_is_not_in_it() -> None:
    # Reference 0, 1: radii 1. Candidates 2 and −1 are 1 away from the nearest: outside, by strict <.
    score = dy.compare(np.array([[0.0], [1]]), np.array([[2.0], [-1]]), "pr:k=1")[0]
    assert score.parts["precision"] == 0


@given(pair=PAIRS, k=st.integers(1, 3))
def test_against_all_pairs(pair: tuple[list[list[int]], list[list[int]]], k: int) -> None:
    one, other = pair
    score = dy.compare(np.array(one, float), np.array(other, float), f"pr:k={k}")[0]
    if min(len(one), len(other)) <= k:
        assert math.isnan(score.value)
        assert score.undefined.startswith("the ")
        return
    precision, recall, _, _ = oracle.prdc(one, other, k, oracle.squared)
    assert (score.parts["precision"], score.parts["recall"]) == (precision, recall)
    expected = 1 - 2 * precision * recall / (precision + recall) if precision + recall else 1.0
    assert score.value == pytest.approx(expected, rel=1e-15)


@given(seed=st.integers(0, 1000), k=st.integers(1, 3))
def test_angles_against_all_pairs(seed: int, k: int) -> None:
    draw = np.random.default_rng(seed)
    one, other = draw.normal(size=(9, 3)), draw.normal(size=(6, 3)) * 5
    score = dy.compare(one, other, f"pr:k={k},metric=angular")[0]
    precision, recall, _, _ = oracle.prdc(one.tolist(), other.tolist(), k, oracle.angle)
    assert (score.parts["precision"], score.parts["recall"]) == (precision, recall)


@pytest.mark.parametrize(("embedder", "n", "m", "k"), REAL)
def test_equals_prdc_on_real_vectors(shared: Path, embedder: str, n: int, m: int, k: int) -> None:
    one, other, expected = against_prdc(shared, embedder, n, m, k)
    parts = dy.compare(one, other, f"pr:k={k}")[0].parts
    assert (parts["precision"], parts["recall"]) == (expected["precision"], expected["recall"])


def test_identical_corpora() -> None:
    # Every text is at the centre of its own copy's ball.
    rows = np.random.default_rng(0).normal(size=(40, 6))
    assert dy.compare(rows, rows, "pr")[0].value == 0


def test_disjoint_corpora() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 6))
    score = dy.compare(rows, rows + 1000, "pr")[0]
    assert (score.value, score.parts["precision"], score.parts["recall"]) == (1, 0, 0)


def test_one_point_only_has_empty_balls() -> None:
    # All texts have the same vector: every radius is 0, and nothing is nearer than 0.
    score = dy.compare(np.full((7, 3), 0.1), np.full((9, 3), 0.1), "pr")[0]
    assert score.value == 1
    assert score.notes[0] == (
        "6 of 7 texts of the reference repeat the vector of another text, which makes balls smaller: "
        "7 have an empty ball."
    )


def test_too_few_texts_for_k() -> None:
    score = dy.compare(np.eye(6), np.eye(6)[:1], "pr")[0]
    assert math.isnan(score.value)
    assert score.undefined == "the candidate has 1 text, but k=5 needs at least 6: choose a smaller k."


def test_unequal_sizes_are_noted() -> None:
    draw = np.random.default_rng(0)
    notes = dy.compare(draw.normal(size=(10, 3)), draw.normal(size=(30, 3)), "pr")[0].notes
    assert notes[0].startswith("The corpora differ in size (10 and 30 texts)")


def test_vectors_of_zeros_have_no_angle() -> None:
    rows = np.array([[1.0, 0], [0, 1], [1, 1], [0, 0]])
    score = dy.compare(rows, rows, "pr:k=1,metric=angular")[0]
    assert score.notes[0].startswith("1 of 4 texts of the reference have a zero vector")
    score = dy.compare(rows, np.zeros((3, 2)), "pr:k=1,metric=angular")[0]
    assert math.isnan(score.value)
    assert score.undefined.startswith("all texts of the candidate have a zero vector")


def test_it_can_be_turned_round() -> None:
    draw = np.random.default_rng(0)
    one, other = draw.normal(size=(30, 3)), draw.normal(size=(30, 3)) + 1
    assert dy.compare(one, other, "pr")[0].value == dy.compare(other, one, "pr")[0].value


def test_a_shift_is_seen_growing() -> None:
    draw = np.random.default_rng(0)
    one, other = draw.normal(size=(200, 3)), draw.normal(size=(200, 3))
    values = [dy.compare(one, other + shift, "pr")[0].value for shift in (0, 1, 2, 4)]
    assert values == sorted(values)
    assert values[0] < values[-1]


def test_k_must_be_one_or_more() -> None:
    with pytest.raises(SpecError, match="at least 1, got 0"):
        dy.compare(np.eye(3), np.eye(3), "pr:k=0")
