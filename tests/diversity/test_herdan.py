"""`herdan`: by hand, against the formula, and against peers."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from tests.richness import LONG_LISTS, chinese, english, kyle, lexicalrichness, mean, value

import distinctly as dy


def oracle(tokens: list[str]) -> float:
    return math.log(len(set(tokens))) / math.log(len(tokens)) if len(tokens) > 1 else math.nan


def test_by_hand() -> None:
    # 4 types of 8 tokens: log 4 / log 8 = 2/3; all different: 1; all the same: 0.
    assert value(list("aabbccdd"), "herdan") == pytest.approx(2 / 3, rel=1e-15)
    assert value(list("abc"), "herdan") == 1
    assert value(list("aaa"), "herdan") == 0


def test_one_token_is_undefined() -> None:
    score = dy.measure([["a"], []], "herdan")[0]
    assert math.isnan(score.value)
    assert score.undefined == "no text has at least 2 tokens."
    some = dy.measure([["a"], ["a", "a", "b"]], "herdan")[0]
    assert some.value == math.log(2) / math.log(3)
    assert some.notes[0] == "1 of 2 texts do not have at least 2 tokens; they are left out (short=skip)."
    one = dy.measure([["a"], []], "herdan:pool=corpus")[0]
    assert one.undefined == "the texts together do not have at least 2 tokens."


@given(texts=LONG_LISTS)
def test_a_mean_over_texts_against_the_formula(texts: list[list[str]]) -> None:
    expected = mean([oracle(one) for one in texts])
    assert dy.measure(texts, "herdan")[0].value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@given(texts=LONG_LISTS)
def test_a_corpus_against_the_formula(texts: list[list[str]]) -> None:
    expected = oracle([token for one in texts for token in one])
    assert dy.measure(texts, "herdan:pool=corpus")[0].value == pytest.approx(
        expected, rel=1e-9, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 3000)
    assert value(text, "herdan") == pytest.approx(lexicalrichness(text).Herdan, rel=1e-9)
    assert value(text, "herdan") == pytest.approx(kyle().log_ttr(text), rel=1e-9)
