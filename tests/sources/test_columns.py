"""Prompts, quality and classes beside texts: the same from any source, with clear errors."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import distinctly as dy
from distinctly.batch import Batch

ROWS = [
    {"text": "a cat", "prompt": "Which pet?", "reward": 1.5, "class": "x"},
    {"text": "a dog", "prompt": "Which pet?", "reward": 2, "class": "y"},
    {"text": "Paris", "prompt": "Which city?", "reward": -3.25, "class": "x"},
]
FIELDS = {"prompt": "prompt", "quality": "reward", "partition": "class"}


def read(texts, **options):
    return Batch.join(dy.Corpus.wrap(texts, **options).batches())


def columns(batch):
    return (
        batch.prompts.tolist(),
        batch.quality.tolist(),
        batch.partition.tolist(),
        None if batch.groups is None else batch.groups.tolist(),
    )


EXPECTED = (
    ["Which pet?", "Which pet?", "Which city?"],
    [1.5, 2.0, -3.25],
    ["x", "y", "x"],
    ["Which pet?", "Which pet?", "Which city?"],  # texts with the same prompt are a group
)


@pytest.mark.parametrize("ending", ["jsonl", "json", "csv", "parquet", "arrow"])
def test_every_format_has_the_same_columns(tmp_path, ending):
    path = tmp_path / f"rows.{ending}"
    if ending == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    elif ending == "json":
        path.write_text(json.dumps(ROWS))
    elif ending == "csv":
        lines = [",".join(map(str, row.values())) for row in ROWS]
        path.write_text("\n".join([",".join(ROWS[0]), *lines]) + "\n")
    elif ending == "parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    else:
        with pa.ipc.new_file(path, pa.Table.from_pylist(ROWS).schema) as writer:
            writer.write_table(pa.Table.from_pylist(ROWS))
    assert columns(read(path, **FIELDS)) == EXPECTED


@pytest.mark.parametrize("made", [list, pa.Table.from_pylist, iter], ids=["records", "table", "iterator"])
def test_objects_with_fields(made):
    assert columns(read(made(ROWS), **FIELDS)) == EXPECTED


@pytest.mark.parametrize("made", [list, iter])
def test_columns_of_texts_in_memory(made):
    given = {
        "prompts": [row["prompt"] for row in ROWS],
        "quality": [row["reward"] for row in ROWS],
        "partition": [row["class"] for row in ROWS],
    }
    assert columns(read(made([row["text"] for row in ROWS]), **given)) == EXPECTED


def test_rows_of_several_texts_share_a_prompt_and_have_one_value_each():
    rows = [
        {"answers": ["a", "b"], "prompt": "p", "scores": [1, 2], "classes": [0, 1]},
        {"answers": ["c"], "prompt": "p", "scores": 3, "classes": ["0"]},
    ]
    batch = read(rows, field="answers", prompt="prompt", quality="scores", partition="classes")
    # The rows are the groups, although their prompts are the same.
    assert columns(batch) == (["p"] * 3, [1, 2, 3], ["0", "1", "0"], ["item 0", "item 0", "item 1"])


def test_a_group_that_is_named_wins_over_the_prompt():
    batch = read([{**row, "group": i % 2} for i, row in enumerate(ROWS)], prompt="prompt", group="group")
    assert batch.groups.tolist() == ["0", "1", "0"]


def test_columns_are_selected_and_joined_with_their_texts():
    batch = read(ROWS, **FIELDS)
    joined = Batch.join([batch.select([2]), batch.select([0, 1])])
    assert columns(joined.select([1, 2, 0])) == EXPECTED


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prompt": None}, r"item 1: the prompt is missing \(null\). Fill it in"),
        ({"prompt": 7}, r"item 1: expected the prompt to be text, got a number \(7\)"),
        ({"reward": "good"}, r"item 1: expected the quality to be a number, got text \('good'\)"),
        ({"reward": None}, r"item 1: expected the quality to be a number, got nothing \(null\)"),
        ({"reward": True}, "item 1: expected the quality to be a number, got a truth value"),
        ({"class": None}, "item 1: expected the partition to be a word or a number"),
    ],
)
def test_values_that_cannot_be_read(change, message):
    rows = [ROWS[0], {**ROWS[1], **change}, ROWS[2]]
    with pytest.raises(dy.InputError, match=message):
        read(rows, **FIELDS)
    assert len(read(rows, **FIELDS, skip_bad=True)) == 2


@pytest.mark.parametrize("flag", ["quality", "partition"])
def test_a_list_of_the_wrong_length(flag):
    rows = [{"text": ["a", "b"], "values": [1]}]
    message = f"item 0: expected the {flag} of 2 texts to be a list of 2 values, got 1"
    with pytest.raises(dy.InputError, match=message):
        read(rows, **{flag: "values"})


def test_columns_of_the_wrong_length():
    for name in ("prompts", "quality", "partition"):
        with pytest.raises(dy.InputError, match=f"one entry of `{name}` per text, got 1 for 2 texts"):
            read(["a", "b"], **{name: ["1"]})


def test_lines_have_no_prompts(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("a\nb\n")
    with pytest.raises(dy.InputError, match="no prompt"):
        read(path, prompt="prompt")


def test_a_field_without_a_name_is_a_field():
    assert read([{"": "a cat"}], field="").strings.tolist() == ["a cat"]
    with pytest.raises(dy.InputError, match="item 0: Unknown field ''"):
        read([{"text": "a cat"}], field="")
