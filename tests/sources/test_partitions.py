"""Partitions: all texts of the source in order, whatever the size, each part read separately."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import distinctly as dy
from distinctly.batch import Batch
from distinctly.sources import compressed, files, jsonl, line_files
from distinctly.sources.line_files import can_cut_lines

SIZES = [1, 2, 3, 7, 1000, None]


def read(partitions, rows=None) -> Batch:
    """Return all texts of partitions that were pickled."""
    sent = [pickle.loads(pickle.dumps(partition)) for partition in partitions]
    return Batch.join(batch for partition in sent for batch in partition.batches(rows))


def content(batch: Batch) -> tuple[object, ...]:
    return (
        batch.strings.tolist(),
        None if batch.bounds is None else batch.bounds.tolist(),
        None if batch.groups is None else batch.groups.tolist(),
        None if batch.ids is None else batch.ids.tolist(),
        None if batch.tags is None else batch.tags.tolist(),
        batch.nulls_skipped,
        batch.nulls_emptied,
    )


def whole(corpus: dy.Corpus) -> tuple[object, ...]:
    return content(Batch.join(corpus.batches()))


def outcome(read_all) -> object:
    try:
        return content(read_all())
    except dy.InputError as error:
        return str(error)


# Lines and JSON lines, cut anywhere

PIECES = ["a", "é", "知", "🐕", "\n", "\n", "\r", "\r\n", "\ufeff", "\x00", "\x85", "\u2028", " "]
RAW = st.one_of(
    st.sampled_from(PIECES).map(str.encode), st.sampled_from([b"\xff", b"\xe7\x9f", b"\xed\xa0\x80"])
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("partitions")


@pytest.fixture
def small_reads(monkeypatch):
    for module in (files, compressed, line_files):
        monkeypatch.setattr(module, "CHUNK", 5)


@given(
    st.lists(RAW, max_size=14).map(b"".join),
    st.integers(1, 12),
    st.sampled_from([{}, {"errors": "replace"}, {"encoding": "latin-1"}, {"encoding": "utf-8-sig"}]),
)
@example(b"\xef\xbb\xbfone\n\xef\xbb\xbftwo", 3, {"encoding": "utf-8-sig"})
@example(b"\xef\xbb\xbf\n\xff", 1, {})
@example(b"\xef\xbb\xbf", 1, {})
@example(b"", 1, {})
@example(b"\n\n\n", 1, {})
@pytest.mark.usefixtures("small_reads")
def test_lines_are_cut_anywhere(folder, written, size, reading):
    path = folder / "texts.txt"
    path.write_bytes(written)
    corpus = dy.Corpus.read(path, **reading)
    expected = outcome(lambda: Batch.join(corpus.batches()))
    assert outcome(lambda: read(corpus.partitions(size))) == expected


LINES = st.sampled_from(
    [
        '{"text": "a"}',
        '{"text": "知道\\n"}',
        '{"text": "long ' + "x" * 40 + '"}',
        "",
        " ",
        '{"text": null}',
        '{"text": ["a", "b"]}',
        '{"text": []}',
        '{"text": 3}',
        '{"text": "a',
        "[]",
    ]
)


@given(
    st.lists(st.tuples(LINES, st.sampled_from(["\n", "\r\n"])), max_size=6),
    st.integers(1, 60),
    st.booleans(),
    st.sampled_from(["error", "skip", "empty"]),
    st.booleans(),
    st.sampled_from([0, 1 << 60]),
)
@example([(" ", "\n"), (" ", "\n")], 1, True, "error", False, 0)
@example([('{"text": null}', "\n"), ('{"text": ["a", "b"]}', "\n")], 1, True, "empty", False, 0)
@example([('{"text": ["a", "b"]}', "\n"), ('{"text": null}', "\n")], 1, True, "empty", True, 0)
@example([('{"text": "a"}', "\n"), ('{"text": ["a", "b"]}', "\n")], 1, True, "error", False, 0)
@pytest.mark.usefixtures("small_reads")
def test_json_lines_are_cut_anywhere(folder, lines, size, ended, nulls, tokens, fast_from):
    written = "".join(line + end for line, end in lines)
    path = folder / "rows.jsonl"
    path.write_bytes((written if ended else written.rstrip("\n")).encode())
    corpus = dy.Corpus.read(path, nulls=nulls, tokens=tokens)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "FAST_FROM", fast_from)
        expected = outcome(lambda: Batch.join(corpus.batches()))
        assert outcome(lambda: read(corpus.partitions(size))) == expected


@pytest.mark.parametrize("size", SIZES)
def test_a_line_belongs_to_the_part_in_which_it_begins(save, size):
    lines = [f"line {number} " + "知" * (number % 5) for number in range(50)]
    path = save("texts.txt", "\r\n".join(lines))
    partitions = dy.Corpus.read(path).partitions(size)
    assert read(partitions, rows=3).strings.tolist() == lines
    if size in (1, 2, 3, 7):  # no line is shorter
        assert len(partitions) == 50
    assert sum(partition.size for partition in partitions) == path.stat().st_size


@pytest.mark.parametrize(
    ("encoding", "is_cut"),
    [
        ("utf-8", True),
        ("utf-8-sig", True),
        ("ascii", True),
        ("latin-1", True),
        ("cp1252", True),
        ("utf-16", False),
        ("utf-16-le", False),
        ("utf-7", False),
        ("shift_jis", False),
        ("hz", False),  # keeps a state across lines
        ("cp037", False),  # has its line feed elsewhere
    ],
)
def test_only_encodings_whose_line_feed_is_one_byte_are_cut(save, encoding, is_cut):
    texts = ["one", "two", "three"]
    path = save("texts.txt", "\n".join(texts).encode(encoding))
    corpus = dy.Corpus.read(path, encoding=encoding)
    partitions = corpus.partitions(1)
    assert len(partitions) == (3 if is_cut else 1)
    assert read(partitions).strings.tolist() == texts == corpus.texts()


def test_a_handler_of_errors_that_python_does_not_know_is_not_cut():
    assert can_cut_lines("utf-8", "surrogateescape")
    assert not can_cut_lines("utf-8", "xmlcharrefreplace")


@pytest.mark.parametrize("size", [1, 10, 100])
def test_an_error_names_its_line_and_byte(save, size):
    path = save("texts.txt", b"one\n" * 20 + b"tw\xff\n" + b"three\n" * 20)
    with pytest.raises(dy.InputError, match=r"line 21: not valid UTF-8 \(byte 82 of the file: ff\)"):
        read(dy.Corpus.read(path).partitions(size))


def test_only_the_part_with_the_error_raises(save):
    path = save("rows.jsonl", '{"text": "a"}\n' * 5 + '{"text": 3}\n' + '{"text": "b"}\n' * 5)
    raised = []
    for partition in dy.Corpus.read(path).partitions(1):
        try:
            read([partition])
        except dy.InputError as error:
            raised.append(str(error))
    assert raised == [f"{path}, line 6: expected text, got a number (3)."]


def test_groups_named_by_lines_are_those_of_the_whole_file(save):
    path = save("rows.jsonl", "".join(json.dumps({"text": [f"{n}", "b"]}) + "\n\n" for n in range(5)))
    corpus = dy.Corpus.read(path)
    assert content(read(corpus.partitions(1))) == whole(corpus)
    # Every other line is blank, and a separate part.
    assert read(corpus.partitions(1)[4:5]).groups.tolist() == ["line 5", "line 5"]


# Tables


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ending", ["parquet", "arrow", "stream.arrow"])
@pytest.mark.parametrize("texts", [["a", "b 知", None, "c"] * 5, [None, ["a", "b"], [], ["c"]] * 5])
def test_tables_are_cut_by_row_groups_and_record_batches(tmp_path, ending, texts, size):
    path = tmp_path / f"rows.{ending}"
    table = pa.table({"text": texts, "key": list(range(20))})
    write(path, table, 3)
    for group in ("key", None):
        corpus = dy.Corpus.read(path, group=group, nulls="empty")
        partitions = corpus.partitions(size)
        assert content(read(partitions)) == whole(corpus)
    # 20 rows, 3 in each group but the last.
    assert len(partitions) == (7 if size == 1 and ending != "stream.arrow" else len(partitions))
    if ending == "stream.arrow":
        assert len(partitions) == 1


def write(path: Path, table: pa.Table, rows: int) -> None:
    if path.name.endswith("parquet"):
        pq.write_table(table, path, row_group_size=rows)
        return
    new_writer = pa.ipc.new_stream if path.name.endswith("stream.arrow") else pa.ipc.new_file
    with new_writer(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=rows)


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_an_error_names_its_row_in_the_table(tmp_path, ending):
    path = tmp_path / f"rows.{ending}"
    write(path, pa.table({"text": ["a"] * 10 + [None]}), 3)
    with pytest.raises(dy.InputError, match="row 10: the text is missing"):
        read(dy.Corpus.read(path).partitions(1)[-1:])


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_parts_without_rows(tmp_path, ending):
    path, schema = tmp_path / f"rows.{ending}", pa.schema([("text", pa.string())])
    pieces = [pa.table({"text": texts}, schema) for texts in ([], [], ["a"], [], ["b"], [])]
    if ending == "parquet":
        with pq.ParquetWriter(path, schema) as writer:
            for piece in pieces:
                writer.write_table(piece)
    else:
        with pa.ipc.new_file(str(path), schema) as writer:
            for piece in pieces:
                for batch in piece.to_batches() or [pa.record_batch({"text": pa.array([], pa.string())})]:
                    writer.write_batch(batch)
    assert read(dy.Corpus.read(path).partitions(1)).strings.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "written", "message"),
    [
        ("a.jsonl", b"\n \n\n", "only blank lines"),
        ("a.txt", b"", "the file is empty"),
        ("a.parquet", b"PAR1 and more", "cannot be read as parquet"),
        ("a.arrow", b"ARROW1 and more", "cannot be read as arrow"),
    ],
)
def test_files_without_texts_and_damaged_ones_raise_when_they_are_read(save, name, written, message):
    partitions = dy.Corpus.read(save(name, written)).partitions(1)
    with pytest.raises(dy.InputError, match=message):
        read(partitions)


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_table_without_rows_is_an_error(tmp_path, ending):
    path = tmp_path / f"rows.{ending}"
    write(path, pa.table({"text": pa.array([], pa.string())}), 3)
    with pytest.raises(dy.InputError, match="the file has no rows"):
        read(dy.Corpus.read(path).partitions(1))


# One partition per file


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("rows.csv", b'text\n"one\ntwo"\nthree\n'),
        ("rows.tsv", b'text\n"one\ntwo"\nthree\n'),
        ("rows.json", b'["one\\ntwo", "three"]'),
        ("rows.jsonl.gz", gzip.compress(b'{"text": "one\\ntwo"}\n{"text": "three"}\n')),
    ],
    ids=["csv", "tsv", "json", "gz"],
)
def test_what_cannot_be_cut_is_one_partition(save, name, written):
    partitions = dy.Corpus.read(save(name, written)).partitions(1)
    assert len(partitions) == 1
    assert read(partitions).strings.tolist() == ["one\ntwo", "three"]


@pytest.mark.parametrize("size", SIZES)
def test_several_files(save, tmp_path, size):
    save("out/a.jsonl", '{"text": ["one", "two"]}\n{"text": ["three"]}\n')
    save("out/b.jsonl.gz", gzip.compress(b'{"text": ["four"]}\n'))
    save("out/c.jsonl", '{"text": ["five"]}\n{"text": ["six"]}\n')
    corpus = dy.Corpus.read(tmp_path / "out")
    partitions = corpus.partitions(size)
    assert content(read(partitions)) == whole(corpus)
    assert len(partitions) == (5 if size in (1, 2, 3, 7) else 3)


# Files that change


@pytest.mark.parametrize("ending", ["txt", "parquet", "arrow"])
def test_a_file_that_changed_after_it_was_cut_is_an_error(tmp_path, ending):
    path = tmp_path / f"texts.{ending}"
    if ending == "txt":
        path.write_text("one\ntwo\n")
    else:
        write(path, pa.table({"text": ["one", "two"]}), 1)
    partitions = dy.Corpus.read(path).partitions(1)
    os.utime(path, ns=(1, 1))
    for partition in partitions:
        with pytest.raises(dy.InputError, match="changed after it was cut into partitions. Cut it again"):
            read([partition])


def test_a_file_that_changes_while_a_part_is_read_is_an_error(save):
    path = save("texts.txt", "the text of a line\n" * 200_000)
    batches = dy.Corpus.read(path).partitions(3_000_000)[0].batches(10)
    next(batches)
    os.utime(path, ns=(1, 1))
    with pytest.raises(dy.InputError, match="changed while it was read"):
        list(batches)


# In memory

COLUMNS = {
    "list": list,
    "numpy": lambda texts: np.array(texts, dtype=object),
    "Arrow": pa.array,
    "chunked": lambda texts: pa.chunked_array([texts[:2], texts[2:]]),
    "pandas": pd.Series,
    "polars": pl.Series,
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("made", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("texts", [["a", "", None, "知道 🐕"], [None, ["a", "b"], [], None]])
def test_texts_in_memory(made, texts, size):
    keys = {"groups": ["x", "x", "y", "y"], "ids": [1, 2, 3, 4], "tags": [["A"], [], ["B", "C"], []]}
    corpus = dy.Corpus(made(texts), nulls="empty", **keys)
    partitions = corpus.partitions(size)
    assert content(read(partitions)) == whole(corpus)
    if size == 1:
        assert len(partitions) == 4


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("made", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_frames(made, size):
    corpus = dy.Corpus(made({"text": [["a", "b"], ["c"], ["d", "e"]]}))
    # Rows are groups, so the rows of each part need the numbers of the whole.
    assert content(read(corpus.partitions(size))) == whole(corpus)


@pytest.mark.parametrize(
    "made",
    [list, pa.array, pl.Series, lambda texts: pa.array(texts).dictionary_encode()],
    ids=["list", "Arrow", "polars", "dictionary"],
)
def test_a_pickled_part_holds_its_slice_alone(made):
    texts = [f"{number:04} " + "x" * 1000 for number in range(1000)]
    partitions = dy.Corpus(made(texts)).partitions(10_000)
    assert len(partitions) >= 50
    assert read(partitions).strings.tolist() == texts
    assert max(len(pickle.dumps(partition)) for partition in partitions) < 30_000


def test_pickled_tags_are_those_of_the_slice_alone():
    tags = [[f"{number:04} " + "x" * 1000] for number in range(1000)]
    for made in (list, pa.array, pl.Series):
        partitions = dy.Corpus(["a text"] * 1000, tags=made(tags)).partitions(60)
        assert read(partitions).tags.tolist() == tags
        assert max(len(pickle.dumps(partition)) for partition in partitions) < 30_000


def test_an_error_names_its_item():
    with pytest.raises(dy.InputError, match="item 2: expected text, got a number"):
        read(dy.Corpus(["a", "b", 3]).partitions(1))


def test_no_texts_are_one_empty_partition():
    assert [len(read([partition])) for partition in dy.Corpus([]).partitions(1)] == [0]


def test_an_iterator_is_one_partition_that_stays_here():
    corpus = dy.Corpus(iter(["a", "b"]))
    (partition,) = corpus.partitions(1)
    with pytest.raises(dy.InputError, match="an iterator can be read only once.*Give a list"):
        pickle.dumps(partition)
    assert Batch.join(partition.batches()).strings.tolist() == ["a", "b"]
    with pytest.raises(dy.InputError, match="has already been read"):
        partition.batches()


def test_an_iterator_that_was_begun_keeps_its_first_batch():
    corpus = dy.Corpus(iter(["a", "b"]))
    assert not corpus.has_groups(1)
    (partition,) = corpus.partitions()
    with pytest.raises(dy.InputError, match="can be read only once"):
        pickle.dumps(partition)
    assert Batch.join(partition.batches()).strings.tolist() == ["a", "b"]


def test_standard_input_is_one_partition_that_stays_here():
    program = """
