"""Vectors that a user has in memory, with texts or instead of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from distinctly.batch import Batch
from distinctly.embedders.base import Embedder, Vectors, checked
from distinctly.errors import InputError
from distinctly.hashing import Hashes, hash_rows


@dataclass(frozen=True, kw_only=True)
class GivenVectors(Embedder):
    """Vectors that came with the texts: every batch has its own rows.

    Attributes
    ----------
    dimension
        The number of coordinates.
    hash
        The hash of all vectors of the run, in any order.

    Examples
    --------
    >>> given = GivenVectors.of([np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])])
    >>> given.dimension, len(given.hash)
    (2, 16)
    """

    name: ClassVar[str] = "given"

    dimension: int
    hash: str

    @classmethod
    def of(cls, tables: Sequence[Vectors], hashes: Iterable[Hashes] | None = None) -> GivenVectors:
        """Return the embedder of the vectors of a run: one table per corpus, all of the same dimension.

        `hashes` are those of the vectors of each table, if they are known.
        """
        widths = list(dict.fromkeys(table.shape[1] for table in tables if len(table)))
        if len(widths) > 1:
            dimensions = " and ".join(map(str, widths))
            raise InputError(f"expected vectors of one dimension in all corpora, got {dimensions}.")
        of_tables = map(hash_rows, tables) if hashes is None else hashes
        total = sum(int(of_table.sum(dtype=np.uint64)) for of_table in of_tables) % 2**64
        dimension = widths[0] if widths else tables[0].shape[1]
        return cls(dimension=dimension, hash=f"{total:016x}")

    def rows_of(self, batch: Batch) -> Vectors:
        """Return the vectors of some texts."""
        if batch.vectors is None:
            if len(batch):
                raise InputError("expected one vector per text, got texts without vectors.")
            return np.zeros((0, self.dimension))
        return batch.vectors

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Raise an error: the vectors belong to the texts that they came with."""
        raise InputError("vectors that were given with some texts cannot be computed for other texts.")

    def options(self) -> dict[str, str]:
        """Return the dimension and the hash of the vectors."""
        return {"dim": str(self.dimension), "norm": "no", "hash": self.hash}


def checked_tables(tables: Sequence[Any]) -> list[Vectors]:
    """Return one array of finite floats per corpus; raise an error that names an invalid one."""
    return [checked(table, None, f"the vectors of corpus {i + 1}") for i, table in enumerate(tables)]
