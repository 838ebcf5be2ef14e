"""Field paths on the command line: values, groups and corpora within nested objects, and errors."""

from __future__ import annotations

import json

import pytest
from tests.cli.fixtures import Run, Save

ROWS = [
    {"meta": {"model": "x"}, "choices": [{"message": {"content": "a b"}}, {"message": {"content": "a c"}}]},
    {"meta": {"model": "y"}, "choices": [{"message": {"content": "d"}}, {"message": {"content": None}}]},
]


@pytest.fixture
def rows(save: Save) -> str:
    return str(save("rows.jsonl", "".join(f"{json.dumps(row)}\n" for row in ROWS)))


def test_each_item_of_a_list_is_a_text_of_its_row(command: Run, rows: str) -> None:
    field = ("--field", "choices[*].message.content")
    done = command("measure", rows, *field, "--nulls", "skip", "-m", "distinct:n=1", "--score-only")
    # Within rows: 3 of 4 (a b a c) and 1 of 1 words are distinct, on average 7/8; pooled: 4 of 5.
    within, _, pooled = map(float, done.stdout.split())
    assert (done.returncode, within, pooled) == (0, 0.875, 0.8)


def test_corpora_by_a_path(command: Run, rows: str) -> None:
    arguments = ("measure", rows, "--field", "choices[0].message.content", "--by", "meta.model")
    done = command(*arguments, "-m", "types:n=1", "--score-only")
    assert done.stdout.split()[:2] == ["2.0", "1.0"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--field", "choices[0].mesage.content"),
            "rows.jsonl, line 1: Unknown field 'mesage' in choices[0]. Did you mean 'message'? Fields: "
            "message. Choose one with --field (Python: field=).",
        ),
        (
            ("--field", "choices[0].message.content", "--by", "meta.modl"),
            "rows.jsonl, line 1: Unknown field 'modl' in meta. Did you mean 'model'? Fields: model. Choose "
            "one with --by (Python: by=).",
        ),
        (("--field", "choices[*].message.content"), "rows.jsonl, line 2: the text is missing (null)."),
        (("--field", "choices[2]"), "rows.jsonl, line 1: 'choices' has 2 items, so no item [2]."),
    ],
)
def test_errors_name_the_row_and_the_place(
    command: Run, rows: str, options: tuple[str, ...], message: str
) -> None:
    done = command("measure", rows, "-m", "types:n=1", *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_distances(command: Run, rows: str) -> None:
    field = ("--field", "choices[0].message.content")
    done = command("compare", rows, rows, *field, "-m", "jensen_shannon", "--score-only")
    assert done.stdout.strip() == "0.0"
