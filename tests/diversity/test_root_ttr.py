"""`root_ttr`: by hand, against the formula, and against peers."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from tests.richness import LONG_LISTS, chinese, english, kyle, lexicalrichness, mean, value

import distinctly as dy


def oracle(tokens: list[str]) -> float:
    return len(set(tokens)) / math.sqrt(len(tokens)) if tokens else math.nan


def test_by_hand() -> None:
    # a b a c: 3 types, √4 = 2.
    assert value(list("abac"), "root_ttr") == 3 / 2
    assert dy.measure([list("abac"), list("a")], "root_ttr")[0].value == (3 / 2 + 1) / 2


@given(texts=LONG_LISTS)
def test_a_mean_over_texts_against_the_formula(texts: list[list[str]]) -> None:
    expected = mean([oracle(one) for one in texts])
    assert dy.measure(texts, "root_ttr")[0].value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@given(texts=LONG_LISTS)
def test_a_corpus_against_the_formula(texts: list[list[str]]) -> None:
    expected = oracle([token for one in texts for token in one])
    assert dy.measure(texts, "root_ttr:pool=corpus")[0].value == pytest.approx(
        expected, rel=1e-9, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 3000)
    assert value(text, "root_ttr") == pytest.approx(lexicalrichness(text).rttr, rel=1e-9)
    assert value(text, "root_ttr") == pytest.approx(kyle().root_ttr(text), rel=1e-9)
