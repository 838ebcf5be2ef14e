"""`.parquet`: one text a row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from distinctly.sources.table_files import TableFile

if TYPE_CHECKING:
    import pyarrow as pa

# About how many bytes of a row group are in memory at a time.
PIECE = 4_000_000


class ParquetSource(TableFile):
    """Read a piece of a row group at a time."""

    kind: ClassVar[str] = "parquet"

    def record_batches(self, stream: BinaryIO) -> Iterator[pa.RecordBatch]:
        """Yield pieces of about `PIECE` bytes."""
        import pyarrow.parquet

        # By its name, since a Python stream is read under the lock that the other threads need.
        # Checksums of pages are compared where the writer has left any.
        file = pyarrow.parquet.ParquetFile(stream.name, buffer_size=1 << 20, page_checksum_verification=True)
        columns = list(dict.fromkeys(self.asked(file.schema_arrow.names).values()))
        total, done = file.metadata.num_rows, 0
        for piece in file.iter_batches(_rows_a_piece(file.metadata), columns=columns, use_threads=False):
            done += piece.num_rows
            self.position = (self.size or 0) * done // total
            yield piece
        if done != total:
            raise OSError(f"expected {total} rows, got {done}")


def _rows_a_piece(metadata: Any) -> int:
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    a_row = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=0)
    return int(min(max(PIECE / max(a_row, 1), 16), 1 << 16))
