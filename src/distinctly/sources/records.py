"""JSON objects: the text, group, id and tags of each."""

from __future__ import annotations

from distinctly.errors import InputError
from distinctly.sources.base import FLAGS, Reading, column, describe
from distinctly.sources.blocks import Row


def record_row(record: object, reading: Reading, *, source: str, where: str) -> Row:
    """Return the requested fields of an object; raise if one is missing."""
    if not isinstance(record, dict):
        raise InputError(
            f'expected an object such as {{"{reading.field}": "…"}}, got {describe(record)}.',
            source=source,
            row=where,
        )
    for flag in FLAGS:
        name = getattr(reading, flag)
        if name is not None and name not in record:
            raise column(name, record, source=source, row=where, flag=flag)
    return Row(
        where,
        record[reading.field],
        None if reading.group is None else record[reading.group],
        None if reading.id is None else record[reading.id],
        None if reading.tags is None else record[reading.tags],
    )
