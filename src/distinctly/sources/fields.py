"""Rows of a file with all of their fields, for callers that need more than texts."""

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
    """The rows of a file, in memory.

    Attributes
    ----------
    name
        The name of the file in errors.
    rows
        The place of each row, as text, and its fields.
    """

    name: str
    rows: list[tuple[str, dict[str, object]]]


def read_fields(path: str | Path, reading: Reading) -> Fields:
    """Read all rows of a .jsonl, .json, .csv or .tsv file, compressed or not, or of an .xlsx file."""
    source = open_path(path, reading)
    if not isinstance(source, (JsonlSource, JsonSource, DelimitedSource)):
        raise InputError(
            "expected one file of rows with fields: jsonl, json, csv, tsv or xlsx. Choose one of these with "
            "--input (Python: format=), or convert the file.",
            source=str(path),
        )
    rows = []
    for where, item in source.objects():
        if not isinstance(item, dict):
            raise InputError(f"expected an object, got {describe(item)}.", source=source.name, row=where)
        rows.append((where, item))
    if not rows:
        raise InputError("the file has no rows.", source=source.name)
    return Fields(source.name, rows)
