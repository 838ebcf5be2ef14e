"""Vectors that a user has in memory, besides texts or instead of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from distinctly.embedders.base import Positional, Vectors, checked
from distinctly.errors import InputError
from distinctly.hashing import Hashes, hash_rows
from distinctly.ragged import Integers


@dataclass(frozen=True, kw_only=True)
class Aligned(Positional):
    """Rows of 2-D float arrays, one array a corpus: row i belongs to text i of all corpora together.

    Examples
    --------
    >>> aligned = Aligned.of([np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])])
    >>> aligned.embed(["of one corpus", "of the other"]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    name: ClassVar[str] = "given"

    table: Vectors = field(compare=False, repr=False)
    hashes: Hashes = field(compare=False, repr=False)
    hash: str
    sizes: tuple[int, ...] = field(default=(), compare=False, repr=False)
    places: tuple[Integers | None, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(cls, tables: Sequence[Any], places: Sequence[Integers | None] = ()) -> Aligned:
        """Take one array a corpus, all of the same dimension, and which texts it is of, where not of all."""
        found = [checked(table, None, f"the vectors of corpus {i + 1}") for i, table in enumerate(tables)]
        widths = [table.shape[1] for table in found if len(table)]
        if len(set(widths)) > 1:
            told = " and ".join(str(width) for width in dict.fromkeys(widths))
            raise InputError(f"expected vectors of one dimension in all corpora, got {told}.")
        filled = [table for table in found if len(table)] or found[:1]
        rows = np.concatenate(filled)
        hashes = hash_rows(rows)
        return cls(
            table=rows,
            hashes=hashes,
            hash=f"{int(hashes.sum(dtype=np.uint64)):016x}",
            sizes=tuple(map(len, found)),
            places=tuple(places) or (None,) * len(found),
        )

    def rows(self) -> Vectors:
        """Return the rows of all corpora, one after the other."""
        return self.table

    def options(self) -> dict[str, str]:
        """Return the dimension and the hash of the vectors, whatever their order."""
        return {"dim": str(self.table.shape[1]), "norm": "no", "hash": self.hash}
