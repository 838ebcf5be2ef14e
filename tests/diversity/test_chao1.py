"""`chao1`: by hand, and against its definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.oracles import ngrams as oracle
from tests.strategies import FULL_TOKEN_LISTS

import distinctly as dy


def test_by_hand() -> None:
    # a×3, b×2, c, d, e: N = 5, f1 = 3, f2 = 1: 5 + 3·2 / (2·2) = 6.5.
    score = dy.measure([list("aaabbcde")], "chao1")[0]
    assert score.value == 6.5
    assert (score.parts["f1"], score.parts["f2"]) == (3, 1)


def test_where_all_is_seen_twice_nothing_is_unseen() -> None:
    assert dy.measure([list("aabb")], "chao1")[0].value == 2


@given(texts=FULL_TOKEN_LISTS)
def test_against_the_definition(texts: list[list[str]]) -> None:
    counts = oracle.counts(texts, 1).values()
    once, twice = (sum(c == times for c in counts) for times in (1, 2))
    expected = len(counts) + once * (once - 1) / (2 * (twice + 1))
    assert dy.measure(texts, "chao1")[0].value == pytest.approx(expected, rel=1e-12)
