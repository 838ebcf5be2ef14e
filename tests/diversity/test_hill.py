"""`hill`: by hand, its known orders, and against the sum over terms."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import ngrams as oracle
from tests.strategies import FULL_TOKEN_LISTS

import distinctly as dy


def test_by_hand() -> None:
    # a a b c: p = ½, ¼, ¼. Order 2: 1 / (¼ + 1/16 + 1/16) = 8/3; order ∞: 1/½.
    scores = dy.measure([list("aabc")], ["hill:q=0", "hill:q=2", "hill:q=inf", "hill:q=0.5"])
    assert [score.value for score in scores[:3]] == pytest.approx([3, 8 / 3, 2])
    # (√½ + 2·½)²
    assert scores[3].value == pytest.approx((math.sqrt(0.5) + 1) ** 2)


def test_order_one_is_the_exponential_of_the_entropy() -> None:
    texts = ["the cat sat on the mat", "the dog"]
    hill, entropy = dy.measure(texts, ["hill", "entropy:n=1"])
    assert hill.value == pytest.approx(2**entropy.value)


@given(texts=FULL_TOKEN_LISTS, q=st.sampled_from([0, 0.5, 1, 2, 3.5, math.inf]))
def test_against_the_sum_over_terms(texts: list[list[str]], q: float) -> None:
    assert dy.measure(texts, f"hill:q={q}")[0].value == pytest.approx(oracle.hill(texts, 1, q), rel=1e-9)


def test_a_negative_order_is_refused() -> None:
    with pytest.raises(dy.SpecError, match="at least 0"):
        dy.measure(["a"], "hill:q=-1")
