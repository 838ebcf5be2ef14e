"""`simpson`: by hand, against the formula, and against a peer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from tests.richness import LONG_LISTS, chinese, english, lexicalrichness, mean, value

import distinctly as dy


def oracle(tokens: list[str]) -> float:
    pairs = sum(count * (count - 1) for count in Counter(tokens).values())
    return pairs / (len(tokens) * (len(tokens) - 1)) if len(tokens) > 1 else math.nan


def test_by_hand() -> None:
    # a a b c: 2 of 4·3 ordered pairs are equal.
    assert value(list("aabc"), "simpson") == pytest.approx(2 / 12, rel=1e-15)
    assert value(list("ab"), "simpson") == 0
    assert value(list("aa"), "simpson") == 1


def test_one_token_is_undefined() -> None:
    score = dy.measure([["a"]], "simpson")[0]
    assert math.isnan(score.value)
    assert score.undefined == "no text has at least 2 tokens."


@given(texts=LONG_LISTS)
def test_a_mean_over_texts_against_the_formula(texts: list[list[str]]) -> None:
    expected = mean([oracle(one) for one in texts])
    assert dy.measure(texts, "simpson")[0].value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@given(texts=LONG_LISTS)
def test_a_corpus_against_the_formula(texts: list[list[str]]) -> None:
    expected = oracle([token for one in texts for token in one])
    assert dy.measure(texts, "simpson:pool=corpus")[0].value == pytest.approx(
        expected, rel=1e-9, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 3000)
    assert value(text, "simpson") == pytest.approx(lexicalrichness(text).simpsond, rel=1e-9)
