"""Rows of a file with all of their fields, for callers that need more than texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from distinctly.errors import InputError
from distinctly.sources.base import Reading, describe
from distinctly.sources.blocks import Unreadable
from distinctly.sources.opening import open_path
from distinctly.sources.paths import FieldPath


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
    rows: list[tuple[str, Mapping[str, object]]]

    def value(self, row: int, path: str, option: str) -> object:
        """Return the value of a field, or at a path such as ``message.content``, in a row.

        Parameters
        ----------
        row
            The number of the row, from 0.
        path
            The name of the field, or its path.
        option
            The option that named the field, for errors.
        """
        where, record = self.rows[row]
        return FieldPath.parse(path).select(record, source=self.name, row=where, option=option)

    def column(self, path: str, option: str) -> list[object]:
        """Return the value of a field, or at a path, in each row."""
        return [self.value(row, path, option) for row in range(len(self.rows))]


def read_fields(path: str | Path, reading: Reading) -> Fields:
    """Read all rows of a file of a format with fields (jsonl, csv, parquet, …), or of several files."""
    source = open_path(path, reading)
    rows: list[tuple[str, Mapping[str, object]]] = []
    for where, item in source.objects():
        if isinstance(item, Unreadable):
            raise item.error
        if not isinstance(item, dict):
            raise InputError(f"expected an object, got {describe(item)}.", source=source.name, row=where)
        rows.append((where, item))
    if not rows:
        raise InputError("the file has no rows.", source=source.name)
    return Fields(source.name, rows)
