"""`distinct`: by hand, against Python sets, and the variants of the literature."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import ngrams as oracle
from tests.strategies import TOKEN_LISTS

import distinctly as dy

# An article on Distinct-N prints 0.667, 0.8 and 1.0 for this text; its own code gives these values.
CAT = ["The cat sat on the mat. The cat sat on the mat."]


@pytest.mark.parametrize(("n", "distinct", "total"), [(1, 6, 12), (2, 6, 11), (3, 6, 10)])
def test_the_cat_sat_on_the_mat(n: int, distinct: int, total: int) -> None:
    # The cat sat on the mat. | The cat sat on the mat.: "The" and "the" differ, so 6 words; the
    # pairs are the 5 inside the sentence and "mat. The"; one fewer of the total for each n.
    score = dy.measure(CAT, f"distinct:n={n}", tokenizer="whitespace")[0]
    assert score.value == distinct / total
    assert (score.parts["N"], score.parts["C"]) == (distinct, total)


def test_pools_and_denominators_by_hand() -> None:
    texts = [["a", "b", "a"], ["a", "b"], ["c"]]  # bigrams: ab ba | ab | none
    values = {
        "distinct:n=2": 2 / 3,  # {ab, ba} of 3
        "distinct:n=2,denominator=tokens": 2 / 6,
        "distinct:n=2,preset=li2016": 2 / 6,
        "distinct:n=2,preset=blog": 2 / 3,
        "distinct:n=2,pool=text": (2 / 2 + 1 / 1) / 2,  # the third text has none and is left out
        "distinct:n=2,pool=text,short=zero": (2 / 2 + 1 / 1 + 0) / 3,
        "distinct:n=2,pool=text,denominator=tokens": (2 / 3 + 1 / 2) / 2,
        "distinct:n=2,preset=card": (2 / 3 + 1 / 2 + 0) / 3,
        "distinct:n=2,preset=card,short=skip": (2 / 3 + 1 / 2) / 2,  # explicit options override the preset
        "distinct:n=2,pool=group": (2 / 3 + 0) / 1,  # group x has all three bigrams, y none
        "distinct:n=2,pool=group,short=zero": (2 / 3 + 0) / 2,
    }
    scores = dy.measure(texts, list(values), groups=["x", "x", "y"])
    assert {score.spec: score.value for score in scores} == pytest.approx(values, rel=1e-15)


def test_short_texts_are_noted() -> None:
    scores = dy.measure(
        [["a", "b"], ["c"]], ["distinct:n=2", "distinct:n=2,pool=text,short=nan"], tokens=True
    )
    assert scores[0].parts["skipped_texts"] == 1
    assert scores[0].notes == (
        "1 of 2 texts have fewer than 2 tokens and so contain no 2-gram.",
        "The corpus has only 1 2-gram, too few for a reliable value: measure more text.",
    )
    assert math.isnan(scores[1].value)
    assert scores[1].undefined == "1 of 2 texts have no 2-gram, and short=nan makes the mean undefined."


def test_n_longer_than_every_text_is_undefined() -> None:
    score = dy.measure(["a b", "c"], "distinct:n=3,denominator=tokens")[0]
    assert math.isnan(score.value)
    assert score.undefined == "no text has at least 3 tokens, so there are no 3-grams."


def test_ngrams_do_not_cross_texts() -> None:
    # "a b" once in each text and never "b a": 1 distinct of 2.
    assert dy.measure(["a b", "a b"], "distinct:n=2")[0].value == 0.5


@given(texts=TOKEN_LISTS, n=st.integers(1, 5), denominator=st.sampled_from(["ngrams", "tokens"]))
def test_against_sets(texts: list[list[str]], n: int, denominator: str) -> None:
    score = dy.measure(texts, f"distinct:n={n},denominator={denominator}")[0]
    assert score.value == pytest.approx(oracle.distinct(texts, n, denominator), rel=1e-15, nan_ok=True)
    assert score.parts["N"] == len(oracle.counts(texts, n))


@given(texts=TOKEN_LISTS, n=st.integers(1, 3))
def test_a_mean_over_texts_against_sets(texts: list[list[str]], n: int) -> None:
    each = [oracle.distinct([text], n) for text in texts if len(text) >= n]
    expected = math.fsum(each) / len(each) if each else math.nan
    assert dy.measure(texts, f"distinct:n={n},pool=text")[0].value == pytest.approx(
        expected, rel=1e-15, nan_ok=True
    )
