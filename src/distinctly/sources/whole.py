"""Each file is one text."""

from __future__ import annotations

from collections.abc import Iterator

from distinctly.sources.blocks import Row, bad_row
from distinctly.sources.files import FileSource


class WholeSource(FileSource):
    """The text is the content of the file, with its line ends; an empty file is an empty text."""

    def items(self) -> Iterator[Row]:
        """Yield the text."""
        self.reading.refuse_fields(self.name, "files that are one text each", "Use jsonl, csv or tsv.")
        text = self.joined("the text", "Split the file")
        yield bad_row(self.undecodable("")) if self.is_marked(text) else Row("", text)
