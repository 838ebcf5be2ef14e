"""`.csv` and `.tsv`: quoted as in RFC 4180."""

from __future__ import annotations

import sys

import pytest

import distinctly as dy


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        pytest.param("plain", "plain", id="plain"),
        pytest.param('"one, two"', "one, two", id="a comma"),
        pytest.param('"she said ""no"""', 'she said "no"', id="quotes"),
        pytest.param('"one\ntwo"', "one\ntwo", id="a line end"),
        pytest.param('"one\r\ntwo"', "one\r\ntwo", id="a Windows line end"),
        pytest.param('"one\rtwo"', "one\rtwo", id="a lone carriage return"),
        pytest.param('"one\n\n\ntwo"', "one\n\n\ntwo", id="blank lines inside"),
        pytest.param("one\ttwo", "one\ttwo", id="a tab"),
        pytest.param("one\u2028two\x85three", "one\u2028two\x85three", id="Unicode line ends"),
        pytest.param('""', "", id="quoted nothing"),
        pytest.param("", "", id="nothing"),
        pytest.param(" spaces ", " spaces ", id="spaces"),
        pytest.param("狗🐕", "狗🐕", id="any script"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_cell_may_hold_anything(save, cell, text, end):
    path = save("rows.csv", f"id,text{end}1,{cell}{end}2,last{end}")
    assert dy.Corpus.read(path).texts() == [text, "last"]


def test_the_last_record_needs_no_end(save):
    assert dy.Corpus.read(save("rows.csv", "text\none\ntwo")).texts() == ["one", "two"]


def test_a_byte_order_mark_is_no_part_of_the_first_name(save):
    assert dy.Corpus.read(save("rows.csv", "\ufefftext,id\none,1\n")).texts() == ["one"]


def test_blank_lines_are_passed_over(save):
    assert dy.Corpus.read(save("rows.csv", "id,text\n\n1,one\n\n2,two\n\n")).texts() == ["one", "two"]


def test_a_cell_may_be_longer_than_the_library_allows_by_default(save):
    # Python's csv is limited to 131,072 characters by default.
    long = "word " * 40_000
    assert dy.Corpus.read(save("rows.csv", f"text\n{long}\n")).texts() == [long]


@pytest.mark.parametrize(("name", "delimiter"), [("rows.csv", ","), ("rows.tsv", "\t")])
def test_fields_groups_and_ids_are_found_by_name(save, name, delimiter):
    lines = ["key,response,prompt", "1,a b,x", "2,c c,y", "3,a c,x"]
    path = save(name, "".join(line.replace(",", delimiter) + "\n" for line in lines))
    corpus = dy.Corpus.read(path, field="response", group="prompt", id="key")
    assert next(corpus.batches()).ids.tolist() == ["1", "2", "3"]
    # x: a b a c = 3/4; y: c c = 1/2; the mean of both is 5/8.
    assert dy.measure(corpus, "distinct:n=1,pool=group")[0].value == 0.625


@pytest.mark.parametrize(
    ("cell", "text"), [("one, two", "one, two"), ('"one\ttwo"', "one\ttwo"), ('"a ""b"""', 'a "b"')]
)
def test_tsv_is_cut_at_tabs_and_quoted_alike(save, cell, text):
    assert dy.Corpus.read(save("rows.tsv", f"id\ttext\n1\t{cell}\n")).texts() == [text]


@pytest.mark.parametrize(
    ("written", "row", "message"),
    [
        ("id,text\n1,a\n2,b,c\n", "line 3", "expected 2 cells as in the header, got 3"),
        ("id,text\n1,a\n2\n", "line 3", "expected 2 cells as in the header, got 1"),
        ('id,text\n1,"a\nb\nc"\n2,b,c\n', "line 5", "expected 2 cells"),
        ('id,text\n1,"a\nb"\n\n2,"c\nd",e\n', "line 5", "expected 2 cells"),
        ('id,text\n1,a\n2,"never closed\n3,c\n', "line 3", "cannot be read as csv"),
        ('id,text\n1,a\n2,"b"c\n', "line 3", "cannot be read as csv"),
        ("id,text,text\n1,a,b\n", "line 1", "the header has 'text' twice"),
        ("id,txt\n1,a\n", "line 1", "Unknown field 'text'. Did you mean 'txt'. Fields: id, txt"),
    ],
    ids=[
        "too many cells",
        "too few cells",
        "after a record of three lines",
        "the record's first line",
        "never closed",
        "after the quote",
        "duplicate name",
        "unknown field",
    ],
)
def test_errors_name_the_line_where_the_record_begins(save, written, row, message):
    with pytest.raises(dy.InputError, match=message) as caught:
        dy.measure(save("rows.csv", written))
    assert caught.value.row == row


def test_a_name_twice_in_the_header_is_fine_where_it_is_not_asked_for(save):
    assert dy.Corpus.read(save("rows.csv", "text,id,id\na,1,2\n")).texts() == ["a"]


@pytest.mark.parametrize("written", ["id,text\n", "id,text", "id,text\n\n\n"])
def test_a_header_alone_is_an_error(save, written):
    with pytest.raises(dy.InputError, match=r"rows.csv: the file has only a header"):
        dy.measure(save("rows.csv", written))


def test_a_cell_without_anything_is_an_empty_text_not_a_null(save):
    score = dy.measure(save("rows.csv", "id,text\n1,\n2,a\n"), "distinct:n=1")[0]
    # One token; the empty text is counted as such.
    assert (score.value, score.parts["texts"], score.parts["skipped_texts"]) == (1.0, 2, 1)


@pytest.mark.skipif(
    sys.version_info < (3, 11), reason="the csv module of Python 3.10 refuses NUL, as an error"
)
def test_nul_is_text(save):
    assert dy.Corpus.read(save("rows.csv", "id,text\n1,a\x00b\n")).texts() == ["a\x00b"]
