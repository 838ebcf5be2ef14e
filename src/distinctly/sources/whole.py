"""Each file is one text."""

from __future__ import annotations

from collections.abc import Iterator

from distinctly.batch import Batch
from distinctly.sources.base import BatchBuilder
from distinctly.sources.blocks import Row
from distinctly.sources.files import FileSource


class WholeSource(FileSource):
    """The text is all that is in the file, with its line ends; a file with nothing in it is an empty text."""

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the one text."""
        self.reading.refuse_fields(self.name, "files that are one text each", "Use jsonl, csv or tsv.")
        text = "".join(self.pieces())
        yield from BatchBuilder(self.name, self.reading, rows).build([Row("", text)])
