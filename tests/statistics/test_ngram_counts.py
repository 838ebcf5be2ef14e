"""`NgramCounts`: counts of counts, readable top n-grams, and merging in any order."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from tests.contract.cases import same
from tests.oracles import ngrams as oracle
from tests.strategies import TOKEN_LISTS

import distinctly as dy
from distinctly.statistics.ngram_counts import Counted, Grams, NgramCounts
from distinctly.views.tokens import Tokens


def summary(texts: list[list[str]], n: int, top: int = 0) -> Grams:
    counts = NgramCounts(n, top)
    return counts.summarize(counts.collect(Tokens.of(texts)))


@given(texts=TOKEN_LISTS, n=st.integers(1, 5))
def test_counts_of_counts(texts: list[list[str]], n: int) -> None:
    grams, expected = summary(texts, n), oracle.counts(texts, n)
    assert dict(zip(grams.counts.tolist(), grams.types.tolist())) == Counter(expected.values())
    assert grams.counts.tolist() == sorted(grams.counts.tolist())
    assert (grams.distinct[0], grams.total[0]) == (len(expected), sum(expected.values()))
    assert grams.seen(1)[0] == sum(count == 1 for count in expected.values())
    assert (grams.texts[0], grams.tokens[0]) == (len(texts), sum(map(len, texts)))
    assert grams.short[0] == sum(len(text) < n for text in texts)


@given(texts=TOKEN_LISTS, n=st.integers(1, 3), top=st.integers(1, 6))
def test_top_ngrams_are_exact_and_readable(texts: list[list[str]], n: int, top: int) -> None:
    spelled = [(" ".join(gram), count) for gram, count in oracle.counts(texts, n).items()]
    expected = sorted(spelled, key=lambda pair: (-pair[1], pair[0]))[:top]
    assert list(summary(texts, n, top).top) == expected


def test_top_ngrams_across_batches_and_languages() -> None:
    texts = ["知道 知道", "the cat sat", "the cat"] * 50
    scores = dy.measure(texts, "types:n=2", top=2, batch_size=7)
    assert scores.corpora[0]["top"] == [
        {"n": 2, "ngrams": [{"text": "the cat", "count": 100}, {"text": "知 道", "count": 100}]}
    ]


@given(texts=TOKEN_LISTS, n=st.integers(1, 3), data=st.data())
def test_small_batches_merge_in_any_order(texts: list[list[str]], n: int, data: st.DataObject) -> None:
    counts = NgramCounts(n)
    states: list[Counted] = [counts.collect(Tokens.of([text])) for text in texts] or [
        counts.collect(Tokens.of([]))
    ]
    while len(states) > 1:
        place = data.draw(st.integers(0, len(states) - 2))
        states[place : place + 2] = [states[place] + states[place + 1]]
    assert same(counts.summarize(states[0]), summary(texts, n))


def test_number_of_runs_stays_small() -> None:
    counts = NgramCounts(1)
    state = counts.collect(Tokens.of([["w0"]]))
    for i in range(1, 1000):
        state = state + counts.collect(Tokens.of([[f"w{i}"]]))
    assert len(state.runs) <= 11  # log2 of the 1,000 distinct n-grams, plus 1
    assert counts.summarize(state).distinct[0] == 1000
