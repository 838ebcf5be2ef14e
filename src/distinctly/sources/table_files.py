"""The base of files of Arrow tables: columns by name, errors for damaged files, one text per row."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from distinctly.errors import InputError
from distinctly.sources.arrow_columns import Chosen, check_columns, column_items, validated
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
    plain = False

    @abstractmethod
    def record_batches(self, stream: BinaryIO, *, all_columns: bool) -> Iterator[pa.RecordBatch]:
        """Yield the requested columns, or all, in pieces; of the row groups or record batches in `span`."""

    def items(self) -> Iterator[Row | Block]:
        """Yield the rows, in blocks."""
        is_empty = True
        for number, piece in self._pieces(all_columns=False):
            columns = self.requested(piece.schema.names)
            items = column_items(
                [piece],
                columns,
                source=self.name,
                word="row",
                first=number,
                skip_bad=self.reading.skip_bad,
            )
            for item in items:
                is_empty = False
                yield item
        if is_empty:
            self.refuse_empty("the file has no rows: no text to measure.")

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield the place of each row, as text, and a mapping of the names of all columns to its values."""
        for first, piece in self._pieces(all_columns=True):
            names = piece.schema.names
            if len(set(names)) < len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise InputError(f"there are two columns '{twice}'. Rename one.", source=self.name)
            checked = piece.from_arrays(
                [validated(array, self.name, "row", first) for array in piece.columns], names=names
            )
            for number, record in enumerate(checked.to_pylist(), first):
                yield f"row {number}", record

    def requested(self, names: list[str]) -> dict[str, Chosen]:
        """Return the requested columns, by flag."""
        return check_columns(names, self.reading, self.name)

    def arrow_input(self, stream: BinaryIO) -> Any:
        """Return what Arrow opens for an opened file."""
        return stream if self.location is None else self.location.for_arrow(stream)

    def _pieces(self, *, all_columns: bool) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield the number of the first row of each piece, and the piece."""
        self.refuse_stream(self.kind)
        with self.opened() as stream:
            number = self.first_number
            for piece in self._checked(self.record_batches(stream, all_columns=all_columns)):
                yield number, piece
                number += piece.num_rows

    def _checked(self, pieces: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        number = self.first_number
        while True:
            try:
                piece = next(pieces, None)
            except (pa.ArrowException, *READ_ERRORS) as error:
                problem = (str(error).splitlines() or [""])[0].rstrip(".")
                raise InputError(
                    f"cannot be read as {self.kind} ({problem}). It is damaged, incomplete, or of another "
                    "kind. Create or copy it again.",
                    source=self.name,
                    row=f"row {number} or after" if number else "",
                ) from error
            if piece is None:
                return
            number += piece.num_rows
            yield piece
