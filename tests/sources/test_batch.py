"""Batches: joined, and selected from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import distinctly as dy
from distinctly.batch import Batch, TokenColumn

WORDS = st.sampled_from(["", "a", "é", "知道", "\ud800"])
LISTS = st.lists(st.lists(WORDS, max_size=3), max_size=5)


@given(st.lists(LISTS, max_size=4), st.data())
def test_a_token_column_is_a_list_of_lists(parts, data):
    column = TokenColumn.concatenate([TokenColumn.encode(part) for part in parts])
    lists = [tokens for part in parts for tokens in part]
    assert (len(column), column.tolist()) == (len(lists), lists)
    rows = data.draw(st.lists(st.integers(0, len(lists) - 1)) if lists else st.just([]))
    assert column.take(rows).tolist() == [lists[row] for row in rows]
    # A selection can be joined again, although its strings are in another order.
    twice = TokenColumn.concatenate([column.take(rows), column])
    assert twice.tolist() == [lists[row] for row in rows] + lists


def test_bounds_need_not_begin_at_zero():
    column = TokenColumn.encode([["a"], ["b", "c"], ["d"]])
    middle = TokenColumn(column.strings, column.bounds[1:3])
    assert TokenColumn.concatenate([middle, middle]).tolist() == [["b", "c"], ["b", "c"]]


@given(st.lists(LISTS, max_size=4), st.booleans(), st.data())
def test_joining_and_selecting(parts, as_tokens, data):
    texts = [part if as_tokens else ["".join(tokens) for tokens in part] for part in parts]
    batches = [
        Batch.of(some, groups=["g"] * len(some), ids=list(map(str, range(len(some)))), tags=part)
        for some, part in zip(texts, parts)
    ]
    joined = Batch.join(batches)
    every_text = [text for some in texts for text in some]
    every_tag = [tags for part in parts for tags in part]
    assert len(joined) == len(every_text)
    rows = data.draw(st.lists(st.integers(0, len(every_text) - 1)) if every_text else st.just([]))
    selected = joined.select(np.array(rows, np.int64))
    expected = Batch.of([every_text[row] for row in rows])
    assert selected.strings.tolist() == expected.strings.tolist()
    if rows:
        assert (selected.bounds is None) == (expected.bounds is None)
        assert selected.tags.tolist() == [every_tag[row] for row in rows]
        assert selected.ids.tolist() == [joined.ids.tolist()[row] for row in rows]
        assert selected.groups.tolist() == ["g"] * len(rows)


def test_an_empty_batch_adds_its_missing_texts_alone():
    batch = Batch.join(
        [
            Batch.of([], nulls_skipped=2),
            Batch.of([["a"]], ids=["1"], tags=[["X"]], nulls_emptied=1),
            Batch.of([], nulls_skipped=1),
        ]
    )
    assert (batch.nulls_skipped, batch.nulls_emptied, len(batch)) == (3, 1, 1)
    assert (batch.ids.tolist(), batch.tags.tolist(), batch.bounds.tolist()) == (["1"], [["X"]], [0, 1])


def test_columns_that_not_all_have_are_left_out():
    batch = Batch.join([Batch.of(["a"], groups=["x"], ids=["1"], tags=[["X"]]), Batch.of(["b"], ids=["2"])])
    assert (batch.groups, batch.tags, batch.ids.tolist()) == (None, None, ["1", "2"])


def test_texts_and_token_lists_cannot_be_joined():
    with pytest.raises(dy.InputError, match="give all as texts, or all as tokens"):
        Batch.join([Batch.of(["a"]), Batch.of([["a"]])])


def test_no_batches_are_an_empty_batch():
    assert len(Batch.join([])) == 0
    assert len(Batch.of(["a"]).select([])) == 0
