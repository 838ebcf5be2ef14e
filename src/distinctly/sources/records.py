"""JSON objects: the text, group, id and tags of each."""

from __future__ import annotations

from collections.abc import Mapping

from distinctly.errors import InputError
from distinctly.sources.base import Reading, describe
from distinctly.sources.blocks import Row, bad_row
from distinctly.sources.paths import FieldPath


def record_row(record: object, reading: Reading, *, source: str, where: str) -> Row:
    """Return the requested fields of an object; raise if one is missing."""
    if not isinstance(record, Mapping):
        raise InputError(
            f'expected an object such as {{"{reading.field}": "…"}}, got {describe(record)}.',
            source=source,
            row=where,
        )
    values: list[object] = []
    for flag, name in reading.fields_read:
        if name is None:
            values.append(None)
        elif name in record:
            values.append(record[name])
        else:
            values.append(FieldPath.parse(name).select(record, source=source, row=where, option=flag))
    return Row(where, *values)


def row_or_skip(record: object, reading: Reading, *, source: str, where: str) -> Row:
    """Return the requested fields of an object; if one is missing and bad rows are skipped, a bad row."""
    try:
        return record_row(record, reading, source=source, where=where)
    except InputError as error:
        if not reading.skip_bad:
            raise
        return bad_row(error)
