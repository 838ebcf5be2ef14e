"""One JSON object per line and number, in full precision; NaN is null."""

from __future__ import annotations

import math
from typing import Any

from distinctly.report.json import as_json
from distinctly.report.page import Page

LISTINGS = False


def render(page: Page) -> str:
    """Write one line per record."""
    rows = ({name: _finite(value) for name, value in record.items()} for record in page.records())
    return "".join(f"{as_json(row)}\n" for row in rows)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
