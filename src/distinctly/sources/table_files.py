"""What files of Arrow tables share: columns by name, damage told, one text a row."""

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


class TableFile(FileSource):
    """The text is in the column `field`; columns that are not asked for are not read."""

    kind: ClassVar[str]

    @abstractmethod
    def record_batches(self, stream: BinaryIO) -> Iterator[pa.RecordBatch]:
        """Yield the columns that are asked for, a piece at a time."""

    def items(self) -> Iterator[Row | Block]:
        """Yield the rows, many at a time."""
        if self.path is None:
            raise InputError(f"{self.kind} cannot be read from here. Save it as a file.", source=self.name)
        if self.compression:
            raise InputError(
                f"{self.kind} is not read from .{self.compression} files, as it is compressed inside. "
                "Decompress the file.",
                source=self.name,
            )
        found = False
        with self.opened() as stream:
            for item in column_items(self._checked(stream), source=self.name, word="row"):
                found = True
                yield item
            if not found:
                raise InputError("there are no rows in it: no text to measure.", source=self.name)

    def asked(self, names: list[str]) -> dict[str, str]:
        """Return the columns that are asked for, by flag."""
        return check_columns(names, self.reading, self.name)

    def _checked(self, stream: BinaryIO) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        pieces, done = self.record_batches(stream), 0
        while True:
            try:
                piece = next(pieces, None)
            except (pa.ArrowException, OSError, MemoryError, UnicodeError) as error:
                problem = (str(error).splitlines() or [""])[0].rstrip(".")
                raise InputError(
                    f"cannot be read as {self.kind} ({problem}). It is damaged, cut off, or something else. "
                    "Make or copy it again.",
                    source=self.name,
                    row=f"row {done} or after" if done else "",
                ) from error
            if piece is None:
                return
            done += piece.num_rows
            yield by_flag(piece, self.asked(piece.schema.names))
