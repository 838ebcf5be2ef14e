"""`types`: the number of distinct n-grams."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import ngrams as oracle
from tests.strategies import TOKEN_LISTS

import distinctly as dy


def test_by_hand() -> None:
    texts = ["the cat sat", "the cat ran"]  # the cat sat ran | the-cat cat-sat cat-ran
    values = [score.value for score in dy.measure(texts, "types")]
    assert values[:3] == [4, 3, 2]
    assert math.isnan(values[3])  # no text has four words
    assert dy.measure(texts, "types:n=1,pool=text")[0].value == 3


@given(texts=TOKEN_LISTS, n=st.integers(1, 5))
def test_against_sets(texts: list[list[str]], n: int) -> None:
    expected = len(oracle.counts(texts, n))
    value = dy.measure(texts, f"types:n={n}")[0].value
    assert value == expected if expected else math.isnan(value)
