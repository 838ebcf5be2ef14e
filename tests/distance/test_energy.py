"""`energy`: by hand, against loops over all pairs, and against IBM's formula."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import pairs as oracle
from tests.oracles.ibm_energy import energy as ibm_energy
from tests.pairs import corpora, real

import distinctly as dy


def energy(reference: Any, candidate: Any, options: str = "", **more: Any) -> dy.Score:
    return dy.compare(reference, candidate, "energy" + (f":{options}" if options else ""), **more)[0]


def test_by_hand_in_one_dimension() -> None:
    # Between: 5, 7, 3, 5, so 5. Within: 2 and 2 (0, 2, 2, 0 with the diagonal: 1). 2·5 − 2 − 2 = 6.
    reference, candidate = np.array([[0.0], [2.0]]), np.array([[5.0], [7.0]])
    score = energy(reference, candidate, "metric=euclidean")
    assert score.value == pytest.approx(math.sqrt(6), rel=1e-15)
    assert score.parts == {
        "reference_texts": 2,
        "candidate_texts": 2,
        "between": 5.0,
        "within_reference": 2.0,
        "within_candidate": 2.0,
        "squared": 6.0,
        "coefficient": 0.6,
    }
    biased = energy(reference, candidate, "metric=euclidean,unbiased=no")
    assert biased.parts["squared"] == 8


def test_by_hand_by_angles() -> None:
    # Right angles within the first, ½; the second is one direction, 0; between ½, 1, ¼ … as listed.
    reference = np.array([[2.0, 0], [0, 1]])
    candidate = np.array([[-1.0, 0], [-3, 0]])
    # To −x: from x half a turn, 1; from y a quarter turn, ½: mean ¾. 2·¾ − ½ − 0 = 1.
    score = energy(reference, candidate)
    assert score.value == pytest.approx(1, rel=1e-15)
    assert score.parts["between"] == pytest.approx(0.75, rel=1e-15)


@given(both=corpora(), unbiased=st.booleans())
def test_euclidean_against_loops(both: tuple[Any, Any], unbiased: bool) -> None:
    found = energy(*both, f"metric=euclidean,unbiased={'yes' if unbiased else 'no'}")
    expected = oracle.energy_squared(*both, oracle.euclidean, unbiased=unbiased)
    assert found.parts["squared"] == pytest.approx(expected, rel=1e-9, abs=1e-14)
    assert found.parts["between"] == pytest.approx(oracle.mean_between(*both, oracle.euclidean), rel=1e-9)
    assert found.value == pytest.approx(math.sqrt(max(found.parts["squared"], 0)), rel=1e-15)


@given(
    both=st.tuples(*[st.lists(st.integers(-9, 9).map(lambda whole: whole / 4), min_size=1, max_size=20)] * 2)
)
def test_one_dimension_as_scipy_has_it(both: tuple[list[float], list[float]]) -> None:
    from scipy.stats import energy_distance

    found = energy(*(np.array(side)[:, None] for side in both), "metric=euclidean,unbiased=no")
    # The root of a rounding error, in both.
    assert found.value == pytest.approx(energy_distance(*both), rel=1e-9, abs=1e-7)


@given(both=corpora(), unbiased=st.booleans())
def test_angular_against_loops(both: tuple[Any, Any], unbiased: bool) -> None:
    found = energy(*both, f"unbiased={'yes' if unbiased else 'no'}")
    placed = [rows[rows.any(axis=1)] for rows in both]
    if min(map(len, placed)) < (2 if unbiased else 1):
        assert math.isnan(found.value)
        assert found.undefined is not None
        return
    expected = oracle.energy_squared(*placed, oracle.angular, unbiased=unbiased)
    assert found.parts["squared"] == pytest.approx(expected, rel=1e-9, abs=1e-14)
    for part, rows in zip(("within_reference", "within_candidate"), placed):
        within = oracle.mean_within(rows, oracle.angular, unbiased=unbiased)
        assert found.parts[part] == pytest.approx(within, rel=1e-9, abs=1e-15)


@given(both=corpora())
def test_can_change_places_and_has_no_order(both: tuple[Any, Any]) -> None:
    found = energy(*both, "metric=euclidean")
    turned = energy(both[1][::-1], both[0][::-1], "metric=euclidean")
    assert turned.value == pytest.approx(found.value, rel=1e-9, abs=1e-7)
    assert energy(both[0][::-1], both[1][::-1], "metric=euclidean").value == found.value


@pytest.mark.parametrize("metric", ["angular", "euclidean"])
def test_identical_corpora_are_no_distance_apart(metric: str) -> None:
    rows = np.random.default_rng(0).standard_normal((50, 5))
    score = energy(rows, rows[::-1], f"metric={metric}")
    assert score.value == 0
    # Between is within times (n − 1)/n, since each text meets itself: 2·w·(49/50 − 1) = −w/25.
    assert score.parts["squared"] == pytest.approx(-score.parts["within_reference"] / 25, rel=1e-9)
    assert score.notes[0].startswith("The squared distance is below 0 (-")
    assert energy(rows, rows[::-1], f"metric={metric},unbiased=no").value == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("metric", ["angular", "euclidean"])
def test_one_vector_everywhere(metric: str) -> None:
    score = energy(np.full((9, 3), 0.1), np.full((4, 3), 0.1), f"metric={metric}")
    assert score.value == 0
    assert {score.parts[part] for part in ("between", "within_reference", "squared", "coefficient")} == {0}


def test_disjoint_corpora_of_one_vector_each() -> None:
    one, other = np.tile([1.0, 0], (20, 1)), np.tile([0, 2.0], (30, 1))
    assert energy(one, other).value == 1  # √(2·½)
    assert energy(one, other, "metric=euclidean").value == pytest.approx(math.sqrt(2 * math.sqrt(5)))


@pytest.mark.parametrize("metric", ["angular", "euclidean"])
def test_grows_with_a_shift(metric: str) -> None:
    draw = np.random.default_rng(1)
    reference, candidate = draw.standard_normal((2, 300, 8))
    shifts = np.arange(1, 6)[:, None] * np.ones(8)
    found = [energy(reference, candidate + shift, f"metric={metric}").value for shift in shifts]
    assert found == sorted(found)
    assert found[0] > 0.3


def test_unequal_sizes() -> None:
    from scipy.spatial.distance import cdist

    draw = np.random.default_rng(2)
    x, y = draw.standard_normal((50, 6)), draw.standard_normal((2850, 6))
    within = sum(cdist(rows, rows).sum() / len(rows) / (len(rows) - 1) for rows in (x, y))
    found = energy(x, y, "metric=euclidean").parts["squared"]
    assert found == pytest.approx(2 * cdist(x, y).mean() - within, rel=1e-9)
    squared = [
        energy(draw.standard_normal((20, 3)), draw.standard_normal((200, 3))).parts["squared"]
        for _ in range(150)
    ]
    # Unbiased: the mean over draws is 0 within three standard errors.
    assert abs(np.mean(squared)) < 3 * np.std(squared) / math.sqrt(len(squared))


def test_one_text() -> None:
    alone, two = np.array([[1.0, 2]]), np.array([[1.0, 0], [0, 1]])
    score = energy(alone, two)
    assert math.isnan(score.value)
    assert score.undefined == "the reference has 1 text; at least 2 are needed."
    # With the diagonal, one text has distance 0 to itself: 2·1 − 0 − 0.
    biased = energy(np.array([[1.0]]), np.array([[2.0]]), "metric=euclidean,unbiased=no")
    assert biased.value == math.sqrt(2)


def test_vectors_of_zeros() -> None:
    rows = np.array([[1.0, 0], [0, 0], [0, 1]])
    score = energy(rows, rows[::2])
    assert score.parts["within_reference"] == 0.5
    assert score.notes[1].startswith(
        "1 of 3 texts of the reference have a zero vector, which has no direction"
    )
    left = energy(rows[:2], rows)
    assert left.undefined == "the reference has 1 text with a nonzero vector; at least 2 are needed."
    none = energy(rows, np.zeros((3, 2)))
    assert none.undefined == "all texts of the candidate have a zero vector, which has no direction."
    # With `euclidean`, zero vectors are ordinary points: between 1, 0, 1; within 1 and 0.
    assert energy(np.array([[0.0], [1]]), np.zeros((2, 1)), "metric=euclidean").parts["squared"] == 0


def test_the_longest_and_the_shortest_vectors() -> None:
    longest, shortest = np.finfo(np.float64).max, np.finfo(np.float32).smallest_subnormal
    rows = np.array([[0.0, 1], [1, 0], [1, 1]])
    assert energy(rows * longest, -rows * longest).value == energy(rows, -rows).value
    assert math.isnan(energy(rows * longest, -rows * longest, "metric=euclidean").value)
    short = (rows * shortest).astype(np.float32)
    assert energy(short, -short, "metric=euclidean").value == pytest.approx(
        energy(rows, -rows, "metric=euclidean").value * math.sqrt(shortest), rel=1e-9
    )


@pytest.mark.parametrize("size", [1e-300, 1e-150, 1e150, 1e300])
def test_very_long_and_very_short_vectors(size: float) -> None:
    draw = np.random.default_rng(3)
    reference, candidate = draw.standard_normal((5, 3)), draw.standard_normal((6, 3)) + 2
    for metric, factor in (("angular", 1.0), ("euclidean", size)):
        found = energy(reference * size, candidate * size, f"metric={metric}").parts
        expected = energy(reference, candidate, f"metric={metric}").parts
        assert found["squared"] == pytest.approx(expected["squared"] * factor, rel=1e-9)


def test_paper_equals_the_formula_of_ibm(shared: Path) -> None:
    for texts in (100, 700):
        reference, candidate = (rows.astype(np.float64) for rows in real(shared, texts))
        found = energy(reference, candidate, "preset=paper")
        assert found.value == pytest.approx(ibm_energy(reference, candidate), rel=1e-7)
        assert found.options == {"metric": "angular", "unbiased": False}


def test_float32_vectors_have_the_digits_of_float64(shared: Path) -> None:
    reference, candidate = (rows.astype(np.float32) for rows in real(shared, 700))
    for metric in ("angular", "euclidean"):
        narrow = energy(reference, candidate, f"metric={metric}").parts
        wide = energy(reference.astype(np.float64), candidate.astype(np.float64), f"metric={metric}").parts
        assert narrow["between"] == pytest.approx(wide["between"], rel=1e-9)
        assert narrow["squared"] == pytest.approx(wide["squared"], rel=1e-7)


@pytest.mark.parametrize("metric", ["angular", "euclidean"])
def test_torch_gives_the_same(metric: str, shared: Path) -> None:
    pytest.importorskip("torch")
    both = [rows.astype(np.float32) for rows in real(shared, 400)]
    expected = energy(*both, f"metric={metric}", permutations=5)
    found = energy(*both, f"metric={metric}", permutations=5, device="torch")
    assert found.value == pytest.approx(expected.value, rel=1e-5)
    assert found.parts == pytest.approx(expected.parts, rel=1e-5)


def test_chance_makes_no_p_value_small() -> None:
    rows = np.random.default_rng(5).standard_normal((80, 6))
    assert energy(rows[:40], rows[40:], permutations=200).test.p > 0.05
    assert energy(rows[:40], rows[40:] + 1, permutations=200).test.p == 1 / 201


@pytest.mark.parametrize("spec", ["energy:metric=cosine", "energy:unbiased=maybe"])
def test_bad_options(spec: str) -> None:
    with pytest.raises(dy.SpecError):
        dy.compare(np.eye(2), np.eye(2), spec)
