"""One row per number, with tabs between the cells."""

from __future__ import annotations

from distinctly.report.csv import records_as_csv
from distinctly.report.page import Page

LISTINGS = False
CELLS = True


def render(page: Page, *, raw_cells: bool = False) -> str:
    """Write a header and one row per record."""
    return records_as_csv(page.records(), page.columns, raw_cells=raw_cells, delimiter="\t")
