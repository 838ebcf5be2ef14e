"""`.parquet`: columns by name, read in pieces, and errors for damaged files."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import distinctly as dy
from distinctly.sources import parquet

TEXTS = ["the cat sat", "", "the dog sat 知道", "🐕\n", "a\x00b"]


@pytest.fixture
def write(tmp_path):
    """Write columns as a .parquet file."""

    def written(columns: object, **options: object):
        path = tmp_path / "rows.parquet"
        pq.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), path, **options)
        return path

    return written


@pytest.mark.parametrize(
    "column",
    [
        pytest.param(pa.array(TEXTS), id="string"),
        pytest.param(pa.array(TEXTS, pa.large_string()), id="large_string"),
        pytest.param(pa.array(TEXTS).dictionary_encode(), id="dictionary"),
        pytest.param(pa.chunked_array([TEXTS[:1], [], TEXTS[1:]]), id="chunked"),
    ],
)
@pytest.mark.parametrize("row_group_size", [1, 2, 100])
def test_texts_come_as_they_are(write, column, row_group_size):
    path = write({"id": list(range(5)), "text": column}, row_group_size=row_group_size)
    corpus = dy.Corpus.read(path)
    assert corpus.texts() == TEXTS
    assert corpus.source.position == corpus.source.size == path.stat().st_size


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "gzip", "lz4"])
def test_any_compression_inside(write, compression):
    assert dy.Corpus.read(write({"text": TEXTS}, compression=compression)).texts() == TEXTS


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_batches_hold_as_many_rows_as_asked_for(write, size):
    lengths = [len(batch) for batch in dy.Corpus.read(write({"text": TEXTS})).batches(size)]
    # Five rows in batches of 1, 2, 3, 100: all full but the last.
    assert sum(lengths) == 5
    assert all(length == size for length in lengths[:-1])


def test_long_texts_are_read_in_pieces(write, monkeypatch):
    monkeypatch.setattr(parquet, "PIECE", 100_000)
    texts = [f"{number} " * 1000 for number in range(200)]
    corpus = dy.Corpus.read(write({"text": texts}, compression="none", use_dictionary=False))
    # Some 600 kB in one row group, so at least six pieces.
    assert len(list(corpus.batches())) >= 6
    assert corpus.texts() == texts


@pytest.mark.parametrize(
    ("groups", "keys"),
    [
        (["x", "y", "x"], ["x", "y", "x"]),
        ([1, 2, 1], ["1", "2", "1"]),
        ([1.5, 2.0, 1.5], ["1.5", "2.0", "1.5"]),
        ([True, False, True], ["True", "False", "True"]),
        (pa.array(["x", "y", "x"]).dictionary_encode(), ["x", "y", "x"]),
    ],
    ids=["words", "whole numbers", "numbers", "truth values", "dictionary"],
)
def test_groups_and_ids_are_those_of_any_other_source(write, groups, keys):
    path = write({"text": ["a b", "c c", "a c"], "prompt": groups})
    batch = next(dy.Corpus.read(path, group="prompt", id="prompt").batches())
    assert batch.groups.tolist() == batch.ids.tolist() == keys
    # The first and third: a b a c = 3/4; the second: c c = 1/2; the mean of both is 5/8.
    assert dy.measure(path, "distinct:n=1,pool=group", group="prompt")[0].value == 0.625


def test_only_the_columns_asked_for_are_read(write, monkeypatch):
    asked = []
    read = pq.ParquetFile.iter_batches
    monkeypatch.setattr(
        pq.ParquetFile, "iter_batches", lambda *a, **k: asked.append(k["columns"]) or read(*a, **k)
    )
    path = write({"text": ["a"], "more": ["b"], "prompt": ["p"]})
    dy.Corpus.read(path, group="prompt").texts()
    assert asked == [["text", "prompt"]]


@pytest.mark.parametrize("name", ["my.text", "text with spaces", "文"])
def test_a_column_may_have_any_name(write, name):
    assert dy.Corpus.read(write({name: ["a"], "my": ["b"]}), field=name).texts() == ["a"]


def test_lists_of_strings_are_groups_or_tokens(write):
    path = write({"text": [["a b", "a c"], ["d"]]})
    # a b a c = 3/4; d = 1/1; the mean is 7/8.
    assert dy.measure(path, "distinct:n=1,pool=group")[0].value == 0.875
    # "a b", "a c" and "d" are tokens.
    assert dy.measure(path, "types:n=1", tokens=True)[0].value == 3


@pytest.mark.parametrize(("nulls", "count"), [("skip", 2), ("empty", 3)])
def test_nulls_are_skipped_or_emptied_and_it_is_told(write, nulls, count):
    score = dy.measure(write({"text": ["a b", None, "a"]}), "distinct:n=1", nulls=nulls)[0]
    # a b a: 2 distinct of 3, whatever the null is.
    assert (score.value, score.parts["texts"]) == (2 / 3, count)
    assert f"|nulls:{nulls}|" in score.signature


@pytest.mark.parametrize(
    ("columns", "asked", "message"),
    [
        ({"txt": ["a"]}, {}, "Unknown field 'text'. Did you mean 'txt'. Fields: txt"),
        ({"text": ["a"]}, {"group": "prompt"}, "Unknown field 'prompt'.*Choose one with --group"),
        ({"text": ["a", None]}, {}, r"row 1: the text is missing \(null\)"),
        ({"text": ["a", "b"], "p": ["x", None]}, {"group": "p"}, "row 1: expected the group to be a word"),
        ({"text": [1, 2]}, {}, "row 0: expected text, got a number"),
        ({"text": [b"a"]}, {}, "row 0: expected text, got bytes"),
        ({"text": [{"a": 1}]}, {}, "row 0: expected text, got an object"),
        ({"text": pa.array([], pa.string())}, {}, "the file has no rows: no text to measure"),
    ],
)
def test_errors_name_the_row(write, columns, asked, message):
    path = write(columns)
    with pytest.raises(dy.InputError, match=message) as caught:
        dy.measure(path, **asked)
    assert caught.value.source == str(path)


def test_a_row_far_down_is_named_by_its_number(write):
    texts = [*(["a"] * 100_000), None, "b"]
    with pytest.raises(dy.InputError, match="row 100000: the text is missing"):
        dy.measure(write({"text": texts}, row_group_size=30_000))


def test_two_columns_of_one_name_are_an_error(write):
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    with pytest.raises(dy.InputError, match="there are two columns 'text'"):
        dy.measure(write(table))


def test_bytes_that_are_no_utf_8_are_an_error_with_the_row(write):
    wrong = pa.Array.from_buffers(pa.string(), 3, pa.array([b"a", b"b\xff", b"c"]).buffers())
    with pytest.raises(dy.InputError, match="row 1: not valid UTF-8"):
        dy.measure(write({"text": wrong}))


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="nothing"),
        pytest.param(lambda data: b"PAR1", id="a mark alone"),
        pytest.param(lambda data: b"one\ntwo\n", id="lines of text"),
        pytest.param(lambda data: data[: len(data) // 2], id="half"),
        pytest.param(lambda data: data[:-1], id="without its last byte"),
        pytest.param(lambda data: data[len(data) // 2 :], id="second half"),
        pytest.param(lambda data: data[:2000] + b"\xff" * 100 + data[2100:], id="a page"),
        pytest.param(lambda data: data[:-60] + b"\xff" * 50 + data[-10:], id="the footer"),
    ],
)
def test_damage_is_an_error_and_no_number(write, damage):
    path = write({"text": [f"text {number}" for number in range(3000)]}, write_page_checksum=True)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(dy.InputError, match="cannot be read as parquet") as caught:
        dy.measure(path)
    assert caught.value.source == str(path)
    assert "\n" not in str(caught.value)


def test_standard_input_cannot_be_parquet(command):
    done = command("measure", "-", "--input", "parquet", given=b"PAR1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "standard input: parquet cannot be read from standard input. Save it as a file." in done.stderr
