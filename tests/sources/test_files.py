"""Files and standard input: found, opened, decoded."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems import posix

import distinctly as dy

MIB = 1 << 20  # the number of bytes that are read at a time


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le", "cp1252", "UTF8"]
)
@pytest.mark.parametrize("ending", ["txt", "jsonl", "csv"])
def test_a_file_is_read_in_its_encoding(save, encoding, ending):
    written = {
        "txt": "café\r\nmüde\n",
        "jsonl": '{"text": "café"}\n{"text": "müde"}\n',
        "csv": "text\ncafé\nmüde\n",
    }
    path = save(f"texts.{ending}", written[ending].encode(encoding))
    assert dy.Corpus.read(path, encoding=encoding).texts() == ["café", "müde"]


@pytest.mark.parametrize(
    ("errors", "text"), [("replace", "caf\ufffd!"), ("ignore", "caf!"), ("surrogateescape", "caf\udce9!")]
)
def test_bytes_that_are_none_can_be_replaced(save, errors, text):
    # E9 is é in Latin-1; before "!" it is not valid UTF-8.
    assert dy.Corpus.read(save("texts.txt", b"caf\xe9!\n"), errors=errors).texts() == [text]


@pytest.mark.parametrize(
    ("content", "line", "byte"),
    [
        pytest.param(b"\xff", 1, 0, id="the first byte"),
        pytest.param(b"one\ntwo\nthr\xffe\n", 3, 11, id="third line"),  # 4 + 4 + 3
        pytest.param(b"\xef\xbb\xbfone\n\xff\n", 2, 7, id="after a byte order mark"),  # 3 + 4
        pytest.param(b"one\n\xe7\x9f", 2, 4, id="cut off at the end of the file"),
        pytest.param(b"x" * 99 + b"\n" + b"y" * MIB + b"\n\xff\n", 3, 100 + MIB + 1, id="in the second read"),
        pytest.param(b"ab\n" * MIB + b"c\xffd\n", MIB + 1, 3 * MIB + 1, id="in the fourth read"),
        # The read ends after the first two of three bytes, and the next byte is not the third.
        pytest.param(b"\n" * (MIB - 2) + b"\xe7\x9fZ\n", MIB - 1, MIB - 2, id="across two reads"),
    ],
)
def test_what_cannot_be_decoded_is_an_error_with_its_line_and_byte(save, content, line, byte):
    with pytest.raises(dy.InputError, match=rf"not valid UTF-8 \(byte {byte} of the file: ") as caught:
        dy.measure(save("texts.txt", content))
    assert caught.value.row == f"line {line}"
    assert "--encoding" in str(caught.value)


@pytest.mark.parametrize("character", ["é", "知", "🐕"])
@pytest.mark.parametrize("before", [1, 2, 3])
@pytest.mark.parametrize("errors", ["strict", "replace"])
def test_a_character_across_two_reads_is_whole(save, character, before, errors):
    text = "x" * (MIB - before) + character + "y"
    assert dy.Corpus.read(save("texts.txt", text), errors=errors).texts() == [text]


def test_a_windows_line_end_across_two_reads_is_one(save):
    text = "x" * (MIB - 1)
    assert dy.Corpus.read(save("texts.txt", f"{text}\r\nafter\r\n")).texts() == [text, "after"]


@pytest.mark.parametrize("content", ["one\n".encode("utf-16-le"), b"one\ntwo\n"], ids=["UTF-16", "plain"])
def test_utf_16_without_its_mark_is_an_error_that_says_so(save, content):
    with pytest.raises(dy.InputError, match=r"(?i)utf-16"):
        dy.measure(save("texts.txt", content), encoding="utf-16")


@pytest.mark.parametrize("encoding", ["no-such", "base64", "rot13", "hex", "undefined", ""])
def test_an_encoding_that_is_none_of_text_is_an_error(save, encoding):
    with pytest.raises(dy.SpecError, match="encoding"):
        dy.measure(save("texts.txt", "b25l\n"), encoding=encoding)


def test_a_way_with_errors_that_python_does_not_know_is_an_error(save):
    with pytest.raises(dy.SpecError, match="Expected `errors` to be one that Python knows, got 'mend'"):
        dy.measure(save("texts.txt", "one\n"), errors="mend")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("texts.txt", ""),
        ("rows.jsonl", ""),
        ("rows.csv", ""),
        ("rows.tsv", ""),
        ("texts.txt", "\ufeff"),
        ("rows.jsonl", "\ufeff"),
        ("rows.jsonl", "\n \n"),
        ("rows.csv", "text\n"),
    ],
)
def test_a_file_without_any_text_is_an_error(save, name, content):
    path = save(name, content)
    with pytest.raises(dy.InputError, match="no text to measure") as caught:
        dy.measure(path)
    assert caught.value.source == str(path)


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(dy.InputError, match=r"nowhere.txt: no such file"):
        dy.measure(tmp_path / "nowhere.txt")


@posix
def test_a_link_to_nowhere_is_an_error(tmp_path):
    (tmp_path / "link.txt").symlink_to(tmp_path / "nowhere.txt")
    with pytest.raises(dy.InputError, match=r"link.txt: the target of this link does not exist"):
        dy.measure(tmp_path / "link.txt")


@pytest.mark.parametrize("ending", ["zip", "xls", "ZIP", "tar", "npy", "pdf", "zip.gz", "tar.xz"])
def test_formats_that_cannot_be_read_are_not_taken_for_text(save, ending):
    with pytest.raises(
        dy.InputError, match=f"cannot read .{ending.lower().partition('.')[0]} files. Convert it"
    ):
        dy.measure(save(f"texts.{ending}", "one\n"))


@pytest.mark.parametrize("name", ["texts", "texts.md", "texts.TXT", "texts.tok.en", ".hidden"])
def test_an_ending_that_says_nothing_means_lines(save, name):
    assert dy.Corpus.read(save(name, "one\ntwo\n")).texts() == ["one", "two"]


@pytest.mark.parametrize("name", ["rows.JSONL", "rows.ndjson"])
def test_json_lines_are_known_by_their_other_names(save, name):
    assert dy.Corpus.read(save(name, '{"text": "one"}\n')).texts() == ["one"]


@pytest.mark.parametrize("name", ["rows.log", "rows.json", "rows.txt"])
def test_the_format_can_be_given(save, name):
    assert dy.Corpus.read(save(name, '{"text": "one"}\n'), format="jsonl").texts() == ["one"]


def test_an_unknown_format_is_an_error(save):
    with pytest.raises(dy.SpecError, match="Did you mean 'jsonl'"):
        dy.measure(save("texts.txt", "one\n"), format="jsnl")


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_may_be_a_word_or_a_path(save, kind):
    corpus = dy.Corpus.read(kind(save("texts.txt", "one\n")))
    assert (corpus.name, len(corpus)) == ("texts.txt", 1)


def test_a_corpus_can_be_read_again(save):
    corpus = dy.Corpus.read(save("texts.txt", "the cat\nthe dog\n"))
    first, second = (dy.measure(corpus, "distinct:n=1")[0] for _ in range(2))
    # the cat the dog: 3 distinct of 4.
    assert (first.value, first.signature) == (0.75, second.signature)


@pytest.mark.parametrize("language", ["english", "chinese"])
@pytest.mark.parametrize("kind", ["varied", "repetitive"])
def test_the_texts_of_the_demonstration_can_be_read(language, kind):
    assert len(dy.Corpus.read(f"demo:{language}-{kind}")) == 20  # as stated by the demo


def test_an_unknown_text_of_the_demonstration_is_an_error():
    with pytest.raises(dy.SpecError, match="Did you mean 'english-varied'"):
        dy.measure("demo:english-varid")


@pytest.mark.parametrize("rows", [0, -1])
def test_a_batch_has_at_least_one_text(rows):
    with pytest.raises(dy.SpecError, match=f"`batch_size` to be at least 1, got {rows}"):
        dy.measure(["a"], batch_size=rows)
