"""`.csv` and `.tsv`: a header, then one text per record."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from itertools import chain

from distinctly.errors import InputError
from distinctly.sources.base import FLAGS, column
from distinctly.sources.blocks import Row
from distinctly.sources.delimiters import Sample, detect, take_sample, title, written_delimiter
from distinctly.sources.files import FileSource, IsTooLong, LongRowError


class DelimitedSource(FileSource):
    """Quoted as in RFC 4180, so that a text may contain commas, quotes and line ends.

    Because of line ends within quotes, a file cannot be cut into partitions.

    Attributes
    ----------
    delimiter
        The delimiter of the format, if the file does not show another one.
    header_row
        The place of the header, as text.
    """

    delimiter = ","
    header_row = "line 1"

    def items(self) -> Iterator[Row]:
        """Yield the records."""
        records = self._records()
        header = _header(records)
        places = [self._place(header, flag) for flag in FLAGS]
        for where, record in records:
            text, group, identity, tags = (None if place is None else record[place] for place in places)
            yield Row(where, text, group, identity, None if tags is None else _tag_list(tags, text))

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield the place of each record, as text, and a mapping of the names in the header to its cells."""
        records = self._records()
        header = _header(records)
        for name in header:
            self._only_place(header, name)
        for where, record in records:
            yield where, dict(zip(header, record))

    def _records(self) -> Iterator[tuple[str, Sequence[object]]]:
        """Yield the header, then the records, each with its place as text."""
        csv.field_size_limit(sys.maxsize)  # texts may be longer than the library's limit of 128 kB
        rest, start = self.lines(), 1
        try:
            first = take_sample(rest)
            # Excel reads, and some programs write, the delimiter in a line before the header.
            written = written_delimiter(first.lines[0])
            skipped = 0 if written is None else 1
            start += skipped
            delimiter = self.reading.delimiter or written or self._detected(first)
            lines = _Lines(chain(first.lines[skipped:], rest), self.is_too_long)
            records = csv.reader(lines, delimiter=delimiter, strict=True)
            header = next(records, [])
            self.header_row = f"line {start}"
            yield self.header_row, header
            is_empty = True
            start = records.line_num + 1 + skipped
            for record in records:
                where, start = f"line {start}", records.line_num + 1 + skipped
                lines.size = 0
                if not record:
                    continue
                is_empty = False
                if len(record) != len(header):
                    raise InputError(
                        f"expected {len(header)} cells as in the header, got {len(record)}, with "
                        f"{title(delimiter)} as the delimiter. Quote texts that contain it, or name another "
                        "one with --delimiter (Python: delimiter=).",
                        source=self.name,
                        row=where,
                    )
                yield where, record
        except LongRowError as error:
            raise self.too_long(f"line {start}", "the record", "Close its quotes, or split it") from error
        except csv.Error as error:
            raise InputError(
                f"cannot be read as {self._kind}: {error}.", source=self.name, row=f"line {start}"
            ) from error
        if is_empty:
            raise InputError("the file has only a header: no text to measure.", source=self.name)

    def _detected(self, sample: Sample) -> str:
        names = [name for name in (getattr(self.reading, flag) for flag in FLAGS) if name is not None]
        return detect(sample, names, self.delimiter)

    @property
    def _kind(self) -> str:
        return "tsv" if self.delimiter == "\t" else "csv"

    def _place(self, header: list[str], flag: str) -> int | None:
        name = getattr(self.reading, flag)
        if name is None:
            return None
        if name not in header:
            raise column(name, header, source=self.name, row=self.header_row, flag=flag)
        return self._only_place(header, name)

    def _only_place(self, header: list[str], name: str) -> int:
        if header.count(name) > 1:
            raise InputError(
                f"the header has '{name}' twice. Rename one.", source=self.name, row=self.header_row
            )
        return header.index(name)


class TabbedSource(DelimitedSource):
    """The same, delimited by tabs."""

    delimiter = "\t"


class _Lines:
    """Lines, with the number of their characters since `size` was set to 0, which is limited."""

    def __init__(self, lines: Iterator[str], is_too_long: IsTooLong) -> None:
        self._lines, self._is_too_long, self.size = lines, is_too_long, 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.size += len(line)
        if self._is_too_long(self.size):
            raise LongRowError
        return line


def _header(records: Iterator[tuple[str, Sequence[object]]]) -> list[str]:
    _, names = next(records)
    return [str(name) for name in names]


def _tag_list(cell: object, text: object) -> list[str] | None:
    """Return the tags in a cell; None if it is blank although there is a text."""
    tags = str(cell).split()
    return None if text is not None and str(text).strip() and not tags else tags
