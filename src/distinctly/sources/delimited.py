"""`.csv` and `.tsv`: a header, then one text per record."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from itertools import chain

from distinctly.errors import InputError
from distinctly.sources.base import FLAGS, column
from distinctly.sources.blocks import Row, Unreadable
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
            if isinstance(record, Unreadable):
                yield Row(where, record)
                continue
            row = Row(where, *(None if place is None else record[place] for place in places))
            yield row if row.tags is None else row._replace(tags=_tag_list(row.tags, row.text))

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield the place of each record, as text, and a mapping of the names in the header to its cells."""
        records = self._records()
        header = _header(records)
        for name in header:
            self._only_place(header, name)
        for where, record in records:
            yield where, record if isinstance(record, Unreadable) else dict(zip(header, record))

    def _records(self) -> Iterator[tuple[str, Sequence[object] | Unreadable]]:
        """Yield the header, then the records, each with its place as text.

        If bad rows are skipped, so is a record with a wrong number of cells, or one that is quoted wrongly.
        Quotes that are never closed are an error: nobody knows how many records they contain.
        """
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
            if any(map(self.is_marked, header)):
                raise self.undecodable(self.header_row)
            yield self.header_row, header
            is_empty, skip_bad = True, self.reading.skip_bad
            start = records.line_num + 1 + skipped
            for record in _each(records, lines) if skip_bad else records:
                where, start = f"line {start}", records.line_num + 1 + skipped
                lines.size = 0
                if not record:
                    continue
                is_empty = False
                if skip_bad:
                    problem = self._problem(record, len(header), delimiter, where, lines.error)
                    yield where, record if problem is None else Unreadable(problem)
                    continue
                if len(record) != len(header):
                    raise self._miscounted(record, len(header), delimiter, where)
                yield where, record
        except LongRowError as error:
            raise self.too_long(f"line {start}", "the record", "Close its quotes, or split it") from error
        except csv.Error as error:
            raise self._invalid(error, f"line {start}") from error
        if is_empty:
            raise InputError("the file has only a header: no text to measure.", source=self.name)

    def _problem(
        self, record: list[str], count: int, delimiter: str, where: str, error: csv.Error | None
    ) -> InputError | None:
        """Return why a record cannot be read; None if it can."""
        if error is not None:
            return self._invalid(error, where)
        if len(record) != count:
            return self._miscounted(record, count, delimiter, where)
        return self.undecodable(where) if any(map(self.is_marked, record)) else None

    def _miscounted(self, record: list[str], count: int, delimiter: str, where: str) -> InputError:
        return InputError(
            f"expected {count} cells as in the header, got {len(record)}, with {title(delimiter)} as the "
            "delimiter. Quote texts that contain it, or name another one with --delimiter (Python: "
            "delimiter=).",
            source=self.name,
            row=where,
        )

    def _invalid(self, error: csv.Error, where: str) -> InputError:
        return InputError(f"cannot be read as {self._kind}: {error}.", source=self.name, row=where)

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
    """Lines, with the number of their characters since `size` was set to 0, which is limited.

    `error` is the reason why the last record cannot be read, if `_each` passed over it.
    """

    def __init__(self, lines: Iterator[str], is_too_long: IsTooLong) -> None:
        self._lines, self._is_too_long, self.size = lines, is_too_long, 0
        self.has_ended = False
        self.error: csv.Error | None = None

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines, None)
        if line is None:
            self.has_ended = True
            raise StopIteration
        self.size += len(line)
        if self._is_too_long(self.size):
            raise LongRowError
        return line


def _each(records: Iterator[list[str]], lines: _Lines) -> Iterator[list[str]]:
    """Yield the records; for one that is quoted wrongly, set `lines.error`, and yield a cell instead."""
    while True:
        lines.error = None
        try:
            record = next(records, None)
        except csv.Error as error:
            if lines.has_ended:  # within quotes, so that it may contain any number of records
                raise
            lines.error, record = error, ["?"]
        if record is None:
            return
        yield record


def _header(records: Iterator[tuple[str, Sequence[object] | Unreadable]]) -> list[str]:
    _, names = next(records)
    return [] if isinstance(names, Unreadable) else [str(name) for name in names]


def _tag_list(cell: object, text: object) -> list[str] | None:
    """Return the tags in a cell; None if it is blank although there is a text."""
    tags = str(cell).split()
    return None if text is not None and str(text).strip() and not tags else tags
