"""Rows with all of their fields."""

from __future__ import annotations

import pytest
from tests.cli.fixtures import Save

from distinctly.errors import InputError
from distinctly.sources.base import Reading
from distinctly.sources.fields import read_fields


def test_every_format_gives_the_same_rows(save: Save) -> None:
    files = {
        "a.jsonl": '{"x": "1", "y": "b, c"}\n\n{"x": "2", "y": ""}\n',
        "a.json": '[{"x": "1", "y": "b, c"}, {"x": "2", "y": ""}]',
        "a.csv": 'x,y\n1,"b, c"\n2,\n',
        "a.tsv": "x\ty\n1\tb, c\n2\t\n",
    }
    expected = [{"x": "1", "y": "b, c"}, {"x": "2", "y": ""}]
    where = {
        "a.jsonl": ["line 1", "line 3"],
        "a.json": ["row 0", "row 1"],
        "a.csv": ["line 2", "line 3"],
        "a.tsv": ["line 2", "line 3"],
    }
    for name, content in files.items():
        found = read_fields(save(name, content), Reading())
        assert [row for _, row in found.rows] == expected
        assert [place for place, _ in found.rows] == where[name]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", "\n\n", "the file has no rows"),
        ("a.jsonl", "", "the file is empty"),
        ("a.csv", "x,y\n", "the file has only a header"),
        ("a.csv", "x,x\n1,2\n", "line 1: the header has 'x' twice"),
        ("a.csv", "x,y\n1\n", "line 2: expected 2 cells as in the header, got 1"),
        ("a.json", '["a"]', "row 0: expected an object, got text"),
        ("a.txt", "a\n", "expected rows with fields"),
    ],
)
def test_errors(save: Save, name: str, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_fields(save(name, content), Reading())
