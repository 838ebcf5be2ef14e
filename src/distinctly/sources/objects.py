"""Which source reads an object in memory."""

from __future__ import annotations

from distinctly.errors import InputError
from distinctly.sources.base import Reading, Source
from distinctly.sources.iterators import IteratorSource, is_lazy
from distinctly.sources.memory import MemorySource
from distinctly.sources.tables import DatasetSource, chosen_columns, is_dataset, is_table


def open_object(texts: object, reading: Reading, *, groups: object = None, ids: object = None) -> Source:
    """Return the source of a list, column, table, dataset or iterator."""
    if is_table(texts):
        for name, keys in (("groups", groups), ("ids", ids)):
            if keys is not None:
                raise InputError(
                    f"`{name}` goes with a list of texts; of a table, name the column: {name[:-1]}=."
                )
        if is_dataset(texts):
            return DatasetSource(texts, reading)
        return MemorySource(chosen_columns(texts, reading, source="texts"), reading, of_table=True)
    if is_lazy(texts):
        return IteratorSource(texts, reading, groups=groups, ids=ids)
    reading.refuse_fields("", "lists and columns", "Give groups= or ids=, one a text.")
    given = {"field": texts, "group": groups, "id": ids}
    return MemorySource(
        {flag: column for flag, column in given.items() if column is not None or flag == "field"}, reading
    )
