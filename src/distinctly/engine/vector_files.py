"""Vectors of the texts of a partition in a Parquet file, so that they are computed once."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np

from distinctly.batch import Batch
from distinctly.embedders.base import Vectors
from distinctly.engine.storage import Stored
from distinctly.errors import InputError
from distinctly.sources.base import Partition

COLUMN = "vector"


def write_vectors(stream: BinaryIO, tables: Iterable[Vectors]) -> None:
    """Write tables of vectors, one after another, as rows of lists of floats."""
    import pyarrow as pa
    import pyarrow.parquet

    writer: pyarrow.parquet.ParquetWriter | None = None
    for rows in tables:
        values = pa.array(np.ascontiguousarray(rows).reshape(-1))
        table = pa.table({COLUMN: pa.FixedSizeListArray.from_arrays(values, rows.shape[1])})
        if writer is None:
            writer = pyarrow.parquet.ParquetWriter(stream, table.schema, compression="none")
        writer.write_table(table)
    if writer is None:
        empty = pa.table({COLUMN: pa.array([], pa.list_(pa.float32()))})
        writer = pyarrow.parquet.ParquetWriter(stream, empty.schema)
    writer.close()


def read_vectors(stored: Stored) -> Vectors:
    """Read the vectors of a file, one row per text."""
    import pyarrow.parquet

    contents = io.BytesIO(stored.read(0, stored.size()))
    column: Any = pyarrow.parquet.read_table(contents)[COLUMN].combine_chunks()
    size = getattr(column.type, "list_size", 0)
    values = column.flatten().to_numpy(zero_copy_only=False)
    vectors: Vectors = values.reshape(-1, size) if size else np.zeros((0, 0), np.float32)
    return vectors


class WithVectors(Partition):
    """A partition whose vectors are in a file.

    Attributes
    ----------
    partition
        The texts.
    stored
        The file of their vectors.
    """

    def __init__(self, partition: Partition, stored: Stored) -> None:
        self.partition, self.stored = partition, stored
        self.name, self.title, self.size = partition.name, partition.title, partition.size

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches, with their vectors."""
        vectors = read_vectors(self.stored)
        start = 0
        for batch in self.partition.batches(rows):
            end = start + len(batch)
            if end > len(vectors):
                raise InputError("changed after its texts were embedded. Start again.", source=self.name)
            yield replace(batch, vectors=vectors[start:end]) if len(batch) else batch
            start = end
