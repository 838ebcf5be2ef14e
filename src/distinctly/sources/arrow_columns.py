"""Arrow columns: texts, groups and ids are read from their buffers, tags row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.errors import InputError
from distinctly.sources.base import FLAGS, Reading, column
from distinctly.sources.blocks import Block, Row
from distinctly.strings import Strings

if TYPE_CHECKING:
    import pyarrow as pa

# The number of rows that are converted to Python objects at a time.
ROWS = 4096


def check_columns(names: list[str], reading: Reading, source: str, row: str = "") -> dict[str, str]:
    """Return the names of the requested columns, by flag; raise if one is missing or ambiguous."""
    requested = {flag: getattr(reading, flag) for flag in FLAGS}
    for flag, name in requested.items():
        if name is not None and name not in names:
            raise column(name, names, source=source, row=row, flag=flag)
        if names.count(name) > 1:
            raise InputError(f"there are two columns '{name}'. Rename one.", source=source, row=row)
    return {flag: name for flag, name in requested.items() if name is not None}


def by_flag(batch: pa.RecordBatch, columns: dict[str, str]) -> pa.RecordBatch:
    """Return the requested columns, named by flag."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([batch.column(name) for name in columns.values()], names=list(columns))


def column_items(
    batches: Iterable[pa.RecordBatch], *, source: str, word: str, first: int = 0
) -> Iterator[Row | Block]:
    """Yield the rows of record batches whose columns are named by flag; `first` numbers the first row."""
    for batch in batches:
        columns = [_validated(batch, flag, source, word, first) for flag in FLAGS]
        rows = partial(_rows, columns, word, first)
        texts, groups, ids, tags = columns
        strings = _texts(texts) if tags is None else None
        keys = [None if column is None else _keys(column) for column in (groups, ids)]
        if strings is None or any(
            key is None for key, column in zip(keys, (groups, ids)) if column is not None
        ):
            yield from rows()
        elif len(strings):
            yield Block(strings, rows, *keys)
        first += batch.num_rows


def arrow_strings(array: Any) -> Strings:
    """Return an array of large strings without nulls, without copying it."""
    if not len(array):
        return Strings.encode([])
    _, offsets, data = array.buffers()
    places = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    characters = np.frombuffer(b"" if data is None else data, np.uint8)
    return Strings.packed(characters[places[0] : places[-1]], places - places[0])


def _validated(batch: pa.RecordBatch, flag: str, source: str, word: str, first: int) -> Any:
    """Return a column, or None if it is missing; raise if its buffers are invalid."""
    import pyarrow as pa

    if flag not in batch.schema.names:
        return None
    array = batch.column(flag)
    try:
        array.validate(full=True)
    except pa.ArrowInvalid as error:
        if "UTF8" not in str(error):  # reading its values may crash
            raise InputError(
                f"the data is damaged ({str(error).splitlines()[0]}). Create it again.", source=source
            ) from error
        row = next((number for number in range(len(array)) if not _readable(array[number])), 0)
        raise InputError(
            "not valid UTF-8. Write the texts again in UTF-8.", source=source, row=f"{word} {first + row}"
        ) from error
    return array


def _readable(value: Any) -> bool:
    try:
        value.as_py()
    except UnicodeDecodeError:
        return False
    return True


def _texts(array: Any) -> Strings | None:
    import pyarrow as pa

    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if not _is_string(kind) or array.null_count:
        return None
    try:
        wide = array.cast(pa.large_string())
    except pa.ArrowException:
        return None
    # A dictionary may hold a null that indices refer to.
    return None if wide.null_count else arrow_strings(wide)


def _keys(array: Any) -> Strings | None:
    import pyarrow as pa

    # Arrow writes integers as Python does, but not other numbers.
    return _texts(array.cast(pa.large_string()) if pa.types.is_integer(array.type) else array)


def _is_string(kind: Any) -> bool:
    import pyarrow as pa

    view = getattr(pa.types, "is_string_view", lambda _: False)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or view(kind))


def _rows(columns: list[Any], word: str, first: int) -> Iterator[Row]:
    total = len(columns[0])
    for start in range(0, total, ROWS):
        count = min(ROWS, total - start)
        values = (
            [None] * count if column is None else column.slice(start, count).to_pylist() for column in columns
        )
        for number, row_values in enumerate(zip(*values), first + start):
            yield Row(f"{word} {number}", *row_values)
