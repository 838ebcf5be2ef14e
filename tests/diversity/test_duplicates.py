"""`duplicates`: by hand, and near duplicates against all pairs."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import repetition as oracle
from tests.strategies import TOKEN_LISTS

import distinctly as dy
from distinctly.statistics.contents import TextCounts
from distinctly.statistics.repeats import Repeats, _band, rows_per_band
from distinctly.views.tokens import Tokens

Texts = list[list[str]]


def test_by_hand() -> None:
    # Two of the five texts with tokens repeat another; empty texts are left out.
    score = dy.measure(["a b", "c", "a b", "", "a b", "", "a"], "duplicates")[0]
    assert score.value == 2 / 5
    assert score.parts == {"texts": 7, "skipped_texts": 2, "repeated": 2}


@given(texts=TOKEN_LISTS, compiled=st.booleans(), batch_size=st.integers(1, 4))
def test_counts_of_texts_equal_a_set(texts: Texts, *, compiled: bool, batch_size: int) -> None:
    filled = [tuple(text) for text in texts if text]
    score = dy.measure(texts, "duplicates", compiled=compiled, batch_size=batch_size)[0]
    assert score.parts["repeated"] == len(filled) - len(set(filled))
    if filled:
        assert score.value == (len(filled) - len(set(filled))) / len(filled)


@given(texts=TOKEN_LISTS, data=st.data())
def test_an_index_counts_any_selection(texts: Texts, data: st.DataObject) -> None:
    counts, tokens = TextCounts(), Tokens.of(texts)
    rows = np.array(data.draw(st.lists(st.integers(0, len(texts) - 1))) if texts else [], np.int64)
    assert counts.index(tokens).summarize(rows) == counts.summarize(counts.collect(tokens.select(rows)))


def test_near_by_hand() -> None:
    # 12 tokens have 10 trigrams; with one more at the end 11, so a Jaccard of 10/11; with the sixth
    # token changed three trigrams differ, so 7/13.
    texts = ["a b c d e f g h i j k l", "a b c d e f g h i j k l m", "a b c d e X g h i j k l"]
    for threshold, near in ((0.5, 2), (0.54, 1), (0.9, 1), (0.92, 0)):
        score = dy.measure(texts, f"duplicates:near=yes,threshold={threshold}")[0]
        assert (score.value, score.parts["near"], score.parts["repeated"]) == (near / 3, near, 0)


def test_what_the_metric_sees_is_what_is_repeated() -> None:
    texts = ["Yes !", "yes !"]
    assert dy.measure(texts, "duplicates")[0].value == 0
    assert dy.measure(texts, "duplicates", tokenizer="words:lc=yes")[0].value == 0.5


def test_short_texts_are_one_shingle() -> None:
    # A text of fewer than three tokens is near only to its copies.
    score = dy.measure(["a b", "a b", "a", "b a"], "duplicates:near=yes,threshold=0.1")[0]
    assert (score.value, score.parts["near"]) == (0.25, 1)


def test_one_text_and_no_tokens() -> None:
    assert dy.measure(["one text"], "duplicates")[0].value == 0
    score = dy.measure(["", ""], "duplicates")[0]
    assert math.isnan(score.value)
    assert score.undefined == "no text has any tokens."


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8, 0.95, 1.0])
def test_bands_find_what_is_alike(threshold: float) -> None:
    rows = rows_per_band(threshold, 128)
    assert 1 - (1 - threshold**rows) ** (128 // rows) >= 0.999


@given(texts=TOKEN_LISTS, n=st.integers(1, 4))
def test_finds_no_more_than_all_pairs_and_no_fewer_than_repeats(texts: Texts, n: int) -> None:
    found = Repeats(n, 0.8, 128).summarize(Tokens.of(texts))
    filled = [text for text in texts if text]
    assert (found.texts, found.repeated) == (len(filled), len(filled) - len({tuple(t) for t in filled}))
    sets = [oracle.shingles(text, n) for text in {tuple(t): t for t in filled}.values()]
    alike = sum(
        any(oracle.jaccard(a, b) >= 0.8 for b in sets[:i] + sets[i + 1 :]) for i, a in enumerate(sets)
    )
    assert found.repeated <= found.near <= found.repeated + alike


def test_finds_nearly_all_pairs_that_are_alike() -> None:
    # 300 texts of 60 words, and each again with one word at the end changed: 57 of 59 trigrams.
    draw = np.random.default_rng(0)
    texts = [[f"w{w}" for w in draw.integers(0, 2000, 60)] for _ in range(300)]
    view = Tokens.of(texts + [[*text[:-1], "other"] for text in texts])
    assert Repeats(3, 0.8, 128).summarize(view).near == 300
    assert Repeats(3, 0.99, 128).summarize(view).near == 0


@given(texts=TOKEN_LISTS)
def test_both_paths_agree(texts: Texts) -> None:
    view = Tokens.of(texts)
    plain = Repeats(2, 0.5, 32).summarize(view)
    assert Repeats(2, 0.5, 32).summarize(replace(view, compiled=True)) == plain


def test_bands_agree_to_the_bit() -> None:
    view = Tokens.of([["a", "b", "c"], ["b"], ["a", "c"]])
    bands = [_band(v, view.hashes, view.bounds, 3, 4) for v in (view, replace(view, compiled=True))]
    assert bands[0].tolist() == bands[1].tolist()


def test_bad_options() -> None:
    for spec, message in (
        ("near=yes,threshold=0", "`threshold` of 'duplicates' to be above 0 and at most 1, got 0.0"),
        ("near=yes,n=0", "`n` of 'duplicates' to be at least 1, got 0"),
    ):
        with pytest.raises(dy.SpecError, match=message):
            dy.measure(["a"], f"duplicates:{spec}")