import pickle, distinctly as dy
(partition,) = dy.Corpus.read("-").partitions(1)
try:
    pickle.dumps(partition)
except dy.InputError as error:
    print(error)
print([batch.strings.tolist() for batch in partition.batches()])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, input="one\ntwo\n"
    )
    message, texts = done.stdout.splitlines()
    assert message.startswith("standard input: it can be read only once")
    assert texts == "[['one', 'two']]"


@pytest.mark.parametrize("on_disk", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_datasets(tmp_path, on_disk, size):
    datasets = pytest.importorskip("datasets", reason="needs the package datasets")
    dataset = datasets.Dataset.from_dict({"text": [["a", "b"], ["c"], ["d"], None]})
    if on_disk:
        dataset.save_to_disk(tmp_path / "saved")
        dataset = datasets.load_from_disk(tmp_path / "saved")
    corpus = dy.Corpus(dataset, nulls="empty")
    partitions = corpus.partitions(size)
    assert content(read(partitions)) == whole(corpus)
    if size == 1:
        assert len(partitions) == 4


@pytest.mark.parametrize("size", [0, -1])
@pytest.mark.parametrize("made", [list, iter])
def test_a_partition_has_at_least_one_byte(made, size):
    with pytest.raises(dy.InputError, match=f"at least 1 byte, got {size}"):
        dy.Corpus(made(["a"])).partitions(size)
