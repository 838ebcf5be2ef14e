"""`dugast`: by hand, against the formula, and against a peer."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from tests.richness import LONG_LISTS, chinese, english, lexicalrichness, mean, value

import distinctly as dy


def oracle(tokens: list[str]) -> float:
    types, total = len(set(tokens)), len(tokens)
    return math.log(total) ** 2 / (math.log(total) - math.log(types)) if types < total else math.nan


def test_by_hand() -> None:
    # 4 types of 8 tokens: (log 8)² / (log 8 − log 4) = 9·log 2.
    assert value(list("aabbccdd"), "dugast") == pytest.approx(9 * math.log(2), rel=1e-12)
    # One type: (log 3)² / log 3.
    assert value(list("aaa"), "dugast") == pytest.approx(math.log(3), rel=1e-12)


@pytest.mark.parametrize("text", [["a"], ["a", "b", "c"]])
def test_all_different_would_be_infinite(text: list[str]) -> None:
    score = dy.measure([text], "dugast")[0]
    assert math.isnan(score.value)
    assert score.undefined == "no text has a repeated token."


def test_the_peer_raises_there() -> None:
    with pytest.raises(ZeroDivisionError):
        _ = lexicalrichness(["a", "b"]).Dugast


@given(texts=LONG_LISTS)
def test_a_mean_over_texts_against_the_formula(texts: list[list[str]]) -> None:
    expected = mean([oracle(one) for one in texts])
    assert dy.measure(texts, "dugast")[0].value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@given(texts=LONG_LISTS)
def test_a_corpus_against_the_formula(texts: list[list[str]]) -> None:
    expected = oracle([token for one in texts for token in one])
    assert dy.measure(texts, "dugast:pool=corpus")[0].value == pytest.approx(
        expected, rel=1e-9, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 3000)
    assert value(text, "dugast") == pytest.approx(lexicalrichness(text).Dugast, rel=1e-9)
    assert value(text, "dugast") == pytest.approx(1 / value(text, "maas"), rel=1e-12)
