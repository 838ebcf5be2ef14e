"""`summer`: by hand, against the formula, and against a peer."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from tests.richness import LONG_LISTS, chinese, english, lexicalrichness, mean, value

import distinctly as dy


def oracle(tokens: list[str]) -> float:
    types = len(set(tokens))
    return math.log(math.log(types)) / math.log(math.log(len(tokens))) if types > 1 else math.nan


def test_by_hand() -> None:
    # 4 types of 8 tokens: log log 4 / log log 8 = 0.326634 / 0.732099.
    assert value(list("aabbccdd"), "summer") == pytest.approx(0.326634 / 0.732099, rel=1e-5)
    assert value(list("abc"), "summer") == 1
    # 2 types of 3 tokens: log log 2 is negative.
    assert value(list("aab"), "summer") == pytest.approx(-0.366513 / 0.094048, rel=1e-5)


@pytest.mark.parametrize("text", [["a"], ["a", "a", "a"]])
def test_one_type_is_undefined(text: list[str]) -> None:
    score = dy.measure([text], "summer")[0]
    assert math.isnan(score.value)
    assert score.undefined == "no text has at least 2 distinct tokens."


@given(texts=LONG_LISTS)
def test_a_mean_over_texts_against_the_formula(texts: list[list[str]]) -> None:
    expected = mean([oracle(one) for one in texts])
    assert dy.measure(texts, "summer")[0].value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@given(texts=LONG_LISTS)
def test_a_corpus_against_the_formula(texts: list[list[str]]) -> None:
    expected = oracle([token for one in texts for token in one])
    assert dy.measure(texts, "summer:pool=corpus")[0].value == pytest.approx(
        expected, rel=1e-9, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 3000)
    assert value(text, "summer") == pytest.approx(lexicalrichness(text).Summer, rel=1e-9)
