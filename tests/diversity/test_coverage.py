"""`coverage`: by hand, and against its definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.oracles import ngrams as oracle
from tests.strategies import FULL_TOKEN_LISTS

import distinctly as dy


def test_by_hand() -> None:
    # a×3, b×2, c, d, e: three of eight tokens occur once: 5/8.
    assert dy.measure([list("aaabbcde")], "coverage")[0].value == 5 / 8


@given(texts=FULL_TOKEN_LISTS)
def test_against_the_definition(texts: list[list[str]]) -> None:
    counts = oracle.counts(texts, 1).values()
    expected = 1 - sum(c == 1 for c in counts) / sum(counts)
    assert dy.measure(texts, "coverage")[0].value == pytest.approx(expected, abs=1e-12)
