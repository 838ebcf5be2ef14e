"""`.json`: one array."""

from __future__ import annotations

import json

import pytest

import distinctly as dy


def test_an_array_of_objects(save):
    rows = [{"text": "a b", "prompt": "x"}, {"text": "c c", "prompt": "y"}, {"text": "a c", "prompt": "x"}]
    path = save("rows.json", json.dumps(rows, indent=2))
    assert dy.Corpus.read(path).texts() == ["a b", "c c", "a c"]
    # x: a b a c = 3/4; y: c c = 1/2; the mean of both is 5/8.
    assert dy.measure(path, "distinct:n=1,pool=group", group="prompt")[0].value == 0.625


@pytest.mark.parametrize("text", ["a\ud800b", "😀", "a\x00b", "a\nb\r\nc", "", "知道"])
@pytest.mark.parametrize("escaped", [True, False])
def test_texts_come_as_they_are(save, text, escaped):
    written = json.dumps([{"text": text}], ensure_ascii=escaped or "\ud800" in text)
    assert dy.Corpus.read(save("rows.json", written)).texts() == [text]


@pytest.mark.parametrize("before", ["", "\ufeff", "\n \n"])
def test_an_array_of_texts(save, before):
    assert dy.Corpus.read(save("rows.json", f'{before}["one", "two"]\n')).texts() == ["one", "two"]


def test_lists_of_texts_and_tokens(save):
    path = save("rows.json", '[{"text": ["a b", "a c"]}, {"text": ["d"]}]')
    # a b a c = 3/4; d = 1/1; the mean is 7/8.
    assert dy.measure(path, "distinct:n=1,pool=group")[0].value == 0.875
    # "a b", "a c" and "d" are tokens.
    assert dy.measure(path, "types:n=1", tokens=True)[0].value == 3


def test_a_number_may_have_any_length(save):
    path = save("rows.json", '[{"text": "a", "number": ' + "1" * 5_000 + "}]")
    assert dy.Corpus.read(path).texts() == ["a"]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("", "the file is empty"),
        (" \n", "the file is empty"),
        ("[]", "only an empty array"),
        ('{"text": "a"}', "expected an array of objects, got an object.*--input jsonl"),
        ('{"text": "a"}\n{"text": "b"}\n', "line 2: expected an array .*, got objects .*--input jsonl"),
        ('"a"', "expected an array"),
        ('[{"text": "a"},\n {"text": "b"]', r"line 2: not valid JSON \(Expecting ',' delimiter, column 14\)"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"text": "a"}, {"txt": "b"}]', "row 1: Unknown field 'text'. Did you mean 'txt'"),
        ('[{"text": "a"}, 5]', "row 1: expected an object such as .*, got a number"),
        ('[{"text": "a"}, {"text": 5}]', "row 1: expected text, got a number"),
        ('[{"text": "a"}, {"text": null}]', r"row 1: the text is missing \(null\)"),
        ('["a", null]', "row 1: expected an object such as .*, got nothing"),
    ],
)
def test_errors_say_where(save, written, message):
    path = save("rows.json", written)
    with pytest.raises(dy.InputError, match=message) as caught:
        dy.measure(path)
    assert caught.value.source == str(path)


def test_texts_without_objects_have_no_groups(save):
    with pytest.raises(dy.InputError, match="row 0: texts without objects have no fields, so no group"):
        dy.measure(save("rows.json", '["a"]'), group="prompt")
