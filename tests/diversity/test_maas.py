"""`maas`: by hand, against the formula, and against peers with their logarithms."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from tests.richness import LONG_LISTS, chinese, english, kyle, lexicalrichness, mean, value

import distinctly as dy


def oracle(tokens: list[str]) -> float:
    types, total = len(set(tokens)), len(tokens)
    return (math.log(total) - math.log(types)) / math.log(total) ** 2 if total > 1 else math.nan


def test_by_hand() -> None:
    # 4 types of 8 tokens: log 2 / (3·log 2)² = 1 / (9·log 2).
    assert value(list("aabbccdd"), "maas") == pytest.approx(1 / (9 * math.log(2)), rel=1e-12)
    assert value(list("aabbccdd"), "maas:log=10") == pytest.approx(1 / (9 * math.log10(2)), rel=1e-12)
    assert value(list("abc"), "maas") == 0


def test_one_token_is_undefined() -> None:
    score = dy.measure([["a"]], "maas")[0]
    assert math.isnan(score.value)
    assert score.undefined == "no text has at least 2 tokens."


def test_the_presets_are_the_two_logarithms() -> None:
    scores = dy.measure(["a a b"], ["maas:preset=lexicalrichness", "maas:preset=kyle"])
    assert [score.options["log"] for score in scores] == ["natural", "10"]


@given(texts=LONG_LISTS)
def test_a_mean_over_texts_against_the_formula(texts: list[list[str]]) -> None:
    expected = mean([oracle(one) for one in texts])
    assert dy.measure(texts, "maas")[0].value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@given(texts=LONG_LISTS)
def test_a_corpus_against_the_formula(texts: list[list[str]]) -> None:
    expected = oracle([token for one in texts for token in one])
    assert dy.measure(texts, "maas:pool=corpus")[0].value == pytest.approx(
        expected, rel=1e-9, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 3000)
    assert value(text, "maas:preset=lexicalrichness") == pytest.approx(lexicalrichness(text).Maas, rel=1e-9)
    assert value(text, "maas:preset=kyle") == pytest.approx(kyle().maas_ttr(text), rel=1e-9)
    # The two values differ: natural logarithms, and logarithms of base 10.
    assert value(text, "maas:log=10") == pytest.approx(math.log(10) * value(text, "maas"), rel=1e-9)
