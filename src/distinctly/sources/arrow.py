"""`.arrow` and `.feather`: Arrow's own files and streams, one text a row."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from distinctly.sources.table_files import TableFile

if TYPE_CHECKING:
    import pyarrow as pa

FILE_MARK, OLD_FEATHER_MARK = b"ARROW1", b"FEA1"
END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"


class ArrowSource(TableFile):
    """Read a record batch at a time, as large as the writer has made it."""

    kind: ClassVar[str] = "arrow"

    def record_batches(self, stream: BinaryIO) -> Iterator[pa.RecordBatch]:
        """Yield the record batches of a file or of a stream."""
        import pyarrow.ipc

        begin = stream.read(len(FILE_MARK))
        if begin.startswith(OLD_FEATHER_MARK):
            raise OSError("this is Feather version 1, which is out of use: write version 2")
        is_file = begin == FILE_MARK
        if not is_file:
            _check_end(stream)
        reader: Any = pyarrow.ipc.open_file if is_file else pyarrow.ipc.open_stream
        stream.seek(0)
        names = reader(stream).schema.names
        chosen = [names.index(name) for name in self.asked(names).values()]
        stream.seek(0)
        opened = reader(stream, options=pyarrow.ipc.IpcReadOptions(included_fields=sorted({*chosen})))
        pieces = map(opened.get_batch, range(opened.num_record_batches)) if is_file else iter(opened)
        for piece in pieces:
            self.position = stream.tell()
            yield piece


def _check_end(stream: BinaryIO) -> None:
    """Raise where a stream has no end: a writer that was stopped leaves one that reads well, but short."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(size - len(END_OF_STREAM), 0))
    if stream.read() != END_OF_STREAM:
        raise OSError("it has no end mark, so its writer was not closed, or it is no Arrow stream")
