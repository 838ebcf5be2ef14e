"""`magnitude`: by hand, against elimination, against the inverse, and with points that are copies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import vectors as oracle
from tests.strategies import VECTORS

import distinctly as dy
from distinctly.geometry import blocks, magnitudes


def magnitude(texts: Any, distance: str = "cosine", scale: float = 1, device: str = "cpu") -> float:
    spec = f"magnitude:distance={distance},scale={scale}"
    return dy.measure(texts, spec, device=device)[0].value


def test_by_hand() -> None:
    # Two points at the distance d have 2 / (1 + e^(−td)); three at the same distance 3 / (1 + 2e^(−td)).
    vectors = np.array([[1.0, 0], [0, 3]])
    assert magnitude(vectors) == pytest.approx(2 / (1 + math.exp(-1)), rel=1e-12)
    assert magnitude(vectors, scale=2.5) == pytest.approx(2 / (1 + math.exp(-2.5)), rel=1e-12)
    assert magnitude(vectors, "euclidean") == pytest.approx(2 / (1 + math.exp(-math.sqrt(10))), rel=1e-12)
    assert magnitude(np.eye(3)) == pytest.approx(3 / (1 + 2 * math.exp(-1)), rel=1e-12)
    assert magnitude(np.eye(3) * 2, "euclidean") == pytest.approx(3 / (1 + 2 * math.exp(-math.sqrt(8))))


def test_points_on_a_line() -> None:
    # On a line, neighbours at the distances d add tanh(d/2) each to the first point (Leinster, 2013, 2.3.3).
    points = np.array([[1.0], [1.5], [3.5], [4.0]])
    expected = 1 + sum(math.tanh(gap / 2) for gap in (0.5, 2, 0.5))
    assert magnitude(points, "euclidean") == pytest.approx(expected, rel=1e-12)


def test_copies_count_once() -> None:
    rows = np.random.default_rng(0).standard_normal((20, 4))
    twice = np.concatenate([rows, rows[::-1]])
    for distance in ("cosine", "euclidean"):
        assert magnitude(twice, distance) == magnitude(rows, distance)
    score = dy.measure(twice, "magnitude")[0]
    assert (score.parts["texts"], score.parts["points"]) == (40, 20)


def test_copies_up_to_rounding_count_once() -> None:
    # In other lengths, and in other orders of addition, the direction is the same.
    rows = np.random.default_rng(0).standard_normal((20, 4)).astype(np.float32)
    alike = np.concatenate([rows, rows * np.float32(3), rows * np.float32(0.1)])
    score = dy.measure(alike, "magnitude")[0]
    assert score.parts["points"] == 20
    assert score.value == pytest.approx(magnitude(rows), rel=1e-6)
    assert magnitude(np.full((5, 2), 0.3) * [[1], [3], [7], [11], [13]]) == pytest.approx(1, abs=1e-12)


@given(rows=VECTORS, scale=st.sampled_from([0.25, 1, 6]), distance=st.sampled_from(["cosine", "euclidean"]))
def test_against_elimination(rows: list[list[int]], scale: float, distance: str) -> None:
    value = magnitude(np.array(rows, float), distance, scale)
    assert value == pytest.approx(oracle.magnitude(rows, distance, scale), rel=1e-9, nan_ok=True)


def test_against_the_inverse_over_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).standard_normal((90, 5))
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    by_cosine = np.linalg.inv(np.exp(units @ units.T - 1)).sum()
    by_distance = np.linalg.inv(np.exp(-np.linalg.norm(rows[:, None] - rows, axis=2))).sum()
    for size in (7, 30, 2048):
        monkeypatch.setattr(blocks, "BLOCK", size)
        # The inverse loses half of the digits: its condition number is 1e5.
        assert magnitude(rows) == pytest.approx(by_cosine, rel=1e-8)
        assert magnitude(rows, "euclidean") == pytest.approx(by_distance, rel=1e-9)


def test_torch_gives_the_same() -> None:
    pytest.importorskip("torch")
    rows = np.random.default_rng(0).standard_normal((100, 8)).astype(np.float32)
    for distance in ("cosine", "euclidean"):
        expected = magnitude(rows, distance)
        assert magnitude(rows, distance, device="torch") == pytest.approx(expected, rel=1e-9)


def test_a_larger_scale_resolves_more_points() -> None:
    rows = np.random.default_rng(0).standard_normal((40, 6))
    values = [magnitude(rows, scale=scale) for scale in (1e-6, 0.1, 1, 10, 1000)]
    assert values == sorted(values)
    assert values[0] == pytest.approx(1, rel=1e-4)
    assert values[-1] == pytest.approx(40, rel=1e-3)


def test_long_vectors_are_far_apart() -> None:
    assert magnitude(np.eye(3) * 1e200, "euclidean") == 3
    assert magnitude(np.eye(3) * 1e-200, "euclidean") == pytest.approx(1)


def test_too_many_points_are_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(magnitudes, "MOST_TEXTS", 2)
    score = dy.measure(np.eye(3), "magnitude")[0]
    assert math.isnan(score.value)
    assert score.undefined.startswith("more than 2 texts are distinct, too many for a matrix of all pairs")
    assert dy.measure(np.eye(3)[[0, 1, 1]], "magnitude")[0].value == pytest.approx(2 / (1 + 1 / math.e))


def test_options() -> None:
    assert dy.metric("magnitude").sized == "texts"
    for spec in ("magnitude:scale=0", "magnitude:scale=inf", "magnitude:distance=angular"):
        with pytest.raises(dy.SpecError):
            dy.metric(spec)


@pytest.mark.parametrize("distance", ["cosine", "euclidean"])
def test_zero_vectors_are_left_out(distance: str) -> None:
    score = dy.measure(np.array([[1.0, 0], [0, 0], [0, 1]]), f"magnitude:distance={distance}")[0]
    assert score.value == pytest.approx(magnitude(np.eye(2), distance), rel=1e-12)
    assert score.parts == {"texts": 3, "zero_vectors": 1, "dimensions": 2, "points": 2}
