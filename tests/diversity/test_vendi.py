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
from distinctly.geometry import blocks, gaussian_spectrum, ngram_similarities, ngram_spectrum

# vendi-score uses deprecated functions of scipy.
pytestmark = pytest.mark.filterwarnings("ignore:Please import:DeprecationWarning")

ORDERS = st.sampled_from([0, 0.5, 0.995, 1, 1.005, 2, 3.5, math.inf])


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
    for q in (1, 2):
        expected = vendi(vectors, q, kernel="rbf", sigma=4)
        assert vendi(vectors, q, kernel="rbf", sigma=4, device="torch") == pytest.approx(expected, rel=1e-9)


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
    # Order 2 needs no eigenvalues.
    assert dy.measure(["a", "b", "c"], "vendi:kernel=ngram,q=2")[0].value == pytest.approx(3, rel=1e-12)


def test_rbf_by_hand() -> None:
    # Two texts at the distance √2, with σ = 1: k = e^(−1), λ = (1 ± 1/e)/2; order 2: 1/Σλ² = 2/(1 + 1/e²).
    k = math.exp(-1)
    larger, smaller = (1 + k) / 2, (1 - k) / 2
    vectors = np.array([[1.0, 0], [0, 1]])
    expected = math.exp(-larger * math.log(larger) - smaller * math.log(smaller))
    assert vendi(vectors, 1, kernel="rbf", sigma=1) == pytest.approx(expected, rel=1e-12)
    assert vendi(vectors, 2, kernel="rbf", sigma=1) == pytest.approx(2 / (1 + k**2), rel=1e-12)
    assert vendi(vectors, math.inf, kernel="rbf", sigma=1) == pytest.approx(1 / larger, rel=1e-12)
    # Vectors are taken as they are: twice as long, they are twice as far apart.
    assert vendi(2 * vectors, 2, kernel="rbf", sigma=2) == pytest.approx(2 / (1 + k**2), rel=1e-12)


@given(rows=VECTORS, q=ORDERS, sigma=st.sampled_from([0.5, 1.5]))
def test_rbf_against_the_whole_matrix(rows: list[list[int]], q: float, sigma: float) -> None:
    value = vendi(np.array(rows, float), q, kernel="rbf", sigma=sigma)
    assert value == pytest.approx(oracle.rbf_vendi(rows, sigma, q), rel=1e-9, nan_ok=True)


def test_rke_is_one_over_the_mean_squared_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).standard_normal((90, 5))
    kernel = np.exp(-((rows[:, None] - rows) ** 2).sum(axis=2) / (2 * 0.7**2))
    for size in (7, 2048):
        monkeypatch.setattr(blocks, "BLOCK", size)
        score = dy.measure(rows, "vendi:preset=rke")[0]
        assert score.value == pytest.approx(1 / (kernel**2).mean(), rel=1e-9)
    assert dy.metric("vendi:preset=rke") == dy.Vendi(q=2, kernel="rbf")
    assert score.signature.startswith("vendi|q:2|kernel:rbf|sigma:0.7|emb:")


@pytest.mark.parametrize("rows", [40, 700])  # fewer texts than dimensions, and more
@pytest.mark.parametrize("kernel", ["cosine", "rbf"])
def test_order_2_equals_that_of_the_eigenvalues(rows: int, kernel: str) -> None:
    vectors = np.random.default_rng(0).standard_normal((rows, 64)).astype(np.float32)
    vectors[1] = vectors[2]
    # Beside q = 2, the orders are computed from the eigenvalues; they change little from 2 to 2 ± 1e-8.
    below, above = (vendi(vectors, q, kernel=kernel) for q in (2 - 1e-8, 2 + 1e-8))
    assert vendi(vectors, 2, kernel=kernel) == pytest.approx((below + above) / 2, rel=1e-9)


