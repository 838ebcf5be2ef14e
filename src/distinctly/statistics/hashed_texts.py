"""Texts as the hashes of their tokens, in order: in memory, or read when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import Hashes
from distinctly.ragged import Integers, bounds_of, positions


@dataclass(frozen=True)
class HashedTexts:
    """The tokens of some texts.

    Attributes
    ----------
    hashes
        One hash per token, one text after another.
    lengths
        The number of tokens of each text.

    Examples
    --------
    >>> texts = HashedTexts(np.array([7, 8, 9], np.uint64), np.array([2, 0, 1]))
    >>> [part.hashes.tolist() for part in texts.cut(1)]
    [[7, 8], [9]]
    """

    hashes: Hashes
    lengths: Integers

    def __post_init__(self) -> None:
        """Check the arrays, which may come from a file."""
        if self.hashes.dtype != np.uint64 or self.hashes.ndim != 1 or self.lengths.dtype != np.int64:
            raise ValueError("tokens of another type")
        if self.lengths.min(initial=0) < 0 or int(self.lengths.sum()) != len(self.hashes):
            raise ValueError("tokens outside the texts")

    def __len__(self) -> int:
        return len(self.lengths)

    def read(self) -> HashedTexts:
        """Return the texts, which are here."""
        return self

    @classmethod
    def join(cls, pieces: Iterable[HashedTexts]) -> HashedTexts:
        """Concatenate the texts of several pieces."""
        of_pieces = list(pieces)
        if len(of_pieces) == 1:
            return of_pieces[0]
        return cls(
            np.concatenate([np.zeros(0, np.uint64), *(piece.hashes for piece in of_pieces)]),
            np.concatenate([np.zeros(0, np.int64), *(piece.lengths for piece in of_pieces)]),
        )

    @cached_property
    def bounds(self) -> Integers:
        """Text i has the tokens ``hashes[bounds[i]:bounds[i + 1]]``."""
        return bounds_of(self.lengths)

    @cached_property
    def is_last(self) -> NDArray[np.bool_]:
        """Whether each token is the last one of its text."""
        is_last = np.zeros(len(self.hashes), np.bool_)
        is_last[self.bounds[1:][self.lengths > 0] - 1] = True
        return is_last

    def take(self, rows: Integers) -> HashedTexts:
        """Return the texts in these rows."""
        where, _ = positions(self.bounds, rows)
        return HashedTexts(self.hashes[where], self.lengths[rows])

    def extract(self, starts: Integers, lengths: Integers) -> HashedTexts:
        """Return sequences of tokens as texts, given the positions of their first tokens, and their lengths.

        Examples
        --------
        >>> texts = HashedTexts(np.array([7, 8, 9], np.uint64), np.array([3]))
        >>> texts.extract(np.array([1, 0]), np.array([2, 1])).hashes.tolist()
        [8, 9, 7]
        """
        bounds = bounds_of(lengths)
        return HashedTexts(
            self.hashes[np.arange(bounds[-1]) + np.repeat(starts - bounds[:-1], lengths)], lengths
        )

    def cut(self, tokens: int) -> Iterator[HashedTexts]:
        """Yield the texts in parts of at most this number of tokens; a longer text is a part by itself."""
        first = 0
        while first < len(self):
            most = int(np.searchsorted(self.bounds, self.bounds[first] + tokens, "right")) - 1
            last = max(most, first + 1)
            part = slice(int(self.bounds[first]), int(self.bounds[last]))
            yield HashedTexts(self.hashes[part], self.lengths[first:last])
            first = last


@dataclass(frozen=True)
class StoredTexts:
    """Texts in a file, which are read whenever they are needed.

    Attributes
    ----------
    load
        Reads the texts.
    """

    load: Callable[[], HashedTexts]

    def read(self) -> HashedTexts:
        """Read the texts."""
        return self.load()


# Some texts, in memory or in a file.
Piece = HashedTexts | StoredTexts


def cut_pieces(pieces: Iterable[Piece], tokens: int) -> Iterator[Piece]:
    """Yield pieces, those in memory in parts of at most this number of tokens (or one longer text)."""
    for piece in pieces:
        yield from piece.cut(tokens) if isinstance(piece, HashedTexts) else (piece,)


def regrouped(pieces: Iterable[Piece], tokens: int) -> Iterator[HashedTexts]:
    """Yield all texts in the parts that `HashedTexts.cut` makes of them, however they were divided.

    Examples
    --------
    >>> texts = HashedTexts(np.arange(6, dtype=np.uint64), np.array([2, 1, 0, 3]))
    >>> parts = [texts.take(np.array([0])), texts.take(np.array([1, 2, 3]))]
    >>> [part.lengths.tolist() for part in regrouped(parts, 3)]
    [[2, 1, 0], [3]]
    >>> [part.lengths.tolist() for part in texts.cut(3)]
    [[2, 1, 0], [3]]
    """
    pending = HashedTexts.join([])
    for piece in pieces:
        parts = list(HashedTexts.join([pending, piece.read()]).cut(tokens))
        # Further texts may belong to the last part.
        pending = parts.pop() if parts else pending
        yield from parts
    if len(pending):
        yield pending
