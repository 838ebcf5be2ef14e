"""Values of metrics per method that were computed elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from distinctly.errors import InputError
from distinctly.judging.people.rated import as_number
from distinctly.sources.base import Reading
from distinctly.sources.fields import read_fields


def read_columns(
    path: str | Path, columns: Sequence[str], methods: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Read values by column and method from a file with a field ``method``.

    Raises
    ------
    InputError
        If a method of the study has no row, or several, or a value is not a number.
    """
    read = read_fields(path, Reading())
    rows: dict[str, int] = {}
    for place, (where, _) in enumerate(read.rows):
        name = str(read.value(place, "method", "values"))
        if name in rows and name in methods:
            raise InputError(f"the method '{name}' occurs twice.", source=read.name, row=where)
        rows[name] = place
    for name in methods:
        if name not in rows:
            raise InputError(f"there is no row for the method '{name}' of the study.", source=read.name)
    return {
        column: {
            name: as_number(
                read.value(rows[name], column, "column"),
                column,
                read.rows[rows[name]][0],
                source=read.name,
            )
            for name in methods
        }
        for column in columns
    }
