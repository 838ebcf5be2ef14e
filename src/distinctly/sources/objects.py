"""Choose the source of an object in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from typing import Any, TypeGuard

from distinctly.errors import InputError
from distinctly.sources.base import COLUMNS, FLAGS, Reading, Source, describe, is_null
from distinctly.sources.iterators import IteratorSource, is_lazy
from distinctly.sources.memory import MemorySource, values_of
from distinctly.sources.nested import first_value, has_lists, nesting_of
from distinctly.sources.records import row_or_skip
from distinctly.sources.tables import DatasetSource, chosen_columns, is_dataset, is_table


def open_object(texts: object, reading: Reading, others: Mapping[str, object] | None = None) -> Source:
    """Return the source of a list, column, table, dataset, list of rows, or iterator.

    `others` are columns with one entry per text (or per list of texts), by flag (``group``, ``id`` …), for
    texts that have no fields.
    """
    others = others or {}
    if has_fields(texts):
        for flag in others:
            name = COLUMNS[flag]
            raise InputError(f"`{name}` is for lists of texts. For a table, name the column: {flag}=.")
        if _are_records(texts):
            return MemorySource(_record_columns(texts, reading), reading)
        if is_dataset(texts):
            return DatasetSource(texts, reading)
        return MemorySource(chosen_columns(texts, reading, source="texts"), reading, word="row")
    if is_lazy(texts):
        return IteratorSource(texts, reading, others)
    reading.refuse_fields(
        "", "lists and columns", "Give groups=, ids=, tags= …, with one entry per text.", but=("tokens",)
    )
    values = values_of(texts, "texts")
    is_nested = has_lists(values)
    if reading.tokens and not is_nested and (first := first_value(values)) is not None:
        raise InputError(f"expected lists of tokens, since tokens=True is given, got {describe(first)}.")
    nesting = nesting_of(values) if reading.tokens is None else None
    as_tokens = nesting != "groups of texts" if reading.tokens is None else reading.tokens
    of_texts = is_nested and not as_tokens
    numbers_groups = of_texts and "group" not in others
    if numbers_groups:
        others = {**others, "group": [str(number) for number in range(len(values))]}
    source = MemorySource(
        {"field": values, **others},
        reading,
        as_tokens=as_tokens,
        nesting=nesting,
        word="list" if of_texts else "item",
    )
    source.numbers_groups = numbers_groups
    return source


def has_fields(texts: object) -> bool:
    """Return whether something has named fields: a table, a dataset, or a list of rows."""
    return is_table(texts) or _are_records(texts)


def _are_records(texts: object) -> TypeGuard[Sequence[object]]:
    """Return whether something is a list or column of rows, each of them a mapping."""
    is_column = hasattr(texts, "__array__") and str(getattr(texts, "dtype", "")) == "object"
    if not isinstance(texts, (list, tuple)) and not (is_column and isinstance(texts, Sized)):
        return False
    items: Any = texts
    return isinstance(next((item for item in items if not is_null(item)), None), Mapping)


def _record_columns(records: Iterable[object], reading: Reading) -> dict[str, object]:
    """Return the requested fields of rows as columns, by flag."""
    rows = [
        row_or_skip(record, reading, source="texts", where=f"item {number}")
        for number, record in enumerate(records)
    ]
    texts, *others = zip(*(row[1:] for row in rows))
    columns: dict[str, object] = {"field": list(texts)}
    for flag, values in zip(FLAGS[1:], others):
        if getattr(reading, flag) is not None:
            columns[flag] = list(values)
    return columns
