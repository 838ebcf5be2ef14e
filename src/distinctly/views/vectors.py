"""`VectorView`: texts as the vectors of an embedder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from distinctly.arrays import CPU, Device, Reals
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.embedders.base import Embedder, Positional, Vectors
from distinctly.embedders.cache import embed_texts
from distinctly.embedders.given import GivenVectors
from distinctly.errors import SpecError
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
    texts, selected
        Texts, if there are any, and those of them that the vectors belong to; all of them if None.
    """

    rows: Vectors
    device: Device = CPU
    texts: Texts | None = None
    selected: Integers | None = None

    @property
    def groups(self) -> Strings | None:
        """The group of each text, if there are groups."""
        groups = None if self.texts is None else self.texts.groups
        return groups if groups is None or self.selected is None else groups.take(self.selected)

    @property
    def content_hashes(self) -> Hashes:
        """The hash of each text, or of its vector if there are no texts; texts are ordered by it."""
        if self.texts is None:
            return sequence(self.text_hashes, np.arange(len(self) + 1))
        hashes = self.texts.content_hashes
        return hashes if self.selected is None else hashes[self.selected]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def text_hashes(self) -> Hashes:
        """The hash of each vector."""
        if self.texts is not None and self.texts.batch.vectors is self.rows:
            return self.texts.batch.vector_hashes.of_rows
        return hash_rows(self.rows)

    def select(self, rows: Integers) -> VectorTable:
        """Return the vectors of the texts in these rows."""
        table = replace(
            self,
            rows=self.rows[rows] if len(rows) else np.zeros((0, 0), np.float32),
            selected=rows if self.selected is None else self.selected[rows],
        )
        if "text_hashes" in self.__dict__ or self._hashed_with_texts:
            table.__dict__["text_hashes"] = self.text_hashes[rows]
        return table

    @property
    def _hashed_with_texts(self) -> bool:
        """Whether the vectors are those that came with the texts, and their hashes are known."""
        batch = None if self.texts is None else self.texts.batch
        return batch is not None and batch.vectors is self.rows and batch.knows_vector_hashes


# A vector of which at most this share of the length is left without the direction of its prompt is zero.
NOTHING_LEFT = 1e-6
# The number of vectors whose prompts are taken out at a time.
AT_ONCE = 1 << 16


@dataclass(frozen=True)
class VectorView(View[VectorTable]):
    """The vectors of texts.

    Each distinct text is embedded once, in an order that depends only on the texts. Vectors on disk are
    not computed again.

    Attributes
    ----------
    embedder
        What turns texts into vectors.
    context
        Whether the direction of the prompt is taken out of the vector of each text.

    Examples
    --------
    >>> from distinctly.embedders import find_embedder
    >>> view = VectorView(find_embedder(lambda texts: [[len(text)] for text in texts]))
    >>> view.make(Batch.of(["a b", "c"]), RunConfig()).rows.tolist()
    [[3.0], [1.0]]
    """

    embedder: Embedder
    context: bool = False
    kind: ClassVar[ViewKind] = "vectors"

    @property
    def embeds(self) -> bool:
        """Whether vectors are computed from texts, and not given by the user."""
        return not isinstance(self.embedder, (GivenVectors, Positional))

    def make(self, batch: Batch, config: RunConfig) -> VectorTable:
        """Embed the texts, or return the vectors that were given."""
        if self.context:
            return self.without_prompts(replace(self, context=False).make(batch, config), batch, config)
        texts = Texts(batch)
        if batch.vectors is not None and self.embeds:
            rows = batch.vectors  # they were computed before
        elif isinstance(self.embedder, GivenVectors):
            rows = self.embedder.rows_of(batch)
        elif isinstance(self.embedder, Positional):
            rows = self.embedder.rows_for(len(batch))
        else:
            rows = embed_texts(self.embedder, texts.texts.tolist(), config)
        return VectorTable(rows, config.on_device, texts)

    def without_prompts(self, table: VectorTable, batch: Batch, config: RunConfig) -> VectorTable:
        """Take the direction of the prompt out of the vector of each text.

        ``x ← unit(x − (x·c) c)``, c the unit vector of the prompt. A text whose vector has no other direction
        than its prompt has a zero vector; a prompt whose vector is zero takes nothing out.
        """
        if not self.embeds:
            raise SpecError(
                "`context=prompt` embeds the prompts, but vectors are given in place of an embedder. Give an "
                "embedder with --embedder (Python: embedder=)."
            )
        if batch.prompts is None and len(batch):
            raise SpecError(
                "`context=prompt` needs the prompt of each text: name its field with --prompt (Python: "
                "prompt=, or prompts= for texts in memory)."
            )
        prompts = [] if batch.prompts is None else batch.prompts.tolist()
        contexts = embed_texts(self.embedder, prompts, config)
        rows = np.empty_like(table.rows)
        for start in range(0, len(rows), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            rows[part] = _without(table.rows[part], contexts[part])
        return replace(table, rows=rows)

    def join(self, pieces: Sequence[VectorTable]) -> VectorTable:
        """Concatenate the vectors of several batches."""
        filled = [piece for piece in pieces if len(piece)] or list(pieces[:1])
        texts = [
            piece.texts if piece.selected is None else piece.texts.select(piece.selected)
            for piece in filled
            if piece.texts is not None
        ]
        return VectorTable(
            np.concatenate([piece.rows for piece in filled]),
            filled[0].device,
            TextView().join(texts) if texts and len(texts) == len(filled) else None,
        )

    def describe(self, *, came_as_tokens: bool) -> Described:
        """Return the embedder and its options."""
        return "emb", self.embedder.name, self.embedder.options()


def _without(vectors: Vectors, directions: Vectors) -> Vectors:
    """Return the unit vectors of what is left of vectors without their components in some directions.

    Examples
    --------
    >>> vectors, directions = np.array([[3.0, 4.0], [2.0, 0.0]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    >>> _without(vectors, directions).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    x, c = _unit(vectors.astype(np.float64)), _unit(directions.astype(np.float64))
    left = x - (x * c).sum(axis=1, keepdims=True) * c
    left[np.linalg.norm(left, axis=1) <= NOTHING_LEFT] = 0
    return _unit(left).astype(vectors.dtype)


def _unit(vectors: Reals) -> Reals:
    """Return vectors divided by their lengths; those of length 0 as they are."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)
