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


def test_orders_whose_powers_underflow() -> None:
    # 999 times "a" and 1001 other words once: p = 0.4995, and 1/2000 of each other; p^400 is 1e-121, and
    # p^2000 underflows. The others add less than 1e-200 of it, so the number is p^(−q/(q−1)).
    texts = [["a"] * 999 + [f"w{i}" for i in range(1001)]]
    for q in (400, 2000, 1e5, 1e300):
        assert dy.measure(texts, f"hill:q={q}")[0].value == pytest.approx(0.4995 ** (-q / (q - 1)), rel=1e-12)
    assert dy.measure(texts, "hill:q=inf")[0].value == pytest.approx(1 / 0.4995, rel=1e-12)


@given(texts=FULL_TOKEN_LISTS, q=st.floats(8, 1e6))
def test_high_orders_lie_between_the_order_below_and_the_limit(texts: list[list[str]], q: float) -> None:
    below, value, limit = (
        score.value for score in dy.measure(texts, ["hill:q=7", f"hill:q={q}", "hill:q=inf"])
    )
    assert below * (1 + 1e-12) >= value >= limit * (1 - 1e-12)


@pytest.mark.parametrize("q", [1 - 1e-9, 1 + 1e-9, 1 + 1e-14])
def test_orders_near_one_lose_no_digits(q: float) -> None:
    # The number changes by less than q − 1, relative to order 1, times the variance of log p (about 1).
    near, one = dy.measure([list("aabcddddde")], [f"hill:q={q}", "hill"])
    assert near.value == pytest.approx(one.value, rel=2e-9)


def test_the_same_in_texts_draws_and_intervals() -> None:
    texts = [["a"] * 5 + [f"w{i}", f"v{i}"] for i in range(40)]
    pooled, at_size, by_text = dy.measure(
        texts, ["hill:q=1000", "hill:q=1000,at=140", "hill:q=1000,pool=text"]
    )
    # p = 5/7 of "a" everywhere: (5/7)^(−1000/999).
    expected = (5 / 7) ** (-1000 / 999)
    assert [pooled.value, at_size.value, by_text.value] == pytest.approx([expected] * 3, rel=1e-12)
    uneven = [["a"] * (i % 5) + [f"w{i}"] for i in range(40)]
    high, limit = dy.measure(uneven, ["hill:q=10000", "hill:q=inf"], interval=True)
    assert None not in (high.low, high.high, limit.low, limit.high)
    assert high.high == pytest.approx(limit.high, rel=1e-3)
    assert high.low == pytest.approx(limit.low, rel=1e-3)
