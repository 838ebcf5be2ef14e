"""Objects in memory: lists, arrays, and columns of data frames."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import TOKEN_LISTS

import distinctly as dy
from distinctly.sources import memory
from distinctly.sources.base import Reading
from distinctly.sources.objects import open_object

TEXTS = ["the cat sat", "", "the dog sat 知道", "🐕"]
# the cat sat the dog sat 知 道 🐕: 7 distinct of 9.
VALUE = 7 / 9


def string_dtype(texts: list[str]) -> np.ndarray:
    if not hasattr(getattr(np, "dtypes", None), "StringDType"):
        pytest.skip("numpy before 2.0 has no StringDType")
    return np.array(texts, dtype=np.dtypes.StringDType())


@given(TOKEN_LISTS, st.sampled_from([None, True]), st.sampled_from([None, 2]))
def test_token_lists_are_read_together_as_row_by_row(lists, tokens, limit):
    def batches():
        source = open_object(lists, Reading(tokens=tokens))
        return [
            (batch.strings.tolist(), None if batch.bounds is None else batch.bounds.tolist(), batch.nested)
            for batch in source.batches(limit)
        ]

    together = batches()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "_are_few_token_lists", lambda *_: False)
        assert batches() == together


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(list, id="list"),
        pytest.param(tuple, id="tuple"),
        pytest.param(iter, id="iterator"),
        pytest.param(lambda texts: (text for text in texts), id="generator"),
        pytest.param(lambda texts: dict.fromkeys(texts).keys(), id="view of keys"),
        pytest.param(lambda texts: [np.str_(text) for text in texts], id="numpy strings in a list"),
        pytest.param(lambda texts: np.array(texts, dtype=object), id="numpy object"),
        pytest.param(np.array, id="numpy U"),
        pytest.param(string_dtype, id="numpy StringDType"),
        pytest.param(pa.array, id="Arrow string"),
        pytest.param(lambda texts: pa.array(texts, pa.large_string()), id="Arrow large_string"),
        pytest.param(lambda texts: pa.array(texts, pa.string_view()), id="Arrow string_view"),
        pytest.param(lambda texts: pa.array(texts).dictionary_encode(), id="Arrow dictionary"),
        pytest.param(lambda texts: pa.chunked_array([texts[:1], [], texts[1:]]), id="Arrow chunked"),
        pytest.param(lambda texts: pa.array(["x", *texts])[1:], id="Arrow slice"),
        pytest.param(lambda texts: pa.table({"t": texts})["t"], id="column of an Arrow table"),
        pytest.param(pd.Series, id="pandas default"),
        pytest.param(lambda texts: pd.Series(texts, dtype=object), id="pandas object"),
        pytest.param(lambda texts: pd.Series(texts, dtype="string"), id="pandas string"),
        pytest.param(lambda texts: pd.Series(texts, dtype="category"), id="pandas category"),
        pytest.param(lambda texts: pd.Series(texts, index=[7, 7, 2, 0]), id="pandas with its own index"),
        pytest.param(lambda texts: pd.DataFrame({"t": texts})["t"], id="column of a pandas frame"),
        pytest.param(pd.Index, id="pandas index"),
        pytest.param(pl.Series, id="polars"),
        pytest.param(lambda texts: pl.Series(texts, dtype=pl.Categorical), id="polars categorical"),
        pytest.param(lambda texts: pl.DataFrame({"t": texts})["t"], id="column of a polars frame"),
    ],
)
def test_any_column_gives_the_number_of_the_list(made):
    score = dy.measure(made(TEXTS), "distinct:n=1")[0]
    assert (score.value, score.parts["texts"]) == (VALUE, 4)
    assert score.signature == dy.measure(TEXTS, "distinct:n=1")[0].signature


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(list, id="list of lists"),
        pytest.param(lambda lists: [tuple(tokens) for tokens in lists], id="list of tuples"),
        pytest.param(pa.array, id="Arrow list"),
        pytest.param(lambda lists: pa.array(lists, pa.large_list(pa.large_string())), id="Arrow large_list"),
        pytest.param(pd.Series, id="pandas lists"),
        pytest.param(pl.Series, id="polars lists"),
        pytest.param(lambda lists: [np.array(tokens, dtype=object) for tokens in lists], id="numpy arrays"),
    ],
)
def test_lists_of_strings_are_tokens(made):
    score = dy.measure(made([["New York", "is"], [], ["is", "New York"]]), "distinct:n=2", tokens=True)[0]
    # "New York is" and "is New York": 2 distinct bigrams of 2, in 3 texts.
    assert (score.value, score.parts["C"], score.parts["texts"]) == (1.0, 2, 3)
    assert dy.Signature.parse(score.signature).tokenizer == "given:lc=no"


def test_token_lists_tell_that_the_tokenizer_was_not_used():
    score = dy.measure([["a", "b"]], "distinct:n=1", tokenizer="char")[0]
    assert "The texts came as tokens, so the tokenizer 'char' was not used." in score.notes


def test_lone_surrogates_are_told_apart():
    texts = ["\ud800", "\udc00", "\ud800"]
    # Two distinct tokens of three.
    assert dy.measure(texts, "distinct:n=1")[0].value == 2 / 3
    assert dy.Corpus(texts).texts() == texts


def test_lone_surrogates_in_a_column_of_objects():
    column = pd.Series(["\ud800", "\udc00", "\ud800"], dtype=object)
    # As in the list: two distinct tokens of three.
    assert dy.measure(column, "distinct:n=1")[0].value == 2 / 3


def test_no_texts_is_undefined_with_a_note():
    score = dy.measure([], "distinct:n=1")[0]
    assert math.isnan(score.value)
    assert score.undefined == "there are no texts."


NULLS = [
    pytest.param(["a b", None, "a"], id="None"),
    pytest.param(["a b", math.nan, "a"], id="NaN"),
    pytest.param(["a b", pd.NA, "a"], id="pandas NA in a list"),
    pytest.param(np.array(["a b", None, "a"], dtype=object), id="numpy object"),
    pytest.param(pa.array(["a b", None, "a"]), id="Arrow"),
    pytest.param(pa.chunked_array([["a b"], [None, "a"]]), id="Arrow chunked"),
    pytest.param(pd.Series(["a b", None, "a"]), id="pandas default"),
    pytest.param(pd.Series(["a b", np.nan, "a"], dtype=object), id="pandas object with NaN"),
    pytest.param(pd.Series(["a b", pd.NA, "a"], dtype="string"), id="pandas string with NA"),
    pytest.param(pl.Series(["a b", None, "a"]), id="polars"),
    pytest.param([["a", "b"], None, ["a"]], id="token lists"),
]


@pytest.mark.parametrize("texts", NULLS)
def test_a_null_is_an_error_with_its_place(texts):
    with pytest.raises(dy.InputError, match=r"texts, item 1: the text is missing \(null\).*nulls="):
        dy.measure(texts)


@pytest.mark.parametrize("texts", NULLS)
@pytest.mark.parametrize(("nulls", "count"), [("skip", 2), ("empty", 3)])
@pytest.mark.parametrize("batch_size", [None, 1])
def test_nulls_are_skipped_or_emptied_and_it_is_told(texts, nulls, count, batch_size):
    score = dy.measure(texts, "distinct:n=1", nulls=nulls, batch_size=batch_size)[0]
    # a b a: 2 distinct of 3, whatever the null is.
    assert (score.value, score.parts["texts"]) == (2 / 3, count)
    assert any(f"(nulls={nulls})" in note for note in score.notes)
    assert f"|nulls:{nulls}|" in score.signature


@pytest.mark.parametrize(
    "texts", [[None, "a"], [["a"], None], [None, ["a"]]], ids=["first", "last", "tokens"]
)
@pytest.mark.parametrize("nulls", ["skip", "empty"])
@pytest.mark.parametrize("batch_size", [None, 1])
def test_a_null_may_stand_first_or_last(texts, nulls, batch_size):
    # The only token.
    assert dy.measure(texts, "distinct:n=1", nulls=nulls, batch_size=batch_size)[0].value == 1.0


ROWS = {"prompt": ["x", "y", "x"], "response": ["a b", "c c", "a c"], "key": [3, 2, 1]}
FRAMES = [
    pytest.param(pd.DataFrame, id="pandas"),
    pytest.param(lambda rows: pd.DataFrame(rows, dtype=object), id="pandas objects"),
    pytest.param(lambda rows: pd.DataFrame(rows, index=[7, 7, 0]), id="pandas with its own index"),
    pytest.param(pl.DataFrame, id="polars"),
    pytest.param(pa.table, id="Arrow table"),
    pytest.param(pa.record_batch, id="Arrow record batch"),
    pytest.param(dict, id="dict of columns"),
]


@pytest.mark.parametrize("made", FRAMES)
def test_a_whole_frame_is_read_by_the_names_of_its_columns(made):
    corpus = dy.Corpus(made(ROWS), field="response", group="prompt", id="key")
    assert corpus.texts() == corpus.texts() == ["a b", "c c", "a c"]
    assert next(corpus.batches()).ids.tolist() == ["3", "2", "1"]
    # x: a b a c = 3/4; y: c c = 1/2; the mean of both is 5/8.
    assert dy.measure(corpus, "distinct:n=1,pool=group")[0].value == 0.625


@pytest.mark.parametrize("made", FRAMES)
@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "Unknown field 'text'.*Fields: prompt, response, key.*field="),
        ({"field": "responce"}, "Unknown field 'responce'. Did you mean 'response'"),
        ({"field": "response", "group": "promt"}, "Unknown field 'promt'.*group="),
        ({"field": "key"}, "row 0: expected text, got a number"),
        ({"field": "response", "groups": [1, 2, 1]}, "For a table, name the column: group="),
    ],
)
def test_a_column_that_is_not_there_is_an_error_that_names_those_that_are(made, asked, message):
    with pytest.raises(dy.InputError, match=message):
        dy.Corpus(made(ROWS), **asked).texts()


@pytest.mark.parametrize("made", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_lists_in_a_frame_are_groups_or_tokens_as_in_a_file(made):
    frame = made({"text": [["a b", "a c"], ["d"]]})
    # a b a c = 3/4; d = 1/1; the mean is 7/8.
    assert dy.measure(dy.Corpus(frame), "distinct:n=1,pool=group")[0].value == 0.875
    # "a b", "a c" and "d" are tokens.
    assert dy.measure(dy.Corpus(frame, tokens=True), "types:n=1")[0].value == 3


def test_two_columns_of_one_name_are_an_error():
    frame = pd.DataFrame([["a", "b"]], columns=["text", "text"])
    with pytest.raises(dy.InputError, match="there are two columns 'text'"):
        dy.measure(frame)


def test_a_frame_that_is_not_there_yet_is_an_error():
    with pytest.raises(dy.InputError, match="expected a list or a column of texts, got LazyFrame"):
        dy.measure(pl.LazyFrame({"text": ["a"]}))


def test_a_column_of_arrow_stays_arrow(monkeypatch):
    column = pa.chunked_array([["a", "b"], ["c"]])
    monkeypatch.setattr("distinctly.strings.Strings.encode", None)
    # Without one Python object per text, nothing is encoded.
    assert [len(batch) for batch in dy.Corpus(column).batches()] == [2, 1]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        pytest.param(np.array([[["a", "b"]], [["c", "d"]]]), r"one dimension.*\(2, 1, 2\)", id="3-D"),
        pytest.param(np.array("a b"), "one dimension", id="0-D"),
        pytest.param(np.array([1, 2]), "item 0: expected text, got a number", id="numbers"),
        pytest.param([b"abc"], "item 0: expected text, got bytes", id="bytes in a list"),
        pytest.param(pa.array([b"abc"]), "item 0: expected text, got bytes", id="Arrow binary"),
        pytest.param(b"abc", "expected a list of texts, got bytes", id="bytes"),
        pytest.param(None, "expected a list or a column of texts, got nothing", id="None"),
        pytest.param(5, "expected a list or a column of texts, got a number", id="number"),
        pytest.param(["a", ["b"]], "item 1: expected a text as in the rows before", id="text, then tokens"),
        pytest.param([["a"], "b"], "item 1: expected a list of tokens", id="tokens, then text"),
        pytest.param(["a", ["b", 3]], "item 1: expected tokens.* got a list of number", id="mixed list"),
        pytest.param(pd.Series(["a", 3], dtype=object), "item 1: expected text, got a number", id="pandas"),
        pytest.param(pd.Series([3, "a"], dtype=object), "item 0: expected text, got a number", id="pandas 2"),
    ],
)
def test_what_is_no_column_of_texts_is_an_error(texts, message):
    with pytest.raises(dy.InputError, match=message):
        dy.measure(texts)


@pytest.mark.parametrize("text", ["the cat sat", "a text " * 100, "nul\x00inside", "a\nb"])
def test_a_text_without_its_list_is_taken_for_a_path_and_told_so(text):
    with pytest.raises(dy.InputError, match="A text goes in a list"):
        dy.measure(text)


@pytest.mark.parametrize(
    "groups",
    [
        ["x", "x", "y"],
        [1, 1, 2],
        np.array([1, 1, 2]),
        list(np.array([1, 1, 2])),
        pa.array(["x", "x", "y"]),
        pd.Series(["x", "x", "y"]),
        pl.Series([1, 1, 2]),
    ],
    ids=["words", "numbers", "numpy", "numpy numbers in a list", "Arrow", "pandas", "polars"],
)
def test_groups_may_be_any_column(groups):
    score = dy.measure(["a b", "a c", "d d"], "distinct:n=1,pool=group", groups=groups)[0]
    # First two: a b a c = 3/4; the third: 1/2; the mean is 5/8.
    assert (score.value, score.parts["groups"]) == (0.625, 2)


@pytest.mark.parametrize("name", ["groups", "ids"])
def test_one_group_and_id_a_text(name):
    with pytest.raises(dy.InputError, match=f"expected one entry of `{name}` per text, got 1 for 2 texts"):
        dy.measure(["a", "b"], **{name: ["x"]})


@pytest.mark.parametrize("made", [list, iter])
@pytest.mark.parametrize("name", ["group", "id"])
def test_a_missing_group_or_id_is_an_error_with_its_place(made, name):
    with pytest.raises(
        dy.InputError, match=f"item 1: expected the {name} to be a word or a number, got noth"
    ):
        dy.measure(made(["a", "b"]), **{f"{name}s": ["x", None]})


def test_ids_are_kept():
    assert next(dy.Corpus(["a", "b"], ids=["x", 2]).batches()).ids.tolist() == ["x", "2"]


def test_groups_of_a_file_are_named_not_listed(save):
    with pytest.raises(dy.DistinctlyError, match="groups"):
        dy.measure(save("rows.jsonl", '{"text": "a"}\n'), groups=["x"])


def test_a_corpus_knows_how_it_is_read():
    with pytest.raises(dy.InputError, match="`nulls` applies to files or lists"):
        dy.measure(dy.Corpus(["a"]), nulls="skip")


def test_a_column_with_an_array_needs_no_pandas():
    program = """
import sys
import distinctly as dy
class Column:
    def __array__(self, dtype=None, copy=None):
        import numpy as np
        return np.array(["a b", "a"], dtype=object)
print(dy.measure(Column(), "distinct:n=1")[0].value)
print([name for name in ("pandas", "polars", "pyarrow") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    # a b a: 2 distinct of 3.
    assert done.stdout.splitlines() == [str(2 / 3), "[]"]
