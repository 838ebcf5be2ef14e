"""`mmd`: by hand, against loops over all pairs, and against the formula on whole matrices."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.oracles import pairs as oracle
from tests.pairs import corpora, real

import distinctly as dy
from distinctly.geometry import pair_table


def mmd(reference: Any, candidate: Any, kernel: str = "polynomial", **more: Any) -> dy.Score:
    return dy.compare(reference, candidate, f"mmd:kernel={kernel}", **more)[0]


def test_by_hand() -> None:
    # Kernels (xy + 1)³: within 1 and 27; between 1, 1, 8, 27, so 37/4. 1 + 27 − 2·37/4 = 9.5.
    score = mmd(np.array([[0.0], [1.0]]), np.array([[1.0], [2.0]]))
    assert score.value == 9.5
    assert score.parts == {
        "reference_texts": 2,
        "candidate_texts": 2,
        "between": 9.25,
        "within_reference": 1.0,
        "within_candidate": 27.0,
    }


def test_by_hand_with_a_bandwidth() -> None:
    # 0, 0 and 1, 3: distances that are not 0 are 1, 1, 3, 3, 2; their median 2. k = exp(−d²/8).
    score = mmd(np.array([[0.0], [0.0]]), np.array([[1.0], [3.0]]), "rbf")
    assert score.parts["bandwidth"] == 2
    expected = 1 + math.exp(-4 / 8) - 2 * (math.exp(-1 / 8) + math.exp(-9 / 8)) / 2
    assert score.value == pytest.approx(expected, rel=1e-14)


@given(both=corpora())
def test_polynomial_against_loops(both: tuple[Any, Any]) -> None:
    found = mmd(*both)
    assert found.value == pytest.approx(oracle.mmd(*both, oracle.polynomial), rel=1e-9, abs=1e-12)
    between = oracle.mean_between(*both, oracle.polynomial)
    assert found.parts["between"] == pytest.approx(between, rel=1e-9, abs=1e-12)


@given(both=corpora())
def test_rbf_against_loops(both: tuple[Any, Any]) -> None:
    kernel = oracle.gaussian([*both[0].tolist(), *both[1].tolist()])
    assert mmd(*both, "rbf").value == pytest.approx(oracle.mmd(*both, kernel), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("kernel", ["polynomial", "rbf"])
def test_against_whole_tables_on_real_vectors(kernel: str, shared: Path) -> None:
    both = [rows.astype(np.float32) for rows in real(shared, 700)]
    x, y = (rows.astype(np.float64) for rows in both)
    pooled = np.concatenate([x, y])
    products = pooled @ pooled.T
    squares = np.diag(products)
    apart = np.clip(squares[:, None] + squares - 2 * products, 0, None)
    above = np.sqrt(apart[np.triu_indices(len(pooled), 1)])
    table = (products / 384 + 1) ** 3
    if kernel == "rbf":
        table = np.exp(-apart / (2 * np.median(above[above > 1e-6]) ** 2))
    n = len(x)
    within = [(block.sum() - np.trace(block)) / (n * (n - 1)) for block in (table[:n, :n], table[n:, n:])]
    expected = sum(within) - 2 * table[:n, n:].mean()
    assert mmd(*both, kernel).value == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("kernel", ["polynomial", "rbf"])
def test_identical_corpora_are_below_0(kernel: str) -> None:
    rows = np.random.default_rng(0).standard_normal((50, 5))
    score = mmd(rows, rows[::-1], kernel)
    assert score.value < 0
    assert score.notes[0].startswith("The value is below 0 (-")


@pytest.mark.parametrize("kernel", ["polynomial", "rbf"])
def test_one_vector_everywhere(kernel: str) -> None:
    score = mmd(np.full((9, 3), 0.1), np.full((4, 3), 0.1), kernel)
    assert score.value == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("kernel", ["polynomial", "rbf"])
def test_grows_with_a_shift(kernel: str) -> None:
    draw = np.random.default_rng(1)
    reference, candidate = draw.standard_normal((2, 300, 8))
    found = [mmd(reference, candidate + shift, kernel).value for shift in (0.5, 1.0, 1.5, 2.0)]
    assert found == sorted(found)
    assert found[0] > 0


@pytest.mark.parametrize("kernel", ["polynomial", "rbf"])
def test_can_change_places_and_has_no_order(kernel: str) -> None:
    draw = np.random.default_rng(4)
    one, other = draw.standard_normal((50, 4)), draw.standard_normal((300, 4)) + 0.1
    found = mmd(one, other, kernel).value
    assert mmd(one[::-1], other[::-1], kernel).value == found
    assert mmd(other, one, kernel).value == pytest.approx(found, rel=1e-9)


def test_unequal_sizes() -> None:
    draw = np.random.default_rng(2)
    x, y = draw.standard_normal((50, 6)), draw.standard_normal((2850, 6))
    own, other = ((rows @ rows.T / 6 + 1) ** 3 for rows in (x, y))
    within = sum((table.sum() - np.trace(table)) / len(table) / (len(table) - 1) for table in (own, other))
    expected = within - 2 * ((x @ y.T / 6 + 1) ** 3).mean()
    assert mmd(x, y).value == pytest.approx(expected, rel=1e-9)
    found = [mmd(draw.standard_normal((20, 3)), draw.standard_normal((200, 3))).value for _ in range(150)]
    # Unbiased: the mean over draws is 0 within three standard errors.
    assert abs(np.mean(found)) < 3 * np.std(found) / math.sqrt(len(found))


def test_many_texts_have_the_median_of_drawn_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(6)
    reference, candidate = draw.standard_normal((300, 8)), draw.standard_normal((200, 8)) + 0.3
    exact = mmd(reference, candidate, "rbf")
    monkeypatch.setattr(pair_table, "ALL_PAIRS_UP_TO", 400)
    drawn = mmd(reference, candidate, "rbf")
    # The standard error of a median of 32,768 is about 1.25/√32768 = 0.7 % of the spread, itself 25 % here.
    assert drawn.parts["bandwidth"] == pytest.approx(exact.parts["bandwidth"], rel=0.01)
    assert drawn.parts["bandwidth"] != exact.parts["bandwidth"]
    assert drawn.notes[0] == "The bandwidth is the median over 32,768 random pairs of texts."
    assert mmd(reference[::-1], candidate[::-1], "rbf").value == drawn.value
    assert mmd(candidate, reference, "rbf").parts["bandwidth"] == drawn.parts["bandwidth"]


def test_too_few_texts() -> None:
    score = mmd(np.array([[1.0, 2]]), np.eye(2))
    assert math.isnan(score.value)
    assert score.undefined.startswith("the reference has 1 text")


def test_vectors_that_are_too_long() -> None:
    score = mmd(np.eye(2) * 1e200, np.eye(2) * -1e200)
    assert math.isnan(score.value)
    assert score.undefined.startswith("a sum over pairs overflows")
    assert mmd(np.eye(3) * 1e200, np.eye(3) * -1e200, "rbf").value == pytest.approx(
        mmd(np.eye(3), -np.eye(3), "rbf").value, rel=1e-12
    )


def test_vectors_of_very_different_lengths() -> None:
    near = np.array([[0.0], [1e-200], [2e-200]])
    score = mmd(near, np.array([[0.0], [1e-200], [1.0]]), "rbf")
    assert math.isnan(score.value) == (score.undefined is not None)


def test_kid_is_the_default() -> None:
    rows = np.random.default_rng(7).standard_normal((2, 20, 3))
    assert dy.compare(*rows, "mmd:preset=kid")[0].value == dy.compare(*rows, "mmd")[0].value


@pytest.mark.parametrize("kernel", ["polynomial", "rbf"])
def test_torch_gives_the_same(kernel: str, shared: Path) -> None:
    pytest.importorskip("torch")
    both = [rows.astype(np.float32) for rows in real(shared, 400)]
    expected = mmd(*both, kernel, permutations=5)
    found = mmd(*both, kernel, permutations=5, device="torch")
    assert found.value == pytest.approx(expected.value, rel=1e-5)
    assert found.parts == pytest.approx(expected.parts, rel=1e-5)


def test_bad_options() -> None:
    with pytest.raises(dy.SpecError):
        dy.compare(np.eye(2), np.eye(2), "mmd:kernel=cosine")
