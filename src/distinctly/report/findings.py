"""The findings of a trial as CSV, one row per finding."""

from __future__ import annotations

from distinctly.report.csv import rows_as_csv
from distinctly.report.page import Page

ONLY = "trials"


def render(page: Page) -> str:
    """Write a header and one row per finding."""
    return rows_as_csv(page.findings or ())
