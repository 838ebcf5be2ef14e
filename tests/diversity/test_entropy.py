"""`entropy`: by hand, against the sum over terms, and the corrections."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import ngrams as oracle
from tests.strategies import FULL_TOKEN_LISTS

import distinctly as dy


def test_equal_chances_give_log2_n() -> None:
    # An article claims that entropy grows with log Distinct; with equal probabilities it is log2 N: here 8
    # words that occur twice each have 3 bits, while Distinct is 0.5.
    score = dy.measure([list("abcdefgh") * 2], "entropy:n=1")[0]
    assert (score.value, score.parts["normalised"]) == (3.0, 1.0)


def test_by_hand() -> None:
    # a a b c: −(½·−1 + ¼·−2 + ¼·−2) = 1.5 bits of at most log2 3.
    texts = [["a", "a", "b", "c"]]
    scores = dy.measure(texts, ["entropy:n=1", "entropy:n=1,correction=miller-madow"])
    assert scores[0].value == 1.5
    assert scores[0].parts["normalised"] == pytest.approx(1.5 / math.log2(3), rel=1e-15)
    # (N−1)/(2·C·ln 2) = 2 / (8·0.693147…)
    assert scores[1].value == pytest.approx(1.5 + 2 / (8 * math.log(2)), rel=1e-15)


def test_chao_shen_by_hand() -> None:
    # a a b: C = 3, f1 = 1, K = 2/3; Kp = 4/9 and 2/9; terms −Kp·log2(Kp) / (1 − (1−Kp)³).
    expected = -(4 / 9) * math.log2(4 / 9) / (1 - (5 / 9) ** 3) - (2 / 9) * math.log2(2 / 9) / (
        1 - (7 / 9) ** 3
    )
    assert dy.measure([["a", "a", "b"]], "entropy:n=1,correction=chao-shen")[0].value == pytest.approx(
        expected, rel=1e-14
    )


def test_one_ngram_alone_has_no_entropy_and_no_normalised_one() -> None:
    score = dy.measure(["a a a"], "entropy:n=1")[0]
    assert math.copysign(1, score.value) == 1
    assert score.value == 0
    assert math.isnan(score.parts["normalised"])
    assert "normalised" in score.notes[0]


@given(texts=FULL_TOKEN_LISTS, n=st.integers(1, 3))
def test_against_the_sum_over_terms(texts: list[list[str]], n: int) -> None:
    scores = dy.measure(texts, [f"entropy:n={n}", f"entropy:n={n},correction=chao-shen"])
    assert scores[0].value == pytest.approx(oracle.entropy(texts, n), rel=1e-9, abs=1e-12, nan_ok=True)
    assert scores[1].value == pytest.approx(oracle.chao_shen(texts, n), rel=1e-9, abs=1e-12, nan_ok=True)
