"""Iterators: texts, batches and rows on demand, never all in memory, and never twice."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import distinctly as dy

TEXTS = ["the cat sat", "", "the dog sat 知道", "🐕", "\ud800"]


class Again:
    """Can be iterated many times, like a data loader."""

    def __init__(self, *items: object) -> None:
        self.items = items

    def __iter__(self):
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(iter, id="iterator"),
        pytest.param(lambda texts: (text for text in texts), id="generator"),
        pytest.param(lambda texts: map(str, texts), id="map"),
        pytest.param(lambda texts: iter([texts[:2], texts[2:]]), id="lists"),
        pytest.param(lambda texts: iter([tuple(texts), [], ()]), id="tuples, and empty ones"),
        pytest.param(lambda texts: iter([np.array(texts, object)]), id="numpy arrays"),
        pytest.param(lambda texts: iter([pd.Series(texts, dtype=object)]), id="pandas columns"),
        pytest.param(lambda texts: ({"text": text} for text in texts), id="rows"),
        pytest.param(lambda texts: iter([{"text": texts[:3]}, {"text": texts[3:]}]), id="mappings of lists"),
        pytest.param(lambda texts: iter([pd.DataFrame({"text": texts}, dtype=object)]), id="pandas frames"),
        pytest.param(lambda texts: Again(*texts), id="iterable"),
        pytest.param(lambda texts: Again(texts[:2], texts[2:]), id="loader of batches"),
    ],
)
def test_any_iterator_gives_the_texts_of_the_list(made):
    assert dy.Corpus(made(TEXTS)).texts() == TEXTS


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(lambda texts: iter([pa.array(texts[:2]), pa.array(texts[2:])]), id="Arrow arrays"),
        pytest.param(lambda texts: iter([pl.Series(texts)]), id="polars columns"),
        pytest.param(lambda texts: iter([pl.DataFrame({"text": texts})]), id="polars frames"),
        pytest.param(lambda texts: iter(pa.table({"text": texts}).to_batches()), id="record batches"),
        pytest.param(lambda texts: pa.table({"text": texts}).to_reader(2), id="reader of record batches"),
    ],
)
def test_columns_and_tables_of_arrow_and_polars(made):
    assert dy.Corpus(made(TEXTS[:4])).texts() == TEXTS[:4]


def test_texts_are_taken_as_they_are_needed():
    taken = 0

    def texts():
        nonlocal taken
        while True:  # endless: listing it first would never return
            taken += 1
            yield f"text {taken}"

    batches = dy.Corpus(texts()).batches(10)
    assert next(batches).strings.tolist()[-1] == "text 10"
    assert next(batches).strings.tolist()[-1] == "text 20"
    assert taken <= 21


@pytest.mark.parametrize("read", [len, lambda corpus: corpus.texts(), dy.measure])
def test_a_second_reading_is_an_error_and_no_empty_corpus(read):
    corpus = dy.Corpus(iter(TEXTS))
    assert corpus.texts() == TEXTS
    with pytest.raises(dy.InputError, match="this iterator has already been read.*Give a list"):
        read(corpus)


def test_what_can_be_gone_through_again_can_be_read_again():
    corpus = dy.Corpus(Again("a", "b"))
    assert corpus.texts() == corpus.texts() == ["a", "b"]


def test_lists_are_tokens_where_asked():
    tokens = [["New York", "is"], [], ["is", "New York"]]
    score = dy.measure(iter(tokens), "distinct:n=2", tokens=True)[0]
    # As in a list of lists: "New York is" and "is New York", 2 distinct bigrams of 2, in 3 texts.
    assert (score.value, score.parts["C"], score.parts["texts"]) == (1.0, 2, 3)
    assert score.signature == dy.measure(tokens, "distinct:n=2", tokens=True)[0].signature
    rows = ({"text": text} for text in tokens)
    assert dy.measure(rows, "distinct:n=2", tokens=True)[0].signature == score.signature


def test_batches_of_token_lists():
    score = dy.measure(iter([[["a", "b"], ["a"]], [["c"]]]), "types:n=1")[0]
    assert (score.value, score.parts["texts"]) == (3, 3)


def test_fields_groups_and_ids_of_rows():
    rows = [{"r": "a b", "p": "x", "k": 1}, {"r": "c c", "p": "y", "k": 2}, {"r": "a c", "p": "x", "k": 3}]
    for made in (iter(rows), iter([pd.DataFrame(rows)]), iter([pa.Table.from_pylist(rows)])):
        corpus = dy.Corpus(made, field="r", group="p", id="k")
        batch = next(corpus.batches())
        assert batch.strings.tolist() == ["a b", "c c", "a c"]
        assert batch.groups.tolist() == ["x", "y", "x"]
        assert batch.ids.tolist() == ["1", "2", "3"]


@pytest.mark.parametrize("made", [list, iter, np.array, pd.Series, pa.array])
def test_groups_beside_an_iterator(made):
    for texts in (
        iter(["a b", "a c", "d d"]),
        iter([["a b", "a c"], ["d d"]]),
        iter([pa.array(["a b", "a c", "d d"])]),
    ):
        score = dy.measure(texts, "distinct:n=1,pool=group", groups=made(["x", "x", "y"]))[0]
        # a b a c = 3/4; d d = 1/2; the mean is 5/8.
        assert (score.value, score.parts["groups"]) == (0.625, 2)


@pytest.mark.parametrize(
    ("groups", "message"), [(["x"], "got 1 for more texts"), (["x"] * 3, "got more for 2 texts")]
)
@pytest.mark.parametrize("name", ["groups", "ids"])
def test_one_group_and_id_a_text(name, groups, message):
    with pytest.raises(dy.InputError, match=f"expected one entry of `{name}` per text, {message}"):
        dy.measure(iter(["a", "b"]), **{name: groups})


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["a", 5], "item 1: expected text, got a number"),
        (["a", b"b"], "item 1: expected text, got bytes"),
        (["a", None], r"item 1: the text is missing \(null\)"),
        ([["a"], ["b", 5]], "batch 1, item 1: expected text, got a number"),
        ([["a"], ["b", None]], r"batch 1, item 1: the text is missing"),
        ([pa.array(["a", None])], r"batch 0, item 1: the text is missing"),
        ([["a"], [["b"]]], "batch 1, item 0: expected a text as in the rows before, got a list of tokens"),
        ([{"text": "a"}, {"txt": "b"}], "item 1: Unknown field 'text'. Did you mean 'txt'"),
        ([{"text": "a"}, {"text": 5}], "item 1: expected text, got a number"),
        ([pd.DataFrame({"text": ["a", None]})], "batch 0, row 1: the text is missing"),
    ],
)
def test_errors_say_where(texts, message):
    with pytest.raises(dy.InputError, match=message):
        dy.measure(iter(texts))


def test_a_batch_has_as_many_groups_as_texts():
    with pytest.raises(dy.InputError, match="expected one entry of `groups` per text, got 1 for 2 texts"):
        dy.measure(iter([{"text": ["a", "b"], "p": ["x"]}]), group="p")


@pytest.mark.parametrize("items", [["a"], [["a"]]])
def test_texts_have_no_fields(items):
    with pytest.raises(dy.InputError, match="texts and lists have no fields, so no group"):
        dy.measure(iter(items), group="prompt")


@pytest.mark.parametrize(("nulls", "count"), [("skip", 2), ("empty", 3)])
def test_nulls(nulls, count):
    score = dy.measure(iter(["a b", None, "a"]), "distinct:n=1", nulls=nulls)[0]
    # a b a: 2 distinct of 3, whatever the null is.
    assert (score.value, score.parts["texts"]) == (2 / 3, count)


def test_an_error_of_the_iterator_is_the_users_own():
    def texts():
        yield "a"
        raise RuntimeError("out of texts")

    with pytest.raises(RuntimeError, match="out of texts"):
        dy.measure(texts())


def test_an_iterator_without_texts_is_undefined_like_an_empty_list():
    assert dy.measure(iter([]), "distinct:n=1")[0].undefined == "there are no texts."
