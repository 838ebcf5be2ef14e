"""`rarefied`: by hand, against integer combinatorics, and against random samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import ngrams as oracle
from tests.strategies import FULL_TOKEN_LISTS

import distinctly as dy
from distinctly.statistics.rarefaction import seen_in_sample


def test_by_hand() -> None:
    # a a b c, two of four: pairs aa, ab, ab, ac, ac, bc; distinct 1, 2, 2, 2, 2, 2: 11/6 of 2.
    assert dy.measure([["a", "a", "b", "c"]], "rarefied:n=1,sample=2")[0].value == pytest.approx(11 / 12)


def test_at_its_own_size_it_is_distinct() -> None:
    texts = ["the cat sat", "the cat ran", "a dog ran"]
    for n in (1, 2):
        plain = dy.measure(texts, f"distinct:n={n}")[0].value
        # Three texts of three tokens.
        assert dy.measure(texts, f"rarefied:n={n},sample={9 if n == 1 else 6}")[0].value == plain


@given(texts=FULL_TOKEN_LISTS, n=st.integers(1, 2), sample=st.integers(1, 30))
def test_against_whole_numbers(texts: list[list[str]], n: int, sample: int) -> None:
    score = dy.measure(texts, f"rarefied:n={n},sample={sample}")[0]
    assert score.value == pytest.approx(oracle.rarefied(texts, n, sample), rel=1e-9, nan_ok=True)


def test_a_corpus_smaller_than_the_sample_has_no_value() -> None:
    score = dy.measure(["a b c"], "rarefied:n=2,sample=5")[0]
    assert math.isnan(score.value)
    assert score.undefined == "there are 2 2-grams, fewer than sample=5: choose a smaller sample."
    with pytest.raises(dy.SpecError, match="at least 1"):
        dy.measure(["a"], "rarefied:n=1,sample=0")


def test_the_sample_is_a_number_and_required() -> None:
    for spec in ("rarefied", "rarefied:n=1"):
        with pytest.raises(dy.SpecError, match="Expected option 'sample' of 'rarefied'"):
            dy.measure(["a b c"], spec)
    with pytest.raises(dy.SpecError, match="Expected `sample` of 'rarefied' to be a whole number"):
        dy.measure(["a b c"], "rarefied:n=1,sample=common")
    # A sample of n-grams, not of texts: `at` and `unit` are for metrics that draw texts.
    with pytest.raises(dy.SpecError, match="Unknown option 'at' of 'rarefied'"):
        dy.measure(["a b c"], "rarefied:n=1,sample=2,at=2")


def test_the_same_sample_of_a_larger_corpus_beside_it_is_no_other_value() -> None:
    small, large = ["a b c a", "b c d d"], ["a b c d", "e f g h", "a b e f"]
    alone = dy.measure(small, "rarefied:n=1,sample=4")[0].value
    scores = dy.measure({"small": small, "large": large}, "rarefied:n=1,sample=4")
    assert scores.select(corpus="small")[0].value == alone
    assert [score.spec for score in scores] == ["rarefied:n=1,sample=4"] * 2


def test_large_counts_keep_their_digits() -> None:
    # One word of a million occurs once: a sample of half contains it with a probability of exactly ½.
    chances = seen_in_sample(np.array([1, 2, 999_999]), 1_000_000, 500_000)
    assert chances[0] == pytest.approx(0.5, rel=1e-15)
    # 1 − (C−s)(C−s−1) / (C(C−1)), in integers.
    assert chances[1] == pytest.approx(1 - 500_000 * 499_999 / (1_000_000 * 999_999), rel=1e-12)
    assert chances[2] == 1.0
