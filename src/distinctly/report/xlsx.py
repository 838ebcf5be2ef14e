"""Excel workbooks: one sheet per table, numbers as numbers, text never as a formula or a link."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from distinctly.errors import InputError, missing_extra
from distinctly.report.cells import Rounding
from distinctly.report.page import Page
from distinctly.report.spreadsheets import cells_of

LISTINGS = False
CELLS = True
# What Excel can hold: rows of a sheet, characters of a cell, and whole numbers without rounding.
MOST_ROWS, MOST_CHARACTERS, LARGEST = 1_048_576, 32_767, 2**53
# Characters of the narrowest and of the widest column; and the number of rows that decide the width.
NARROWEST, WIDEST, SAMPLED = 8, 60, 1000
_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


def check_installed() -> None:
    """Raise if the package that writes workbooks is missing."""
    try:
        import xlsxwriter  # noqa: F401
    except ImportError as error:
        raise missing_extra("Writing .xlsx files", "xlsxwriter", "excel") from error


def encode(page: Page, *, raw_cells: bool = False) -> bytes:
    """Return the sheets of the page as a workbook."""
    check_installed()
    import xlsxwriter

    output = io.BytesIO()
    workbook = xlsxwriter.Workbook(output, _OPTIONS)
    bold = workbook.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
    for name, records in page.sheets.items():
        columns = page.columns if name == page.records_sheet else ()
        _write(workbook, workbook.add_worksheet(name), bold, *cells_of(records, columns, raw_cells=raw_cells))
    workbook.close()
    return output.getvalue()


def _write(
    workbook: Any, sheet: Any, bold: Any, names: Sequence[str], rows: Sequence[Sequence[object]]
) -> None:
    if len(rows) >= MOST_ROWS:
        raise InputError(
            f"an Excel sheet has at most {MOST_ROWS - 1:,} rows below its header, got {len(rows):,}. "
            "Choose .csv or .parquet."
        )
    sheet.freeze_panes(1, 0)
    for place, name in enumerate(names):
        cells = [row[place] for row in rows]
        number = workbook.add_format({"num_format": _number_format(cells)})
        sheet.write_string(0, place, name, bold)
        sheet.set_column(place, place, _width(name, cells, _number_format(cells)))
        for line, cell in enumerate(cells, 1):
            if isinstance(cell, str) and len(cell) > MOST_CHARACTERS:
                raise InputError(
                    f"a cell of an Excel sheet has at most {MOST_CHARACTERS:,} characters, but '{name}' has "
                    f"{len(cell):,} in row {line}. Choose .csv or .parquet, or do not keep this field."
                )
            _write_cell(sheet, line, place, cell, number)


class _Exact(float):
    """A number that is written with all of its digits; XlsxWriter would write 16 of 17."""

    def __format__(self, form: str) -> str:
        return repr(float(self))


def _write_cell(sheet: Any, line: int, place: int, cell: object, number: Any) -> None:
    if isinstance(cell, bool):
        sheet.write_boolean(line, place, cell)
    elif isinstance(cell, float) or (isinstance(cell, int) and abs(cell) <= LARGEST):
        sheet.write_number(line, place, _Exact(cell) if isinstance(cell, float) else cell, number)
    elif isinstance(cell, (date, datetime)):
        # A workbook has no time zones.
        sheet.write_string(line, place, cell.isoformat())
    elif cell is not None:
        sheet.write_string(line, place, str(cell))


def _number_format(cells: Sequence[object]) -> str:
    """Return the format of the numbers of a column: whole, with decimals, or with a power of ten."""
    numbers = [float(cell) for cell in cells if isinstance(cell, (int, float)) and not isinstance(cell, bool)]
    if all(number.is_integer() for number in numbers):
        return "0"
    rounding = Rounding.of(numbers)
    decimals = "0" * max(rounding.decimals, 1)
    return f"0.{decimals}E+00" if rounding.scientific else f"0.{decimals}"


def _width(name: str, cells: Sequence[object], form: str) -> int:
    decimals = len(form.partition(".")[2])
    lengths = [
        len(f"{cell:.0f}") + decimals + 1 if isinstance(cell, (int, float)) else len(str(cell))
        for cell in cells[:SAMPLED]
        if cell is not None
    ]
    return min(max([NARROWEST, len(name), *lengths]) + 2, WIDEST)
