"""Everything, in full precision; NaN is null, with its reason beside it."""

from __future__ import annotations

import json
import sys

from distinctly.report.page import Page


def render(page: Page) -> str:
    """Write the plain data of the page."""
    return json.dumps(page.document, indent=2, ensure_ascii=not _unicode(), allow_nan=False) + "\n"


def _unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
