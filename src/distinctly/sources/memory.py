"""Objects in memory: lists of texts or tokens, arrays, columns, and tables of columns."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from distinctly.batch import Batch, Nested, Nesting
from distinctly.errors import InputError
from distinctly.sources.arrow_columns import Chosen, column_items, select_structs
from distinctly.sources.base import (
    BATCH_CHARACTERS,
    BATCH_TEXTS,
    COLUMNS,
    FLAGS,
    BatchBuilder,
    Partition,
    Reading,
    Shape,
    Source,
    checked_size,
    describe,
    shape_of,
)
from distinctly.sources.blocks import Block, Row
from distinctly.sources.paths import Asked, descend_or_skip
from distinctly.strings import Strings

if TYPE_CHECKING:
    import pyarrow as pa

    Values = list[object] | pa.ChunkedArray[Any]

# The number of rows of an Arrow column that are read together.
ROWS = 1 << 16


class MemorySource(Source):
    """Columns of texts, groups, ids …: lists, numpy arrays, or columns of Arrow, pandas or polars.

    `columns` has the texts under ``field``, and the others under their flags: ``group``, ``id``, ``tags`` ….
    Partitions are slices of the columns, and are pickled without the rest of them.

    Parameters
    ----------
    as_tokens
        Whether a list is the tokens of one text, and not several texts; if None, `reading` decides.
    nesting
        How lists of lists are read, if that was decided from what they contain.
    word
        What errors call a text.
    """

    def __init__(
        self,
        columns: Mapping[str, object],
        reading: Reading,
        *,
        as_tokens: bool | None = None,
        nesting: Nesting | None = None,
        word: str = "item",
        name: str = "texts",
    ) -> None:
        self.name = self.title = name
        self._reading, self._as_tokens, self._nesting, self._word = reading, as_tokens, nesting, word
        self._columns = checked_columns(columns, of_lists=word == "list")
        self._first = 0
        self._shape: Shape | None = None

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches."""
        texts = self._columns["field"]
        if _are_few_strings(texts, rows) and len(self._columns) == 1 and self._shape in (None, "text"):
            yield Batch(Strings.encode(texts))
            return
        are_tokens = self._reading.tokens if self._as_tokens is None else self._as_tokens
        is_plain = len(self._columns) == 1 and self._shape in (None, "list of tokens")
        if are_tokens and is_plain and _are_few_token_lists(texts, rows):
            nested = None if self._nesting is None else Nested(self._nesting, sum(map(bool, texts)))
            yield Batch.of(texts, nested=nested)
            return
        builder = BatchBuilder(
            self.name,
            self._reading,
            rows,
            as_tokens=self._as_tokens,
            shape=self._shape,
            required=self._columns,
            nesting=self._nesting,
        )
        yield from builder.build(self._items())

    def partitions(self, size: int | None = None) -> Sequence[Partition]:
        """Return slices of about `size` bytes."""
        starts = _slice_starts(self._columns["field"], checked_size(size))
        if len(starts) < 2:
            return [self]
        shape = shape_of(self._items(), self._reading, as_tokens=self._as_tokens, required=self._columns)
        ends = [*starts[1:], len(self._columns["field"])]
        return [self.part(start, end, shape) for start, end in zip(starts, ends)]

    def part(self, start: int, end: int, shape: Shape | None) -> MemorySource:
        """Return a source of the rows `start` to `end`, whose texts must have this shape."""
        source = copy.copy(self)
        source._columns = {flag: values[start:end] for flag, values in self._columns.items()}
        source._first, source._shape = self._first + start, shape
        return source

    def _items(self) -> Iterator[Row | Block]:
        return column_rows(
            self._columns,
            source=self.name,
            word=self._word,
            first=self._first,
            skip_bad=self._reading.skip_bad,
        )

    def __reduce__(self) -> tuple[object, ...]:
        # Arrow would pickle the whole array of a slice.
        columns = {flag: _pickled(values) for flag, values in self._columns.items()}
        return _unpickled, ({**self.__dict__, "_columns": columns},)

    def __copy__(self) -> MemorySource:
        source = MemorySource.__new__(MemorySource)
        source.__dict__.update(self.__dict__)
        return source


