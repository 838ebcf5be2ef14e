"""One row per number, for spreadsheets and data frames."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from typing import Any

from distinctly.report.page import Page
from distinctly.report.spreadsheets import cells_of, settings_line

LISTINGS = False
CELLS = True


def render(page: Page, *, raw_cells: bool = False) -> str:
    """Write a header and one row per record, below a comment with the settings if there are any."""
    return records_as_csv(page.records(), page.columns, page.settings, raw_cells=raw_cells)


def records_as_csv(
    records: Sequence[Mapping[str, Any]],
    columns: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    *,
    raw_cells: bool = False,
    delimiter: str = ",",
) -> str:
    """Write a header of the columns of all records, and one row per record; NaN is an empty field.

    The settings of a trial also state whether text cells are as they were, so that they can be read again.
    """
    head = ""
    if settings is not None:
        head = settings_line({**settings, "cells": "raw" if raw_cells else "guarded"}) + "\n"
    names, rows = cells_of(records, columns, raw_cells=raw_cells)
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\r\n", delimiter=delimiter)
    writer.writerow(names)
    writer.writerows(rows)
    return head + "".join(lines.written)


class _Lines:
    """The lines that a writer writes, which end with a line feed.

    Only characters of the writer's line end are quoted in cells, so that it has to have both.
    """

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, line: str) -> None:
        """Add one line."""
        self.written.append(f"{line[:-2]}\n")
