"""`vocd`: against exact fractions, and against the random samples of a peer."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from tests.oracles import richness as oracle
from tests.richness import LONG_LISTS, both_roads, chinese, english, lexicalrichness, mean, value

import distinctly as dy


def test_the_curve_through_one_point() -> None:
    # All 50 tokens are equal: the ratio of n is 1/n, far from any curve, but there is still a best fit, where
    # the slope of the squared errors is 0 (found by bisection in the oracle).
    assert value(["a"] * 50, "vocd") == pytest.approx(oracle.vocd(["a"] * 50), rel=1e-9)


@pytest.mark.parametrize("text", [[str(i) for i in range(60)], ["a"] * 49, []])
def test_all_different_or_too_short_is_undefined(text: list[str]) -> None:
    score = dy.measure([text], "vocd")[0]
    assert math.isnan(score.value)
    assert score.undefined == "no text has at least 50 tokens and a repeated token."


@given(texts=LONG_LISTS)
def test_against_exact_fractions(texts: list[list[str]]) -> None:
    expected = mean([oracle.vocd(one) for one in texts])
    assert both_roads(texts, "vocd") == pytest.approx(expected, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("tokens", [english, chinese])
def test_random_samples_scatter_around_it(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 1000)
    exact = value(text, "vocd")
    drawn = [lexicalrichness(text).vocd(iterations=1, seed=seed) for seed in range(4)]
    # 1,600 samples per fit: seeds differ by 1 to 2 %, around the exact value.
    assert max(drawn) > min(drawn)
    assert exact == pytest.approx(sum(drawn) / len(drawn), rel=0.03)
