"""`hdd`: by hand, against binomial coefficients, and against peers."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import richness as oracle
from tests.richness import LONG_LISTS, both_roads, chinese, english, kyle, lexicalrichness, mean, value

import distinctly as dy


def test_by_hand() -> None:
    # a a b c, samples of 2: a is missed in 1 of the 6 pairs (b c), b and c in 3 each.
    assert value(list("aabc"), "hdd:sample=2") == pytest.approx((5 / 6 + 1 / 2 + 1 / 2) / 2, rel=1e-14)
    # A sample of all tokens is the text; a sample of one is one type.
    assert value(list("aabc"), "hdd:sample=4") == 3 / 4
    assert value(list("aabc"), "hdd:sample=1") == pytest.approx(1, rel=1e-14)


def test_texts_shorter_than_the_sample_are_left_out() -> None:
    texts = [["a"] * 41, ["a"] * 42]
    score = dy.measure(texts, "hdd")[0]
    assert score.value == 1 / 42
    assert score.notes[0] == "1 of 2 texts do not have at least 42 tokens; they are left out (short=skip)."
    assert math.isnan(dy.measure(texts, "hdd:short=nan")[0].value)
    assert dy.measure(texts, "hdd:short=zero")[0].value == 1 / 84
    alone = dy.measure(texts[:1], "hdd")[0]
    assert math.isnan(alone.value)
    assert alone.undefined == "no text has at least 42 tokens."


@given(texts=LONG_LISTS, sample=st.integers(1, 60))
def test_against_binomial_coefficients(texts: list[list[str]], sample: int) -> None:
    expected = mean([oracle.hdd(one, sample) for one in texts])
    assert both_roads(texts, f"hdd:sample={sample}") == pytest.approx(expected, rel=1e-9, nan_ok=True)
    pooled = oracle.hdd([token for one in texts for token in one], sample)
    assert both_roads(texts, f"hdd:sample={sample},pool=corpus") == pytest.approx(
        pooled, rel=1e-9, nan_ok=True
    )


def test_it_is_rarefied_1() -> None:
    text = ["the cat sat on the mat and the dog sat on the rug " * 5]
    one, other = dy.measure(text, ["hdd:sample=30,pool=corpus", "rarefied:n=1,sample=30"])
    assert one.value == pytest.approx(other.value, rel=1e-12)


def test_it_keeps_its_digits_on_long_texts() -> None:
    # Two types, one of them once in 10⁵ tokens: in a sample of 42 with a probability of exactly
    # 42 / 10⁵. Computed by log-gamma, it would have 6 correct digits.
    tokens = ["a"] * 99_999 + ["b"]
    assert value(tokens, "hdd") * 42 - 1 == pytest.approx(42 / 100_000, rel=1e-12)


@pytest.mark.parametrize("sample", [0, -1])
def test_a_sample_of_nothing_is_refused(sample: int) -> None:
    with pytest.raises(dy.SpecError, match="at least 1"):
        dy.measure(["a"], f"hdd:sample={sample}")


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 3000)
    assert value(text, "hdd") == pytest.approx(lexicalrichness(text).hdd(42), rel=1e-9)
    assert value(text, "hdd:sample=100") == pytest.approx(lexicalrichness(text).hdd(100), rel=1e-9)
    assert value(text, "hdd") == pytest.approx(kyle().hdd(text), rel=1e-9)


def test_the_peers_on_short_text() -> None:
    with pytest.raises(ValueError, match="draws"):
        lexicalrichness(["a"]).hdd(42)
    assert kyle().hdd(["a"]) == 0  # here 0 never means "could not be computed"