def _are_few_strings(texts: Values, rows: int | None) -> TypeGuard[list[str]]:
    """Return whether texts are plain strings of one batch, so that no row has to be checked."""
    if not isinstance(texts, list) or not 0 < len(texts) <= min(rows or BATCH_TEXTS, BATCH_TEXTS):
        return False
    return set(map(type, texts)) == {str} and sum(map(len, cast("list[str]", texts))) < BATCH_CHARACTERS


def _are_few_token_lists(texts: Values, rows: int | None) -> TypeGuard[list[list[str]]]:
    """Return whether texts are plain lists of strings of one batch, so that no row has to be checked."""
    if not isinstance(texts, list) or not 0 < len(texts) <= min(rows or BATCH_TEXTS, BATCH_TEXTS):
        return False
    if set(map(type, texts)) != {list}:
        return False
    tokens = list(chain.from_iterable(cast("list[list[str]]", texts)))
    return set(map(type, tokens)) == {str} and sum(map(len, tokens)) < BATCH_CHARACTERS


def checked_columns(columns: Mapping[str, object], *, of_lists: bool = False) -> dict[str, Values]:
    """Return the values of columns of one table, by flag; raise if they differ in length."""
    values = {flag: values_of(column, COLUMNS[flag]) for flag, column in columns.items()}
    texts = values["field"]
    for flag, column in values.items():
        if len(column) != len(texts):
            raise InputError(
                f"expected one entry of `{COLUMNS[flag]}` per {'list of texts' if of_lists else 'text'}, got "
                f"{len(column)} for {len(texts)} {'lists' if of_lists else 'texts'}."
            )
    return values


def column_rows(
    columns: Mapping[str, Values], *, source: str, word: str, first: int = 0, skip_bad: bool = False
) -> Iterator[Row | Block]:
    """Yield the rows of columns, in blocks if all are Arrow columns; `first` numbers the first row."""
    if not any(isinstance(column, list) for column in columns.values()):
        import pyarrow as pa

        pieces = pa.table(dict(columns)).to_batches(max_chunksize=ROWS)
        by_flag = {flag: Chosen(flag) for flag in columns}
        yield from column_items(pieces, by_flag, source=source, word=word, first=first, skip_bad=skip_bad)
        return
    count = len(columns["field"])
    flags = FLAGS[: max(map(FLAGS.index, columns)) + 1]
    lists = (listed(columns[flag]) if flag in columns else [None] * count for flag in flags)
    for number, row_values in enumerate(zip(*lists), first):
        yield Row(f"{word} {number}", *row_values)


