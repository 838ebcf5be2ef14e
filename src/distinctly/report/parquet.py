"""Parquet files: one row per number, in typed columns."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from distinctly.report.page import Page
from distinctly.report.spreadsheets import plain_cell
from distinctly.version import __version__

if TYPE_CHECKING:
    import pyarrow as pa

LISTINGS = False


def encode(page: Page) -> bytes:
    """Return the records as a table, with the notes in its metadata."""
    from pyarrow import parquet

    facts = {"version": __version__, "notes": page.notes}
    table = arrow_table(page.records(), page.columns)
    output = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({"distinctly": json.dumps(facts)}), output)
    return output.getvalue()


def arrow_table(records: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> pa.Table:
    """Return records as an Arrow table; `columns` are always there, before the others."""
    import pyarrow as pa

    names = list(dict.fromkeys([*columns, *(name for record in records for name in record)]))
    return pa.table({name: _typed([record.get(name) for record in records]) for name in names})


def _typed(values: Sequence[Any]) -> Any:
    """Return values as an Arrow column of their type; text if they have several; NaN is missing."""
    import pyarrow as pa

    cells = [plain_cell(value) for value in values]
    if all(cell is None for cell in cells):
        # A number that is undefined everywhere is still a number.
        kind = pa.float64() if any(isinstance(value, float) for value in values) else pa.string()
        return pa.array(cells, kind)
    try:
        return pa.array(cells)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([None if cell is None else str(cell) for cell in cells], pa.string())
