"""Common properties of `frechet`, `medoid`, `median`, `ttest` and `sliced_wasserstein`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.distance.vector_pairs import Rows, compare, pairs, real

import distinctly as dy
from distinctly import arrays
from distinctly.geometry import sorted_columns
from distinctly.geometry.medians import MedianIndex
from distinctly.geometry.projections import ProjectionIndex
from distinctly.geometry.spreads import SpreadIndex
from distinctly.statistics.pairing import PairIndex
from distinctly.views.vectors import VectorTable

NAMES = ["frechet", "medoid", "median", "ttest", "ttest:preset=paper", "sliced_wasserstein:directions=20"]
few = settings(max_examples=20)  # for each of six specs
every_one = pytest.mark.parametrize("spec", NAMES)


@every_one
@few
@given(both=pairs(), data=st.data())
def test_order_changes_nothing_and_sides_can_change_places(
    spec: str, both: tuple[Rows, Rows], data: Any
) -> None:
    score = compare(*both, spec)
    shuffled = [data.draw(st.permutations(rows)) for rows in both]
    assert compare(*shuffled, spec).to_dict() == score.to_dict()
    turned = compare(both[1], both[0], spec).value
    assert turned == pytest.approx(score.value, rel=1e-9, abs=1e-12, nan_ok=True)


@every_one
@few
@given(both=pairs())
def test_undefined_or_within_bounds(spec: str, both: tuple[Rows, Rows]) -> None:
    score = compare(*both, spec, permutations=2)
    if math.isnan(score.value):
        assert score.undefined is not None
    else:
        assert score.value >= 0
        assert 0 < score.test.p <= 1


@every_one
def test_a_mean_that_moves_away_is_seen(shared: Path, spec: str) -> None:
    # One half of a corpus, moved farther and farther in a direction orthogonal to its mean.
    rows, others = real(shared, "clinc150", 600), real(shared, "clinc150", 600, 4000)
    away = np.random.default_rng(0).standard_normal(384).astype(np.float32)
    centre = rows.mean(axis=0)
    away -= centre * (away @ centre) / (centre @ centre)
    away /= np.linalg.norm(away)
    found = [dy.compare(rows, others + step * away, spec)[0].value for step in (0, 0.15, 0.3, 0.6, 1.2)]
    assert (np.diff(found) > 0).all()


@every_one
def test_identical_and_unequal_corpora(shared: Path, spec: str) -> None:
    rows, others = real(shared, "clinc150", 2850), real(shared, "banking77", 50)
    assert dy.compare(rows[:900], rows[:900], spec)[0].value == 0
    few = dy.compare(others, rows, spec, permutations=19)[0]
    assert math.isfinite(few.value)
    assert few.value > 0
    assert few.test.p == pytest.approx(1 / 20)  # the smallest possible p: every permutation is nearer


@every_one
def test_texts_again_and_again(shared: Path, spec: str) -> None:
    one = np.repeat(real(shared, "clinc150", 3), 40, axis=0)
    other = np.repeat(real(shared, "banking77", 2), 30, axis=0)
    assert 0 < dy.compare(one, other, spec)[0].value < math.inf


@every_one
def test_vectors_of_two_dimensions_are_refused(spec: str) -> None:
    with pytest.raises(dy.InputError, match="one dimension in all corpora, got 3 and 2"):
        compare(np.ones((4, 3)), np.ones((4, 2)), spec)


@every_one
def test_nothing_to_compare(spec: str) -> None:
    score = compare(np.zeros((0, 3)), np.ones((4, 3)), spec)
    assert score.undefined == "the reference has no texts."


@every_one
@pytest.mark.parametrize("sizes", [(60, 60), (450, 400)])
def test_torch_gives_the_same(shared: Path, spec: str, sizes: tuple[int, int]) -> None:
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)  # more threads block each other while other tests run
    one, other = real(shared, "clinc150", sizes[0]), real(shared, "banking77", sizes[1])
    expected = dy.compare(one, other, spec, permutations=2)[0]
    found = dy.compare(one, other, spec, permutations=2, device="torch")[0]
    assert found.value == pytest.approx(expected.value, rel=1e-9)
    assert found.parts == pytest.approx(dict(expected.parts), rel=1e-9)


@every_one
def test_one_block_or_many(shared: Path, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = real(shared, "clinc150", 500), real(shared, "banking77", 450)
    expected = dy.compare(one, other, spec, permutations=5)[0]
    monkeypatch.setattr(arrays, "CPU_BLOCK", 1_500_000)
    found = dy.compare(one, other, spec, permutations=5)[0]
    assert found.value == pytest.approx(expected.value, rel=1e-9)
    assert found.test.p == expected.test.p


def indices(vectors: np.ndarray[Any, Any]) -> list[PairIndex[Any]]:
    drawn = np.random.default_rng(0).standard_normal((4, vectors.shape[1]))
    table = VectorTable(vectors)
    return [SpreadIndex(table), MedianIndex(table), ProjectionIndex(vectors, drawn, 1.0)]


@pytest.mark.parametrize("place", range(3))
@given(rows=pairs(most=8), data=st.data())
def test_many_pairs_are_as_one_by_one(place: int, rows: tuple[Rows, Rows], data: Any) -> None:
    vectors = np.array(rows[0] + rows[1], float)
    index = indices(vectors)[place]
    orders = data.draw(st.lists(st.permutations(range(len(vectors))), min_size=1, max_size=4))
    cuts = [data.draw(st.integers(1, len(vectors) - 1)) for _ in orders]
    chosen = [(np.array(order[:cut]), np.array(order[cut:])) for order, cut in zip(orders, cuts)]
    for pair, found in zip(chosen, index.each(chosen)):
        assert columns(found) == pytest.approx(columns(index.summarize(*pair)), rel=1e-9, abs=1e-12)


def test_a_pool_too_large_to_keep_sorted_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).standard_normal((30, 3))
    expected = compare(rows[:10], rows[10:], "median", permutations=50).parts
    monkeypatch.setattr(sorted_columns, "MOST_KEPT", 100)
    assert compare(rows[:10], rows[10:], "median", permutations=50).parts == expected


def columns(found: Any) -> np.ndarray[Any, Any]:
    """Return all numbers of a summary as one array."""
    parts = found if isinstance(found, tuple) else (found,)
    return np.concatenate([np.ravel(number) for part in parts for number in vars(part).values()])
