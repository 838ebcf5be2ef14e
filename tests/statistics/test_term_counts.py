"""Counts of terms in two corpora side by side against dictionaries: plain, compiled, in many partitions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distinctly.statistics import term_counts
from distinctly.statistics.tables import PackedTable, Totals
from distinctly.statistics.term_counts import CountedTerms, PairTally, Wanted, count_both

# Keys in several partitions, some of them in the same one.
KEYS = st.sampled_from([0, 1, 2, 1 << 54, (1 << 54) + 1, 3 << 60, 2**64 - 1])
COUNTERS = st.dictionaries(KEYS, st.integers(1, 5) | st.sampled_from([255, 256, 257, 10**7]), max_size=7)


def table(counts: dict[int, int]) -> PackedTable:
    keys, values = np.array(list(counts), np.uint64), np.array(list(counts.values()), np.int64)
    return PackedTable.of(keys, values, Totals(sum(counts.values())))


def run(calls):
    return [call() for call in calls]


def difference(reference, candidate):
    return (candidate - reference).astype(float)


@given(COUNTERS, COUNTERS, st.integers(1, 300), st.booleans())
def test_all_terms_are_those_of_dictionaries(first, second, least, compiled):
    terms = count_both(table(first), table(second), Wanted(least, difference), run, compiled=compiled)
    both = {
        key: (first.get(key, 0), second.get(key, 0))
        for key in {*first, *second}
        if first.get(key, 0) + second.get(key, 0) >= least
    }
    listed = zip(terms.keys.tolist(), zip(terms.reference.tolist(), terms.candidate.tolist()))
    assert dict(listed) == both
    reference, candidate, times = terms.tally.pairs()
    assert Counter(dict(zip(zip(reference.tolist(), candidate.tolist()), times.tolist()))) == Counter(
        both.values()
    )
    assert terms.tally.terms == len(both)


@given(COUNTERS, COUNTERS, st.integers(1, 3))
def test_the_best_of_each_direction_are_kept_and_all_are_tallied(first, second, most):
    terms = count_both(table(first), table(second), Wanted(1, difference, most), run, compiled=False)
    whole = count_both(table(first), table(second), Wanted(1, difference), run, compiled=False)
    assert [column.tolist() for column in terms.tally.pairs()] == [
        column.tolist() for column in whole.tally.pairs()
    ]
    if len(whole) <= most:
        assert len(terms) == len(whole)
        return
    ranked = sorted(
        zip(whole.keys.tolist(), (whole.candidate - whole.reference).tolist()),
        key=lambda pair: (-abs(pair[1]), pair[0]),
    )
    expected = [
        *[key for key, score in ranked if score > 0][:most],
        *[key for key, score in ranked if score <= 0][:most],
    ]
    assert sorted(terms.keys.tolist()) == sorted(expected)


def test_of_more_terms_than_all_the_best_are_kept(monkeypatch):
    monkeypatch.setattr(term_counts, "ALL", 6)
    monkeypatch.setattr(term_counts, "MOST", 2)
    # Partitions by the first ten bits: each of the eight terms is in one of its own.
    counts = {place << 56: place + 1 for place in range(8)}
    terms = count_both(table({}), table(counts), Wanted(1, difference), run, compiled=False)
    assert sorted(terms.candidate.tolist()) == [7, 8]
    assert terms.tally.terms == 8
    few = count_both(
        table({}), table(dict(list(counts.items())[:6])), Wanted(1, difference), run, compiled=False
    )
    assert sorted(few.candidate.tolist()) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("size", [3, 300])
def test_scores_of_small_counts_are_looked_up(size):
    counts = np.arange(size) * 2
    terms = CountedTerms(counts.astype(np.uint64), counts, counts[::-1].copy(), PairTally())
    assert Wanted(1, difference).scores(terms).tolist() == (counts[::-1] - counts).tolist()
