"""Parquet files: one row per number, in typed columns."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

from distinctly.report.page import Page
from distinctly.report.spreadsheets import plain_cell
from distinctly.version import __version__

LISTINGS = False


def encode(page: Page) -> bytes:
    """Return the records as a table, with the notes in its metadata."""
    import pyarrow as pa
    from pyarrow import parquet

    names = list(dict.fromkeys([*page.columns, *(name for record in page.records for name in record)]))
    columns = {name: _typed([record.get(name) for record in page.records]) for name in names}
    facts = {"version": __version__, "notes": page.notes}
    table = pa.table(columns).replace_schema_metadata({"distinctly": json.dumps(facts)})
    output = io.BytesIO()
    parquet.write_table(table, output)
    return output.getvalue()


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
