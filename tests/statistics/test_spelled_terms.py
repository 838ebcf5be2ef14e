"""The text of n-grams by their hashes, from batches in any order."""

from __future__ import annotations

import functools
import itertools
import operator

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import TOKEN_LISTS

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.engine.encoding import from_bytes, to_bytes
from distinctly.engine.local import make_collectors
from distinctly.statistics.spelled_terms import SpelledTerms
from distinctly.views.rows import Rows
from distinctly.views.tokens import Tokens


@given(TOKEN_LISTS, st.integers(1, 3), st.lists(st.integers(0, 10), max_size=4))
def test_each_ngram_has_its_text_however_texts_are_divided(texts, n, cuts):
    spelled = SpelledTerms(n)
    bounds = [0, *sorted(min(cut, len(texts)) for cut in cuts), len(texts)]
    parts = [texts[start:end] for start, end in itertools.pairwise(bounds)]
    state = functools.reduce(operator.add, [spelled.collect(Tokens.of(part)) for part in parts])
    summary = spelled.summarize(from_bytes(to_bytes(state.canonical())))
    tokens = Tokens.of(texts)
    keys = np.unique(tokens.grams(n))
    assert summary.hashes.tolist() == keys.tolist()
    words = summary.words_of(keys).tolist()
    expected = {
        int(key): [tokens.spelling[start + k] for k in range(n)]
        for key, start in zip(tokens.grams(n), tokens.starts(n).tolist())
    }
    assert [words[place : place + n] for place in range(0, len(words), n)] == [expected[int(k)] for k in keys]
    assert to_bytes(state.canonical()) == to_bytes(spelled.collect(tokens).canonical())


@given(TOKEN_LISTS, st.booleans())
def test_the_collector_has_the_same_ngrams(texts, compiled):
    statistics = [SpelledTerms(1), SpelledTerms(2)]
    (collector, *_) = make_collectors(statistics, None, rereadable=True)
    for text in [*texts, ["the", "cat"]]:
        collector.absorb(collector.prepare(Rows(Batch.of([text]), RunConfig(compiled=compiled))))
    tokens = Tokens.of([*texts, ["the", "cat"]])
    for statistic, state in collector.states().items():
        assert to_bytes(state.canonical()) == to_bytes(statistic.collect(tokens).canonical())
        assert sum(len(piece.hashes) for piece in state.pieces) == len(np.unique(tokens.grams(statistic.n)))


def test_long_tokens_keep_their_length():
    long = "x" * 70_000
    spelled = SpelledTerms(1)
    state = spelled.collect(Tokens.of([["a", long]])) + spelled.collect(Tokens.of([["b"]]))
    assert sorted(spelled.summarize(state).words.tolist()) == ["a", "b", long]
