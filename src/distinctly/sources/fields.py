"""Rows of a file with all of their fields, for those who need more of a row than its text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from distinctly.errors import InputError
from distinctly.sources.base import Reading, describe
from distinctly.sources.delimited import DelimitedSource
from distinctly.sources.json_array import JsonSource
from distinctly.sources.jsonl import JsonlSource
from distinctly.sources.opening import open_path


@dataclass(frozen=True)
class Fields:
    """A file's rows in memory.

    Attributes
    ----------
    name
        What errors call the file.
    rows
        Where each row is, in words, and its fields.
    """

    name: str
    rows: list[tuple[str, dict[str, object]]]


def read_fields(path: str | Path, reading: Reading) -> Fields:
    """Read all rows of a .jsonl, .json, .csv or .tsv file, compressed or not."""
    source = open_path(path, reading)
    if not isinstance(source, (JsonlSource, JsonSource, DelimitedSource)):
        raise InputError(
            "expected one file of rows with fields: jsonl, json, csv or tsv. Say with --input (Python: "
            "format=) which of these it is, or convert it.",
            source=str(path),
        )
    rows = []
    for where, item in source.objects():
        if not isinstance(item, dict):
            raise InputError(f"expected an object, got {describe(item)}.", source=source.name, row=where)
        rows.append((where, item))
    if not rows:
        raise InputError("there are no rows in it.", source=source.name)
    return Fields(source.name, rows)
