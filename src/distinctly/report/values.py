"""Bare numbers in full precision, one per line."""

from __future__ import annotations

from distinctly.report.page import Page

ONLY = "scores"
LISTINGS = False


def render(page: Page) -> str:
    """Write the values alone."""
    return "".join(f"{value!r}\n" for value in page.values or ())
