"""`.jsonl`: one object per line."""

from __future__ import annotations

import json

import pytest

import distinctly as dy


@pytest.fixture
def rows(save):
    """Write objects as a .jsonl file, plain ASCII with escapes."""

    def write(*records: object):
        return save("rows.jsonl", "".join(json.dumps(record) + "\n" for record in records))

    return write


def test_blank_lines_are_passed_over(save):
    path = save("rows.jsonl", '\n{"text": "one"}\n  \t \n\r\n{"text": "two"}\n\n')
    assert dy.Corpus.read(path).texts() == ["one", "two"]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        pytest.param('{"text": "a\\ud800b"}', "a\ud800b", id="a lone surrogate"),
        pytest.param('{"text": "\\ud83d\\ude00"}', "😀", id="a pair of surrogates is one character"),
        pytest.param('{"text": "a\\u0000b"}', "a\x00b", id="NUL"),
        pytest.param('{"text": "a\\nb\\r\\nc"}', "a\nb\r\nc", id="line ends inside a text"),
        pytest.param('{"text": "a\u2028b\x85c"}', "a\u2028b\x85c", id="Unicode line ends inside a text"),
        pytest.param('{"text": ""}', "", id="an empty text"),
        pytest.param('\ufeff{"text": "a"}', "a", id="a byte order mark"),
        pytest.param('{"text": "a"}\r', "a", id="Windows line ends"),
    ],
)
def test_texts_come_as_they_are(save, line, text):
    assert dy.Corpus.read(save("rows.jsonl", line + "\n")).texts() == [text]


def test_the_last_line_needs_no_end(save):
    assert dy.Corpus.read(save("rows.jsonl", '{"text": "one"}\n{"text": "two"}')).texts() == ["one", "two"]


def test_the_field_is_text_unless_given(rows):
    path = rows({"text": "a a", "response": "a b"})
    # "a a" has 1 distinct token of 2; "a b" has 2 of 2.
    assert dy.measure(path, "distinct:n=1")[0].value == 0.5
    assert dy.measure(path, "distinct:n=1", field="response")[0].value == 1.0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"field": "responce"},
            "line 1: Unknown field 'responce'. Did you mean 'response'. Fields: response",
        ),
        ({}, "Unknown field 'text'.*Fields: response, prompt"),
        ({"field": "response", "group": "promt"}, "Did you mean 'prompt'.*Choose one with --group"),
        ({"field": "response", "id": "key"}, "Unknown field 'key'.*Choose one with --id"),
    ],
)
def test_a_field_that_is_not_there_is_an_error_that_lists_those_that_are(rows, asked, message):
    with pytest.raises(dy.InputError, match=message):
        dy.measure(rows({"response": "a", "prompt": "p"}), **asked)


def test_a_field_missing_later_names_that_line(rows):
    with pytest.raises(dy.InputError, match=r"rows.jsonl, line 3: Unknown field 'text'"):
        dy.measure(rows({"text": "a"}, {"text": "b"}, {"txt": "c"}))


def test_texts_of_one_group_are_pooled_together(rows):
    path = rows(
        {"text": "a b", "prompt": "x"}, {"text": "c c", "prompt": "y"}, {"text": "a c", "prompt": "x"}
    )
    score = dy.measure(path, "distinct:n=1,pool=group", group="prompt")[0]
    # x: a b a c = 3/4; y: c c = 1/2; the mean of both is 5/8.
    assert (score.value, score.parts["groups"]) == (0.625, 2)


def test_a_group_that_is_a_number_is_the_same_as_its_digits(rows):
    path = rows({"text": "a", "prompt": 7}, {"text": "a", "prompt": "7"})
    # One group: a a = 1/2.
    assert dy.measure(path, "distinct:n=1,pool=group", group="prompt")[0].value == 0.5


@pytest.mark.parametrize("value", [None, ["p"], {"p": 1}])
def test_a_group_is_a_word_or_a_number(rows, value):
    with pytest.raises(dy.InputError, match=r"line 2: expected the group to be a word or a number"):
        dy.measure(rows({"text": "a", "p": "1"}, {"text": "a", "p": value}), group="p")


def test_ids_are_read(rows):
    corpus = dy.Corpus.read(rows({"text": "a", "key": 1}, {"text": "b", "key": "two"}), id="key")
    assert next(corpus.batches()).ids.tolist() == ["1", "two"]


def test_a_list_of_strings_is_a_group_of_texts(rows):
    path = rows({"text": ["a b", "a c"]}, {"text": ["d"]})
    assert dy.Corpus.read(path).texts() == ["a b", "a c", "d"]
    score = dy.measure(path, "distinct:n=1,pool=group")[0]
    # a b a c = 3/4; d = 1/1; the mean is 7/8.
    assert (score.value, score.parts["texts"], score.parts["groups"]) == (0.875, 3, 2)


def test_lists_of_the_same_named_group_belong_together(rows):
    path = rows({"text": ["a", "b"], "p": "x"}, {"text": ["a"], "p": "x"})
    # One group: a b a = 2/3.
    assert dy.measure(path, "distinct:n=1,pool=group", group="p")[0].value == 2 / 3


