"""Objects in memory: lists of texts or tokens, arrays, and columns of data frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from distinctly.batch import Batch
from distinctly.errors import InputError
from distinctly.sources.base import BatchBuilder, Reading, Source, describe
from distinctly.sources.blocks import Row


class MemorySource(Source):
    """A list of strings or of token lists, a numpy array, or a column of Arrow, pandas or polars."""

    name = title = "texts"

    def __init__(self, texts: object, reading: Reading, *, groups: object = None, ids: object = None) -> None:
        reading.refuse_fields("", "lists and columns", "Give groups= or ids=, one a text.")
        self._texts = values_of(texts, "texts")
        self._reading = reading
        self._groups = None if groups is None else values_of(groups, "groups")
        self._ids = None if ids is None else values_of(ids, "ids")
        for name, column in (("groups", self._groups), ("ids", self._ids)):
            if column is not None and len(column) != len(self._texts):
                raise InputError(
                    f"expected one of `{name}` a text, got {len(column)} for {len(self._texts)} texts."
                )

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches."""
        builder = BatchBuilder(self.name, self._reading, rows, always_tokens=True)
        groups = self._groups or [None] * len(self._texts)
        ids = self._ids or [None] * len(self._texts)
        yield from builder.build(
            Row(f"item {number}", text, group, identity)
            for number, (text, group, identity) in enumerate(zip(self._texts, groups, ids))
        )


def values_of(column: object, name: str) -> Sequence[object]:
    """Return a column's values as Python objects, whatever made the column."""
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


def _from_arrow(column: Any, name: str) -> Sequence[object]:
    import pyarrow as pa

    stream = hasattr(column, "__arrow_c_stream__")
    try:
        array = pa.chunked_array(column) if stream else pa.array(column)
    except (pa.ArrowException, UnicodeError, TypeError):  # objects that are no Arrow type: checked one by one
        return list(column)
    if pa.types.is_struct(array.type):
        fields = ", ".join(array.type.field(i).name for i in range(array.type.num_fields))
        raise InputError(f"expected a column of {name}, got a table. Choose one of its columns: {fields}.")
    values: list[object] = array.to_pylist()
    return values


def _from_array(column: Any, name: str) -> Sequence[object]:
    import numpy as np

    array = np.asarray(column)
    if array.ndim != 1 and array.size:
        raise InputError(
            f"expected a column of {name} with one dimension, got an array of shape {array.shape}."
        )
    values: list[object] = array.ravel().tolist()
    return values
