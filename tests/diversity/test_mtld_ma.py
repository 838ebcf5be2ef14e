"""`mtld_ma`: by hand, against loops, and against a peer."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import richness as oracle
from tests.richness import LONG_LISTS, both_roads, chinese, english, kyle, mean, value

import distinctly as dy


def test_by_hand() -> None:
    # a a b, wrapped around: aa has 1/2, aba and baa have 2/3: 2, 3 and 3 tokens.
    assert value(list("aab"), "mtld_ma") == (2 + 3 + 3) / 3
    # a a b c: a a has 1/2, c a a has 2/3; a b c a and b c a a have 3/4 after one round. Two factors of 2 and
    # 3 tokens, and twice 4 tokens that count as (1 − 3/4) / 0.28 of a factor.
    part = 0.25 / 0.28
    assert value(list("aabc"), "mtld_ma") == pytest.approx((2 + 3 + 4 + 4) / (2 + 2 * part), rel=1e-15)


def test_all_different_is_the_number_of_tokens() -> None:
    # The peer wraps around twice and finds factors in the repetition of the text: 14 for 10 tokens.
    tokens = [str(i) for i in range(10)]
    assert value(tokens, "mtld_ma") == 10
    assert kyle().mtld_ma_wrap(tokens) == 14


@given(
    texts=LONG_LISTS,
    threshold=st.sampled_from([0.72, 0.5, 0.9, 2 / 3]),
    compare=st.sampled_from(["<", "<="]),
    minimum=st.integers(0, 12),
)
@pytest.mark.slow
def test_against_loops(texts: list[list[str]], threshold: float, compare: str, minimum: int) -> None:
    spec = f"mtld_ma:threshold={threshold},compare={compare},minimum={minimum}"
    expected = mean([oracle.mtld_ma(one, threshold, compare, minimum) for one in texts])
    assert both_roads(texts, spec) == pytest.approx(expected, rel=1e-9, nan_ok=True)
    pooled = oracle.mtld_ma([token for one in texts for token in one], threshold, compare, minimum)
    assert both_roads(texts, f"{spec},pool=corpus") == pytest.approx(pooled, rel=1e-9, nan_ok=True)


def test_run_on_texts_are_one_stream() -> None:
    texts, groups = [list("aab"), list("ca"), list("abb")], ["x", "y", "x"]
    whole = dy.measure(texts, "mtld_ma:pool=corpus")[0]
    grouped = dy.measure(texts, "mtld_ma:pool=group", groups=groups)[0]
    assert whole.value == pytest.approx(oracle.mtld_ma([*"aabcaabb"]), rel=1e-15)
    expected = (oracle.mtld_ma([*"aababb"]) + oracle.mtld_ma([*"ca"])) / 2
    assert grouped.value == pytest.approx(expected, rel=1e-15)
    assert "|order:" in whole.signature
    assert "|order:" in grouped.signature


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("threshold=0", "above 0 and below 1"),
        ("threshold=1", "above 0 and below 1"),
        ("minimum=-1", "at least 0"),
    ],
)
def test_what_makes_no_sense_is_refused(option: str, words: str) -> None:
    with pytest.raises(dy.SpecError, match=words):
        dy.measure(["a"], f"mtld_ma:{option}")


@pytest.mark.parametrize("types", [700, 1500])
def test_long_factors_on_both_paths(types: int) -> None:
    # Longer than factors that are searched step by step. From every token on, `types` new tokens are followed
    # by repeated ones: a factor ends at the first length n with types/n < 0.72.
    tokens = [str(i % types) for i in range(3 * types)]
    assert both_roads([tokens], "mtld_ma") == math.floor(types / 0.72) + 1
    # Factors of various lengths, some of them incomplete.
    mixed = [str(i * i % (types + 7)) for i in range(2 * types)] + [f"x{i}" for i in range(types)]
    both_roads([mixed, tokens[:600]], "mtld_ma:threshold=0.6")
    both_roads([mixed, tokens[:600]], "mtld_ma:threshold=0.4,compare=<=,minimum=900")


def test_too_long_for_the_plain_road() -> None:
    # All tokens but one are distinct, so no factor ends within one round. Plain steps would take a minute;
    # the compiled path skips tokens and is linear.
    tokens = [str(i) for i in range(60_000)] + ["0"]
    assert value(tokens, "mtld_ma") > 60_000


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_a_peer(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 800)
    assert value(text, "mtld_ma:preset=kyle") == pytest.approx(kyle().mtld_ma_wrap(text), rel=1e-9)
