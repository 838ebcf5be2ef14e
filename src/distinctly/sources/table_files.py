"""The base of files of Arrow tables: columns by name, errors for damaged files, one text per row."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, ClassVar

from distinctly.errors import InputError
from distinctly.sources.arrow_columns import by_flag, check_columns, column_items
from distinctly.sources.blocks import Block, Row
from distinctly.sources.files import FileSource

if TYPE_CHECKING:
    import pyarrow as pa


# Besides its own exceptions, Arrow raises these for damaged files.
READ_ERRORS = (OSError, MemoryError, UnicodeError)


class TableFile(FileSource):
    """The text is in the column `field`; columns that are not requested are not read."""

    kind: ClassVar[str]
    first_number = 0

    @abstractmethod
    def record_batches(self, stream: BinaryIO) -> Iterator[pa.RecordBatch]:
        """Yield the requested columns, in pieces; of the row groups or record batches in `span`."""

    def items(self) -> Iterator[Row | Block]:
        """Yield the rows, in blocks."""
        self.refuse_stream(self.kind)
        is_empty = True
        with self.opened() as stream:
            pieces = self._checked(stream)
            for item in column_items(pieces, source=self.name, word="row", first=self.first_number):
                is_empty = False
                yield item
            if is_empty:
                self.refuse_empty("the file has no rows: no text to measure.")

    def requested(self, names: list[str]) -> dict[str, str]:
        """Return the names of the requested columns, by flag."""
        return check_columns(names, self.reading, self.name)

    def _checked(self, stream: BinaryIO) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        pieces, number = self.record_batches(stream), self.first_number
        while True:
            try:
                piece = next(pieces, None)
                requested = None if piece is None else by_flag(piece, self.requested(piece.schema.names))
            except (pa.ArrowException, *READ_ERRORS) as error:
                problem = (str(error).splitlines() or [""])[0].rstrip(".")
                raise InputError(
                    f"cannot be read as {self.kind} ({problem}). It is damaged, incomplete, or of another "
                    "kind. Create or copy it again.",
                    source=self.name,
                    row=f"row {number} or after" if number else "",
                ) from error
            if piece is None or requested is None:
                return
            number += piece.num_rows
            yield requested
