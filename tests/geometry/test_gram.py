"""`PairSums`: many pairs equal single pairs, all paths agree, and doubtful pairs are exact."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import pairs as oracle
from tests.pairs import corpora

from distinctly import arrays
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.embedders.given import GivenVectors
from distinctly.geometry import gram, pair_table
from distinctly.geometry.gram import Of, PairSums, Sums
from distinctly.statistics.pool import Pool
from distinctly.views.rows import Rows
from distinctly.views.vectors import VectorView

ALL: tuple[Of, ...] = get_args(Of)


def index_of(rows: Any, of: Of, device: str = "cpu") -> Any:
    pool = Pool(Rows(Batch.of_vectors(rows), RunConfig(device=device)))
    return PairSums(VectorView(GivenVectors.of([rows])), of).index(pool)


def assert_close(found: Sums, expected: Sums, within: float = 1e-9) -> None:
    assert (found.texts, found.zeros, found.drawn_pairs) == (
        expected.texts,
        expected.zeros,
        expected.drawn_pairs,
    )
    for name in ("between", "within", "own", "bandwidth"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), rel=within, abs=1e-15), name


@pytest.mark.parametrize("of", ALL)
@settings(max_examples=30)
@given(both=corpora(), seed=st.integers(0, 99))
def test_many_pairs_equal_single_pairs(of: Of, both: tuple[Any, Any], seed: int) -> None:
    rows = np.concatenate(both)
    draw = np.random.default_rng(seed)
    pairs = []
    for _ in range(12):  # of any sizes, overlapping or not
        order = draw.permutation(len(rows))
        cut = int(draw.integers(1, len(rows)))
        pairs.append((order[:cut], order[cut:] if draw.random() < 0.5 else order[cut // 2 : len(rows) - 1]))
    shuffles = [(order[:3], order[3:]) for order in (draw.permutation(len(rows)) for _ in range(5))]
    for drawn in (pairs, shuffles):
        chosen = [pair for pair in drawn if len(pair[0]) and len(pair[1])]
        index = index_of(rows, of)
        for found, pair in zip(index.each(chosen), chosen, strict=True):
            assert_close(found, index.summarize(*pair))


@pytest.mark.parametrize("of", ALL)
def test_one_pass_over_the_table_in_float32(of: Of, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_table, "FEW", 0)
    draw = np.random.default_rng(0)
    rows = draw.standard_normal((300, 16)).astype(np.float32)
    shuffles = [(order[:140], order[140:]) for order in (draw.permutation(300) for _ in range(20))]
    halves = [(order[:80], order[80:200]) for order in (draw.permutation(300) for _ in range(20))]
    for pairs in (shuffles, halves):
        index = index_of(rows, of)
        for found, pair in zip(index.each(pairs[:4] if of == "rbf" else pairs), pairs):
            # Cubes of sums in float32, whose last digits depend on the BLAS library.
            assert_close(found, index.summarize(*pair), within=1e-8)


@pytest.mark.parametrize("of", ALL)
def test_blocks_of_any_size(of: Of, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(1).standard_normal((90, 5))
    first, second = np.arange(40), np.arange(35, 90)
    shuffles = [(first, second[5:]), (second[5:], first)] * 40
    whole = index_of(rows, of).summarize(first, second)
    shuffled = list(index_of(rows, of).each(shuffles))
    monkeypatch.setattr(arrays, "CPU_BLOCK", 4 * 90 * 7)
    monkeypatch.setattr(pair_table, "TILE", 9)
    monkeypatch.setattr(pair_table, "SQUARE", 3)
    monkeypatch.setattr(gram, "SELECTIONS", 16 * 90 * 11)
    assert_close(index_of(rows, of).summarize(first, second), whole)
    for found, expected in zip(index_of(rows, of).each(shuffles), shuffled, strict=True):
        assert_close(found, expected)


@pytest.mark.parametrize("of", ["angular", "euclidean"])
@pytest.mark.parametrize("near", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("compiled", [False, True])
def test_nearly_equal_vectors_keep_their_digits(
    of: Of, near: float, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In float32, a cosine of 1 − 1e-7 gives an angle of 4e-4 or 0."""
    monkeypatch.setattr(pair_table, "FEW", 0)
    monkeypatch.setattr(pair_table, "COMPILED_FROM", 0 if compiled else 10**9)
    draw = np.random.default_rng(2)
    value = oracle.angular if of == "angular" else oracle.euclidean
    for spread in (0, 1):  # 0: all vectors are near, most pairs are in doubt; 1: few pairs are
        places = np.array([3.0, 4, 5]) + spread * draw.standard_normal((12, 3))
        rows = (places + near * draw.standard_normal((12, 3))).astype(np.float32)
        rows = np.concatenate([rows, rows[:4] * np.float32(1 + near), rows[:2] * np.float32(-1 - near)])
        first, second = np.arange(9), np.arange(9, 18)
        found = index_of(rows, of).summarize(first, second)
        exact = rows.astype(np.float64).tolist()
        assert found.mean_between() == pytest.approx(
            oracle.mean_between(exact[:9], exact[9:], value), rel=1e-6
        )
        assert found.mean_within(0) == pytest.approx(
            oracle.mean_within(exact[:9], value, unbiased=True), rel=1e-6
        )


@given(both=corpora())
def test_compiled_path_agrees(both: tuple[Any, Any]) -> None:
    rows = np.concatenate(both)
    first, second = np.arange(len(both[0])), np.arange(len(both[0]), len(rows))
    plain = index_of(rows, "angular").summarize(first, second)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pair_table, "COMPILED_FROM", 0)
        assert_close(index_of(rows, "angular").summarize(first, second), plain)


@pytest.mark.parametrize("of", ALL)
def test_torch_agrees(of: Of, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(pair_table, "FEW", 0)
    draw = np.random.default_rng(3)
    for kind in (np.float64, np.float32):
        rows = draw.standard_normal((200, 6)).astype(kind)
        rows[150:] = rows[:50] + kind(1e-4)
        first, second = np.arange(80), np.arange(80, 200)
        pairs = [(order[:80], order[80:]) for order in (draw.permutation(200) for _ in range(9))]
        expected = [index_of(rows, of).summarize(first, second), *index_of(rows, of).each(pairs)]
        index = index_of(rows, of, "torch")
        found = [index.summarize(first, second), *index.each(pairs)]
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other, 1e-8)


def test_equal_vectors_are_multiplied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that occurs a thousand times is multiplied once."""
    rows = np.concatenate([np.tile([[1.0, 2.0]], (1000, 1)), np.tile([[2.0, 1.0]], (1000, 1))])
    shapes = []
    monkeypatch.setattr(
        arrays.Device,
        "products",
        lambda self, one, other: shapes.append(len(one) * len(other)) or one @ other.T,
    )
    found = index_of(rows, "angular").summarize(np.arange(1000), np.arange(1000, 2000))
    assert max(shapes) == 1
    # cos = 4/5.
    assert found.mean_between() == pytest.approx(np.arccos(0.8) / np.pi, rel=1e-14)
    assert found.mean_within(0) == 0
