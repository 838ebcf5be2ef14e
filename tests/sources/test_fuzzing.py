"""All readers on damaged and random files: an error of one line, or the right number."""

from __future__ import annotations

import bz2
import codecs
import contextlib
import csv
import datetime
import gzip
import io
import json
import lzma
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from distinctly.cli import main

# DISTINCTLY_FUZZ=2000 runs each test that many times.
EXAMPLES = int(os.environ.get("DISTINCTLY_FUZZ", "0"))


def fuzzed(count: int) -> settings:
    return settings(
        max_examples=EXAMPLES or count,
        deadline=None,
        derandomize=not EXAMPLES,
        suppress_health_check=list(HealthCheck),
    )


class Counted(NamedTuple):
    """What a command counts: texts, types and tokens."""

    texts: int
    types: int
    tokens: int


def counted(texts: list[str]) -> Counted:
    tokens = [token for text in texts for token in text.split()]
    return Counted(len(texts), len(set(tokens)), len(tokens))


@contextlib.contextmanager
def standard_input(content: bytes) -> Iterator[None]:
    original, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(content))
    try:
        yield
    finally:
        sys.stdin = original


def measured(*arguments: object, given_input: bytes = b"") -> Counted | str:
    """Run the command; return what it counts, or its error, after checking that there is nothing else."""
    output, errors = io.StringIO(), io.StringIO()
    wanted = ("-m", "distinct:n=1", "--tokenizer", "whitespace", "--format", "json")
    original, sys.argv = sys.argv, ["distinctly", "measure", *map(str, arguments), *wanted]
    handler = signal.getsignal(signal.SIGTERM)
    try:
        with (
            standard_input(given_input),
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(errors),
            pytest.raises(SystemExit) as exited,
        ):
            main()
    finally:
        sys.argv = original
        signal.signal(signal.SIGTERM, handler)
    if exited.value.code == 0:
        assert errors.getvalue() == ""
        (score,) = json.loads(output.getvalue())["scores"]
        parts = score["parts"]
        return Counted(parts["texts"], parts["N"], parts["C"])
    assert exited.value.code == 2
    assert output.getvalue() == ""
    message = errors.getvalue()
    assert message.startswith("distinctly: error: ")
    assert message.count("\n") == 1
    assert message.endswith("\n")
    assert len(message) < 2_000
    return message


# ------------------------------------------------------------------------------------------ valid files

words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), max_size=6)
texts_of_words = st.lists(st.lists(words, max_size=4).map(" ".join), min_size=1, max_size=5)
# The texts that a line of a .txt file can hold.
encodings = st.sampled_from(
    ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le with mark", "utf-16-be with mark"]
)


def encoded(text: str, encoding: str) -> bytes:
    if encoding.endswith(" with mark"):
        return ("\ufeff" + text).encode(encoding.removesuffix(" with mark"))
    return text.encode(encoding)


def as_txt(texts: list[str]) -> str:
    return "".join(f"{text}\n" for text in texts)


def as_jsonl(texts: list[str]) -> str:
    return "".join(f"{json.dumps({'id': 1, 'text': text})}\n" for text in texts)


def as_json(texts: list[str]) -> str:
    return json.dumps([{"text": text, "n": [1.5, None]} for text in texts], indent=len(texts) % 3 or None)


def as_csv(texts: list[str], delimiter: str = ",") -> str:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerows([["id", "text"], *enumerate(texts)])
    return file.getvalue()


def as_tsv(texts: list[str]) -> str:
    return as_csv(texts, "\t")


def as_arrow(texts: list[str]) -> bytes:
    import pyarrow as pa

    table = pa.table({"text": texts, "id": list(range(len(texts)))})
    file = io.BytesIO()
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


def as_parquet(texts: list[str]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet

    file = io.BytesIO()
    pyarrow.parquet.write_table(pa.table({"text": texts}), file, write_page_checksum=True)
    return file.getvalue()


def as_xlsx(texts: list[str]) -> bytes:
    xlsxwriter = pytest.importorskip("xlsxwriter")
    pytest.importorskip("python_calamine")
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        book.set_properties({"created": datetime.datetime(2020, 1, 1)})  # by default, the time
        sheet = book.add_worksheet()
        for number, row in enumerate([("id", "text"), *enumerate(texts)]):
            sheet.write(number, 0, row[0])
            sheet.write_string(number, 1, row[1])
    return file.getvalue()


def as_zst(content: bytes) -> bytes:
    import pyarrow as pa

    return pa.Codec("zstd").compress(content, asbytes=True)


TEXT_FORMATS: dict[str, Callable[[list[str]], str]] = {
    "txt": as_txt,
    "jsonl": as_jsonl,
    "json": as_json,
    "csv": as_csv,
    "tsv": as_tsv,
}
BINARY_FORMATS: dict[str, Callable[[list[str]], bytes]] = {
    "xlsx": as_xlsx,
    "parquet": as_parquet,
    "arrow": as_arrow,
}
COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "zst": as_zst,
}


