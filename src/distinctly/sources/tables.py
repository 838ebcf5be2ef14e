"""Tables in memory: data frames, Arrow tables, mappings of columns, and Hugging Face datasets."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any, TypeGuard

from distinctly.batch import Batch
from distinctly.errors import InputError
from distinctly.sources.arrow_columns import check_columns, column_items
from distinctly.sources.base import BatchBuilder, Partition, Reading, Shape, Source, checked_size, shape_of
from distinctly.sources.blocks import Block, Row
from distinctly.sources.memory import MemorySource, values_at

if TYPE_CHECKING:
    import pyarrow as pa

# The number of rows of a dataset in memory at a time.
ROWS = 4096


def is_table(texts: object) -> bool:
    """Return whether something has columns with names."""
    return isinstance(texts, Mapping) or (
        isinstance(texts, Sized) and (hasattr(texts, "column_names") or hasattr(texts, "columns"))
    )


def chosen_columns(
    table: Any, reading: Reading, *, source: str, row: str = "", word: str = "row"
) -> dict[str, object]:
    """Return the requested columns of a table, by flag; `word` is what errors call a row."""
    if isinstance(table, Mapping):
        names = list(table)
        if names and all(is_dataset(table[name]) for name in names):
            splits = ", ".join(map(str, names))
            raise InputError(f"expected one dataset, got a mapping of them. Choose one of: {splits}.")
    else:
        names = list(table.column_names if hasattr(table, "column_names") else table.columns)
    keys = {str(name): name for name in names}
    requested = check_columns([str(name) for name in names], reading, source, row)
    return {
        flag: values_at(
            table[keys[chosen.name]],
            chosen,
            source=source,
            word=word,
            option=flag,
            skip_bad=reading.skip_bad,
        )
        for flag, chosen in requested.items()
    }


def is_dataset(texts: object) -> TypeGuard[Any]:
    """Return whether this is a `datasets.Dataset`, without importing its package."""
    return all(
        hasattr(texts, name) for name in ("column_names", "with_format", "select_columns", "iter")
    ) and (isinstance(texts, Sized))


class DatasetSource(Source):
    """A `datasets.Dataset`: its Arrow tables, read from the disk in pieces.

    Partitions are ranges of rows. Pickled, those of a dataset on disk name its files, and those of a
    dataset in memory hold their rows.
    """

    name = title = "dataset"

    def __init__(self, dataset: Any, reading: Reading) -> None:
        self._reading = reading
        self._columns = check_columns(list(dataset.column_names), reading, self.name)
        names = {column.name for column in self._columns.values()}
        self._dataset = dataset.select_columns(sorted(names)).with_format("arrow")
        self._first = 0
        self._shape: Shape | None = None

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches."""
        yield from BatchBuilder(self.name, self._reading, rows, shape=self._shape).build(self._items())

    def partitions(self, size: int | None = None) -> Sequence[Partition]:
        """Return ranges of rows of about `size` bytes, if all rows are of one size."""
        size, count = checked_size(size), len(self._dataset)
        if not getattr(self._dataset, "cache_files", None):
            table = self._dataset[:]
            columns = {
                flag: values_at(
                    table.column(chosen.name),
                    chosen,
                    source=self.name,
                    word="row",
                    option=flag,
                    skip_bad=self._reading.skip_bad,
                )
                for flag, chosen in self._columns.items()
            }
            return MemorySource(columns, self._reading, word="row", name=self.name).partitions(size)
        length = max(size * count // max(self._dataset.data.nbytes, 1), 1)
        if length >= count:
            return [self]
        shape = shape_of(self._items(), self._reading)
        return [self._part(start, min(start + length, count), shape) for start in range(0, count, length)]

    def _part(self, start: int, end: int, shape: Shape | None) -> DatasetSource:
        source = copy.copy(self)
        source._dataset = self._dataset.select(range(start, end))
        source._first, source._shape = self._first + start, shape
        return source

    def _items(self) -> Iterator[Row | Block]:
        return column_items(
            self._pieces(),
            self._columns,
            source=self.name,
            word="row",
            first=self._first,
            skip_bad=self._reading.skip_bad,
        )

    def _pieces(self) -> Iterator[pa.RecordBatch]:
        tables: Iterable[pa.Table] = self._dataset.iter(batch_size=ROWS)
        for table in tables:
            yield from table.to_batches()
