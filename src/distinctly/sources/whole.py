"""Each file is one text."""

from __future__ import annotations

from collections.abc import Iterator

from distinctly.sources.blocks import Row
from distinctly.sources.files import FileSource


class WholeSource(FileSource):
    """The text is all that is in the file, with its line ends; a file with nothing in it is an empty text."""

    def items(self) -> Iterator[Row]:
        """Yield the one text."""
        self.reading.refuse_fields(self.name, "files that are one text each", "Use jsonl, csv or tsv.")
        yield Row("", "".join(self.pieces()))
