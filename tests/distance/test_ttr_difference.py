"""`ttr_difference`: by hand, against all samples, and against binomial coefficients."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.distance.corpora import LABELLED, two_corpora
from tests.oracles import ngrams, token_tables
from tests.strategies import FULL_TOKEN_LISTS

import distinctly as dy
from distinctly.errors import SpecError

SMALL = st.lists(st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=4), min_size=1, max_size=3)


def test_by_hand() -> None:
    # Of c c d d, 2 of the 6 pairs are equal: (4 · 2 + 2 · 1) / 6 types of 2 tokens, 5/6. Of a b, 2 of 2.
    score = dy.compare([["a", "b"]], [["c", "c"], ["d", "d"]], "ttr_difference")[0]
    assert score.value == pytest.approx(1 / 6, rel=1e-12)
    assert score.parts == pytest.approx(
        {
            "reference_texts": 1,
            "candidate_texts": 2,
            "sample": 2,
            "reference_tokens": 2,
            "candidate_tokens": 4,
            "reference_ttr": 1,
            "candidate_ttr": 5 / 6,
        },
        rel=1e-12,
    )


@given(reference=SMALL, candidate=SMALL, data=st.data())
def test_against_all_samples(
    reference: list[list[str]], candidate: list[list[str]], data: st.DataObject
) -> None:
    fewest = min(sum(map(len, texts)) for texts in (reference, candidate))
    sample = data.draw(st.just("common") | st.integers(1, max(fewest, 1)))
    score = dy.compare(reference, candidate, f"ttr_difference:sample={sample}")[0]
    if not fewest:
        assert math.isnan(score.value)
        assert score.undefined.startswith("the ")
        return
    size = fewest if sample == "common" else int(sample)
    one, other = (token_tables.ttr_of_all_samples(texts, size) for texts in (reference, candidate))
    assert score.parts["sample"] == size
    assert score.parts["reference_ttr"] == pytest.approx(one, rel=1e-9)
    assert score.parts["candidate_ttr"] == pytest.approx(other, rel=1e-9)
    assert score.value == pytest.approx(abs(one - other), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", LABELLED)
def test_real_tokens_against_binomial_coefficients(name: str) -> None:
    reference, candidate = (texts[:8] for texts in two_corpora(name))
    sample = min(sum(map(len, texts)) for texts in (reference, candidate))
    expected = abs(ngrams.rarefied(reference, 1, sample) - ngrams.rarefied(candidate, 1, sample))
    assert dy.compare(reference, candidate, "ttr_difference")[0].value == pytest.approx(expected, rel=1e-9)


@given(reference=FULL_TOKEN_LISTS, candidate=FULL_TOKEN_LISTS, data=st.data())
def test_bounds_order_and_sides(
    reference: list[list[str]], candidate: list[list[str]], data: st.DataObject
) -> None:
    score = dy.compare(reference, candidate, "ttr_difference")[0]
    shuffled = data.draw(st.permutations(candidate))
    assert 0 <= score.value <= 1
    assert dy.compare(reference, shuffled, "ttr_difference")[0].value == score.value
    assert dy.compare(candidate, reference, "ttr_difference")[0].value == score.value
    assert dy.compare(reference, reference, "ttr_difference")[0].value == 0


def test_a_part_of_a_corpus_is_not_poorer_for_its_size() -> None:
    # 50 tokens, 20 times each; the reference is a tenth of that. The plain ratios are .5 and .05.
    words = [f"w{i}" for i in range(50)]
    score = dy.compare([words] * 2, [words] * 20, "ttr_difference")[0]
    plain = 50 / 100 - 50 / 1000
    assert score.value < plain / 5


def test_written_answers() -> None:
    for pair, spec, why in [
        (([[]], [["a"]]), "ttr_difference", "the reference has no tokens."),
        (([["a"]], [[]]), "ttr_difference:sample=3", "the candidate has no tokens."),
        (
            ([["a"] * 9], [["a", "b"]]),
            "ttr_difference:sample=3",
            "the candidate has 2 tokens, fewer than sample=3: choose a smaller sample.",
        ),
    ]:
        score = dy.compare(*pair, spec)[0]
        assert math.isnan(score.value)
        assert score.undefined == why
    with pytest.raises(SpecError, match="Expected `sample` of 'ttr_difference' to be at least 1, got 0"):
        dy.compare([["a"]], [["a"]], "ttr_difference:sample=0")
