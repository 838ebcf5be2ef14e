"""Choose the source of an object in memory."""

from __future__ import annotations

from distinctly.errors import InputError
from distinctly.sources.base import Reading, Source
from distinctly.sources.iterators import IteratorSource, is_lazy
from distinctly.sources.memory import MemorySource
from distinctly.sources.tables import DatasetSource, chosen_columns, is_dataset, is_table


def open_object(
    texts: object, reading: Reading, *, groups: object = None, ids: object = None, tags: object = None
) -> Source:
    """Return the source of a list, column, table, dataset or iterator.

    `groups`, `ids` and `tags` have one entry per text, for texts that have no fields.
    """
    if is_table(texts):
        for name, values, flag in (("groups", groups, "group"), ("ids", ids, "id"), ("tags", tags, "tags")):
            if values is not None:
                raise InputError(f"`{name}` is for lists of texts. For a table, name the column: {flag}=.")
        if is_dataset(texts):
            return DatasetSource(texts, reading)
        return MemorySource(chosen_columns(texts, reading, source="texts"), reading, of_table=True)
    if is_lazy(texts):
        return IteratorSource(texts, reading, groups=groups, ids=ids, tags=tags)
    reading.refuse_fields("", "lists and columns", "Give groups=, ids= or tags=, with one entry per text.")
    columns = {"field": texts, "group": groups, "id": ids, "tags": tags}
    return MemorySource(
        {flag: column for flag, column in columns.items() if column is not None or flag == "field"}, reading
    )
