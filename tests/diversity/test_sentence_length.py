"""`sentence_length`: by hand, against loops over sentences, and with other tokens."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

import distinctly as dy
from distinctly.judging import known_diversity
from distinctly.tokenizers.words import Words

# Plain sentences, whose ends need no rule.
PLAIN = st.lists(
    st.lists(st.sampled_from(["cat", "dog", "house", "3.5"]), min_size=1, max_size=6), max_size=4
)


def test_by_hand() -> None:
    # Dr. Lee came at 3.30 (5) | He left (2) || Why (1): 8 words in 3 sentences. Squares: 25 + 4 + 1 = 30, so
    # the variance is 30/3 − (8/3)² = 26/9.
    result = dy.measure(["Dr. Lee came at 3.30. He left.", "Why?", "..."], "sentence_length")[0]
    assert result.value == 8 / 3
    assert result.parts == {
        "texts": 3,
        "skipped_texts": 1,
        "sentences": 3,
        "words": 8,
        "standard_deviation": math.sqrt(26) / 3,
    }


def test_over_all_sentences_and_not_over_texts() -> None:
    # 1, 1, 1 and 5 words: 2. The mean over texts would be (1 + 5) / 2.
    assert dy.measure(["A! B! C!", "one two three four five"], "sentence_length")[0].value == 2


@given(texts=st.lists(PLAIN, max_size=6), mark=st.sampled_from([".", "!", "?", "…", "\n"]))
def test_against_loops(texts: list[list[list[str]]], mark: str) -> None:
    joined = [" ".join(" ".join(words) + mark for words in sentences) for sentences in texts]
    lengths = [len(words) for sentences in texts for words in sentences]
    result = dy.measure(joined, "sentence_length")[0]
    if not lengths:
        assert result.undefined == ("no text has a sentence with words." if texts else "there are no texts.")
        return
    assert result.value == pytest.approx(statistics.fmean(lengths), rel=1e-12)
    assert result.parts["standard_deviation"] == pytest.approx(
        statistics.pstdev(lengths), rel=1e-9, abs=1e-12
    )


def test_equal_sentences_have_no_spread() -> None:
    result = dy.measure(["a b c. " * 7] * 5, "sentence_length")[0]
    assert (result.value, result.parts["standard_deviation"], result.parts["sentences"]) == (3, 0, 35)


def test_chinese_characters_or_words_of_a_function() -> None:
    # Four and five characters; a note says that they are characters.
    result = dy.measure(["今天很好。你去哪里呢？"], "sentence_length")[0]
    assert (result.value, result.parts["sentences"]) == (4.5, 2)
    assert any("each character is one token" in note for note in result.notes)
    pairs = dy.measure(["今天很好。"], "sentence_length", tokenizer=lambda text: [text[:2], text[2:4]])[0]
    assert pairs.value == 2


def test_another_tokenizer_and_token_lists() -> None:
    # With punctuation: `It`, `rains`, `.`; lists are read as they are, and marks end their sentences.
    texts = ["It rains. Go home now!"]
    assert dy.measure(texts, "sentence_length", tokenizer="words")[0].value == (3 + 4) / 2
    assert dy.measure(texts, "sentence_length:of=char")[0].value == (9 + 13) / 2
    lists = [Words().tokenize(text) for text in texts]
    assert dy.measure(lists, "sentence_length", tokens=True)[0].value == (3 + 4) / 2
    assert dy.measure([["a", ""], ["", "."]], "sentence_length", tokens=True)[0].parts["words"] == 4


def test_tags_are_no_words() -> None:
    with pytest.raises(dy.SpecError, match="'sentence_length' counts words, so `of=tags` has no effect"):
        dy.measure(["a"], "sentence_length:of=tags", tags=[["N"]])


def test_the_best_of_several_corpora_is_not_named() -> None:
    corpora = {name: [f"{text} {i}" for i in range(9)] for name, text in (("x", "a b."), ("y", "a b c d."))}
    scores = dy.measure(corpora, ["sentence_length", "ttr"], interval=True)
    assert {comparison.metric for comparison in scores.comparisons} == {"ttr"}


def test_a_trial_of_diversity_refuses_it() -> None:
    with pytest.raises(dy.SpecError, match="'sentence_length' is neither more nor less diverse"):
        known_diversity(["a b", "c d"], "sentence_length")
