"""`.txt`: one text a line."""

from __future__ import annotations

from collections.abc import Iterator

from distinctly.batch import Batch
from distinctly.sources.base import BatchBuilder, Row
from distinctly.sources.files import FileSource, stripped


class LinesSource(FileSource):
    """Each line is a text; an empty line is a text without tokens."""

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the lines in batches."""
        self.reading.refuse_fields(self.name, "lines of text", "Use jsonl, csv or tsv.")
        found = (Row(f"line {number}", stripped(line)) for number, line in enumerate(self.lines(), 1))
        yield from BatchBuilder(self.name, self.reading, rows).build(found)
