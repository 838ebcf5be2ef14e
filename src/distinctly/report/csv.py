"""One row per number, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from distinctly.report.page import Page

LISTINGS = False


def render(page: Page) -> str:
    """Write a header and one row per record, below a comment with the settings if there are any."""
    head = "" if page.settings is None else f"# {json.dumps(page.settings, allow_nan=False)}\n"
    return head + rows_as_csv(page.records, page.columns)


def rows_as_csv(records: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> str:
    """Write a header of the columns of all records, and one row per record; NaN is an empty field."""
    names = list(dict.fromkeys([*columns, *(name for record in records for name in record)]))
    output = io.StringIO()
    rows = csv.writer(output, lineterminator="\n")
    rows.writerow(names)
    rows.writerows([_plain(record.get(name)) for name in names] for record in records)
    return output.getvalue()


def _plain(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value
