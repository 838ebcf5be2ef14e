"""`chamfer`: by hand, against all pairs, and over more than one block."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from tests.oracles import vectors as oracle
from tests.strategies import VECTORS

import distinctly as dy
from distinctly.geometry import blocks


def test_by_hand() -> None:
    # (1,0), (0,1), (−1,0): the nearest are at 1, 1 and 1; with (1,0) again, at 0, 1, 1 and 0.
    vectors = np.array([[1.0, 0], [0, 3], [-2, 0]])
    assert dy.measure(vectors, "chamfer")[0].value == 1
    again = dy.measure(np.vstack([vectors, [[1.0, 0]]]), "chamfer")[0]
    assert again.value == 0.5
    assert again.parts["repeated"] == 2


@given(rows=VECTORS)
def test_against_all_pairs(rows: list[list[int]]) -> None:
    value = dy.measure(np.array(rows, float), "chamfer")[0].value
    assert value == pytest.approx(oracle.chamfer(rows), rel=1e-9, abs=1e-12, nan_ok=True)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).standard_normal((90, 5))
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = units @ units.T - 3 * np.eye(90)
    expected = (1 - cosines.max(axis=1)).mean()
    for size in (7, 30, 2048):
        monkeypatch.setattr(blocks, "BLOCK", size)
        assert dy.measure(rows, "chamfer")[0].value == pytest.approx(expected, rel=1e-9)


def test_more_texts_are_nearer(shared: Path) -> None:
    rows = np.load(shared / "embeddings" / "clinc150-minilm.npz")["vectors"]
    few, many = (dy.measure(rows[:n], "chamfer")[0].value for n in (300, 3000))
    assert many < few
    assert dy.metric("chamfer").sized == "texts"


def test_one_text_has_no_other() -> None:
    score = dy.measure(np.ones((1, 3)), "chamfer")[0]
    assert math.isnan(score.value)
    assert score.undefined == "there is only one text; at least two are needed."
