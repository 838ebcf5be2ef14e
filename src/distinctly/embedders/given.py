"""Vectors that a user has in memory, beside texts or instead of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from distinctly.batch import Batch
from distinctly.embedders.base import Embedder, Vectors, checked
from distinctly.errors import InputError
from distinctly.hashing import hash_rows


@dataclass(frozen=True, kw_only=True)
class GivenVectors(Embedder):
    """Vectors that came with the texts: every batch carries its own rows.

    Attributes
    ----------
    dimension
        The number of coordinates.
    hash
        Of all vectors of the run, whatever their order.

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
    def of(cls, tables: Sequence[Vectors]) -> GivenVectors:
        """Describe the vectors of a run: one table per corpus, all of the same dimension."""
        widths = list(dict.fromkeys(table.shape[1] for table in tables if len(table)))
        if len(widths) > 1:
            dimensions = " and ".join(map(str, widths))
            raise InputError(f"expected vectors of one dimension in all corpora, got {dimensions}.")
        total = sum(int(hash_rows(table).sum(dtype=np.uint64)) for table in tables) % 2**64
        dimension = widths[0] if widths else tables[0].shape[1]
        return cls(dimension=dimension, hash=f"{total:016x}")

    def rows_of(self, batch: Batch) -> Vectors:
        """Return the vectors of some texts."""
        if batch.vectors is None:
            if len(batch):
                raise InputError("expected a vector with every text, got texts alone.")
            return np.zeros((0, self.dimension))
        return batch.vectors

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Refuse: these vectors are those of the texts that they came with."""
        raise InputError("vectors that were given with some texts cannot be made of other texts.")

    def options(self) -> dict[str, str]:
        """Return the dimension and the hash of the vectors, whatever their order."""
        return {"dim": str(self.dimension), "norm": "no", "hash": self.hash}


def checked_tables(tables: Sequence[Any]) -> list[Vectors]:
    """Return one array of finite floats per corpus, or say which is not one."""
    return [checked(table, None, f"the vectors of corpus {i + 1}") for i, table in enumerate(tables)]
