"""`TextView`: texts as they were read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from distinctly import hashing
from distinctly.batch import Batch, TokenColumn
from distinctly.config import RunConfig
from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.strings import Strings
from distinctly.views.base import Described, View, ViewKind


@dataclass(frozen=True)
class Texts:
    """Texts as strings.

    Examples
    --------
    >>> Texts(Batch.of([["a", "b"], ["c"]])).texts.tolist()
    ['a b', 'c']
    """

    batch: Batch

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def groups(self) -> Strings | None:
        """The group of each text, if there are groups."""
        return self.batch.groups

    @cached_property
    def texts(self) -> Strings:
        """The texts as they were read; token lists are joined by spaces.

        If there are only vectors, a text is the hash of its vector.
        """
        if self.batch.only_vectors and self.batch.vectors is not None:
            return Strings.encode([f"{h:016x}" for h in self.batch.vector_hashes.of_rows.tolist()])
        if self.batch.bounds is None:
            return self.batch.strings
        return TokenColumn(self.batch.strings, self.batch.bounds).joined()

    @cached_property
    def text_hashes(self) -> Hashes:
        """The hash of each text."""
        if self.batch.only_vectors and self.batch.vectors is not None:
            return self.batch.vector_hashes.of_texts
        return hashing.hash_contents(self.texts)

    @cached_property
    def content_hashes(self) -> Hashes:
        """A hash of each text, by which texts are put in order: of its tokens, where it came as tokens."""
        if self.batch.bounds is None:
            return self.text_hashes
        return hashing.sequence(hashing.hash_strings(self.batch.strings), self.batch.bounds)

    def select(self, rows: Integers) -> Texts:
        """Return the texts in these rows."""
        return Texts(self.batch.select(rows))


@dataclass(frozen=True)
class TextView(View[Texts]):
    """Texts as they were read, before tokenization."""

    kind: ClassVar[ViewKind] = "texts"

    def make(self, batch: Batch, config: RunConfig) -> Texts:
        """Return the texts of a batch."""
        return Texts(batch)

    def join(self, pieces: Sequence[Texts]) -> Texts:
        """Concatenate the texts of several batches."""
        return Texts(Batch.join([piece.batch for piece in pieces]))

    def describe(self, *, came_as_tokens: bool) -> Described:
        """Return ``txt:raw``."""
        return "txt", "raw", {}