@pytest.mark.parametrize("ending", TEXT_FORMATS)
@fuzzed(40)
@given(texts=texts_of_words, encoding=encodings, is_standard_input=st.booleans())
def test_a_valid_file_has_the_right_number(folder, ending, texts, encoding, is_standard_input):
    content = encoded(TEXT_FORMATS[ending](texts), encoding)
    if is_standard_input:
        result = measured("-", "--input", ending, given_input=content)
    else:
        (folder / f"valid.{ending}").write_bytes(content)
        result = measured(folder / f"valid.{ending}", *(("--input", "txt") if ending == "txt" else ()))
    assert result == counted(texts)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@fuzzed(30)
@given(texts=texts_of_words, ending=st.sampled_from(["csv", "tsv"]))
def test_the_delimiter_is_detected(folder, delimiter, texts, ending):
    (folder / f"valid.{ending}").write_text(as_csv(texts, delimiter), encoding="utf-8", newline="")
    assert measured(folder / f"valid.{ending}") == counted(texts)


@pytest.mark.parametrize("ending", BINARY_FORMATS)
@fuzzed(15)
@given(texts=texts_of_words)
def test_a_valid_binary_file_has_the_right_number(folder, ending, texts):
    # Excel does not tell an empty text from an empty cell; and writes _x0041_ for "A".
    assume(ending != "xlsx" or (all(texts) and "_x" not in "".join(texts)))
    (folder / f"valid.{ending}").write_bytes(BINARY_FORMATS[ending](texts))
    assert measured(folder / f"valid.{ending}") == counted(texts)


# ---------------------------------------------------------------------------------------- damaged files

damages = st.one_of(
    st.tuples(st.just("cut"), st.floats(0, 1), st.just(b"")),
    st.tuples(st.just("flip"), st.floats(0, 1), st.binary(min_size=1, max_size=4)),
    st.tuples(st.just("insert"), st.floats(0, 1), st.binary(min_size=1, max_size=4)),
    st.tuples(
        st.just("insert"),
        st.floats(0, 1),
        st.sampled_from(
            [b"\xe9", b"\xff\xfe", b"\0", b"\r", b"\n", b'"', b"[", b"{", b"\xef\xbb\xbf", b"\\"]
        ),
    ),
    st.tuples(st.just("drop"), st.floats(0, 1), st.binary(min_size=1, max_size=4)),
)


def damaged(content: bytes, damage: tuple[str, float, bytes]) -> bytes:
    kind, share, data = damage
    place = int(share * len(content))
    if kind == "cut":
        return content[:place]
    if kind == "insert":
        return content[:place] + data + content[place:]
    if kind == "drop":
        return content[:place] + content[place + len(data) :]
    flipped = bytes(a ^ b for a, b in zip(content[place:], data))
    return content[:place] + flipped + content[place + len(flipped) :]


def decoded(content: bytes) -> str:
    """Decode as the command does: a byte order mark decides, otherwise it is UTF-8."""
    marks = [
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ]
    encoding = next((name for mark, name in marks if content.startswith(mark)), "utf-8")
    return content.decode(encoding).removeprefix("\ufeff")


def texts_of(content: bytes, ending: str) -> list[object]:
    """Read a file naively; raise ValueError if it cannot be read."""
    text = decoded(content)
    if ending == "txt":
        lines = text.split("\n")
        return [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]
    if ending == "json":
        array = json.loads(text)
        if not isinstance(array, list):
            raise ValueError("no array")
        return [item if isinstance(item, str) else item["text"] for item in array]
    if ending == "jsonl":
        return [json.loads(line)["text"] for line in text.split("\n") if line.strip()]
    lines = text.split("\n")
    parts = [f"{line}\n" for line in lines[:-1]] + lines[-1:]
    delimiter = {"csv": ",", "tsv": "\t"}[ending]
    header, *records = csv.reader(parts, delimiter=delimiter, strict=True)
    records = [record for record in records if record]
    if any(len(record) != len(header) for record in records):
        raise ValueError("cells")
    return [record[header.index("text")] for record in records]


