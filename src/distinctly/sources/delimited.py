"""`.csv` and `.tsv`: a header, then one text per record."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator

from distinctly.errors import InputError
from distinctly.sources.base import FLAGS, column
from distinctly.sources.blocks import Row
from distinctly.sources.files import FileSource


class DelimitedSource(FileSource):
    """Quoted as in RFC 4180, so that a text may contain commas, quotes and line ends.

    Because of line ends within quotes, a file cannot be cut into partitions.
    """

    delimiter = ","

    def items(self) -> Iterator[Row]:
        """Yield the records."""
        records = self._records()
        _, header = next(records)
        places = [self._place(header, flag) for flag in FLAGS]
        for where, record in records:
            text, group, identity, tags = (None if place is None else record[place] for place in places)
            yield Row(where, text, group, identity, None if tags is None else _tag_list(tags, text))

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield the place of each record, as text, and a mapping of the names in the header to its cells."""
        records = self._records()
        _, header = next(records)
        for name in header:
            self._only_place(header, name)
        for where, record in records:
            yield where, dict(zip(header, record))

    def _records(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the header, then the records, each with its place as text."""
        csv.field_size_limit(sys.maxsize)  # texts may be longer than the library's limit of 128 kB
        records = csv.reader(self.lines(), delimiter=self.delimiter, strict=True)
        start = 1
        try:
            header = next(records, [])
            yield "line 1", header
            is_empty = True
            start = records.line_num + 1
            for record in records:
                where, start = f"line {start}", records.line_num + 1
                if not record:
                    continue
                is_empty = False
                if len(record) != len(header):
                    raise InputError(
                        f"expected {len(header)} cells as in the header, got {len(record)}. "
                        "Quote texts that contain the delimiter.",
                        source=self.name,
                        row=where,
                    )
                yield where, record
        except csv.Error as error:
            raise InputError(
                f"cannot be read as {self._kind}: {error}.", source=self.name, row=f"line {start}"
            ) from error
        if is_empty:
            raise InputError("the file has only a header: no text to measure.", source=self.name)

    @property
    def _kind(self) -> str:
        return "tsv" if self.delimiter == "\t" else "csv"

    def _place(self, header: list[str], flag: str) -> int | None:
        name = getattr(self.reading, flag)
        if name is None:
            return None
        if name not in header:
            raise column(name, header, source=self.name, row="line 1", flag=flag)
        return self._only_place(header, name)

    def _only_place(self, header: list[str], name: str) -> int:
        if header.count(name) > 1:
            raise InputError(f"the header has '{name}' twice. Rename one.", source=self.name, row="line 1")
        return header.index(name)


class TabbedSource(DelimitedSource):
    """The same, delimited by tabs."""

    delimiter = "\t"


def _tag_list(cell: str, text: str | None) -> list[str] | None:
    """Return the tags in a cell; None if it is blank although there is a text."""
    tags = cell.split()
    return None if text is not None and text.strip() and not tags else tags
