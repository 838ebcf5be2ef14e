"""`.txt`: one text a line."""

from __future__ import annotations

from collections.abc import Iterator

from distinctly.batch import Batch
from distinctly.errors import InputError
from distinctly.sources.base import BatchBuilder, Row
from distinctly.sources.files import FileSource, stripped


class LinesSource(FileSource):
    """Each line is a text; an empty line is a text without tokens."""

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the lines in batches."""
        for name in ("group", "id"):
            if getattr(self.reading, name) is not None:
                raise InputError(
                    f"lines of text have no fields, so no {name}. Use jsonl, csv or tsv.", source=self.name
                )
        found = (Row(f"line {number}", stripped(line)) for number, line in enumerate(self.lines(), 1))
        yield from BatchBuilder(self.name, self.reading, rows).build(found)
