"""`dcscore`: by hand, against the softmax of all pairs, and as a diversity of order 0."""

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
from distinctly.geometry import blocks


def dcscore(texts: Any, temperature: float = 1, device: str = "cpu") -> float:
    return dy.measure(texts, f"dcscore:temperature={temperature}", device=device)[0].value


def test_by_hand() -> None:
    # Cosines of (1,0), (0,1), (0,1): the first row has e, 1, 1; the others 1, e, e.
    e = math.e
    vectors = np.array([[1.0, 0], [0, 3], [0, 3]])
    assert dcscore(vectors) == pytest.approx(e / (e + 2) + 2 * e / (2 * e + 1), rel=1e-12)
    # With τ = ½ e is replaced by e².
    assert dcscore(vectors, 0.5) == pytest.approx(e**2 / (e**2 + 2) + 2 * e**2 / (2 * e**2 + 1), rel=1e-12)


def test_equal_texts_count_one_and_at_a_low_temperature_each_counts() -> None:
    assert dcscore(np.full((50, 3), 0.1)) == pytest.approx(1, rel=1e-12)
    assert dcscore(np.full((1, 3), 0.1)) == 1
    # Orthogonal: each has the probability 1 / (1 + 6·e^(−1/τ)); e^(−1000) is 0.
    assert dcscore(np.eye(7)) == pytest.approx(7 / (1 + 6 / math.e), rel=1e-12)
    assert dcscore(np.eye(7), 0.001) == 7


@given(rows=VECTORS, temperature=st.sampled_from([0.05, 0.5, 1, 4]))
def test_against_the_softmax_of_all_pairs(rows: list[list[int]], temperature: float) -> None:
    value = dcscore(np.array(rows, float), temperature)
    assert value == pytest.approx(oracle.dcscore(rows, temperature), rel=1e-9, nan_ok=True)


@given(rows=VECTORS)
def test_it_is_the_diversity_of_order_0_of_exponential_similarities(rows: list[list[int]]) -> None:
    placed = oracle.with_direction(rows)
    similarities = [[math.exp(oracle.cosine(x, y) - 1) for y in placed] for x in placed]
    expected = oracle.leinster_cobbold([1] * len(placed), similarities, 0)
    assert dcscore(np.array(rows, float)) == pytest.approx(expected, rel=1e-9, nan_ok=True)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).standard_normal((90, 5))
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    powers = np.exp(units @ units.T)
    expected = (powers.diagonal() / powers.sum(axis=1)).sum()
    for size in (7, 30, 2048):
        monkeypatch.setattr(blocks, "BLOCK", size)
        assert dcscore(rows) == pytest.approx(expected, rel=1e-9)


def test_against_the_released_function() -> None:
    """Compare with calculate_dcscore_by_embedding of BlueWhaleLab/DCScore: torch's softmax of the cosines."""
    torch = pytest.importorskip("torch")
    rows = np.random.default_rng(0).standard_normal((60, 8))
    units = torch.nn.functional.normalize(torch.from_numpy(rows), dim=1)
    for temperature in (1, 0.2):
        expected = torch.diag((units @ units.T / temperature).softmax(dim=-1)).sum().item()
        assert dcscore(rows, temperature) == pytest.approx(expected, rel=1e-9)
        assert dcscore(rows, temperature, "torch") == pytest.approx(expected, rel=1e-9)


def test_with_temperature_1_it_has_a_ceiling() -> None:
    # Two opposite halves: half of the cosines are −1, so a row has n/2·(e + 1/e).
    rows = np.array([[1.0], [-1.0]] * 500)
    assert dcscore(rows) == pytest.approx(2 / (1 + math.exp(-2)), rel=1e-12)
    assert dcscore(np.eye(2000)) == pytest.approx(2000 / (1 + 1999 / math.e), rel=1e-12)
    assert dcscore(np.eye(2000)) < math.e


def test_options() -> None:
    assert dy.metric("dcscore:tau=0.5") == dy.Dcscore(temperature=0.5)
    assert dy.metric("dcscore").sized == "texts"
    for spec in ("dcscore:tau=0", "dcscore:temperature=inf", "dcscore:at=20"):
        with pytest.raises(dy.SpecError):
            dy.metric(spec)


def test_zero_vectors_are_left_out() -> None:
    score = dy.measure(np.array([[1.0, 0], [0, 0], [0, 1]]), "dcscore")[0]
    assert score.value == pytest.approx(2 / (1 + 1 / math.e), rel=1e-12)
    assert score.parts == {"texts": 3, "zero_vectors": 1, "dimensions": 2}
