"""`corrected_ttr`: by hand, against the formula, and against a peer."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from tests.richness import LONG_LISTS, chinese, english, lexicalrichness, mean, value

import distinctly as dy


def oracle(tokens: list[str]) -> float:
    return len(set(tokens)) / math.sqrt(2 * len(tokens)) if tokens else math.nan


def test_by_hand() -> None:
    # a b: 2 types, √(2·2) = 2; a b a b c d e f: 6 types, √16 = 4.
    assert value(list("ab"), "corrected_ttr") == 1
    assert value(list("ababcdef"), "corrected_ttr") == 6 / 4


@given(texts=LONG_LISTS)
def test_a_mean_over_texts_against_the_formula(texts: list[list[str]]) -> None:
    expected = mean([oracle(one) for one in texts])
    assert dy.measure(texts, "corrected_ttr")[0].value == pytest.approx(
        expected, rel=1e-9, abs=1e-12, nan_ok=True
    )


@given(texts=LONG_LISTS)
def test_a_corpus_against_the_formula(texts: list[list[str]]) -> None:
    expected = oracle([token for one in texts for token in one])
    assert dy.measure(texts, "corrected_ttr:pool=corpus")[0].value == pytest.approx(
        expected, rel=1e-9, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 3000)
    assert value(text, "corrected_ttr") == pytest.approx(lexicalrichness(text).cttr, rel=1e-9)