def _slice_starts(texts: Values, size: int) -> list[int]:
    """Return the starts of slices of about `size` bytes."""
    if not isinstance(texts, list):
        length = max(size * len(texts) // max(texts.get_total_buffer_size(), 1), 1)
        return list(range(0, len(texts), length))
    starts, start_size, total = [0], 0, 0
    for row, text in enumerate(texts):
        if total - start_size >= size and row:
            starts.append(row)
            start_size = total
        total += _estimated_size(text)
    return starts


def _estimated_size(text: object) -> int:
    """Return the approximate number of bytes of a text: its characters, at least 1."""
    if isinstance(text, (list, tuple)):
        return 1 + sum(len(token) if isinstance(token, (str, list)) else 1 for token in text)
    return max(len(text), 1) if isinstance(text, str) else 1


def _pickled(values: Values) -> list[object] | bytes:
    if isinstance(values, list):
        return values
    import pyarrow as pa

    table = pa.table({"values": _compact(values)})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def _compact(values: Any) -> Any:
    """Return an Arrow array in a layout that is written without the values outside the slice."""
    import pyarrow as pa

    is_view = getattr(pa.types, "is_string_view", lambda _: False)
    kind = values.type
    target = kind.value_type if pa.types.is_dictionary(kind) else kind
    if is_view(target):
        target = pa.large_string()
    elif (pa.types.is_list(kind) or pa.types.is_large_list(kind)) and is_view(kind.value_type):
        target = pa.large_list(pa.large_string())
    if target == kind:
        return values
    try:
        return values.cast(target)
    except pa.ArrowNotImplementedError:  # pyarrow before 18 cannot cast views of strings
        return pa.chunked_array([pa.array(values.to_pylist(), target)])


def _unpickled(state: dict[str, Any]) -> MemorySource:
    columns = {}
    for flag, values in state["_columns"].items():
        if isinstance(values, bytes):
            import pyarrow as pa

            columns[flag] = pa.ipc.open_stream(values).read_all().column(0)
        else:
            columns[flag] = values
    source = MemorySource.__new__(MemorySource)
    source.__dict__.update({**state, "_columns": columns})
    return source


def listed(values: Values) -> list[object]:
    """Return values as a list of Python objects."""
    return values if isinstance(values, list) else values.to_pylist()


def values_of(column: object, name: str) -> Values:
    """Return the values of a column: as an Arrow array if possible, otherwise as a list."""
    if isinstance(column, (str, bytes)):
        hint = "" if isinstance(column, bytes) else f" Put it in a list: [{name[:-1]}]."
        raise InputError(f"expected a list of {name}, got {describe(column)}.{hint}")
    if isinstance(column, Mapping):
        keys = ", ".join(map(str, column))
        raise InputError(f"expected a column of {name}, got a mapping. Choose one of its keys: {keys}.")
    if hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__"):
        return _from_arrow(column, name)
    if hasattr(column, "__array__"):
        return _from_array(column, name)
    if isinstance(column, Iterable):
        return list(column)
    raise InputError(f"expected a list or a column of {name}, got {describe(column)}.")


def values_at(
    column: Any, chosen: Chosen, *, source: str, word: str, option: str, skip_bad: bool = False
) -> object:
    """Return the values at the path `chosen` within a column."""
    if not chosen.steps:
        return column
    # Arrow would give all objects of a column of Python objects the same fields.
    is_arrow = hasattr(column, "__arrow_c_stream__") and str(getattr(column, "dtype", "")) != "object"
    values, steps, reached = (column, chosen.steps, chosen.name)
    if is_arrow:
        import pyarrow as pa

        array = pa.chunked_array(column)
        values, steps, reached = select_structs(array, chosen, Asked(source, option=option))
        if not steps:
            return values
        values = values.to_pylist()
    return [
        descend_or_skip(
            value, steps, Asked(source, f"{word} {number}", option), reached=reached, skip_bad=skip_bad
        )
        for number, value in enumerate(values)
    ]


def _from_arrow(column: Any, name: str) -> Values:
    import pyarrow as pa

    stream = hasattr(column, "__arrow_c_stream__")
    try:
        array = pa.chunked_array(column) if stream else pa.chunked_array([pa.array(column)])
    except (pa.ArrowException, UnicodeError, TypeError):  # objects of no Arrow type: checked row by row
        return list(column)
    if pa.types.is_struct(array.type):
        fields = ", ".join(array.type.field(i).name for i in range(array.type.num_fields))
        raise InputError(f"expected a column of {name}, got a table. Choose one of its columns: {fields}.")
    return array


def _from_array(column: Any, name: str) -> list[object]:
    import numpy as np

    array = np.asarray(column)
    if array.ndim == 2 and name == "texts" and array.dtype.kind in "iuUTO":  # rows of tokens or token ids
        rows: list[object] = array.tolist()
        return rows
    if array.ndim != 1 and array.size:
        raise InputError(
            f"expected a column of {name} with one dimension, got an array of shape {array.shape}."
        )
    values: list[object] = array.ravel().tolist()
    return values
