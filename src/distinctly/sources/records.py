"""JSON objects: the text, group and id of one."""

from __future__ import annotations

from distinctly.errors import InputError
from distinctly.sources.base import Reading, column, describe
from distinctly.sources.blocks import Row


def record_row(record: object, reading: Reading, *, source: str, where: str) -> Row:
    """Return what is asked for of an object, or say what it has instead."""
    if not isinstance(record, dict):
        raise InputError(
            f'expected an object such as {{"{reading.field}": "…"}}, got {describe(record)}.',
            source=source,
            row=where,
        )
    for flag in ("field", "group", "id"):
        name = getattr(reading, flag)
        if name is not None and name not in record:
            raise column(name, record, source=source, row=where, flag=flag)
    return Row(
        where,
        record[reading.field],
        None if reading.group is None else record[reading.group],
        None if reading.id is None else record[reading.id],
    )
