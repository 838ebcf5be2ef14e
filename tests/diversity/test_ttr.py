"""`ttr`: by hand, against sets, and against peers."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from tests.richness import LONG_LISTS, chinese, english, kyle, lexicalrichness, mean, value

import distinctly as dy


def oracle(tokens: list[str]) -> float:
    return len(set(tokens)) / len(tokens) if tokens else math.nan


def test_pools_by_hand() -> None:
    texts = [["a", "b", "a"], ["a", "b"], []]
    values = {
        "ttr": (2 / 3 + 2 / 2) / 2,  # the third has no tokens and is left out
        "ttr:short=zero": (2 / 3 + 2 / 2 + 0) / 3,
        "ttr:pool=corpus": 2 / 5,
    }
    scores = dy.measure(texts, list(values))
    assert {score.spec: score.value for score in scores} == pytest.approx(values, rel=1e-15)
    assert scores[0].notes[0] == "1 of 3 texts do not have any tokens; they are left out (short=skip)."
    assert scores[2].parts == {"N": 2, "C": 5, "texts": 3}
    grouped = dy.measure(texts, "ttr:pool=group", groups=["x", "y", "y"])[0]
    assert grouped.value == (2 / 3 + 2 / 2) / 2  # x: a b a; y: a b and nothing


def test_it_is_distinct_1() -> None:
    texts = ["the cat sat on the mat", "the dog"]
    for pool in ("text", "corpus"):
        one, other = dy.measure(texts, [f"ttr:pool={pool}", f"distinct:n=1,pool={pool}"])
        assert one.value == other.value


def test_n_is_no_option() -> None:
    with pytest.raises(dy.SpecError, match="n"):
        dy.measure(["a"], "ttr:n=2")
    assert "n:" not in dy.measure(["a"], "ttr")[0].signature.split("|tok")[0]


@given(texts=LONG_LISTS)
def test_a_mean_over_texts_against_the_formula(texts: list[list[str]]) -> None:
    expected = mean([oracle(one) for one in texts])
    assert dy.measure(texts, "ttr")[0].value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@given(texts=LONG_LISTS)
def test_a_corpus_against_the_formula(texts: list[list[str]]) -> None:
    expected = oracle([token for one in texts for token in one])
    assert dy.measure(texts, "ttr:pool=corpus")[0].value == pytest.approx(
        expected, rel=1e-9, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 3000)
    assert value(text, "ttr") == pytest.approx(lexicalrichness(text).ttr, rel=1e-9)
    assert value(text, "ttr") == pytest.approx(kyle().ttr(text), rel=1e-9)
