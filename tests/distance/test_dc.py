"""`dc`: by hand, against all pairs, and against prdc on real vectors."""

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
    # On a line, k = 1. Reference 0, 1, 3: radii 1, 1, 2. Candidates 0.5, 2.5, 9.
    # Balls of the reference that hold 0.5: those of 0 and 1; 2.5: that of 3; 9: none. Density 3/3 = 1.
    # All three balls hold a candidate: coverage 1.
    score = dy.compare(np.array([[0.0], [1], [3]]), np.array([[0.5], [2.5], [9]]), "dc:k=1")[0]
    assert score.value == 0
    assert score.parts == {
        "reference_texts": 3,
        "candidate_texts": 3,
        "density": 1.0,
        "coverage": 1.0,
        "k": 1,
    }


def test_density_above_one_is_kept_in_the_parts_and_clipped_in_the_value() -> None:
    # Both candidates lie in both balls: density 4/2 = 2, coverage 1.
    score = dy.compare(np.array([[0.0], [1]]), np.array([[0.4], [0.6]]), "dc:k=1")[0]
    assert score.parts["density"] == 2
    assert score.value == 0


@given(pair=PAIRS, k=st.integers(1, 3))
def test_against_all_pairs(pair: tuple[list[list[int]], list[list[int]]], k: int) -> None:
    one, other = pair
    score = dy.compare(np.array(one, float), np.array(other, float), f"dc:k={k}")[0]
    if len(one) <= k:
        assert math.isnan(score.value)
        assert score.undefined.startswith("the reference has ")
        return
    # The oracle has balls of both corpora; those of the candidate do not count here.
    padded = other if len(other) > k else [*other, *[[1000 + i] * len(one[0]) for i in range(k)]]
    _, _, density, coverage = oracle.prdc(one, padded, k, oracle.squared)
    density *= len(padded) / len(other)
    assert score.parts["density"] == pytest.approx(density, rel=1e-15)
    assert score.parts["coverage"] == coverage
    density = min(density, 1)
    expected = 1 - 2 * density * coverage / (density + coverage) if density + coverage else 1.0
    assert score.value == pytest.approx(expected, rel=1e-12, abs=1e-15)


@given(seed=st.integers(0, 1000), k=st.integers(1, 3))
def test_angles_against_all_pairs(seed: int, k: int) -> None:
    draw = np.random.default_rng(seed)
    one, other = draw.normal(size=(9, 3)), draw.normal(size=(6, 3)) * 5
    parts = dy.compare(one, other, f"dc:k={k},metric=angular")[0].parts
    _, _, density, coverage = oracle.prdc(one.tolist(), other.tolist(), k, oracle.angle)
    assert (parts["density"], parts["coverage"]) == (density, coverage)


@pytest.mark.parametrize(("embedder", "n", "m", "k"), REAL)
def test_equals_prdc_on_real_vectors(shared: Path, embedder: str, n: int, m: int, k: int) -> None:
    one, other, expected = against_prdc(shared, embedder, n, m, k)
    parts = dy.compare(one, other, f"dc:k={k}")[0].parts
    assert parts["coverage"] == expected["coverage"]
    # The same count of pairs, divided in another order by prdc.
    assert parts["density"] == pytest.approx(expected["density"], rel=1e-15)


def test_identical_corpora_are_covered() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 6))
    score = dy.compare(rows, rows, "dc")[0]
    # Each ball holds its centre and the k − 1 neighbours nearer than its border: density k/k.
    assert (score.value, score.parts["density"], score.parts["coverage"]) == (0, 1, 1)


def test_disjoint_corpora() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 6))
    score = dy.compare(rows, rows + 1000, "dc")[0]
    assert (score.value, score.parts["density"], score.parts["coverage"]) == (1, 0, 0)


def test_one_text_is_enough_of_a_candidate() -> None:
    # 0.5 is in the balls of 0 and 1 of three: density 2, coverage 2/3, F1 = 2·(2/3)/(5/3) = 4/5.
    score = dy.compare(np.array([[0.0], [1], [2]]), np.array([[0.5]]), "dc:k=1")[0]
    assert score.value == pytest.approx(0.2, rel=1e-15)


def test_too_few_texts_for_k() -> None:
    score = dy.compare(np.eye(5), np.eye(5), "dc")[0]
    assert math.isnan(score.value)
    assert score.undefined == "the reference has 5 texts, but k=5 needs at least 6: choose a smaller k."


def test_repeated_texts_are_noted() -> None:
    rows = np.array([[0.0], [0], [0], [5], [9]])
    score = dy.compare(rows, rows, "dc:k=2")[0]
    # Each of the three at 0 has two copies: the radius is 0, and no candidate is nearer than 0.
    assert score.parts["coverage"] == 2 / 5
    assert score.notes[0].endswith("which makes balls smaller: 3 have an empty ball.")


def test_a_shift_is_seen_growing() -> None:
    draw = np.random.default_rng(0)
    one, other = draw.normal(size=(200, 3)), draw.normal(size=(200, 3))
    values = [dy.compare(one, other + shift, "dc")[0].value for shift in (0, 1, 2, 4)]
    assert values == sorted(values)
    assert values[0] < values[-1]


def test_k_must_be_one_or_more() -> None:
    with pytest.raises(SpecError, match="at least 1, got -1"):
        dy.compare(np.eye(3), np.eye(3), "dc:k=-1")
