"""`yule`: by hand, against the formula, and against a peer."""

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
    squares = sum(count * count for count in Counter(tokens).values())
    return 1e4 * (squares - len(tokens)) / len(tokens) ** 2 if tokens else math.nan


def test_by_hand() -> None:
    # a a b c: squares 4 + 1 + 1; 10⁴ · (6 − 4) / 16.
    assert value(list("aabc"), "yule") == 1250
    assert value(["a"], "yule") == 0
    # a a: 10⁴ · (4 − 2) / 4.
    assert dy.measure([list("aabc"), list("aa")], "yule")[0].value == (1250 + 5000) / 2


@given(texts=LONG_LISTS)
def test_a_mean_over_texts_against_the_formula(texts: list[list[str]]) -> None:
    expected = mean([oracle(one) for one in texts])
    assert dy.measure(texts, "yule")[0].value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@given(texts=LONG_LISTS)
def test_a_corpus_against_the_formula(texts: list[list[str]]) -> None:
    expected = oracle([token for one in texts for token in one])
    assert dy.measure(texts, "yule:pool=corpus")[0].value == pytest.approx(
        expected, rel=1e-9, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 3000)
    assert value(text, "yule") == pytest.approx(lexicalrichness(text).yulek, rel=1e-9)
