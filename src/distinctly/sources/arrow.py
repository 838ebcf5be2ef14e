"""`.arrow` and `.feather`: Arrow's files and streams, one text per row."""

from __future__ import annotations

import copy
import os
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from distinctly.sources.files import Span
from distinctly.sources.table_files import READ_ERRORS, TableFile

if TYPE_CHECKING:
    import pyarrow as pa

FILE_MARK, OLD_FEATHER_MARK = b"ARROW1", b"FEA1"
END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"


class ArrowSource(TableFile):
    """One record batch is read at a time; partitions of files (not of streams) are whole record batches."""

    kind: ClassVar[str] = "arrow"

    def record_batches(self, stream: BinaryIO, *, all_columns: bool) -> Iterator[pa.RecordBatch]:
        """Yield the record batches of a file or of a stream."""
        is_file = _is_file(stream)
        if not is_file:
            _check_end(stream)
        reader = self._open_reader(stream, is_file=is_file, all_columns=all_columns)
        if not is_file:
            for piece in reader:
                self.position = stream.tell()
                yield piece
            return
        count = reader.num_record_batches
        start, end = (0, count) if self.span is None else (self.span.start, self.span.end)
        for number in range(start, end):
            self.position = (self.size or 0) * (number + 1 - start) // (end - start)
            yield reader.get_batch(number)

    def spans(self, size: int) -> list[Span]:
        """Return runs of record batches of about `size` bytes, if all record batches are of one size."""
        import pyarrow as pa

        open_file: Any = pa.ipc.open_file
        with self.opened() as stream:
            try:
                count = open_file(stream).num_record_batches if _is_file(stream) else 0
                total = stream.seek(0, os.SEEK_END)
            except (pa.ArrowException, *READ_ERRORS):  # raised again when the file is read
                return []
        length = max(size * count // max(total, 1), 1)
        return [
            Span(start, min(start + length, count), total * (min(start + length, count) - start) // count)
            for start in range(0, count, length)
        ]

    def numbers_at(self, starts: Sequence[int]) -> list[int]:
        """Return the numbers of the rows with which these record batches begin."""
        numbers, number, position = [], 0, 0
        with copy.copy(self).opened() as stream:
            reader = self._open_reader(stream, is_file=True)
            for start in starts:
                number += sum(reader.get_batch(place).num_rows for place in range(position, start))
                position = start
                numbers.append(number)
        return numbers

    def _open_reader(self, stream: BinaryIO, *, is_file: bool, all_columns: bool = False) -> Any:
        """Return a reader of the requested columns, or of all."""
        import pyarrow.ipc

        new_reader: Any = pyarrow.ipc.open_file if is_file else pyarrow.ipc.open_stream
        stream.seek(0)
        names = new_reader(stream).schema.names
        places: Collection[int] = range(len(names))
        if not all_columns:
            places = {names.index(column.name) for column in self.requested(names).values()}
        stream.seek(0)
        return new_reader(stream, options=pyarrow.ipc.IpcReadOptions(included_fields=sorted(places)))


def _is_file(stream: BinaryIO) -> bool:
    """Return whether this is an Arrow file, not a stream; rewind it."""
    begin = stream.read(len(FILE_MARK))
    stream.seek(0)
    if begin.startswith(OLD_FEATHER_MARK):
        raise OSError("Feather version 1 is not supported: write version 2")
    return begin == FILE_MARK


def _check_end(stream: BinaryIO) -> None:
    """Raise if a stream has no end mark: an interrupted writer leaves a valid, but incomplete stream."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(size - len(END_OF_STREAM), 0))
    if stream.read() != END_OF_STREAM:
        raise OSError("it has no end mark, so its writer was not closed, or it is not an Arrow stream")
