"""`similarity_hill`, also written `hill:similarity=…`: by hand, against all pairs, and its special cases."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import vectors as oracle
from tests.strategies import FULL_TOKEN_LISTS, VECTORS

import distinctly as dy
from distinctly.geometry import blocks

ORDERS = st.sampled_from([0, 0.5, 0.995, 1, 1.005, 2, 3.5, math.inf])


def hill(texts: Any, q: float = 1, *, similarity: str = "vectors", device: str = "cpu", **more: Any) -> float:
    options = "".join(f",{name}={value}" for name, value in more.items())
    return dy.measure(texts, f"hill:similarity={similarity},q={q}{options}", device=device)[0].value


def test_by_hand() -> None:
    # (1,0) twice, (0,1) and (1,1): p = ½, ¼, ¼; cosines 0, √½, √½.
    # Zp = ½ + √½/4, ¼ + √½/4 and √½/2 + √½/4 + ¼.
    vectors = np.array([[1.0, 0], [3, 0], [0, 2], [1, 1]])
    vectors[1] = vectors[0]
    root = math.sqrt(0.5)
    ordinary = [0.5 + root / 4, 0.25 + root / 4, 0.75 * root + 0.25]
    assert hill(vectors, 0) == pytest.approx(0.5 / ordinary[0] + 0.25 / ordinary[1] + 0.25 / ordinary[2])
    one = ordinary[0] ** -0.5 * ordinary[1] ** -0.25 * ordinary[2] ** -0.25
    assert hill(vectors, 1) == pytest.approx(one, rel=1e-12)
    two = 1 / (0.5 * ordinary[0] + 0.25 * ordinary[1] + 0.25 * ordinary[2])
    assert hill(vectors, 2) == pytest.approx(two, rel=1e-12)
    assert hill(vectors, math.inf) == pytest.approx(1 / ordinary[2], rel=1e-12)


def test_opposite_texts_have_nothing_in_common() -> None:
    # The cosine −1 counts as 0, so both texts are species of their own.
    assert hill(np.array([[1.0, 0], [-1, 0]])) == pytest.approx(2, rel=1e-12)


def test_ngrams_by_hand() -> None:
    # "a b" and "a c" twice, cosine ½: p = ⅓, ⅔; Zp = ⅔, ⅚; order 2: 1/(⅓·⅔ + ⅔·⅚) = 9/7.
    texts = ["a b", "a c", "a c"]
    assert hill(texts, 2, similarity="ngrams", max_n=1) == pytest.approx(9 / 7, rel=1e-12)
    # With max_n=2 the bigrams differ, and the cosine is ¼: Zp = ½, ¾; 1/(⅓·½ + ⅔·¾) = 3/2.
    assert hill(texts, 2, similarity="ngrams", max_n=2) == pytest.approx(3 / 2, rel=1e-12)


@given(rows=VECTORS, q=ORDERS)
def test_against_all_pairs(rows: list[list[int]], q: float) -> None:
    value = hill(np.array(rows, float), q)
    assert value == pytest.approx(oracle.similarity_hill(rows, q), rel=1e-9, nan_ok=True)


@given(texts=FULL_TOKEN_LISTS, q=ORDERS, max_n=st.integers(1, 3))
def test_ngrams_against_all_pairs(texts: list[list[str]], q: float, max_n: int) -> None:
    value = hill(texts, q, similarity="ngrams", max_n=max_n)
    assert value == pytest.approx(oracle.ngram_hill(texts, max_n, q), rel=1e-9)


@given(kinds=st.lists(st.integers(0, 5), min_size=1, max_size=20), q=ORDERS)
def test_without_similarities_it_is_the_hill_number_of_the_shares(kinds: list[int], q: float) -> None:
    # `hill` of one-word texts is that of the shares of the words.
    texts = [f"w{kind}" for kind in kinds]
    plain = dy.measure(texts, f"hill:q={q}")[0].value
    assert hill(np.eye(6)[kinds], q) == pytest.approx(plain, rel=1e-9)
    assert hill(texts, q, similarity="ngrams") == pytest.approx(plain, rel=1e-9)
    assert len(Counter(kinds)) + 1e-9 >= plain


def test_a_copy_in_another_direction_of_reading_changes_nothing() -> None:
    # Splitting a species into two that are identical changes nothing: vectors of other lengths are such.
    vectors = np.array([[1.0, 2.0], [1.0, 2.0], [-2.0, 1.0]])
    for q in (0, 1, 2, math.inf):
        assert hill(vectors * [[1], [4], [1]], q) == pytest.approx(hill(vectors, q), rel=1e-12)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).standard_normal((90, 5))
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    expected = np.exp(-np.log(np.clip(units @ units.T, 0, 1).mean(axis=1)).mean())
    for size in (7, 30, 2048):
        monkeypatch.setattr(blocks, "BLOCK", size)
        assert hill(rows) == pytest.approx(expected, rel=1e-9)


def test_large_float32_tables_are_computed_in_double_precision() -> None:
    rows = np.random.default_rng(0).standard_normal((700, 16)).astype(np.float32)
    units = rows.astype(np.float64) / np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    expected = np.exp(-np.log(np.clip(units @ units.T, 0, 1).mean(axis=1)).mean())
    assert hill(rows) == pytest.approx(expected, rel=1e-12)


def test_torch_gives_the_same() -> None:
    pytest.importorskip("torch")
    rows = np.random.default_rng(0).standard_normal((300, 16)).astype(np.float32)
    assert hill(rows, 2, device="torch") == pytest.approx(hill(rows, 2), rel=1e-9)


def test_high_orders_do_not_underflow() -> None:
    # Two kinds without a common direction, ¾ and ¼: order q is ¾^(−q/(q−1)) as q grows.
    vectors = np.eye(2)[[0, 0, 0, 1]]
    for q in (2000, 1e6, 1e300):
        assert hill(vectors, q) == pytest.approx(0.75 ** (-q / (q - 1)), rel=1e-9)


def test_more_texts_have_more() -> None:
    rows = np.random.default_rng(0).standard_normal((1000, 8))
    values = [hill(rows[:n], 0) for n in (20, 100, 1000)]
    assert values == sorted(values)
    assert dy.metric("similarity_hill").sized == "texts"


def test_the_spec_of_hill_names_it() -> None:
    scores = dy.measure(["a b", "a c"], ["hill:similarity=ngrams,q=2", "hill:q=2"])
    assert scores["hill:similarity=ngrams,q=2"].metric == "similarity_hill"
    assert scores["hill:q=2"].metric == "hill"
    assert scores["hill:similarity=ngrams,q=2"].signature.startswith("similarity_hill|similarity:ngrams|q:2|")
    assert dy.metric("hill:similarity=vectors") == dy.SimilarityHill()
    assert dy.metric("leinster_cobbold:q=2") == dy.SimilarityHill(q=2)
    with pytest.raises(dy.SpecError, match="'n' of 'similarity_hill'"):
        dy.metric("hill:similarity=vectors,n=2")
    with pytest.raises(dy.SpecError, match="vectors | ngrams"):
        dy.metric("hill:similarity=words")


def test_zero_vectors_and_empty_texts_are_left_out() -> None:
    score = dy.measure(np.array([[1.0, 0], [0, 0], [0, 1]]), "similarity_hill")[0]
    assert score.value == pytest.approx(2, rel=1e-12)
    assert score.parts == {"texts": 3, "zero_vectors": 1, "dimensions": 2}
    assert "1 of 3 texts have a zero vector" in score.notes[0]
    score = dy.measure(["a", "", "b"], "similarity_hill:similarity=ngrams")[0]
    assert score.value == pytest.approx(2, rel=1e-12)
    assert score.parts == {"texts": 3, "skipped_texts": 1}
