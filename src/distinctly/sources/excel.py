"""`.xlsx` and `.xlsm`: the first row of a sheet is the header, then one text per row."""

from __future__ import annotations

import datetime
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO

from distinctly.errors import InputError, missing_extra, reason, unknown
from distinctly.sources.blocks import Unreadable
from distinctly.sources.compressed import CHUNK
from distinctly.sources.delimited import DelimitedSource

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

    Cell = int | float | str | bool | datetime.time | datetime.date | datetime.datetime | datetime.timedelta

# The first bytes of a workbook with a password, and of .xls files.
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
# The bytes of an empty cell in memory: the reader makes one for each cell of the rectangle that is in use.
_CELL_BYTES = 32
_REFERENCE = re.compile(rb"""\br=["']([A-Z]{1,3})([0-9]{1,7})["']""")
_SHARED = re.compile(rb"""\bt=["']s["'][^<>]*>(?:<f\b[^<>]*/>|<f\b[^<>]*>[^<>]*</f>)?<v>\s*([0-9]+)\s*</v>""")
_TIMES = (datetime.date, datetime.time, datetime.timedelta)
# The longest match of these patterns, apart from formulas.
_OVERLAP = 512
_BAD_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


class ExcelSource(DelimitedSource):
    """A sheet is held in memory as a whole, so its size is checked before it is read.

    Cells without a value are missing texts, and rows without any value are skipped. Excel stores whole
    numbers as floats: as groups and ids, they are written without the fraction.
    """

    plain = False

    header_row = "row 1"

    def _records(self) -> Iterator[tuple[str, Sequence[object] | Unreadable]]:
        """Yield the header, then the rows, each with its number in Excel."""
        self.refuse_stream("Excel")
        with self.opened() as stream:
            self._check_size(stream)
            sheet = self._sheet(stream)
            is_empty = is_header = True
            header: list[str] = []
            for number, cells in enumerate(sheet.iter_rows(), 1):
                record = [_plain(cell) for cell in cells]
                if all(cell is None for cell in record):
                    continue
                if is_header:
                    self.header_row, is_header = f"row {number}", False
                    header = ["" if name is None else str(name) for name in record]
                    yield self.header_row, header
                else:
                    is_empty = False
                    # A date is a group or an id as it is written, but not a text.
                    yield (
                        f"row {number}",
                        [
                            str(cell) if isinstance(cell, _TIMES) and name != self.reading.field else cell
                            for name, cell in zip(header, record)
                        ],
                    )
        if is_header:
            raise InputError(f"the sheet '{sheet.name}' is empty: no text to measure.", source=self.name)
        if is_empty:
            raise InputError(
                f"the sheet '{sheet.name}' has only a header: no text to measure.", source=self.name
            )

    def _sheet(self, stream: BinaryIO) -> CalamineSheet:
        try:
            from python_calamine import CalamineError, CalamineWorkbook
        except ImportError as error:
            raise missing_extra("Reading Excel files", "python-calamine", "excel") from error

        try:
            stream.seek(0)
            workbook = CalamineWorkbook.from_filelike(stream)
            return workbook.get_sheet_by_name(self._sheet_name(workbook))
        except (CalamineError, OSError, ValueError, UnicodeError) as error:
            if isinstance(error, InputError):
                raise
            raise self._damaged(error) from error

    def _sheet_name(self, workbook: CalamineWorkbook) -> str:
        names = workbook.sheet_names
        if self.reading.sheet is None:
            if not names:
                raise InputError("the workbook has no sheets: no text to measure.", source=self.name)
            return names[0]
        if self.reading.sheet not in names:
            problem = str(unknown("sheet", self.reading.sheet, names)).replace("Known:", "Sheets:")
            raise InputError(f"{problem} Choose one with --sheet (Python: sheet=).", source=self.name)
        return self.reading.sheet

    def _check_size(self, stream: BinaryIO) -> None:
        """Raise if the workbook takes more memory than is allowed, or cannot be decompressed."""
        limit = self.memory_limit
        is_ole = stream.read(len(_OLE)) == _OLE
        stream.seek(0)
        if is_ole:
            raise InputError(
                "it has a password, or is an .xls file. Save it as .xlsx without a password.",
                source=self.name,
            )
        try:
            with zipfile.ZipFile(stream) as workbook:
                members = workbook.infolist()
                size = sum(member.file_size for member in members)
                if size <= limit:
                    size += _cells_size(workbook, [member for member in members if member.file_size])
        except _BAD_ZIP as error:
            if isinstance(error, InputError):
                raise
            raise self._damaged(error) from error
        if size > limit:
            raise InputError(
                f"the workbook takes {size / 1e6:,.0f} MB of memory or more; {limit / 1e6:,.0f} MB may be "
                "used. Delete sheets and cells that are not needed, save the texts as .csv, or raise "
                "--memory (Python: memory=).",
                source=self.name,
            )

    def _damaged(self, error: Exception) -> InputError:
        problem = reason(error).rstrip(".")
        problem = problem if len(problem) <= 120 else problem[:117] + "…"  # it may quote the file
        return InputError(
            f"cannot be read as xlsx ({problem}). It is damaged, incomplete, or of another kind. Save it "
            "again.",
            source=self.name,
        )


def _cells_size(workbook: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo]) -> int:
    """Return the number of bytes that the largest sheet takes: its rectangle, and its shared strings.

    A sheet with few cells may be large in memory, if one of them is far away from the others, or if many
    refer to one long string.
    """
    lengths: list[int] = []
    largest = 0
    uses_by_sheet: list[Counter[int]] = []
    for member in members:
        name = member.filename.lower()
        if name.endswith("sharedstrings.xml"):
            lengths = _string_lengths(workbook, member)
        elif name.endswith(".xml"):
            rows = columns = 0
            uses: Counter[int] = Counter()
            for text in _overlapping(workbook, member):
                for letters, number in set(_REFERENCE.findall(text)):
                    rows, columns = max(rows, int(number)), max(columns, _column(letters))
                uses.update(map(int, _SHARED.findall(text)))
            largest = max(largest, rows * columns * _CELL_BYTES)
            uses_by_sheet.append(uses)
    strings = [
        sum(count * lengths[place] for place, count in uses.items() if place < len(lengths))
        for uses in uses_by_sheet
    ]
    return largest + max(strings, default=0)


def _string_lengths(workbook: zipfile.ZipFile, member: zipfile.ZipInfo) -> list[int]:
    lengths: list[int] = []
    with workbook.open(member) as stream:
        pending = b""
        while chunk := stream.read(CHUNK):
            *strings, pending = (pending + chunk).split(b"</si>")
            lengths += map(len, strings)
    return lengths


def _overlapping(workbook: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield a file of the workbook in pieces; each begins with the last tags of the piece before."""
    with workbook.open(member) as stream:
        before = b""
        while chunk := stream.read(CHUNK):
            yield before + chunk
            before = chunk[-_OVERLAP:]


def _column(letters: bytes) -> int:
    """Return the number of a column from its letters: A is 1, and AA is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


def _plain(cell: Cell) -> object:
    """Return a cell: None if it is empty, and whole numbers as integers."""
    if cell == "":
        return None
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell
