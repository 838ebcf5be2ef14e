"""`TextView`: texts as they came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from distinctly import hashing
from distinctly.batch import Batch, TokenColumn
from distinctly.config import RunConfig
from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.strings import Strings
from distinctly.views.base import Described, View, ViewKind


@dataclass(frozen=True)
class Texts:
    """Texts as strings, and where they came from.

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
        """The group of each text, where there are groups."""
        return self.batch.groups

    @cached_property
    def texts(self) -> Strings:
        """The texts as they came; those that came as tokens, with a space between two tokens.

        Where there are vectors only, the hash of its vector stands for a text.
        """
        if self.batch.only_vectors and self.batch.vectors is not None:
            return Strings.encode([f"{h:016x}" for h in hashing.hash_rows(self.batch.vectors).tolist()])
        if self.batch.bounds is None:
            return self.batch.strings
        lists = TokenColumn(self.batch.strings, self.batch.bounds).tolist()
        return Strings.encode([" ".join(tokens) for tokens in lists])

    @cached_property
    def text_hashes(self) -> Hashes:
        """A hash of each text as it came."""
        if self.batch.only_vectors and self.batch.vectors is not None:
            return hashing.sequence(hashing.hash_rows(self.batch.vectors), np.arange(len(self) + 1))
        return hashing.hash_strings(self.texts)

    @cached_property
    def content_hashes(self) -> Hashes:
        """A hash of each text, by which texts are put in order: of its tokens, where it came as tokens."""
        if self.batch.bounds is None:
            return self.text_hashes
        return hashing.sequence(hashing.hash_strings(self.batch.strings), self.batch.bounds)

    def select(self, rows: Integers) -> Texts:
        """Return these texts."""
        return Texts(self.batch.select(rows))


@dataclass(frozen=True)
class TextView(View[Texts]):
    """Texts as they came, before any tokenizer."""

    kind: ClassVar[ViewKind] = "texts"

    def make(self, batch: Batch, config: RunConfig) -> Texts:
        """Take the texts."""
        return Texts(batch)

    def join(self, pieces: Sequence[Texts]) -> Texts:
        """Put the texts of several batches one after the other."""
        return Texts(Batch.join([piece.batch for piece in pieces]))

    def describe(self, *, came_as_tokens: bool) -> Described:
        """Return ``txt:raw``."""
        return "txt", "raw", {}
