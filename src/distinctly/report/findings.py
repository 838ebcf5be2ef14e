"""The findings of a trial as CSV, one row per finding."""

from __future__ import annotations

from distinctly.report.csv import records_as_csv
from distinctly.report.page import Page

ONLY = "trials"
CELLS = True


def render(page: Page, *, raw_cells: bool = False) -> str:
    """Write a header and one row per finding."""
    return records_as_csv(page.findings or (), raw_cells=raw_cells)
