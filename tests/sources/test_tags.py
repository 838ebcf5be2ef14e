"""Tags: one list per text, from a field of any format or beside texts in memory."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import distinctly as dy
from distinctly.batch import Batch

TEXTS = ["the cat sat", "", "知道 🐕"]
TAGS = [["DET", "NOUN", "VERB"], [], ["VERB", "NOUN"]]
ROWS = [{"text": text, "pos": tags, "key": key} for key, (text, tags) in enumerate(zip(TEXTS, TAGS))]
JSONL = "".join(json.dumps(row) + "\n" for row in ROWS)
CELLS = "text,pos,key\n" + "".join(f"{row['text']},{' '.join(row['pos'])},{row['key']}\n" for row in ROWS)


def joined(corpus: dy.Corpus, rows: int | None = None) -> Batch:
    return Batch.join(corpus.batches(rows))


@pytest.mark.parametrize("rows", [1, 2, None])
@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("rows.jsonl", JSONL.encode()),
        ("rows.jsonl.gz", gzip.compress(JSONL.encode())),
        ("rows.json", json.dumps(ROWS).encode()),
        ("rows.csv", CELLS.encode()),
        ("rows.tsv", CELLS.replace(",", "\t").encode()),
    ],
    ids=["jsonl", "gz", "json", "csv", "tsv"],
)
def test_a_field_of_a_file(save, name, written, rows):
    batch = joined(dy.Corpus.read(save(name, written), tags="pos", id="key"), rows)
    assert batch.strings.tolist() == TEXTS
    assert batch.tags.tolist() == TAGS
    assert batch.ids.tolist() == ["0", "1", "2"]


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_column_of_a_table_file(tmp_path, ending):
    path, table = tmp_path / f"rows.{ending}", pa.Table.from_pylist(ROWS)
    if ending == "parquet":
        pq.write_table(table, path, row_group_size=2)
    else:
        with pa.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table)
    assert joined(dy.Corpus.read(path, tags="pos")).tags.tolist() == TAGS


@pytest.mark.parametrize(
    "made",
    [
        pd.DataFrame,
        pl.DataFrame,
        pa.Table.from_pylist,
        lambda rows: {"text": TEXTS, "pos": TAGS},
        lambda rows: pd.DataFrame({"text": TEXTS, "pos": [np.array(tags, object) for tags in TAGS]}),
        iter,
        lambda rows: iter([pd.DataFrame(rows)]),
    ],
    ids=["pandas", "polars", "Arrow", "dict", "arrays in pandas", "rows", "batches of rows"],
)
def test_a_column_of_a_table_in_memory(made):
    assert joined(dy.Corpus(made(ROWS), tags="pos")).tags.tolist() == TAGS


@pytest.mark.parametrize("made", [list, iter, pa.array, pl.Series])
@pytest.mark.parametrize("made_tags", [list, tuple, pa.array, pd.Series, pl.Series])
def test_tags_beside_texts_in_memory(made, made_tags):
    batch = joined(dy.Corpus(made(TEXTS), tags=made_tags(TAGS)))
    assert (batch.strings.tolist(), batch.tags.tolist()) == (TEXTS, TAGS)
    assert (batch.groups, batch.ids) == (None, None)


def test_tags_beside_token_lists():
    batch = joined(dy.Corpus([["the", "cat"], []], tags=[["DET", "NOUN"], []], groups=["x", "y"]))
    assert batch.tags.tolist() == [["DET", "NOUN"], []]
    assert batch.groups.tolist() == ["x", "y"]


def test_without_tags_there_are_none(save):
    assert joined(dy.Corpus(TEXTS)).tags is None
    assert joined(dy.Corpus.read(save("rows.jsonl", JSONL))).tags is None


def test_several_texts_in_a_row_have_one_list_each(save):
    path = save("rows.jsonl", '{"text": ["a b", "c"], "pos": [["X", "Y"], ["Z"]]}\n')
    batch = joined(dy.Corpus.read(path, tags="pos"))
    assert batch.tags.tolist() == [["X", "Y"], ["Z"]]
    assert batch.groups.tolist() == ["line 1", "line 1"]


@pytest.mark.parametrize(("nulls", "tags"), [("skip", [["X"]]), ("empty", [[], ["X"]])])
@pytest.mark.parametrize("null_tags", [None, ["Y"]])
def test_a_missing_text_has_no_tags(save, nulls, tags, null_tags):
    rows = [{"text": None, "pos": null_tags}, {"text": "a", "pos": ["X"]}]
    path = save("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert joined(dy.Corpus.read(path, tags="pos", nulls=nulls)).tags.tolist() == tags


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"text": "a", "pos": None}, r"line 2: the tags are missing \(null\). Give a list of strings"),
        ({"text": "a", "pos": [3]}, r"line 2: expected the tags to be a list of strings, got a list of num"),
        ({"text": "a", "pos": ["X", None]}, r"line 2: expected the tags to be a list of strings"),
        ({"text": "a", "pos": "X Y"}, r"line 2: expected the tags to be a list of strings, got text \('X Y'"),
        ({"text": "a", "pos": [["X"]]}, r"line 2: expected the tags to be a list of strings"),
        ({"text": "a"}, r"line 2: Unknown field 'pos'.*--tags \(Python: tags=\)"),
    ],
)
def test_wrong_tags_are_errors_with_their_row(save, row, message):
    path = save("rows.jsonl", '{"text": "a", "pos": ["X"]}\n' + json.dumps(row) + "\n")
    with pytest.raises(dy.InputError, match=message) as caught:
        joined(dy.Corpus.read(path, tags="pos"))
    assert caught.value.source == str(path)


@pytest.mark.parametrize("tags", [["X"], [["X"]], [["X"], 3], None, "X"])
def test_several_texts_in_a_row_need_one_list_each(save, tags):
    path = save("rows.jsonl", json.dumps({"text": ["a", "b"], "pos": tags}) + "\n")
    with pytest.raises(dy.InputError, match="line 1: .*tags"):
        joined(dy.Corpus.read(path, tags="pos"))


def test_an_empty_cell_beside_a_text_is_an_error(save):
    path = save("rows.csv", "text,pos\nthe cat,\n")
    with pytest.raises(dy.InputError, match="line 2: the tags are missing"):
        joined(dy.Corpus.read(path, tags="pos"))


@pytest.mark.parametrize(
    ("made", "tags", "message"),
    [
        (list, [["X"]], "expected one entry of `tags` per text, got 1 for 2 texts"),
        (iter, [["X"]], "expected one entry of `tags` per text, got 1 for more texts"),
        (iter, [["X"]] * 3, "expected one entry of `tags` per text, got more for 2 texts"),
        (list, [["X"], None], "item 1: the tags are missing"),
        (list, [["X"], "Y"], r"item 1: expected the tags to be a list of strings, got text \('Y'\)"),
        (iter, [["X"], [1]], "item 1: expected the tags to be a list of strings"),
        (list, "pos", "lists and columns have no fields, so no tags. Give groups=, ids=, tags="),
        (iter, "pos", "texts and lists have no fields, so no tags"),
        (lambda texts: {"text": texts}, [["X"], ["Y"]], "For a table, name the column: tags="),
    ],
)
def test_wrong_tags_in_memory(made, tags, message):
    with pytest.raises(dy.InputError, match=message):
        joined(dy.Corpus(made(["a", "b"]), tags=tags))


@pytest.mark.parametrize(("name", "written"), [("texts.txt", "one\n"), ("texts.json", '["one"]')])
def test_texts_without_fields_have_no_tags(save, name, written):
    with pytest.raises(dy.InputError, match="no fields, so no tags. (Use|Remove)"):
        joined(dy.Corpus.read(save(name, written), tags="pos"))


def test_tags_of_a_file_are_named_not_listed(save):
    path = save("rows.jsonl", JSONL)
    with pytest.raises(dy.InputError, match="`tags` applies to texts in memory; for a file, name the field"):
        dy.Corpus.wrap(path, tags=TAGS)
    assert joined(dy.Corpus.wrap(path, tags="pos")).tags.tolist() == TAGS


@pytest.mark.parametrize("size", [1, 50, None])
def test_tags_of_partitions(save, size):
    partitions = dy.Corpus.read(save("rows.jsonl", JSONL), tags="pos").partitions(size)
    assert Batch.join(b for partition in partitions for b in partition.batches()).tags.tolist() == TAGS
