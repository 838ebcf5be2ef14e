"""Iterators and other objects that are read by iterating: texts, batches of texts, or rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sized
from dataclasses import replace
from typing import Any, TypeGuard

from distinctly.batch import Batch
from distinctly.errors import InputError
from distinctly.sources.base import COLUMNS, BatchBuilder, Reading, Source
from distinctly.sources.blocks import Block, Row
from distinctly.sources.memory import checked_columns, column_rows, listed, values_of
from distinctly.sources.paths import FieldPath
from distinctly.sources.records import row_or_skip
from distinctly.sources.tables import chosen_columns, is_table

_END = object()


def is_lazy(texts: object) -> TypeGuard[Iterable[object]]:
    """Return whether texts are yielded on demand, and may be too large for memory."""
    return (
        isinstance(texts, Iterable)
        and not isinstance(texts, Collection)
        and not hasattr(texts, "__array__")
        and not (isinstance(texts, Sized) and hasattr(texts, "__getitem__"))
    )


class IteratorSource(Source):
    """Texts that arrive one by one, or in batches, and are never all in memory.

    An item may be a text; a list or column, which is a batch of texts (the tokens of one text
    if `tokens` is set); or a mapping or table with the fields of one row or of a batch of rows.
    An iterator is one partition, which cannot be read again or by another process.
    """

    name = title = "texts"

    def __init__(
        self, texts: Iterable[object], reading: Reading, others: Mapping[str, object] | None = None
    ) -> None:
        self._texts, self._reading = texts, reading
        self._columns = dict(others or {})
        self.rereadable = not isinstance(texts, Iterator)
        self._spent = False

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches."""
        if self._spent:
            raise InputError(
                "this iterator has already been read. Give a list, or a new iterator.",
                source=self.name,
            )
        self._spent = not self.rereadable
        as_tokens = self._reading.tokens is not False
        builder = BatchBuilder(self.name, self._reading, rows, as_tokens=as_tokens, required=self._columns)
        items = self._items()
        return builder.build(self._with_columns(items) if self._columns else items)

    def __getstate__(self) -> dict[str, object]:
        if not self.rereadable:
            raise InputError(
                "an iterator can be read only once, so no other process can read it. Give a list, or a file.",
                source=self.name,
            )
        return dict(self.__dict__)

    def _items(self) -> Iterator[Row | Block]:
        for number, item in enumerate(self._texts):
            if is_table(item):
                yield from self._table_rows(item, number)
                continue
            replace(self._reading, tokens=None).refuse_fields(self.name, "texts and lists", "Give rows.")
            if isinstance(item, (str, bytes)) or not isinstance(item, Iterable) or self._reading.tokens:
                yield Row(f"item {number}", item)
            else:
                columns = checked_columns({"field": item})
                yield from column_rows(columns, source=self.name, word=f"batch {number}, item")

    def _table_rows(self, table: object, number: int) -> Iterator[Row | Block]:
        where = f"item {number}"
        if isinstance(table, Mapping) and self._is_row(table):
            row = row_or_skip(table, self._reading, source=self.name, where=where)
            yield from (row,) if self._reading.tokens else _texts_of(row)
            return
        word = f"batch {number}, row"
        chosen = chosen_columns(table, self._reading, source=self.name, row=where, word=word)
        yield from column_rows(checked_columns(chosen), source=self.name, word=word)

    def _is_row(self, table: Mapping[str, object]) -> bool:
        """Return whether a mapping is one row, and not a batch of rows with one column per field."""
        path = FieldPath.parse(self._reading.field)
        root = path.root(list(table))
        if root is None:
            return True
        name, steps = root
        value = table[name]
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            return True
        # A list of objects is a column, unless the path says that it is a list within one row.
        return not isinstance(steps[0], str) if steps else bool(self._reading.tokens) and _is_tokens(value)

    def _with_columns(self, items: Iterable[Row | Block]) -> Iterator[Row]:
        """Give each text its group, id …; raise if there are too few or too many."""
        columns = {flag: _each(values, COLUMNS[flag]) for flag, values in self._columns.items()}
        count = 0
        for item in items:
            for row in (item,) if isinstance(item, Row) else item.rows():
                entries: dict[str, Any] = {}
                for flag, column in columns.items():
                    entry = next(column, _END)
                    if entry is _END:
                        raise InputError(
                            f"expected one entry of `{COLUMNS[flag]}` per text, got {count} for more texts."
                        )
                    entries[flag] = entry
                count += 1
                yield row._replace(**entries)
        for flag, column in columns.items():
            if next(column, _END) is not _END:
                raise InputError(
                    f"expected one entry of `{COLUMNS[flag]}` per text, got more for {count} texts."
                )


def _each(values: object, name: str) -> Iterator[object]:
    return iter(values if is_lazy(values) else listed(values_of(values, name)))


def _texts_of(row: Row) -> Iterator[Row]:
    """Yield one row per text: several texts of a row form a group."""
    if not isinstance(row.text, list):
        yield row
        return
    for text in row.text:
        yield row._replace(text=text, group=row.where if row.group is None else row.group)


def _is_tokens(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(part, (str, int)) for part in value)
