"""Compiled counts against Python's `Counter` and the plain statistics."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.cases import same
from tests.strategies import TOKEN_LISTS

from distinctly.kernels.counting import SMALL, tally
from distinctly.kernels.ngrams import lengthen, partition
from distinctly.statistics import ngram_collector
from distinctly.statistics.ngram_collector import Counter as HashCounter
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.views.tokens import Tokens

# Few values, so that they repeat, including the edge cases 0 and 2**64 − 1.
HASHES = st.lists(
    st.sampled_from([0, 1, 255, 256, 2**63, 2**64 - 1, 12345678901234567]) | st.integers(0, 600),
    max_size=2000,
)


@pytest.mark.parametrize("largest", [ngram_collector.LARGEST_TABLE, 10])
@given(values=HASHES)
def test_counts_equal_a_counter(values: list[int], largest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngram_collector, "LARGEST_TABLE", largest)
        hashes, counts = HashCounter().count(np.array(values, np.uint64))
    assert dict(zip(hashes.tolist(), counts.tolist())) == Counter(values)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 10**12)), max_size=300))
def test_counts_by_weight(pairs: list[tuple[int, int]]) -> None:
    expected: Counter[int] = Counter()
    for value, weight in pairs:
        expected[value] += weight
    values, weights = (np.array([pair[i] for pair in pairs], np.uint64) for i in (0, 1))
    hashes, counts = HashCounter().count(values, weights)
    assert dict(zip(hashes.tolist(), counts.tolist())) == expected


@given(st.lists(st.integers(1, 5) | st.integers(SMALL - 2, SMALL + 2) | st.integers(1, 2**40)))
def test_tallies_small_counts_and_returns_large_ones(counts: list[int]) -> None:
    small = np.zeros(SMALL, np.int64)
    large = tally(np.array(counts, np.uint64), small)
    expected = Counter(counts)
    assert {c: n for c, n in enumerate(small.tolist()) if n} == {
        c: n for c, n in expected.items() if c < SMALL
    }
    assert Counter(large.tolist()) == {c: n for c, n in expected.items() if c >= SMALL}


@given(texts=TOKEN_LISTS, n=st.integers(1, 5), bits=st.sampled_from([1, 4, 8, 10]))
def test_partitions_hold_every_ngram_once(texts: list[list[str]], n: int, bits: int) -> None:
    tokens = Tokens.of(texts)
    windows = tokens.hashes.copy()
    for size in range(2, n + 1):
        lengthen(windows, tokens.hashes[size - 1 :])
    hashes = np.empty(len(tokens.grams(n)), np.uint64)
    places = partition(windows, tokens.bounds, n, bits, hashes)
    assert sorted(hashes.tolist()) == sorted(tokens.grams(n).tolist())
    for p in range(1 << bits):
        assert all(h >> (64 - bits) == p for h in hashes[places[p] : places[p + 1]].tolist())


@given(texts=TOKEN_LISTS, n=st.integers(1, 9))
def test_each_text_by_itself(texts: list[list[str]], n: int) -> None:
    plain = Tokens.of(texts)
    compiled = Tokens(plain.hashes, plain.bounds, plain.spelling, compiled=True)
    assert same(NgramCounts(n).each_text(compiled), NgramCounts(n).each_text(plain))
