"""Ranges, dispersion and spelling of terms against loops: plain, compiled, in batches, and by groups."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import keyness as oracle
from tests.strategies import TOKEN_LISTS

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.engine.local import make_collectors
from distinctly.run.key_columns import dispersion, spelled
from distinctly.statistics.sought_terms import SoughtTerms, TermKeys, TermUses
from distinctly.strings import Strings
from distinctly.tokenizers.whitespace import Whitespace
from distinctly.views.rows import Rows
from distinctly.views.tokens import Tokens, TokenView


def sought_in(texts: list[list[str]], n: int, every: int) -> SoughtTerms | None:
    """Return some of the terms of texts, with their counts."""
    grams = Tokens.of(texts).grams(n)
    if not len(grams):
        return None
    keys, counts = np.unique(grams, return_counts=True)
    return SoughtTerms(n, TermKeys(keys[::every], counts[::every].astype(np.int64), len(grams)))


def check(uses: TermUses, sought: SoughtTerms, units: list[list[list[str]]]) -> None:
    terms = spelled(sought.n, len(sought.terms.hashes), [uses])
    keys = [int(Tokens.of([list(term)]).grams(sought.n)[0]) for term in terms]
    assert keys == sought.terms.hashes.tolist()
    assert uses.units.tolist() == [oracle.text_range(units, term) for term in terms]
    values = dispersion(uses, sought.terms.counts, sought.terms.total)
    assert values.tolist() == pytest.approx([oracle.dispersion(units, term) for term in terms], abs=1e-12)


@given(TOKEN_LISTS, st.integers(1, 3), st.integers(1, 2), st.integers(0, 10))
def test_uses_are_those_of_loops(texts, n, every, cut):
    sought = sought_in(texts, n, every)
    if sought is None:
        return
    batches = [part for part in (texts[:cut], texts[cut:]) if part]
    states = [sought.collect(Tokens.of(batch)) for batch in batches]
    check(functools.reduce(operator.add, states), sought, [[text] for text in texts])


@given(TOKEN_LISTS, st.integers(1, 3), st.data())
def test_texts_of_a_group_are_one_unit(texts, n, data):
    sought = sought_in(texts, n, 1)
    if sought is None:
        return
    labels = sorted(data.draw(st.lists(st.integers(0, 3), min_size=len(texts), max_size=len(texts))))
    groups = Strings.encode(list(map(str, labels)))
    grouped = SoughtTerms(n, sought.terms, grouped=True)
    units = [[text for text, label in zip(texts, labels) if label == unit] for unit in sorted(set(labels))]
    check(grouped.collect(Tokens.of(texts, groups)), grouped, units)


@given(TOKEN_LISTS, st.booleans(), st.integers(1, 3), st.data())
def test_compiled_loops_agree_with_arrays(texts, grouped, parallel, data):
    """Batches are prepared in parallel, in lots of up to three, before they are absorbed."""
    all_sought = [sought for n in (2, 1, 3) if (sought := sought_in(texts, n, 1)) is not None]
    if not all_sought:
        return
    cuts = sorted(data.draw(st.sets(st.integers(1, len(texts) - 1), max_size=4))) if len(texts) > 1 else []
    parts = [texts[start:end] for start, end in itertools.pairwise([0, *cuts, len(texts)])]
    labels = [[str(place // 2) for place in range(len(part))] for part in parts]
    all_sought = [dataclasses.replace(sought, grouped=grouped) for sought in all_sought]
    (collector, *_) = make_collectors(all_sought, None, rereadable=True)
    batches = [
        Rows(Batch.of(part, groups=groups), RunConfig(compiled=True)) for part, groups in zip(parts, labels)
    ]
    for start in range(0, len(batches), parallel):
        for prepared in [collector.prepare(rows) for rows in batches[start : start + parallel]]:
            collector.absorb(prepared)
    for sought in all_sought:
        of_parts = [Tokens.of(part, Strings.encode(groups)) for part, groups in zip(parts, labels)]
        expected = [sought.collect(tokens) for tokens in of_parts]
        uses, plain = collector.states()[sought], functools.reduce(operator.add, expected)
        assert uses.units.tolist() == plain.units.tolist()
        assert uses.even.tolist() == plain.even.tolist()
        assert uses.places.tolist() == plain.places.tolist()
        assert uses.words.tolist() == plain.words.tolist()


def test_words_of_scanned_texts_are_spelled_without_a_scan_of_all():
    # Upper case, so that the scanned bytes are not those of the text; one text begins with another character.
    view = TokenView(Whitespace(lc=True))
    batch = Batch.of(["Élan A", "B c", "", "a É B", "D"])
    tokens = view.make(batch, RunConfig(compiled=True))
    assert tokens.words_at(np.array([6, 0, 3, 7])).tolist() == ["b", "élan", "c", "d"]
    assert tokens.words_at(np.array([], np.int64)).tolist() == []
