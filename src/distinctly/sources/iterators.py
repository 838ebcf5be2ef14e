"""Iterators and other objects that can only be gone through: texts, batches of texts, or rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sized
from dataclasses import replace
from itertools import repeat
from typing import TypeGuard

from distinctly.batch import Batch
from distinctly.errors import InputError
from distinctly.sources.base import BatchBuilder, Reading, Source
from distinctly.sources.blocks import Block, Row
from distinctly.sources.memory import checked_columns, column_rows, listed, values_of
from distinctly.sources.tables import chosen_columns, is_table

_END = object()


def is_lazy(texts: object) -> TypeGuard[Iterable[object]]:
    """Tell whether something yields its texts as they are asked for, and may be too large to hold."""
    return (
        isinstance(texts, Iterable)
        and not isinstance(texts, Collection)
        and not hasattr(texts, "__array__")
        and not (isinstance(texts, Sized) and hasattr(texts, "__getitem__"))
    )


class IteratorSource(Source):
    """Texts that come one by one, or in batches, and are never held all at once.

    What comes may be a text; a list or column, which is a batch of texts (the tokens of one text
    where `tokens` is set); or a mapping or table, of which `field`, `group` and `id` are taken: of
    one row, or of a batch of them.
    """

    name = title = "texts"

    def __init__(
        self, texts: Iterable[object], reading: Reading, *, groups: object = None, ids: object = None
    ) -> None:
        self._texts, self._reading = texts, reading
        self._keys = {"groups": groups, "ids": ids}
        self.rereadable = not isinstance(texts, Iterator)
        self._spent = False

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches."""
        if self._spent:
            raise InputError(
                "this iterator has been read before and has nothing left. Give a list, or a new iterator.",
                source=self.name,
            )
        self._spent = not self.rereadable
        builder = BatchBuilder(self.name, self._reading, rows, always_tokens=True)
        items = self._items()
        if any(keys is not None for keys in self._keys.values()):
            return builder.build(self._with_keys(items))
        return builder.build(items)

    def _items(self) -> Iterator[Row | Block]:
        for number, item in enumerate(self._texts):
            if is_table(item):
                yield from self._table_rows(item, number)
                continue
            replace(self._reading, tokens=False).refuse_fields(self.name, "texts and lists", "Give rows.")
            if isinstance(item, (str, bytes)) or not isinstance(item, Iterable) or self._reading.tokens:
                yield Row(f"item {number}", item)
            else:
                columns = checked_columns({"field": item})
                yield from column_rows(columns, source=self.name, word=f"batch {number}, item")

    def _table_rows(self, table: object, number: int) -> Iterator[Row | Block]:
        chosen = chosen_columns(table, self._reading, source=self.name, row=f"item {number}")
        text = chosen["field"]
        is_text = isinstance(text, (str, bytes)) or not isinstance(text, Iterable)
        if is_text or (self._reading.tokens and _is_tokens(text)):
            yield Row(f"item {number}", text, chosen.get("group"), chosen.get("id"))
        else:
            yield from column_rows(checked_columns(chosen), source=self.name, word=f"batch {number}, row")

    def _with_keys(self, items: Iterable[Row | Block]) -> Iterator[Row]:
        """Give each text its group and id, and raise where there are too few or too many."""
        groups, ids = (_each(keys, name) for name, keys in self._keys.items())
        count = 0
        for item in items:
            for row in (item,) if isinstance(item, Row) else item.rows():
                pair = {"groups": next(groups, _END), "ids": next(ids, _END)}
                for name, key in pair.items():
                    if key is _END:
                        raise InputError(f"expected one of `{name}` a text, got {count} for more texts.")
                count += 1
                yield row._replace(group=pair["groups"], id=pair["ids"])
        for name, left in (("groups", groups), ("ids", ids)):
            if self._keys[name] is not None and next(left, _END) is not _END:
                raise InputError(f"expected one of `{name}` a text, got more for {count} texts.")


def _each(keys: object, name: str) -> Iterator[object]:
    if keys is None:
        return repeat(None)
    return iter(keys if is_lazy(keys) else listed(values_of(keys, name)))


def _is_tokens(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(part, str) for part in value)
