"""`Batch`: some texts of a corpus, as a source hands them on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import InputError
from distinctly.ragged import Integers, bounds_of, positions
from distinctly.strings import Strings


@dataclass(frozen=True)
class TokenColumn:
    """A list of strings per text: list i is ``strings[bounds[i]:bounds[i + 1]]``.

    Examples
    --------
    >>> column = TokenColumn.encode([["DET", "NOUN"], [], ["VERB"]])
    >>> len(column), column.take(np.array([2, 0])).tolist()
    (3, [['VERB'], ['DET', 'NOUN']])
    """

    strings: Strings
    bounds: Integers

    @classmethod
    def encode(cls, lists: Sequence[Sequence[str]]) -> TokenColumn:
        """Make a column of lists of Python strings."""
        flat = [token for tokens in lists for token in tokens]
        return cls(Strings.encode(flat), bounds_of([len(tokens) for tokens in lists]))

    @classmethod
    def concatenate(cls, columns: Sequence[TokenColumn]) -> TokenColumn:
        """Put several columns one after the other."""
        lengths = [np.zeros(0, np.int64), *(np.diff(column.bounds) for column in columns)]
        return cls(
            Strings.concatenate([column.strings for column in columns]), bounds_of(np.concatenate(lengths))
        )

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def take(self, rows: Integers) -> TokenColumn:
        """Return the lists of these rows, in this order."""
        where, bounds = positions(self.bounds, rows)
        return TokenColumn(self.strings.take(where), bounds)

    def tolist(self) -> list[list[str]]:
        """Return the lists as Python lists."""
        flat = self.strings.tolist()
        return [flat[a:b] for a, b in zip(self.bounds[:-1].tolist(), self.bounds[1:].tolist())]


@dataclass(frozen=True)
class Batch:
    """Texts in Arrow's layout, with a group, an id, tags and a vector each where the source has them.

    Attributes
    ----------
    strings
        One string per text; one per token where `bounds` is given.
    bounds
        Where the tokens of each text begin and end, for texts that came as token lists.
    groups, ids
        One per text, where the source has them.
    tags
        One list of tags per text, where the source has them.
    vectors
        One row per text, where the user gave vectors.
    only_vectors
        The user gave vectors and no texts; the strings are empty.
    nulls_skipped, nulls_emptied
        The number of missing texts that were left out, and that count as empty.

    Examples
    --------
    >>> len(Batch.of(["a text", "another"])), len(Batch.of([["a", "text"], ["another"]]))
    (2, 2)
    """

    strings: Strings
    bounds: Integers | None = None
    groups: Strings | None = None
    ids: Strings | None = None
    nulls_skipped: int = 0
    nulls_emptied: int = 0
    tags: TokenColumn | None = None
    vectors: NDArray[np.floating[Any]] | None = None
    only_vectors: bool = False

    @classmethod
    def of(
        cls,
        texts: Sequence[str | list[str]],
        *,
        groups: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
        tags: Sequence[Sequence[str]] | None = None,
        nulls_skipped: int = 0,
        nulls_emptied: int = 0,
    ) -> Batch:
        """Make a batch of Python strings, or of lists of tokens."""
        lists = [text for text in texts if isinstance(text, list)]
        if lists:
            column = TokenColumn.encode(lists)
            strings, bounds = column.strings, column.bounds
        else:
            strings, bounds = Strings.encode([text for text in texts if isinstance(text, str)]), None
        return cls(
            strings,
            bounds,
            None if groups is None else Strings.encode(groups),
            None if ids is None else Strings.encode(ids),
            nulls_skipped,
            nulls_emptied,
            None if tags is None else TokenColumn.encode(tags),
        )

    @classmethod
    def of_vectors(cls, vectors: NDArray[np.floating[Any]]) -> Batch:
        """Make a batch of vectors without texts."""
        return cls(Strings.encode([""] * len(vectors)), vectors=vectors, only_vectors=True)

    @classmethod
    def join(cls, batches: Sequence[Batch]) -> Batch:
        """Put several batches one after the other, as one.

        Examples
        --------
        >>> Batch.join([Batch.of(["a"]), Batch.of([]), Batch.of(["b", "c"])]).strings.tolist()
        ['a', 'b', 'c']
        """
        if len(batches) == 1:
            return batches[0]
        filled = [batch for batch in batches if len(batch)]
        if len({batch.bounds is None for batch in filled}) > 1:
            raise mixed_texts()
        if any(batch.bounds is not None for batch in filled):
            columns = [
                TokenColumn(batch.strings, batch.bounds) for batch in filled if batch.bounds is not None
            ]
            joined = TokenColumn.concatenate(columns)
            strings, bounds = joined.strings, joined.bounds
        else:
            strings, bounds = Strings.concatenate([batch.strings for batch in filled]), None
        groups = [batch.groups for batch in filled if batch.groups is not None]
        ids = [batch.ids for batch in filled if batch.ids is not None]
        tags = [batch.tags for batch in filled if batch.tags is not None]
        vectors = [batch.vectors for batch in filled if batch.vectors is not None]
        everyone = len(filled) or -1  # a column that some batches lack is left out
        return cls(
            strings,
            bounds,
            Strings.concatenate(groups) if len(groups) == everyone else None,
            Strings.concatenate(ids) if len(ids) == everyone else None,
            sum(batch.nulls_skipped for batch in batches),
            sum(batch.nulls_emptied for batch in batches),
            TokenColumn.concatenate(tags) if len(tags) == everyone else None,
            np.concatenate(vectors) if len(vectors) == everyone else None,
            any(batch.only_vectors for batch in batches),
        )

    def select(self, rows: Integers) -> Batch:
        """Return the texts of these rows, in this order."""
        if self.bounds is None:
            strings, bounds = self.strings.take(rows), None
        else:
            column = TokenColumn(self.strings, self.bounds).take(rows)
            strings, bounds = column.strings, column.bounds
        return replace(
            self,
            strings=strings,
            bounds=bounds,
            groups=None if self.groups is None else self.groups.take(rows),
            ids=None if self.ids is None else self.ids.take(rows),
            tags=None if self.tags is None else self.tags.take(rows),
            vectors=None if self.vectors is None else self.vectors[rows],
            nulls_skipped=0,
            nulls_emptied=0,
        )

    def __len__(self) -> int:
        return len(self.strings) if self.bounds is None else len(self.bounds) - 1


def mixed_texts() -> InputError:
    """Make the error for texts of which some came as strings and some as token lists."""
    return InputError("cannot add up texts and lists of tokens: give all as texts, or all as tokens.")
