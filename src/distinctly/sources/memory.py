"""Objects in memory: lists of texts or tokens, arrays, columns, and tables of columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from distinctly.batch import Batch
from distinctly.errors import InputError
from distinctly.sources.arrow_columns import column_items
from distinctly.sources.base import BatchBuilder, Reading, Source, describe
from distinctly.sources.blocks import Block, Row

if TYPE_CHECKING:
    import pyarrow as pa

    Values = list[object] | pa.ChunkedArray[Any]

# So many rows of an Arrow column are looked at together.
ROWS = 1 << 16


class MemorySource(Source):
    """Columns of texts, groups and ids: lists, numpy arrays, or columns of Arrow, pandas or polars.

    `columns` has the texts under ``field``, and the others under ``group`` and ``id``.
    """

    name = title = "texts"

    def __init__(self, columns: Mapping[str, object], reading: Reading, *, of_table: bool = False) -> None:
        self._reading, self._of_table = reading, of_table
        self._columns = checked_columns(columns)

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches."""
        # Alone, a list of lists is texts cut into tokens; in a table, a list is several texts of a row.
        builder = BatchBuilder(self.name, self._reading, rows, always_tokens=not self._of_table)
        yield from builder.build(
            column_rows(self._columns, source=self.name, word="row" if self._of_table else "item")
        )


def checked_columns(columns: Mapping[str, object]) -> dict[str, Values]:
    """Return the values of columns that belong together, and are of one length."""
    names = {"field": "texts", "group": "groups", "id": "ids"}
    values = {flag: values_of(column, names[flag]) for flag, column in columns.items()}
    texts = values["field"]
    for flag, column in values.items():
        if len(column) != len(texts):
            raise InputError(
                f"expected one of `{names[flag]}` a text, got {len(column)} for {len(texts)} texts."
            )
    return values


def column_rows(columns: Mapping[str, Values], *, source: str, word: str) -> Iterator[Row | Block]:
    """Yield the rows of columns; those of Arrow many at a time."""
    if not any(isinstance(column, list) for column in columns.values()):
        import pyarrow as pa

        pieces = pa.table(dict(columns)).to_batches(max_chunksize=ROWS)
        yield from column_items(pieces, source=source, word=word)
        return
    texts = listed(columns["field"])
    groups, ids = (listed(columns[f]) if f in columns else [None] * len(texts) for f in ("group", "id"))
    for number, (text, group, identity) in enumerate(zip(texts, groups, ids)):
        yield Row(f"{word} {number}", text, group, identity)


def listed(values: Values) -> list[object]:
    """Return values as Python objects."""
    return values if isinstance(values, list) else values.to_pylist()


def values_of(column: object, name: str) -> Values:
    """Return a column's values: as Arrow's where it can be had as such, or as a list."""
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


def _from_arrow(column: Any, name: str) -> Values:
    import pyarrow as pa

    stream = hasattr(column, "__arrow_c_stream__")
    try:
        array = pa.chunked_array(column) if stream else pa.chunked_array([pa.array(column)])
    except (pa.ArrowException, UnicodeError, TypeError):  # objects that are no Arrow type: checked one by one
        return list(column)
    if pa.types.is_struct(array.type):
        fields = ", ".join(array.type.field(i).name for i in range(array.type.num_fields))
        raise InputError(f"expected a column of {name}, got a table. Choose one of its columns: {fields}.")
    return array


def _from_array(column: Any, name: str) -> list[object]:
    import numpy as np

    array = np.asarray(column)
    if array.ndim != 1 and array.size:
        raise InputError(
            f"expected a column of {name} with one dimension, got an array of shape {array.shape}."
        )
    values: list[object] = array.ravel().tolist()
    return values
