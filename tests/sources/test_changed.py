"""A file that changes while it is read raises an error."""

from __future__ import annotations

import gzip
import os
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.systems import posix

import distinctly as dy

# More than one read of a file (1 MiB), so that there is a batch before the end.
LINES = "".join(f"the text of line {number}\n" for number in range(100_000))
ROWS = "".join(f'{{"text": "the text of line {number}"}}\n' for number in range(100_000))


def grow(path):
    with path.open("ab") as file:
        file.write(b"more\n")


def shrink(path):
    os.truncate(path, path.stat().st_size // 2)


def rewrite(path):
    content = path.read_bytes()
    path.write_bytes(content)
    os.utime(path, ns=(1, 1))  # independent of the resolution of the clock


def replace(path):
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def remove(path):
    path.unlink()


CHANGES = [grow, shrink, rewrite, replace, remove]


def read_and_change(path, change):
    batches = dy.Corpus.read(path).batches(1000)
    next(batches)
    change(path)
    for _ in batches:
        pass


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("texts.txt", LINES.encode()),
        ("rows.jsonl", ROWS.encode()),
        ("rows.csv", ("text\n" + LINES).encode()),
        # Lines that compress well, then lines that do not, so that there is a batch long before the end.
        ("texts.txt.gz", gzip.compress(LINES.encode() + os.urandom(2_000_000).hex().encode())),
    ],
    ids=["txt", "jsonl", "csv", "gz"],
)
def test_a_file_that_changes_is_an_error(save, name, content, change):
    path = save(name, content)
    with pytest.raises(dy.InputError, match="changed while it was read. Try again") as caught:
        read_and_change(path, change)
    assert caught.value.source == str(path)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_table_that_changes_is_an_error(tmp_path, ending, change):
    path = tmp_path / f"rows.{ending}"
    table = pa.table({"text": [f"the text of row {number}" for number in range(100_000)]})
    if ending == "parquet":
        pq.write_table(table, path, row_group_size=10_000)
    else:
        with pa.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table, max_chunksize=10_000)
    with pytest.raises(dy.InputError, match="changed while it was read"):
        read_and_change(path, change)


def test_a_file_that_changes_between_two_readings_is_read_as_it_is(save):
    path = save("texts.txt", "one\n")
    corpus = dy.Corpus.read(path)
    assert corpus.texts() == ["one"]
    grow(path)
    assert corpus.texts() == ["one", "more"]


def test_a_reading_that_is_broken_off_says_nothing(save):
    path = save("texts.txt", LINES)
    batches = dy.Corpus.read(path).batches(10)
    next(batches)
    grow(path)
    batches.close()


@posix
def test_a_pipe_with_a_name_can_be_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"one\ntwo\n",))
    writer.start()
    corpus = dy.Corpus.read(pipe)
    assert corpus.texts() == ["one", "two"]
    assert corpus.source.size is None
    writer.join()
