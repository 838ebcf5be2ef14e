"""`.parquet`: one text per row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from distinctly.sources.arrow_columns import Chosen
from distinctly.sources.files import Span
from distinctly.sources.table_files import READ_ERRORS, TableFile

if TYPE_CHECKING:
    import pyarrow as pa

# The approximate number of bytes of a row group that are decoded at a time.
PIECE = 4_000_000


class ParquetSource(TableFile):
    """Row groups are read in pieces; partitions are whole row groups."""

    kind: ClassVar[str] = "parquet"

    def record_batches(self, stream: BinaryIO, *, all_columns: bool) -> Iterator[pa.RecordBatch]:
        """Yield pieces of about `PIECE` bytes."""
        import pyarrow.parquet

        # Checksums of pages are compared if the writer has written them.
        file = pyarrow.parquet.ParquetFile(
            self.arrow_input(stream), buffer_size=1 << 20, page_checksum_verification=True
        )
        columns = None
        if not all_columns:
            schema = file.schema_arrow
            chosen = self.requested(schema.names).values()
            columns = list(
                dict.fromkeys(_column_path(schema.field(column.name), column) for column in chosen)
            )
        groups = _row_groups(file.metadata)
        start, end = (0, len(groups)) if self.span is None else (self.span.start, self.span.end)
        total = sum(group.num_rows for group in groups[start:end])
        rows_read = 0
        pieces = file.iter_batches(
            _rows_per_piece(groups), row_groups=list(range(start, end)), columns=columns, use_threads=False
        )
        for piece in pieces:
            rows_read += piece.num_rows
            self.position = (self.size or 0) * rows_read // total
            yield piece
        if rows_read != total:
            raise OSError(f"expected {total} rows, got {rows_read}")

    def spans(self, size: int) -> list[Span]:
        """Return runs of row groups of about `size` bytes, uncompressed."""
        import pyarrow as pa
        import pyarrow.parquet

        spans: list[Span] = []
        with self.opened() as stream:
            try:
                groups = _row_groups(pyarrow.parquet.read_metadata(self.arrow_input(stream)))
            except (pa.ArrowException, *READ_ERRORS):  # raised again when the file is read
                return []
        start = bytes_before = rows_before = rows = 0
        for number, group in enumerate(groups, 1):
            bytes_before += group.total_byte_size
            rows += group.num_rows
            if bytes_before >= size or number == len(groups):
                spans.append(Span(start, number, bytes_before, rows_before))
                start, bytes_before, rows_before = number, 0, rows
        return spans


def _column_path(field: Any, chosen: Chosen) -> str:
    """Return the part of a column to read, as Parquet names it: of structs, only the requested fields."""
    import pyarrow as pa

    path, kind = chosen.name, field.type
    for step in chosen.steps:
        if not isinstance(step, str) or not pa.types.is_struct(kind) or kind.get_field_index(step) < 0:
            break
        path, kind = f"{path}.{step}", kind.field(step).type
    return path


def _row_groups(metadata: Any) -> list[Any]:
    return [metadata.row_group(number) for number in range(metadata.num_row_groups)]


def _rows_per_piece(groups: Sequence[Any]) -> int:
    row_bytes = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=0)
    return int(min(max(PIECE / max(row_bytes, 1), 16), 1 << 16))
