"""Lists of lists: groups of texts, lists of tokens, or token ids; in memory and in fields."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.cli.fixtures import Run, Save

import distinctly as dy

GROUPS = [["a cat", "a dog"], ["the sun"]]
COLUMNS = [
    pytest.param(lambda lists: lists, id="list of lists"),
    pytest.param(lambda lists: [tuple(items) for items in lists], id="list of tuples"),
    pytest.param(tuple, id="tuple of lists"),
    pytest.param(pa.array, id="Arrow list"),
    pytest.param(lambda lists: pa.chunked_array([lists[:1], lists[1:]]), id="Arrow chunks"),
    pytest.param(pd.Series, id="pandas"),
    pytest.param(pl.Series, id="polars"),
    pytest.param(lambda lists: [np.array(items, dtype=object) for items in lists], id="numpy arrays"),
]


def notes_on_reading(score: dy.Score) -> list[str]:
    """Return the notes on how lists were read, after checking that they are no warnings."""
    notes = [note for note in score.notes if note.startswith("Read as")]
    assert all(note.level == "info" and note.scope == "corpus" for note in notes)
    return notes


class TestGroupsOfTexts:
    @pytest.mark.parametrize("column", COLUMNS)
    def test_white_space_shows_that_strings_are_texts(self, column: Any) -> None:
        scores = dy.measure(column(GROUPS), "distinct:n=1")
        named = dy.measure(["a cat", "a dog", "the sun"], "distinct:n=1", groups=["0", "0", "1"])
        assert [score.signature for score in scores] == [score.signature for score in named]
        assert [score.scope for score in scores] == ["within", "across", "pooled"]
        # a cat a dog: 3 of 4 words are distinct; the sun: 2 of 2; the mean is 7/8. Together 5 of 6.
        assert [scores[0].value, scores[2].value] == [0.875, 5 / 6]
        assert notes_on_reading(scores[0]) == [
            "Read as 2 groups of 3 texts (white space occurs in them); give tokens=True if they are tokens."
        ]

    def test_all_strings_are_examined(self) -> None:
        lists = [["a", "b"]] * 10_000 + [["a", "the sun"]]
        assert dy.Corpus(lists).texts() == ["a", "b"] * 10_000 + ["a", "the sun"]
        assert len(dy.Corpus(lists)) == 20_002

    def test_tokens_decides(self) -> None:
        score = dy.measure(GROUPS, "types:n=1", tokens=True)[0]
        assert (score.value, score.parts["texts"]) == (3, 2)
        assert notes_on_reading(score) == []

    def test_groups_are_named_per_list(self) -> None:
        (batch,) = dy.Corpus(GROUPS, groups=["x", "y"], ids=["m", "n"]).batches()
        assert batch.groups is not None
        assert batch.ids is not None
        assert (batch.groups.tolist(), batch.ids.tolist()) == (["x", "x", "y"], ["m", "m", "n"])
        with pytest.raises(dy.InputError, match="one entry of `groups` per list of texts, got 3 for 2"):
            dy.Corpus(GROUPS, groups=["x", "x", "y"])

    def test_missing_texts_and_empty_lists(self) -> None:
        lists = [["a b", None], [], None, ["c"]]
        with pytest.raises(dy.InputError, match="list 0: the text is missing"):
            dy.Corpus(lists).texts()
        assert dy.Corpus(lists, nulls="skip").texts() == ["a b", "c"]
        assert dy.Corpus(lists, nulls="empty").texts() == ["a b", "", "", "c"]

    def test_partitions_are_the_whole(self) -> None:
        corpus = dy.Corpus([[f"text {number} {place}" for place in range(3)] for number in range(50)])
        partitions = corpus.partitions(100)
        assert len(partitions) > 5
        batches = [batch for partition in partitions for batch in partition.batches()]
        texts = [text for batch in batches for text in batch.strings]
        groups = [group for batch in batches for group in batch.groups or ()]
        assert texts == corpus.texts()
        assert groups == [str(number) for number in range(50) for _ in range(3)]

    def test_one_note_of_all_batches(self) -> None:
        score = dy.measure(GROUPS * 50, "distinct:n=1", batch_size=3)[0]
        assert notes_on_reading(score)[0].startswith("Read as 100 groups of 150 texts")


class TestTokens:
    @pytest.mark.parametrize("column", COLUMNS)
    def test_strings_without_white_space_are_tokens(self, column: Any) -> None:
        score = dy.measure(column([["New_York", "is"], ["is", "big"]]), "types:n=1")[0]
        assert (score.value, score.parts["texts"]) == (3, 2)
        assert notes_on_reading(score) == [
            "Read as 2 lists of tokens (no white space occurs in them); give tokens=False if they are groups "
            "of texts."
        ]

    def test_tokens_false_reads_texts(self) -> None:
        scores = dy.measure([["yes", "no"], ["yes"]], "types:n=1", tokens=False)
        assert [score.scope for score in scores] == ["within", "across", "pooled"]
        assert (scores[-1].value, scores[-1].parts["texts"]) == (2, 3)

    def test_white_space_alone_is_a_token(self) -> None:
        # Characters: a, space, c, t; the line feed.
        score = dy.measure([list("a cat"), ["\n"]], "types:n=1")[0]
        assert (score.value, score.parts["texts"]) == (5, 2)

    def test_lists_without_strings(self) -> None:
        score = dy.measure([[], []], "types:n=1")[0]
        assert (score.parts["texts"], notes_on_reading(score)) == (2, [])

    @pytest.mark.parametrize(
        "string", ["我们", "ねこ", "カ", "แมว", "ແມວ", "ឆ្មា", "ကြောင်", "ཞི་མི", "𠀀", "ﾈｺ"]
    )
    def test_a_script_without_white_space_needs_a_decision(self, string: str) -> None:
        for lists in ([["a", string]], pa.array([["a", string]])):
            with pytest.raises(dy.InputError, match=r"without white space.*tokens=True.*tokens=False"):
                dy.measure(lists, "types:n=1")
        assert dy.measure([["a", string]], "types:n=1", tokens=True)[0].parts["texts"] == 1
        assert dy.measure([["a", string]], "types:n=1", tokens=False)[-1].parts["texts"] == 2

    def test_white_space_decides_in_every_script(self) -> None:
        assert dy.Corpus([["我们", "I am"]]).texts() == ["我们", "I am"]

    @pytest.mark.parametrize("string", ["кошка", "고양이", "بيت", "बिल्ली", "🐈", "café"])
    def test_other_scripts_are_written_with_white_space(self, string: str) -> None:
        assert dy.measure([["a", string]], "types:n=1")[0].parts["texts"] == 1


class TestTokenIds:
    @pytest.mark.parametrize(
        "ids",
        [
            [[1, 2], [2, 30]],
            [(1, 2), (2, 30)],
            [np.array([1, 2]), np.array([2, 30], np.int32)],
            np.array([[1, 2], [2, 30]]),
            [[np.int64(1), np.uint8(2)], [np.int64(2), 30]],
            pa.array([[1, 2], [2, 30]]),
            pd.Series([[1, 2], [2, 30]]),
            pl.Series([[1, 2], [2, 30]]),
        ],
        ids=["lists", "tuples", "arrays", "2-D", "numpy scalars", "Arrow", "pandas", "polars"],
    )
    def test_an_id_is_a_token(self, ids: Any) -> None:
        metrics = ["distinct:n=1", "entropy:n=2", "mtld"]
        scores = dy.measure(ids, metrics)
        written = dy.measure([["1", "2"], ["2", "30"]], metrics)
        assert [score.signature for score in scores] == [score.signature for score in written]
        assert notes_on_reading(scores[0]) == ["Read as 2 lists of token ids."]
        # 1, 2, 30: 3 of 4.
        assert scores[0].value == 0.75

    @pytest.mark.parametrize(
        ("ids", "message"),
        [
            (
                [1, 2, 3],
                r"item 0: expected text, got a number \(1\). Put the token ids",
            ),
            (np.array([1, 2]), "item 0: expected text, got a number"),
            ([[True, False]], "item 0: expected tokens as text, or as whole numbers"),
            ([[1, 2], [3, True]], "item 1: expected tokens"),
            ([[1, "a"]], "item 0: expected tokens"),
            ([[1.5]], "item 0: expected tokens"),
            ([["a", "b"], "c"], "item 1: expected a list of tokens as in the rows before, got a text"),
            (["c", ["a", "b"]], "item 1: expected a text as in the rows before, got a list of tokens"),
            ([[["a"], ["b"]]], "nested more deeply"),
        ],
    )
    def test_errors(self, ids: Any, message: str) -> None:
        with pytest.raises(dy.InputError, match=message):
            dy.measure(ids, "types:n=1")

    def test_tokens_are_lists(self) -> None:
        with pytest.raises(dy.InputError, match="expected lists of tokens, since tokens=True is given"):
            dy.measure(["a b"], "types:n=1", tokens=True)


class TestFields:
    ROWS = ({"resps": [["a b", "c d"], ["e f"]]}, {"resps": [["g"]]})

    @pytest.fixture
    def path(self, save: Save) -> Any:
        return save("rows.jsonl", "".join(f"{json.dumps(row)}\n" for row in self.ROWS))

    def test_nested_lists_are_texts_of_one_row(self, path: Any) -> None:
        (batch,) = dy.Corpus.read(path, field="resps").batches()
        assert batch.strings.tolist() == ["a b", "c d", "e f", "g"]
        assert batch.groups is not None
        assert batch.groups.tolist() == ["line 1"] * 3 + ["line 2"]

    def test_nested_lists_of_tokens(self, path: Any) -> None:
        (batch,) = dy.Corpus.read(path, field="resps", tokens=True).batches()
        assert batch.bounds is not None
        assert batch.groups is not None
        assert (batch.strings.tolist(), batch.bounds.tolist()) == (["a b", "c d", "e f", "g"], [0, 2, 3, 4])
        assert batch.groups.tolist() == ["line 1"] * 2 + ["line 2"]

    def test_in_a_table(self) -> None:
        frame = pd.DataFrame({"resps": [row["resps"] for row in self.ROWS]})
        assert dy.Corpus(frame, field="resps").texts() == ["a b", "c d", "e f", "g"]
        assert len(dy.Corpus(frame, field="resps", tokens=True)) == 3

    def test_token_ids(self, save: Save) -> None:
        path = save("ids.jsonl", '{"ids": [[1, 2], [3]]}\n{"ids": []}\n{"ids": [[1]]}\n')
        score = dy.measure(path, "types:n=1", field="ids", tokens=True)[-1]
        assert (score.value, score.parts["texts"]) == (3, 3)
        with pytest.raises(dy.InputError, match=r"line 1: expected text.* Read token ids with --tokens"):
            dy.Corpus.read(path, field="ids").texts()

    def test_rows_of_one_list_and_of_several_are_not_mixed(self, save: Save) -> None:
        path = save("rows.jsonl", '{"text": ["a"]}\n{"text": [["a"]]}\n')
        with pytest.raises(dy.InputError, match="line 2: expected a list of tokens as in the rows before"):
            dy.Corpus.read(path, tokens=True).texts()

    def test_tags_are_nested_as_the_texts_are(self, save: Save) -> None:
        row = {"text": [["a b", "c"], ["d"]], "tags": [[["X", "Y"], ["Z"]], [["W"]]]}
        (batch,) = dy.Corpus.read(save("a.jsonl", json.dumps(row)), tags="tags").batches()
        assert batch.tags is not None
        assert batch.tags.tolist() == [["X", "Y"], ["Z"], ["W"]]
        wrong = {"text": [["a b", "c"], ["d"]], "tags": [["X", "Y"], ["Z"]]}
        with pytest.raises(dy.InputError, match="line 1: expected"):
            dy.Corpus.read(save("b.jsonl", json.dumps(wrong)), tags="tags").texts()

    def test_the_command(self, command: Run, path: Any) -> None:
        for options, texts in (((), "4"), (("--tokens",), "3")):
            done = command(
                "measure", path, "--field", "resps", "-m", "types:n=1", "--format", "json", *options
            )
            assert done.returncode == 0
            assert json.loads(done.stdout)["corpora"][0]["texts"] == int(texts)


class TestRecords:
    ROWS = (
        {"response": "a b", "prompt": 1, "meta": {"model": "x"}},
        {"response": "a c", "prompt": 1, "meta": {"model": "y"}},
        {"response": "d", "prompt": 2, "meta": {"model": "x"}},
    )

    def test_fields_of_a_list_of_dicts(self) -> None:
        scores = dy.measure(list(self.ROWS), "distinct:n=1", field="response", group="prompt")
        expected = dy.measure(["a b", "a c", "d"], "distinct:n=1", groups=["1", "1", "2"])
        assert [score.signature for score in scores] == [score.signature for score in expected]

    def test_the_default_field(self) -> None:
        assert dy.Corpus([{"text": "a b"}, {"text": "c"}]).texts() == ["a b", "c"]

    def test_by_a_path(self) -> None:
        scores = dy.measure(list(self.ROWS), "types:n=1", field="response", by="meta.model")
        assert {(score.corpus, score.value) for score in scores} >= {("x", 3.0), ("y", 2.0)}

    def test_messages(self) -> None:
        answers = [
            {"choices": [{"message": {"content": "a b"}}, {"message": {"content": "c"}}]},
            {"choices": [{"message": {"content": "d"}}]},
        ]
        for texts in (
            answers,
            np.array(answers, dtype=object),
            pd.Series(answers, dtype=object),
            iter(answers),
        ):
            (batch,) = dy.Corpus(texts, field="choices[*].message.content").batches()
            assert batch.strings.tolist() == ["a b", "c", "d"]
            assert batch.groups is not None
            assert batch.groups.tolist() == ["item 0", "item 0", "item 1"]

    def test_tags_and_tokens(self) -> None:
        rows = [{"tokens": [{"form": "a", "pos": "X"}, {"form": "b", "pos": "Y"}]}]
        (batch,) = dy.Corpus(rows, field="tokens[*].form", tags="tokens[*].pos", tokens=True).batches()
        assert batch.tags is not None
        assert (batch.strings.tolist(), batch.tags.tolist()) == (["a", "b"], [["X", "Y"]])

    def test_comparisons_and_references(self) -> None:
        rows = list(self.ROWS)
        score = dy.compare(rows, rows, "jensen_shannon", field="response")[0]
        assert score.value == 0
        ratio = dy.measure(rows, "ead", field="response", reference=rows)[0]
        assert (
            ratio.signature
            == dy.measure(["a b", "a c", "d"], "ead", reference=["a b", "a c", "d"])[0].signature
        )

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([{"text": "a"}, {"txt": "b"}], "item 1: Unknown field 'text'. Did you mean 'txt'"),
            ([{"text": "a"}, "b"], "item 1: expected an object such as"),
            ([{"text": "a"}, {"text": 3}], "item 1: expected text, got a number"),
        ],
    )
    def test_errors_name_the_item(self, rows: Any, message: str) -> None:
        with pytest.raises(dy.InputError, match=message):
            dy.measure(rows, "types:n=1")

    def test_columns_beside_rows(self) -> None:
        with pytest.raises(dy.InputError, match="`groups` is for lists of texts"):
            dy.measure([{"text": "a"}], "types:n=1", groups=["x"])


def test_tables_with_paths() -> None:
    table = pa.table({"r": [{"out": "a b"}, {"out": "c"}], "p": [[{"k": 1}], [{"k": 2}]]})
    frames = (table, table.to_pandas(), pl.from_arrow(table))
    for frame in frames:
        (batch,) = dy.Corpus(frame, field="r.out", group="p[0].k").batches()
        assert batch.groups is not None
        assert (batch.strings.tolist(), batch.groups.tolist()) == (["a b", "c"], ["1", "2"])
    with pytest.raises(dy.InputError, match="Unknown field 'x' in r. Fields: out"):
        dy.Corpus(table, field="r.x").texts()


def test_datasets_with_paths() -> None:
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_list([{"r": {"out": "a b"}}, {"r": {"out": "c"}}])
    corpus = dy.Corpus(dataset, field="r.out")
    assert corpus.texts() == ["a b", "c"]
    assert [len(part.batches().__next__()) for part in corpus.partitions(1)] == [1, 1]


def ids_of(text: str) -> list[int]:
    return [ord(character) for character in text]


class Encoding:
    """What the package tokenizers returns."""

    def __init__(self, text: str) -> None:
        self.tokens = text.split()
        self.ids = list(range(len(self.tokens)))


@pytest.mark.parametrize(
    ("tokenizer", "value"),
    [
        (ids_of, 2),  # a, b
        (lambda text: np.array(ids_of(text)), 2),
        (lambda text: {"input_ids": ids_of(text), "attention_mask": [1] * len(text)}, 2),
        (Encoding, 1),  # abab
    ],
    ids=["list", "array", "mapping", "encoding"],
)
def test_tokenizers_that_return_token_ids(tokenizer: Any, value: int) -> None:
    assert dy.measure(["abab"], "types:n=1", tokenizer=tokenizer)[0].value == value


def test_a_tokenizer_that_returns_something_else() -> None:
    with pytest.raises(dy.InputError, match="list of strings or of whole numbers"):
        dy.measure(["abab"], "types:n=1", tokenizer=lambda text: [True])
