"""`VectorView`: texts as the vectors of an embedder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from distinctly.arrays import CPU, Device
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.embedders.base import Embedder, Positional, Vectors
from distinctly.embedders.cache import embed_texts
from distinctly.embedders.given import GivenVectors
from distinctly.hashing import Hashes, hash_rows, sequence
from distinctly.ragged import Integers
from distinctly.strings import Strings
from distinctly.views.base import Described, View, ViewKind
from distinctly.views.texts import Texts, TextView


@dataclass(frozen=True)
class VectorTable:
    """The vectors of texts, one row per text, in the order of the texts.

    Attributes
    ----------
    rows
        The vectors.
    device
        The device that computes on them.
    texts
        The texts of the vectors, if there are any.
    """

    rows: Vectors
    device: Device = CPU
    texts: Texts | None = None

    @property
    def groups(self) -> Strings | None:
        """The group of each text, if there are groups."""
        return None if self.texts is None else self.texts.groups

    @property
    def content_hashes(self) -> Hashes:
        """A hash of each text, by which texts are put in order; of its vector, where there are no texts."""
        if self.texts is None:
            return sequence(self.text_hashes, np.arange(len(self) + 1))
        return self.texts.content_hashes

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def text_hashes(self) -> Hashes:
        """The hash of each vector."""
        return hash_rows(self.rows)

    def select(self, rows: Integers) -> VectorTable:
        """Return the vectors of the texts in these rows."""
        return replace(
            self,
            rows=self.rows[rows] if len(rows) else np.zeros((0, 0), np.float32),
            texts=None if self.texts is None else self.texts.select(rows),
        )


@dataclass(frozen=True)
class VectorView(View[VectorTable]):
    """The vectors of texts.

    Each distinct text is embedded once, in an order that depends only on the texts. Vectors on disk are
    not computed again.

    Examples
    --------
    >>> from distinctly.embedders import find_embedder
    >>> view = VectorView(find_embedder(lambda texts: [[len(text)] for text in texts]))
    >>> view.make(Batch.of(["a b", "c"]), RunConfig()).rows.tolist()
    [[3.0], [1.0]]
    """

    embedder: Embedder
    kind: ClassVar[ViewKind] = "vectors"

    def make(self, batch: Batch, config: RunConfig) -> VectorTable:
        """Embed the texts, or return the vectors that were given."""
        texts = Texts(batch)
        if isinstance(self.embedder, GivenVectors):
            rows = self.embedder.rows_of(batch)
        elif isinstance(self.embedder, Positional):
            rows = self.embedder.rows_for(len(batch))
        else:
            rows = embed_texts(self.embedder, texts.texts.tolist(), config)
        return VectorTable(rows, config.on_device, texts)

    def join(self, pieces: Sequence[VectorTable]) -> VectorTable:
        """Concatenate the vectors of several batches."""
        filled = [piece for piece in pieces if len(piece)] or list(pieces[:1])
        texts = [piece.texts for piece in filled if piece.texts is not None]
        return replace(
            filled[0],
            rows=np.concatenate([piece.rows for piece in filled]),
            texts=TextView().join(texts) if texts and len(texts) == len(filled) else None,
        )

    def describe(self, *, came_as_tokens: bool) -> Described:
        """Return the embedder and its options."""
        return "emb", self.embedder.name, self.embedder.options()
