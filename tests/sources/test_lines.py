"""`.txt`: one text per line, and line ends."""

from __future__ import annotations

import pytest

import distinctly as dy


@pytest.mark.parametrize(
    ("written", "texts"),
    [
        pytest.param("one\ntwo\n", ["one", "two"], id="line feeds"),
        pytest.param("one\r\ntwo\r\n", ["one", "two"], id="Windows line ends"),
        pytest.param("one\ntwo", ["one", "two"], id="last line without an end"),
        pytest.param("one\rtwo\n", ["one\rtwo"], id="a lone carriage return is text"),
        pytest.param("one\r\r\ntwo\n", ["one\r", "two"], id="only one carriage return is dropped"),
        pytest.param("one\ntwo\r", ["one", "two\r"], id="a carriage return at the end, before no line feed"),
        pytest.param("one\u2028two\u2029three\n", ["one\u2028two\u2029three"], id="Unicode separators"),
        pytest.param("one\x85two\n", ["one\x85two"], id="next line"),
        pytest.param("one\x0btwo\x0cthree\x1cfour\n", ["one\x0btwo\x0cthree\x1cfour"], id="other controls"),
        pytest.param("one\x00two\n", ["one\x00two"], id="NUL"),
        pytest.param("\ufeffone\ntwo\n", ["one", "two"], id="a byte order mark at the start is dropped"),
        pytest.param("one\n\ufefftwo\n", ["one", "\ufefftwo"], id="one elsewhere is kept"),
        pytest.param("one\n\n\ntwo\n", ["one", "", "", "two"], id="an empty line is a text"),
        pytest.param("\n", [""], id="one empty line"),
        pytest.param("  one \n", ["  one "], id="white space is kept"),
        pytest.param("狗 и 🐕\n", ["狗 и 🐕"], id="any script"),
    ],
)
def test_a_line_ends_at_a_line_feed_alone(save, written, texts):
    assert dy.Corpus.read(save("texts.txt", written)).texts() == texts


def test_windows_line_ends_change_neither_number_nor_signature(save):
    unix, windows = (
        dy.measure(save(name, f"the cat sat{end}the dog sat{end}"), tokenizer="char")
        for name, end in (("unix.txt", "\n"), ("windows.txt", "\r\n"))
    )
    assert [(s.value, s.signature) for s in unix] == [(s.value, s.signature) for s in windows]


def test_an_empty_line_counts_as_a_text_without_tokens(save):
    score = dy.measure(save("texts.txt", "the cat\n\nthe dog\n"), "distinct:n=1")[0]
    # the, cat, the, dog: 3 distinct of 4; the empty line is the third text.
    assert (score.value, score.parts["texts"], score.parts["skipped_texts"]) == (0.75, 3, 1)
    assert "1 of 3 texts are empty (no tokens)." in score.notes


@pytest.mark.parametrize("name", ["group", "id"])
def test_lines_have_no_fields(save, name):
    with pytest.raises(dy.InputError, match=f"no fields, so no {name}. Remove the option"):
        dy.measure(save("texts.txt", "one\n"), **{name: "prompt"})


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_batches_hold_as_many_lines_as_asked_for(save, size):
    corpus = dy.Corpus.read(save("texts.txt", "a\nb\nc\nd\ne\n"))
    # Five lines in batches of 1, 2, 3, 100: all full but the last.
    lengths = [len(batch) for batch in corpus.batches(size)]
    assert sum(lengths) == 5
    assert all(length == size for length in lengths[:-1])
    assert corpus.texts() == ["a", "b", "c", "d", "e"]


def test_a_line_longer_than_many_reads_is_one_text(save):
    # Files are read 1 MiB at a time; this line takes four reads and a bit.
    long = "wörd " * 700_000
    assert dy.Corpus.read(save("texts.txt", f"before\n{long}\nafter\n")).texts() == ["before", long, "after"]
