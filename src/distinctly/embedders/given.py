"""Vectors that a user has in memory, instead of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from distinctly.embedders.base import Embedder, Vectors, checked
from distinctly.hashing import Hashes, hash_rows


@dataclass(frozen=True, kw_only=True)
class Given(Embedder):
    """Rows of a 2-D float array. The text that stands for a row is the hash of the row.

    So the hash of the texts in a signature is that of the vectors, no order changes it, and any
    selection of the texts finds its rows.

    Examples
    --------
    >>> given = Given.of(np.array([[1.0, 0.0], [0.0, 1.0]]))
    >>> given.embed(given.texts()[::-1]).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """

    name: ClassVar[str] = "given"

    rows: Vectors = field(compare=False, repr=False)
    hashes: Hashes = field(compare=False, repr=False)
    hash: str

    @classmethod
    def of(cls, vectors: Any) -> Given:
        """Take an array of one row a text."""
        rows = checked(vectors, None, "the array given instead of texts")
        hashes = hash_rows(rows)
        return cls(rows=rows, hashes=hashes, hash=f"{int(hashes.sum(dtype=np.uint64)):016x}")

    @cached_property
    def _places(self) -> dict[str, int]:
        return {text: place for place, text in enumerate(self.texts())}

    def texts(self) -> list[str]:
        """Return what stands for the rows."""
        return [f"{one:016x}" for one in self.hashes.tolist()]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Find the rows again."""
        return self.rows[[self._places[text] for text in texts]]

    def options(self) -> dict[str, str]:
        """Return the dimension and the hash of the vectors, whatever their order."""
        return {"dim": str(self.rows.shape[1]), "norm": "no", "hash": self.hash}


def are_vectors(texts: object) -> bool:
    """Tell whether something is a 2-D float array; a table of named columns is none."""
    # By what it says of itself: to make an array of a column of texts would take long.
    of_floats = "float" in str(getattr(texts, "dtype", ""))
    return of_floats and getattr(texts, "ndim", 0) == 2 and hasattr(texts, "__array__")