def test_a_list_of_strings_is_the_tokens_of_one_text_where_asked(rows):
    path = rows({"text": ["New York", "is", "big"]}, {"text": []}, {"text": ["New York"]})
    score = dy.measure(path, "distinct:n=1", tokens=True)[0]
    # New York, is, big, New York: 3 distinct of 4, in 3 texts of which one is empty.
    assert (score.value, score.parts["texts"], score.parts["skipped_texts"]) == (0.75, 3, 1)
    assert dy.Signature.parse(score.signature).tokenizer == "given:lc=no"


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"text": 5}], "line 1: expected text, got a number .5."),
        ([{"text": "a"}, {"text": True}], "line 2: expected text, got a truth value"),
        ([{"text": {"a": 1}}], "line 1: expected text, got an object"),
        ([{"text": [1, 2]}], "line 1: expected text, got a list of number"),
        ([{"text": ["a", 2]}], "line 1: expected text, got a list of number and text"),
        ([{"text": "a"}, {"text": ["b"]}], "line 2: expected a text as in the rows before"),
        (["just text"], "line 1: expected an object such as .*, got text"),
        ([[1]], "line 1: expected an object such as"),
        ([None], "line 1: expected an object such as .*null"),
    ],
)
def test_what_is_no_text_is_an_error_with_its_line(rows, records, message):
    with pytest.raises(dy.InputError, match=message):
        dy.measure(rows(*records))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "a"', r"line 2: not valid JSON \(Expecting ',' delimiter, column 13\)"),
        ("{'text': 'a'}", "line 2: not valid JSON"),
        ('{"text": "a"} {"text": "b"}', "line 2: not valid JSON .Extra data"),
        ('{"text": ' + "[" * 100_000, "line 2: the JSON is nested too deeply"),
        ('{"text": ' + "1" * 5_000 + "}", "line 2: "),  # Python rejects integers of more than 4,300 digits
    ],
    ids=["cut off", "single quotes", "two objects", "nested", "long number"],
)
def test_broken_json_names_the_line_and_the_column(save, line, message):
    with pytest.raises(dy.InputError, match=message):
        dy.measure(save("rows.jsonl", f'{{"text": "fine"}}\n{line}\n'))


@pytest.mark.parametrize("null", ["null", "NaN"])
def test_a_null_is_an_error_with_its_line(save, null):
    with pytest.raises(dy.InputError, match=r"line 2: the text is missing \(null\).*nulls"):
        dy.measure(save("rows.jsonl", f'{{"text": "a"}}\n{{"text": {null}}}\n'))


@pytest.mark.parametrize(
    ("nulls", "texts", "note"),
    [
        ("skip", 2, "1 missing texts were skipped (nulls=skip)."),
        ("empty", 3, "1 missing texts count as empty (nulls=empty)."),
    ],
)
@pytest.mark.parametrize("batch_size", [None, 1])
def test_nulls_are_skipped_or_emptied_and_it_is_told(rows, nulls, texts, note, batch_size):
    path = rows({"text": "a b"}, {"text": None}, {"text": "a"})
    score = dy.measure(path, "distinct:n=1", nulls=nulls, batch_size=batch_size)[0]
    # a b a: 2 distinct of 3, whatever the null is.
    assert (score.value, score.parts["texts"]) == (2 / 3, texts)
    assert note in score.notes
    assert f"|nulls:{nulls}|" in score.signature


def test_without_nulls_their_policy_is_not_told(rows):
    score = dy.measure(rows({"text": "a b"}), "distinct:n=1", nulls="skip")[0]
    assert "nulls" not in score.signature
    assert "null" not in " ".join(score.notes)


def test_only_nulls_skipped_is_undefined_with_a_note(rows):
    score = dy.measure(rows({"text": None}, {"text": None}), "distinct:n=1", nulls="skip")[0]
    assert score.value != score.value
    assert score.undefined == "there are no texts."
    assert "2 missing texts were skipped (nulls=skip)." in score.notes


@pytest.mark.parametrize("records", [[None, ["a b"]], [["a b"], None]], ids=["null first", "null last"])
@pytest.mark.parametrize("nulls", ["skip", "empty"])
@pytest.mark.parametrize("batch_size", [None, 1])
def test_a_null_among_lists_of_texts(rows, records, nulls, batch_size):
    path = rows(*({"text": record} for record in records))
    score = dy.measure(path, "distinct:n=1", nulls=nulls, batch_size=batch_size)[0]
    # "a b" alone, or with an empty text beside it.
    assert (score.value, score.parts["texts"]) == (1.0, {"skip": 1, "empty": 2}[nulls])


@pytest.mark.parametrize("nulls", ["skip", "empty"])
@pytest.mark.parametrize("batch_size", [None, 1])
def test_a_null_among_lists_of_tokens(rows, nulls, batch_size):
    path = rows({"text": ["a", "b"]}, {"text": None})
    score = dy.measure(path, "distinct:n=1", nulls=nulls, tokens=True, batch_size=batch_size)[0]
    # Tokens a and b, and nothing or an empty text.
    assert (score.value, score.parts["texts"]) == (1.0, {"skip": 1, "empty": 2}[nulls])
