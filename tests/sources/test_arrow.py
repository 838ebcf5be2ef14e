"""`.arrow` and `.feather`: files and streams."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.feather
import pytest

import distinctly as dy

TEXTS = ["the cat sat", "", "the dog sat 知道", "🐕\n", "a\x00b"]
WRITERS = {"file": pa.ipc.new_file, "stream": pa.ipc.new_stream}


@pytest.fixture(params=WRITERS)
def write(tmp_path, request):
    """Write columns as an .arrow file, as a file or as a stream."""

    def written(columns: object, compression: str | None = None):
        table = columns if isinstance(columns, pa.Table) else pa.table(columns)
        path = tmp_path / "rows.arrow"
        options = pa.ipc.IpcWriteOptions(compression=compression)
        with WRITERS[request.param](str(path), table.schema, options=options) as writer:
            writer.write_table(table, max_chunksize=2)
        return path

    return written


@pytest.mark.parametrize(
    "column",
    [
        pytest.param(pa.array(TEXTS), id="string"),
        pytest.param(pa.array(TEXTS, pa.large_string()), id="large_string"),
        pytest.param(pa.array(TEXTS, pa.string_view()), id="string_view"),
        pytest.param(pa.array(TEXTS).dictionary_encode(), id="dictionary"),
        pytest.param(pa.array(["x", *TEXTS])[1:], id="slice"),
    ],
)
@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
def test_texts_come_as_they_are(write, column, compression):
    corpus = dy.Corpus.read(write({"id": list(range(5)), "text": column}, compression))
    assert corpus.texts() == TEXTS
    assert 0 < corpus.source.position <= corpus.source.size


def test_groups_and_ids_by_name(write):
    path = write({"key": [3, 2, 1], "text": ["a b", "c c", "a c"], "prompt": ["x", "y", "x"]})
    corpus = dy.Corpus.read(path, group="prompt", id="key")
    assert [key for batch in corpus.batches() for key in batch.ids] == ["3", "2", "1"]
    # x: a b a c = 3/4; y: c c = 1/2; the mean of both is 5/8.
    assert dy.measure(corpus, "distinct:n=1,pool=group")[0].value == 0.625


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather(tmp_path, compression):
    path = tmp_path / "rows.feather"
    pyarrow.feather.write_feather(pa.table({"text": TEXTS}), str(path), compression=compression)
    assert dy.Corpus.read(path).texts() == TEXTS


def test_feather_of_old_is_an_error_that_says_so(save):
    with pytest.raises(dy.InputError, match="Feather version 1.*write version 2"):
        dy.measure(save("rows.feather", b"FEA1 and more"))


def test_lists_of_strings_are_groups_or_tokens(write):
    path = write({"text": [["a b", "a c"], ["d"]]})
    # a b a c = 3/4; d = 1/1; the mean is 7/8.
    assert dy.measure(path, "distinct:n=1,pool=group")[0].value == 0.875
    # "a b", "a c" and "d" are tokens.
    assert dy.measure(path, "types:n=1", tokens=True)[0].value == 3


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"txt": ["a"]}, "Unknown field 'text'. Did you mean 'txt'. Fields: txt"),
        ({"text": ["a", "b", "c", None]}, r"row 3: the text is missing \(null\)"),
        ({"text": [1, 2]}, "row 0: expected text, got a number"),
        ({"text": pa.array([], pa.string())}, "the file has no rows: no text to measure"),
        (
            {"text": pa.Array.from_buffers(pa.string(), 3, pa.array([b"a", b"b", b"c\xff"]).buffers())},
            "row 2: not valid UTF-8",
        ),
    ],
    ids=["field", "null", "numbers", "no rows", "no UTF-8"],
)
def test_errors_name_the_row(write, columns, message):
    path = write(columns)
    with pytest.raises(dy.InputError, match=message) as caught:
        dy.measure(path)
    assert caught.value.source == str(path)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="nothing"),
        pytest.param(lambda data: b"ARROW1", id="a mark alone"),
        pytest.param(lambda data: b"one\ntwo\n", id="lines of text"),
        pytest.param(lambda data: data[: len(data) // 2], id="half"),
        pytest.param(lambda data: data[:-1], id="without its last byte"),
        pytest.param(lambda data: data[:-8], id="without its end mark"),
    ],
)
def test_damage_is_an_error_and_no_number(write, damage):
    path = write({"text": TEXTS})
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(dy.InputError, match="cannot be read as arrow") as caught:
        dy.measure(path)
    assert caught.value.source == str(path)
    assert "\n" not in str(caught.value)


def test_places_of_texts_that_make_no_sense_are_an_error(write):
    wrong = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(b"\0\0\0\0\xff\xff\xff\x7f\2\0\0\0"), pa.py_buffer(b"ab")]
    )
    with pytest.raises(dy.InputError, match="the data is damaged|cannot be read"):
        dy.measure(write({"text": wrong}))