def test_order_2_of_ngrams_equals_that_of_the_eigenvalues(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(0)
    texts = [draw.choice(list("abcdefgh"), draw.integers(1, 9)).tolist() for _ in range(120)]
    below, above = (vendi(texts, q, kernel="ngram") for q in (2 - 1e-8, 2 + 1e-8))
    for at_once in (1000, 10_000_000):
        monkeypatch.setattr(ngram_similarities, "PAIRS_AT_ONCE", at_once)
        assert vendi(texts, 2, kernel="ngram") == pytest.approx((below + above) / 2, rel=1e-9)


def test_random_features_approximate_the_kernel_beyond_a_number_of_texts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = np.random.default_rng(0).standard_normal((400, 4))
    exact = dy.measure(rows, "vendi:kernel=rbf,sigma=1")[0]
    assert not any("approximate" in note for note in exact.notes)
    monkeypatch.setattr(gaussian_spectrum, "EXACT_UP_TO", 399)
    scores = dy.measure(rows, [f"vendi:kernel=rbf,sigma=1,features={n},seed=3" for n in (20, 500)])
    errors = [abs(score.value / exact.value - 1) for score in scores]
    # The error of an entry of the kernel is about 1/√features: 22 % with 20, 4 % with 500.
    assert errors[0] > 0.3
    assert errors[1] < 0.1
    assert scores[1].notes[-1] == (
        "The value is approximate: more than 399 texts are distinct, so the kernel is that of 500 random "
        "Fourier features (seed=3). It is too low: take q=2, which is exact, or fewer texts, as in "
        "at=1000texts."
    )
    assert scores[1].notes[-1].level == "warning"
    assert "|sigma:1|features:500|seed:3|" in scores[1].signature
    shuffled = dy.measure(rows[::-1], "vendi:kernel=rbf,sigma=1,features=500,seed=3")[0]
    assert shuffled.value == scores[1].value
    other = dy.measure(rows, "vendi:kernel=rbf,sigma=1,features=500,seed=4")[0]
    assert other.value != scores[1].value
    # Large orders depend on the largest eigenvalues alone, which features represent well.
    near = dy.measure(rows, "vendi:kernel=rbf,sigma=1,q=inf,features=500")[0].value
    monkeypatch.undo()
    assert near == pytest.approx(dy.measure(rows, "vendi:kernel=rbf,sigma=1,q=inf")[0].value, rel=0.02)


def test_order_2_is_exact_for_any_number_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).standard_normal((40, 4))
    expected = dy.measure(rows, "vendi:preset=rke")[0]
    monkeypatch.setattr(gaussian_spectrum, "EXACT_UP_TO", 10)
    assert dy.measure(rows, "vendi:preset=rke")[0].to_dict() == expected.to_dict()


def test_features_of_copies_are_weighted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaussian_spectrum, "EXACT_UP_TO", 0)
    # Two points, far apart, ¾ and ¼: features of a large number of frequencies are nearly orthogonal.
    vectors = np.array([[9.0, 0], [9, 0], [9, 0], [0, 9]])
    assert vendi(vectors, 1, kernel="rbf", features=500) == pytest.approx(4 / 3**0.75, rel=1e-2)


def test_features_and_seed_are_options_only_where_they_are_used() -> None:
    assert dy.metric("vendi:kernel=cosine,features=9,seed=5") == dy.Vendi()
    assert dy.metric("vendi:preset=rke,features=9,seed=5") == dy.Vendi(q=2, kernel="rbf")
    assert dy.metric("vendi:kernel=rbf,features=9,seed=5").shown_options.keys() >= {"features", "seed"}
    assert dy.metric("vendi:preset=rke,at=50texts,seed=5").shown_options["seed"] == 5


@pytest.mark.parametrize(
    "spec",
    [
        *("vendi:q=-1", "vendi:kernel=ngram,max_n=0", "vendi:q=nan", "vendi:kernel=laplacian"),
        *("vendi:kernel=rbf,sigma=0", "vendi:kernel=rbf,sigma=inf", "vendi:kernel=rbf,features=0"),
    ],
)
def test_bad_options(spec: str) -> None:
    with pytest.raises(dy.SpecError):
        dy.measure(["a"], spec)


def test_an_infinite_order_is_a_word_in_json() -> None:
    scores = dy.measure(np.eye(2), "vendi:q=inf")
    assert json.loads(json.dumps(scores.to_dict(), allow_nan=False))["scores"][0]["options"]["q"] == "inf"
