"""`.csv` and `.tsv`: a header, then one text a record."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator

from distinctly.errors import InputError
from distinctly.sources.base import column
from distinctly.sources.blocks import Row
from distinctly.sources.files import FileSource


class DelimitedSource(FileSource):
    """Quoted as RFC 4180 says, so that a text may hold commas, quotes and line ends."""

    delimiter = ","

    def items(self) -> Iterator[Row]:
        """Yield the records."""
        records = self._records()
        _, header = next(records)
        places = [self._place(header, flag) for flag in ("field", "group", "id")]
        for where, record in records:
            text, group, identity = (None if place is None else record[place] for place in places)
            yield Row(where, text, group, identity)

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield every record whole, its cells by the header's names, with where it is."""
        records = self._records()
        _, header = next(records)
        for name in header:
            self._one(header, name)
        for where, record in records:
            yield where, dict(zip(header, record))

    def _records(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the header, then the records, each with where it is."""
        csv.field_size_limit(sys.maxsize)  # the library's limit of 128 kB is no limit of ours
        records = csv.reader(self.lines(), delimiter=self.delimiter, strict=True)
        start = 1
        try:
            header = next(records, [])
            yield "line 1", header
            found = False
            start = records.line_num + 1
            for record in records:
                where, start = f"line {start}", records.line_num + 1
                if not record:
                    continue
                found = True
                if len(record) != len(header):
                    raise InputError(
                        f"expected {len(header)} cells as in the header, got {len(record)}. "
                        "Quote texts that hold the delimiter.",
                        source=self.name,
                        row=where,
                    )
                yield where, record
        except csv.Error as error:
            raise InputError(
                f"cannot be read as {self._kind}: {error}.", source=self.name, row=f"line {start}"
            ) from error
        if not found:
            raise InputError("there is only a header in it: no text to measure.", source=self.name)

    @property
    def _kind(self) -> str:
        return "tsv" if self.delimiter == "\t" else "csv"

    def _place(self, header: list[str], flag: str) -> int | None:
        name = getattr(self.reading, flag)
        if name is None:
            return None
        if name not in header:
            raise column(name, header, source=self.name, row="line 1", flag=flag)
        return self._one(header, name)

    def _one(self, header: list[str], name: str) -> int:
        if header.count(name) > 1:
            raise InputError(f"the header has '{name}' twice. Rename one.", source=self.name, row="line 1")
        return header.index(name)


class TabbedSource(DelimitedSource):
    """The same with tabs."""

    delimiter = "\t"
