"""`vendi`: by hand, against the whole matrix and Jacobi rotations, and against vendi-score."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import vectors as oracle
from tests.strategies import FULL_TOKEN_LISTS, VECTORS

import distinctly as dy
from distinctly.geometry import ngram_spectrum

# vendi-score uses deprecated functions of scipy.
pytestmark = pytest.mark.filterwarnings("ignore:Please import:DeprecationWarning")

ORDERS = st.sampled_from([0, 0.5, 1, 2, 3.5, math.inf])


def vendi(texts: Any, q: float = 1, *, device: str = "cpu", **more: Any) -> float:
    options = "".join(f",{name}={value}" for name, value in more.items())
    return dy.measure(texts, f"vendi:q={q}{options}", device=device)[0].value


@pytest.fixture(scope="module")
def peer() -> Any:
    return pytest.importorskip("vendi_score.vendi")


def test_by_hand() -> None:
    # Two kinds, 3 of one and 1 of the other: λ = ¾, ¼. exp H = 4 / 3^¾; Σλ² = 10/16; the largest ¾.
    vectors = np.array([[2.0, 0], [1, 0], [5, 0], [0, 1]])
    assert vendi(vectors, 0) == 2
    assert vendi(vectors, 1) == pytest.approx(4 / 3**0.75, rel=1e-14)
    assert vendi(vectors, 2) == pytest.approx(1.6, rel=1e-14)
    assert vendi(vectors, math.inf) == pytest.approx(4 / 3, rel=1e-14)


def test_orthogonal_texts_count_each_and_one_text_counts_one() -> None:
    assert vendi(np.eye(7)) == pytest.approx(7, rel=1e-12)
    assert vendi(np.full((50, 3), 0.1)) == 1
    assert vendi(np.full((1, 3), 0.1)) == 1


@given(rows=VECTORS, q=ORDERS)
def test_against_the_whole_matrix(rows: list[list[int]], q: float) -> None:
    value = vendi(np.array(rows, float), q)
    assert value == pytest.approx(oracle.vendi(rows, q), rel=1e-9, nan_ok=True)


@given(texts=FULL_TOKEN_LISTS, q=ORDERS, max_n=st.integers(1, 3))
def test_ngrams_against_the_whole_matrix(texts: list[list[str]], q: float, max_n: int) -> None:
    value = vendi(texts, q, kernel="ngram", max_n=max_n)
    assert value == pytest.approx(oracle.ngram_vendi(texts, max_n, q), rel=1e-9)


def test_both_matrices_have_the_same_eigenvalues() -> None:
    # With 40 texts, the matrix of texts is used in 64 dimensions, and the matrix of dimensions in 8.
    rows = np.random.default_rng(0).standard_normal((40, 8))
    wide = np.hstack([rows, np.zeros((40, 56))])
    for q in (1, 2, math.inf):
        assert vendi(wide, q) == pytest.approx(vendi(rows, q), rel=1e-12)


@pytest.mark.parametrize("rows", [40, 700])  # fewer texts than dimensions, and more
def test_torch_gives_the_same(rows: int) -> None:
    pytest.importorskip("torch")
    vectors = np.random.default_rng(0).standard_normal((rows, 64)).astype(np.float32)
    vectors[0], vectors[1] = 0, vectors[2]
    for q in (0, 1, 2, math.inf):
        assert vendi(vectors, q, device="torch") == pytest.approx(vendi(vectors, q), rel=1e-9)


def test_against_vendi_score_on_real_vectors(peer: Any, shared: Path) -> None:
    rows = np.load(shared / "embeddings" / "banking77-minilm.npz")["vectors"].astype(np.float64)
    for n in (200, 1000):  # fewer texts than dimensions, and more
        # 0.0.3: score_dual uses q, score_X ignores it.
        assert vendi(rows[:n]) == pytest.approx(peer.score_X(rows[:n]), rel=1e-9)
        assert vendi(rows[:n], 2) == pytest.approx(peer.score_dual(rows[:n], q=2), rel=1e-9)
        assert vendi(rows[:n], math.inf) == pytest.approx(peer.score_dual(rows[:n], q="inf"), rel=1e-9)


def test_against_vendi_score_on_real_texts(peer: Any, shared: Path) -> None:
    pytest.importorskip("wordllama")
    with (shared / "banking77.jsonl").open(encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line, _ in zip(file, range(600))]
    from distinctly.embedders import find_embedder

    rows = find_embedder("wordllama").embed(texts).astype(np.float64)
    assert vendi(texts) == pytest.approx(peer.score_dual(rows), rel=1e-9)


def test_score_x_of_vendi_score_ignores_q(peer: Any) -> None:
    # λ = ¾, ¼: order 2 is 1 / (9/16 + 1/16) = 1.6; score_X gives 4 / 3^¾ = 1.75… for any q.
    vectors = np.array([[1.0, 0], [1, 0], [1, 0], [0, 1]])
    assert peer.score_X(vectors, q=2) == pytest.approx(4 / 3**0.75)
    assert vendi(vectors, 2) == pytest.approx(1.6, rel=1e-14)


def test_ngram_kernel_against_vendi_score(peer: Any, shared: Path) -> None:
    """Return text_utils.ngram_vendi_score, copied since its module needs torch, on the same tokens."""
    sklearn_text = pytest.importorskip("sklearn.feature_extraction.text")
    normalize = pytest.importorskip("sklearn.preprocessing").normalize
    with (shared / "banking77.jsonl").open(encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line, _ in zip(file, range(300))]
    texts = [
        text for text in texts if len(text.split()) >= 4
    ]  # there, shorter texts have no similarity to themselves
    kernels = []
    for n in (1, 2, 3, 4):
        vectorizer = sklearn_text.CountVectorizer(
            tokenizer=str.split, token_pattern=None, ngram_range=(n, n), lowercase=False
        )
        counts = normalize(vectorizer.fit_transform(texts))
        kernels.append((counts @ counts.T).toarray())
    expected = peer.score_K(np.mean(kernels, axis=0))
    found = dy.measure(texts, "vendi:kernel=ngram", tokenizer="whitespace")[0]
    assert found.value == pytest.approx(expected, rel=1e-9)
    compiled = dy.measure(texts, "vendi:kernel=ngram", tokenizer="whitespace", compiled=True)[0]
    assert compiled.value == found.value


def test_the_ngram_kernel_sees_tokens_and_needs_no_embedder() -> None:
    score = dy.measure(["a b", "a c"], "vendi:kernel=ngram,max_n=1", embedder="no such embedder")[0]
    assert "|tok:words" in score.signature
    # Cosine ½: λ = ¾, ¼.
    assert score.value == pytest.approx(4 / 3**0.75, rel=1e-14)


def test_too_many_texts_for_ngrams_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ngram_spectrum, "MOST_TEXTS", 2)
    score = dy.measure(["a", "b", "c"], "vendi:kernel=ngram")[0]
    assert math.isnan(score.value)
    assert "too many for kernel=ngram" in score.undefined
    assert dy.measure(["a", "b", "b"], "vendi:kernel=ngram,q=0")[0].value == 2


@pytest.mark.parametrize(
    "spec", ["vendi:q=-1", "vendi:kernel=ngram,max_n=0", "vendi:q=nan", "vendi:kernel=rbf"]
)
def test_bad_options(spec: str) -> None:
    with pytest.raises(dy.SpecError):
        dy.measure(["a"], spec)


def test_an_infinite_order_is_a_word_in_json() -> None:
    scores = dy.measure(np.eye(2), "vendi:q=inf")
    assert json.loads(json.dumps(scores.to_dict(), allow_nan=False))["scores"][0]["options"]["q"] == "inf"
