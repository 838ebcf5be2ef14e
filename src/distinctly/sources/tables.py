"""Tables in memory: data frames, Arrow tables, mappings of columns, and datasets of Hugging Face."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from typing import TYPE_CHECKING, Any, TypeGuard

from distinctly.batch import Batch
from distinctly.errors import InputError
from distinctly.sources.arrow_columns import by_flag, check_columns, column_items
from distinctly.sources.base import BatchBuilder, Reading, Source

if TYPE_CHECKING:
    import pyarrow as pa

# Rows of a dataset in memory at a time.
ROWS = 4096


def is_table(texts: object) -> bool:
    """Tell whether something has columns with names."""
    return isinstance(texts, Mapping) or (
        isinstance(texts, Sized) and (hasattr(texts, "column_names") or hasattr(texts, "columns"))
    )


def chosen_columns(table: Any, reading: Reading, *, source: str, row: str = "") -> dict[str, object]:
    """Return the columns of a table that are asked for: its field, group and id."""
    if isinstance(table, Mapping):
        names = list(table)
        if names and all(is_dataset(table[name]) for name in names):
            splits = ", ".join(map(str, names))
            raise InputError(f"expected one dataset, got a mapping of them. Choose one of: {splits}.")
    else:
        names = list(table.column_names if hasattr(table, "column_names") else table.columns)
    written = {str(name): name for name in names}
    asked = check_columns([str(name) for name in names], reading, source, row)
    return {flag: table[written[name]] for flag, name in asked.items()}


def is_dataset(texts: object) -> TypeGuard[Any]:
    """Tell whether this is a `datasets.Dataset`, whose package is not imported to find out."""
    return all(
        hasattr(texts, name) for name in ("column_names", "with_format", "select_columns", "iter")
    ) and (isinstance(texts, Sized))


class DatasetSource(Source):
    """A `datasets.Dataset`: its Arrow tables, as they lie on the disk, a piece at a time."""

    name = title = "dataset"

    def __init__(self, dataset: Any, reading: Reading) -> None:
        self._reading = reading
        self._columns = check_columns(list(dataset.column_names), reading, self.name)
        self._dataset = dataset.select_columns(sorted({*self._columns.values()})).with_format("arrow")

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the rows' texts in batches."""
        items = column_items(self._pieces(), source=self.name, word="row")
        yield from BatchBuilder(self.name, self._reading, rows).build(items)

    def _pieces(self) -> Iterator[pa.RecordBatch]:
        tables: Iterable[pa.Table] = self._dataset.iter(batch_size=ROWS)
        for table in tables:
            for piece in table.to_batches():
                yield by_flag(piece, self._columns)
