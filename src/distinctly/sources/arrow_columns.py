"""Arrow columns: texts, groups and ids are read from their buffers, other columns row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from distinctly.errors import InputError
from distinctly.sources.base import FLAGS, Reading, column
from distinctly.sources.blocks import Block, Row
from distinctly.sources.paths import Asked, FieldPath, Step, descend_or_skip
from distinctly.strings import Strings

if TYPE_CHECKING:
    import pyarrow as pa

# The number of rows that are converted to Python objects at a time.
ROWS = 4096


class Chosen(NamedTuple):
    """A column, and the steps of a field path within its values."""

    name: str
    steps: tuple[Step, ...] = ()


def check_columns(names: list[str], reading: Reading, source: str, row: str = "") -> dict[str, Chosen]:
    """Return the requested columns, by flag; raise if one is missing or ambiguous."""
    chosen = {}
    for flag in FLAGS:
        if getattr(reading, flag) is None:
            continue
        path = FieldPath.parse(getattr(reading, flag))
        root = path.root(names)
        if root is None:
            raise path.missing(names, source=source, row=row, option=flag)
        if names.count(root[0]) > 1:
            raise InputError(f"there are two columns '{root[0]}'. Rename one.", source=source, row=row)
        chosen[flag] = Chosen(*root)
    return chosen


def column_items(
    batches: Iterable[pa.RecordBatch],
    columns: Mapping[str, Chosen],
    *,
    source: str,
    word: str,
    first: int = 0,
    skip_bad: bool = False,
) -> Iterator[Row | Block]:
    """Yield the rows of record batches with these columns, by flag; `first` numbers the first row."""
    for batch in batches:
        selected = {
            flag: select_structs(batch.column(chosen.name), chosen, Asked(source, option=flag))
            for flag, chosen in columns.items()
        }
        arrays = {flag: validated(column.array, source, word, first) for flag, column in selected.items()}
        nested = {flag: column for flag, column in selected.items() if column.steps}
        rows = partial(_rows, arrays, nested, source, word, first, skip_bad=skip_bad)
        by_row = "field" in nested or not {"field", "group", "id"}.issuperset(arrays)
        strings = None if by_row else _texts(arrays["field"])
        keys = {
            flag: None if flag in nested else _keys(arrays[flag])
            for flag in ("group", "id")
            if flag in arrays
        }
        if strings is None or None in keys.values():
            yield from rows()
        elif len(strings):
            yield Block(strings, rows, keys.get("group"), keys.get("id"))
        first += batch.num_rows


class Selected(NamedTuple):
    """The values that steps within structs lead to, the steps that are left, and the path so far."""

    array: Any
    steps: tuple[Step, ...]
    reached: str


def select_structs(array: Any, chosen: Chosen, asked: Asked) -> Selected:
    """Take the fields of structs without converting rows to Python objects."""
    import pyarrow as pa

    steps, reached = chosen.steps, chosen.name
    while steps and isinstance(steps[0], str) and pa.types.is_struct(array.type):
        import pyarrow.compute as pc

        names = [array.type.field(place).name for place in range(array.type.num_fields)]
        if steps[0] not in names:
            raise column(
                steps[0], names, source=asked.source, row=asked.row, flag=asked.option, inside=reached
            )
        array = pc.struct_field(array, [names.index(steps[0])])
        reached, steps = f"{reached}.{steps[0]}", steps[1:]
    return Selected(array, steps, reached)


def arrow_strings(array: Any) -> Strings:
    """Return an array of large strings without nulls, without copying it."""
    if not len(array):
        return Strings.encode([])
    _, offsets, data = array.buffers()
    places = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    characters = np.frombuffer(b"" if data is None else data, np.uint8)
    return Strings.packed(characters[places[0] : places[-1]], places - places[0])


def validated(array: Any, source: str, word: str, first: int) -> Any:
    """Return a column; raise if its buffers are invalid."""
    import pyarrow as pa

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
    if not is_string(kind) or array.null_count:
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


def is_string(kind: Any) -> bool:
    """Return whether an Arrow type is one of strings."""
    import pyarrow as pa

    view = getattr(pa.types, "is_string_view", lambda _: False)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or view(kind))


def _rows(
    arrays: Mapping[str, Any],
    nested: Mapping[str, Selected],
    source: str,
    word: str,
    first: int,
    *,
    skip_bad: bool,
) -> Iterator[Row]:
    total = len(arrays["field"])
    for start in range(0, total, ROWS):
        count = min(ROWS, total - start)
        columns = [
            arrays[flag].slice(start, count).to_pylist() if flag in arrays else [None] * count
            for flag in FLAGS
        ]
        for flag, selected in nested.items():
            place = FLAGS.index(flag)
            columns[place] = [
                descend_or_skip(
                    value,
                    selected.steps,
                    Asked(source, f"{word} {number}", flag),
                    reached=selected.reached,
                    skip_bad=skip_bad,
                )
                for number, value in enumerate(columns[place], first + start)
            ]
        for number, row_values in enumerate(zip(*columns), first + start):
            yield Row(f"{word} {number}", *row_values)