def check_text_file(folder: Path, content: bytes, ending: str) -> None:
    delimiter = {"csv": ("--delimiter", ","), "tsv": ("--delimiter", r"\t")}.get(ending, ())
    (folder / f"damaged.{ending}").write_bytes(content)
    result = measured(folder / f"damaged.{ending}", *delimiter)
    if ending != "txt":  # which may also have JSON, if the format is given
        again = measured("-", "--input", ending, *delimiter, given_input=content)
        assert again == result or (isinstance(again, str) and isinstance(result, str))
    if isinstance(result, Counted):
        texts = texts_of(content, ending)
        # Several texts per row are groups, which have other scopes.
        if all(isinstance(text, str) for text in texts):
            assert result == counted([str(text) for text in texts])


@pytest.mark.parametrize("ending", TEXT_FORMATS)
@fuzzed(60)
@given(texts=texts_of_words, encoding=encodings, damage=st.lists(damages, min_size=1, max_size=3))
def test_a_damaged_file_is_an_error_or_has_the_right_number(folder, ending, texts, encoding, damage):
    content = encoded(TEXT_FORMATS[ending](texts), encoding)
    for one_damage in damage:
        content = damaged(content, one_damage)
    check_text_file(folder, content, ending)


@pytest.mark.parametrize("ending", [*TEXT_FORMATS, *BINARY_FORMATS, "file", "npy", "npz"])
@fuzzed(30)
@given(
    content=st.one_of(
        st.binary(max_size=60),
        st.tuples(
            st.sampled_from([b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"PK\x03\x04"]), st.binary()
        ).map(b"".join),
        st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.text(max_size=40).map(lambda text: text.encode("cp1252", "ignore")),
        st.text('[]{}",:\\u0dtex \n', max_size=40).map(str.encode),
    )
)
def test_random_bytes_are_an_error_or_have_the_right_number(folder, ending, content):
    if ending in TEXT_FORMATS:
        check_text_file(folder, content, ending)
    elif ending == "file":
        (folder / "whole").write_bytes(content)
        result = measured(folder / "whole", "--text-per-file")
        assert isinstance(result, str) or result == counted([decoded(content)])
    elif ending in BINARY_FORMATS:
        (folder / f"random.{ending}").write_bytes(content)
        assert isinstance(measured(folder / f"random.{ending}"), str)
    else:
        check_vectors(folder, content, ending)


@pytest.mark.parametrize("ending", BINARY_FORMATS)
@fuzzed(40)
@given(texts=texts_of_words, damage=damages)
def test_a_damaged_binary_file_is_an_error_or_a_number(folder, ending, texts, damage):
    content = BINARY_FORMATS[ending](texts)
    cut = damaged(content, damage)
    (folder / f"damaged.{ending}").write_bytes(cut)
    result = measured(folder / f"damaged.{ending}")
    if damage[0] == "cut" and len(cut) < len(content):
        assert isinstance(result, str)


@pytest.mark.parametrize("ending", COMPRESSIONS)
@fuzzed(30)
@given(texts=texts_of_words, damage=damages)
def test_a_damaged_compressed_file_is_an_error_or_has_the_right_number(folder, ending, texts, damage):
    plain = as_jsonl(texts).encode()
    content = COMPRESSIONS[ending](plain)
    cut = damaged(content, damage)
    (folder / f"damaged.jsonl.{ending}").write_bytes(cut)
    result = measured(folder / f"damaged.jsonl.{ending}")
    if cut == content:
        assert result == counted(texts)
    # Arrow writes no checksum into .zst, so that other contents cannot be told from damaged ones.
    elif ending != "zst":
        assert isinstance(result, str) or result == counted(texts)


def check_vectors(folder: Path, content: bytes, ending: str) -> None:
    (folder / f"vectors.{ending}").write_bytes(content)
    (folder / "texts.txt").write_text("a\nb\nc\n")
    source = folder / f"vectors.{ending}"
    output, errors = io.StringIO(), io.StringIO()
    original = sys.argv
    sys.argv = [
        "distinctly",
        "measure",
        str(folder / "texts.txt"),
        "-m",
        "vendi",
        "--embedder",
        f"vectors:{source}",
    ]
    try:
        with (
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(errors),
            pytest.raises(SystemExit) as exited,
        ):
            main()
    finally:
        sys.argv = original
    assert exited.value.code in (0, 2)
    if exited.value.code == 2:
        assert errors.getvalue().startswith("distinctly: error: ")
        assert errors.getvalue().count("\n") == 1


@pytest.mark.parametrize("ending", ["npy", "npz"])
@fuzzed(30)
@given(damage=damages)
def test_damaged_vectors_are_an_error_or_a_number(folder, ending, damage):
    file = io.BytesIO()
    table = np.arange(12, dtype=np.float32).reshape(3, 4)
    if ending == "npy":
        np.save(file, table)
    else:
        np.savez_compressed(file, vectors=table)
    check_vectors(folder, damaged(file.getvalue(), damage), ending)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("fuzzing")
