"""Lines and JSON lines read from bytes: the same texts and errors as when read by Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import distinctly as dy
from distinctly.sources import compressed, files, jsonl
from distinctly.sources.fast_json import texts_of

# Small reads, so that everything is split by them; and the fast path from the first byte on.
PIECES = st.sampled_from(
    ["a", "é", "知", "🐕", "\n", "\n", "\r", "\r\n", "\ufeff", "\x00", "\x85", "\u2028", " "]
)
RAW = st.one_of(PIECES.map(str.encode), st.sampled_from([b"\xff", b"\xe7\x9f", b"\xed\xa0\x80", b"\xc0\x80"]))


def outcome(path: Path, **reading: object) -> object:
    """Return the texts, or the error."""
    try:
        return dy.Corpus.read(path, **reading).texts()
    except dy.InputError as error:
        return str(error)


def plainly(content: bytes) -> object:
    """Return the lines of a file by Python, or the line and byte that cannot be decoded."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start + (3 if content.startswith(b"\xef\xbb\xbf") else 0)
        return content[:at].count(b"\n") + 1, at
    lines = text.split("\n")
    whole = [line.removesuffix("\r") for line in lines[:-1]]
    return whole + ([lines[-1]] if lines[-1] else [])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("paths")


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(files, "CHUNK", 5)
    monkeypatch.setattr(files, "DECODED_AT_ONCE", 4)
    monkeypatch.setattr(compressed, "CHUNK", 5)
    monkeypatch.setattr(jsonl, "FAST_FROM", 0)


@given(st.lists(RAW, max_size=12).map(b"".join))
@example(b"\n")
@example(b"\r\n")
@example(b"\n\r\n")
@example(b"a\r")
@example(b"\xef\xbb\xbf")
@example(b"\xef\xbb\xbf\n\xff")
def test_lines(folder, content):
    path = folder / "texts.txt"
    path.write_bytes(content)
    found, expected = outcome(path), plainly(content)
    if isinstance(expected, tuple):
        line, at = expected
        assert f"line {line}: not valid UTF-8 (byte {at} of the file" in found
    elif expected:
        assert found == expected
    else:
        assert "no text to measure" in found


@given(st.lists(RAW, max_size=12).map(b"".join))
def test_lines_by_the_road_of_other_encodings(folder, content):
    path = folder / "texts.txt"
    path.write_bytes(content)
    found = outcome(path, errors="replace")
    if isinstance(plainly(content), list):
        assert found == outcome(path)


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=5),
        st.sampled_from(
            ["\ud800", "\udc00\ud800", "😀", "a\x00b", "}\n{", '"', "\\", "Inf", ", Inf ,", "-NaN"]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["text", "x", ""]), inner, max_size=3)
    ),
    max_leaves=6,
)
STRINGS = st.one_of(
    st.text(max_size=8), st.sampled_from(["😀", "a\x00b", "}\n{", '"', "\\", "Inf", "\u2028"])
)
USUAL = st.builds(
    lambda text, more, escaped: json.dumps({**more, "text": text}, ensure_ascii=escaped),
    STRINGS,
    st.dictionaries(st.text(max_size=3), VALUES, max_size=2),
    st.booleans(),
)
UNUSUAL = st.one_of(
    VALUES.map(lambda value: json.dumps({"text": value})),
    VALUES.map(json.dumps),
    st.sampled_from(
        [
            "",
            " ",
            "\x0b",
            "\x85",
            "\ufeff",
            '{"text": "a"} {"text": "b", "x":',
            '{"y": 1}}',
            '{"text": "a"}{"text": "b"}',
            '{"text": "a"},',
            '{"text": "a", "text": "b"}',
            '{"text": "a", "text": null}',
            '{"text": "a", "x": Inf}',
            '{"text": "a", "x": -Inf}',
            '{"text": "a", "x": -NaN}',
            '{"text": "a", "x": NaN}',
            '{"text": "a", "x": Infinity}',
            '{"text": "a", "x": 1e999}',
            '{"text": "a", "x": 01}',
            '{"text": "a", "x": ' + "1" * 5000 + "}",
            '{"\\u0074ext": "a"}',
            '{"text": "a\tb"}',
            '{"text": "a\\xb"}',
            '{"text": "\\ud800"}',
            '{"text": "\\udc00"}',
            '{"text": "a", "x": "\\ud800"}',
            '{"text": "a"}\x00',
            ' {"text": "a"} ',
            '{"text": "a"} // no comment',
            '{"txt": "a"}',
            "{}",
            '{"text": "a',
            '{"text": "a" "b"}',
        ]
    ),
)
LINES = st.lists(
    st.tuples(st.one_of(USUAL, USUAL, UNUSUAL), st.sampled_from(["\n", "\n", "\r\n"])), max_size=6
)


@given(LINES, st.booleans(), st.booleans())
def test_json_lines(folder, lines, mark, ended):
    written = ("\ufeff" if mark else "") + "".join(line + end for line, end in lines)
    path = folder / "rows.jsonl"
    path.write_bytes((written if ended else written.rstrip("\n")).encode("utf-8", "surrogatepass"))
    fast = outcome(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "FAST_FROM", 1 << 60)
        assert outcome(path) == fast


@given(st.lists(USUAL, min_size=1, max_size=6))
def test_usual_lines_are_parsed_by_arrow_or_else_by_python(lines):
    block = "".join(line + "\n" for line in lines).encode("utf-8", "surrogatepass")
    found = texts_of(block, "text")
    assert found is None or found.tolist() == [json.loads(line)["text"] for line in lines]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("escaped", [True, False])
def test_the_fast_road_is_taken(end, escaped):
    texts = ["a", "", "Information", "知道 😀", 'she said "no"\n', "a\x00b"]
    rows = [{"id": number, "text": text, "more": [{"text": None}]} for number, text in enumerate(texts)]
    block = "".join(json.dumps(row, ensure_ascii=escaped) + end for row in rows).encode()
    assert texts_of(block, "text").tolist() == texts


def test_lists_after_texts_are_told_with_their_line(folder):
    path = folder / "mixed.jsonl"
    path.write_text('{"text": ["a", "b"]}\n{"text": "c"}\n')
    assert outcome(path).endswith("line 2: expected a list of texts as in the rows before, got a text.")


def test_a_null_first_waits_for_what_the_others_are(folder):
    path = folder / "null.jsonl"
    path.write_text('{"text": null}\n{"text": "c"}\n')
    corpus = dy.Corpus.read(path, nulls="empty")
    assert corpus.texts() == ["", "c"]
