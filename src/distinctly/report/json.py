"""All data in full precision; NaN is null, next to its reason."""

from __future__ import annotations

import json
import sys

from distinctly.report.page import Page


def render(page: Page) -> str:
    """Write the document of the page."""
    return json.dumps(page.document(), indent=2, ensure_ascii=not _is_unicode(), allow_nan=False) + "\n"


def _is_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
