"""All data in full precision; NaN is null, next to its reason."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from distinctly.report.page import Page


def render(page: Page) -> str:
    """Write the document of the page."""
    return as_json(page.document(), indent=2) + "\n"


def as_json(document: Mapping[str, Any], *, indent: int | None = None) -> str:
    """Return plain data as JSON; dates are text."""
    ascii_only = not _is_unicode()
    return json.dumps(document, indent=indent, ensure_ascii=ascii_only, allow_nan=False, default=str)


def _is_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
