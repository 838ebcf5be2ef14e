"""`msttr`: by hand, against loops, and against peers."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import richness as oracle
from tests.richness import LONG_LISTS, both_roads, chinese, english, kyle, lexicalrichness, mean, value

import distinctly as dy


def test_by_hand() -> None:
    # a b a | c c c | d: 2 and 1 types of 3; the incomplete segment is ignored.
    assert value(list("abacccd"), "msttr:window=3") == pytest.approx((2 / 3 + 1 / 3) / 2, rel=1e-15)
    assert value(list("abacccd"), "msttr:window=7") == 4 / 7


def test_texts_shorter_than_the_window_are_left_out() -> None:
    texts = [["a", "b"], ["a", "a", "b"]]
    score = dy.measure(texts, "msttr:window=3")[0]
    assert score.value == 2 / 3
    assert score.notes[0] == "1 of 2 texts do not have at least 3 tokens; they are left out (short=skip)."
    assert dy.measure(texts, "msttr:window=3,short=zero")[0].value == 1 / 3
    alone = dy.measure(texts, "msttr")[0]
    assert math.isnan(alone.value)
    assert alone.undefined == "no text has at least 50 tokens."


def test_run_on_texts_are_one_stream() -> None:
    texts, groups = [list("ab"), list("ca"), list("ab")], ["x", "y", "x"]
    one = [*"abcaab"]
    whole = dy.measure(texts, "msttr:window=3,pool=corpus")[0]
    grouped = dy.measure(texts, "msttr:window=3,pool=group", groups=groups)[0]
    assert whole.value == pytest.approx(oracle.msttr(one, 3), rel=1e-15)
    assert grouped.value == pytest.approx(oracle.msttr([*"abab"], 3), rel=1e-15)  # y is too short
    assert "|order:" in whole.signature


@given(texts=LONG_LISTS, window=st.integers(1, 130))
@pytest.mark.slow
def test_against_loops(texts: list[list[str]], window: int) -> None:
    expected = mean([oracle.msttr(one, window) for one in texts])
    assert both_roads(texts, f"msttr:window={window}") == pytest.approx(expected, rel=1e-12, nan_ok=True)
    pooled = oracle.msttr([token for one in texts for token in one], window)
    assert both_roads(texts, f"msttr:window={window},pool=corpus") == pytest.approx(
        pooled, rel=1e-12, nan_ok=True
    )


@given(texts=LONG_LISTS, size=st.integers(1, 3))
def test_batches_and_order_change_nothing(texts: list[list[str]], size: int) -> None:
    expected = dy.measure(texts, "msttr:window=5")[0].to_dict()
    assert dy.measure(texts[::-1], "msttr:window=5")[0].to_dict() == expected
    assert dy.measure(texts, "msttr:window=5", batch_size=size, threads=2)[0].to_dict() == expected


def test_no_window_is_refused() -> None:
    with pytest.raises(dy.SpecError, match="at least 1"):
        dy.measure(["a"], "msttr:window=0")


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    text = tokens(shared, 3010)  # 60 segments of 50, 30 of 100, and 10 more tokens
    assert value(text, "msttr") == pytest.approx(lexicalrichness(text).msttr(50), rel=1e-9)
    assert value(text, "msttr:preset=lexicalrichness") == pytest.approx(
        lexicalrichness(text).msttr(), rel=1e-9
    )
    assert value(text, "msttr:preset=kyle") == pytest.approx(kyle().msttr(text), rel=1e-9)


def test_a_full_last_segment_counts() -> None:
    # a b | a a: (1 + ½) / 2. The peer drops the last segment even if it is full, and gives 1.
    assert value(list("abaa"), "msttr:window=2") == 3 / 4
    assert lexicalrichness(list("abaa")).msttr(2) == 1


def test_the_peers_on_short_text() -> None:
    # One segment is enough for a mean; the peer raises.
    assert value(["a", "b"], "msttr:window=2") == 1
    with pytest.raises(ValueError, match="text size"):
        lexicalrichness(["a", "b"]).msttr(2)
    assert math.isnan(value(["a"], "msttr:window=2"))
