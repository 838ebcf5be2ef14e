"""`Tokens`: texts as hashed tokens, laid end to end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Protocol

import numpy as np

from distinctly import hashing
from distinctly.batch import Batch
from distinctly.hashing import Hashes
from distinctly.ragged import Integers, bounds_of, positions
from distinctly.strings import Strings
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.given import Given


class Spelling(Protocol):
    """What the tokens are as text, by their place in the view."""

    def __getitem__(self, place: int, /) -> str:
        """Return one token."""


@dataclass(frozen=True)
class Tokens:
    """The tokens of some texts as 64-bit hashes, and where each text begins and ends.

    Attributes
    ----------
    hashes
        One a token, texts laid end to end.
    bounds
        Text i has the tokens ``hashes[bounds[i]:bounds[i + 1]]``.
    spelling
        The tokens as text, for whoever asks.
    groups, ids
        One a text, where there are some.
    raw
        The texts before they were cut; None where they came as tokens.
    compiled
        Made by a compiled loop: whoever has one as well should use it, too.

    Examples
    --------
    >>> tokens = Tokens.of([["a", "b", "a"], [], ["b"]])
    >>> tokens.lengths.tolist(), tokens.spell(1, 2)
    ([3, 0, 1], 'b a')
    """

    hashes: Hashes
    bounds: Integers
    spelling: Spelling
    groups: Strings | None = None
    ids: Strings | None = None
    raw: Strings | None = None
    nulls_skipped: int = 0
    nulls_emptied: int = 0
    compiled: bool = False
    _windows: dict[int, Hashes] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]], groups: Strings | None = None) -> Tokens:
        """Make the view of texts that are cut already."""
        lists = list(texts)
        return cls._plain(chain.from_iterable(lists), bounds_of([len(tokens) for tokens in lists]), groups)

    @classmethod
    def nameless(cls, hashes: Hashes) -> Tokens:
        """Make the view of things that are no texts, by a hash of each; it stands for a token."""
        return cls(hashes, np.arange(len(hashes) + 1), Nameless(hashes))

    @classmethod
    def cut(cls, batch: Batch, tokenizer: Tokenizer, *, compiled: bool = False) -> Tokens:
        """Make the view of a batch of texts."""
        if batch.bounds is not None:
            made = cls._plain(tokenizer.prepare_all(batch.strings), batch.bounds, batch.groups)
        elif compiled and (classes := tokenizer.character_classes()) is not None:
            from distinctly.views.scanned import scan

            strings = tokenizer.prepare_all(batch.strings)
            made = cls(*scan(strings, classes), groups=batch.groups)
        else:
            made = cls.of([tokenizer.tokenize(text) for text in batch.strings], batch.groups)
        return replace(
            made,
            ids=batch.ids,
            raw=batch.strings if batch.bounds is None else None,
            nulls_skipped=batch.nulls_skipped,
            nulls_emptied=batch.nulls_emptied,
            compiled=compiled,
        )

    @classmethod
    def join(cls, pieces: Sequence[Tokens]) -> Tokens:
        """Put several views one after the other, as one.

        Examples
        --------
        >>> both = Tokens.join([Tokens.of([["a", "b"]]), Tokens.of([["c"], []])])
        >>> both.lengths.tolist(), both.spelling[2]
        ([2, 1, 0], 'c')
        """
        if len(pieces) == 1:
            return pieces[0]
        if all(isinstance(piece.spelling, Nameless) for piece in pieces):
            return cls.nameless(np.concatenate([np.zeros(0, np.uint64), *(piece.hashes for piece in pieces)]))
        filled = [piece for piece in pieces if len(piece)]

        def column(name: str) -> Strings | None:
            found = [getattr(piece, name) for piece in filled]
            return None if not found or None in found else Strings.concatenate(found)

        return cls(
            np.concatenate([np.zeros(0, np.uint64), *(piece.hashes for piece in filled)]),
            bounds_of(np.concatenate([np.zeros(0, np.int64), *(piece.lengths for piece in filled)])),
            Joined([piece.spelling for piece in filled], bounds_of([len(piece.hashes) for piece in filled])),
            groups=column("groups"),
            ids=column("ids"),
            raw=column("raw"),
            nulls_skipped=sum(piece.nulls_skipped for piece in pieces),
            nulls_emptied=sum(piece.nulls_emptied for piece in pieces),
            compiled=any(piece.compiled for piece in filled),
        )

    @classmethod
    def _plain(cls, tokens: Iterable[str], bounds: Integers, groups: Strings | None) -> Tokens:
        numbering = _Numbering()
        ids = np.fromiter(map(numbering.__getitem__, tokens), np.int64, int(bounds[-1]))
        vocabulary = list(numbering)
        return cls(hashing.hash_strings(vocabulary)[ids], bounds, Numbered(ids, vocabulary), groups)

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @cached_property
    def lengths(self) -> Integers:
        """How many tokens each text has."""
        return np.diff(self.bounds)

    @cached_property
    def numbered(self) -> tuple[Hashes, Integers]:
        """The hashes of the tokens that differ, ascending, and which of them each token is."""
        pieces = [self.spelling] if isinstance(self.spelling, Numbered) else []
        if isinstance(self.spelling, Joined):
            pieces = [piece for piece in self.spelling.spellings if isinstance(piece, Numbered)]
        if sum(len(piece.ids) for piece in pieces) != len(self.hashes):
            return np.unique(self.hashes, return_inverse=True)
        # The words have numbers: only these are put in order, not all tokens.
        shifts = bounds_of([len(piece.vocabulary) for piece in pieces])
        words = np.concatenate([piece.ids + shift for piece, shift in zip(pieces, shifts)])
        spelled = np.empty(shifts[-1], np.uint64)
        spelled[words] = self.hashes
        hashes, places = np.unique(spelled, return_inverse=True)
        return hashes, places[words]

    @cached_property
    def _longest(self) -> int:
        return int(self.lengths.max(initial=0))

    @cached_property
    def text_hashes(self) -> Hashes:
        """A hash of each text: of its tokens, in order."""
        if self.compiled:
            from distinctly.kernels.ngrams import hash_texts

            return hash_texts(self.hashes, self.bounds)
        return hashing.sequence(self.hashes, self.bounds)

    @cached_property
    def texts(self) -> Strings:
        """The texts as they came; those that came as tokens, with a space between two tokens."""
        if self.raw is not None:
            return self.raw
        places = pairwise(self.bounds.tolist())
        return Strings.encode([" ".join(self.spelling[i] for i in range(a, b)) for a, b in places])

    def token_lists(self) -> list[list[str]]:
        """Return the tokens of each text, as text.

        Examples
        --------
        >>> Tokens.of([["a", "b"], [], ["a"]]).select(np.array([2, 0])).token_lists()
        [['a'], ['a', 'b']]
        """
        spelled = [self.spelling[place] for place in range(len(self.hashes))]
        return [spelled[a:b] for a, b in pairwise(self.bounds.tolist())]

    @cached_property
    def raw_hashes(self) -> Hashes:
        """A hash of each text as it came."""
        if isinstance(self.spelling, Nameless):
            return self.text_hashes
        return hashing.hash_strings(self.texts)

    @property
    def content_hashes(self) -> Hashes:
        """A hash of all that is known of each text: of the text as it came, or of its tokens."""
        return self.text_hashes if self.raw is None else self.raw_hashes

    def select(self, rows: Integers) -> Tokens:
        """Return the view of these texts."""
        if isinstance(self.spelling, Nameless):
            return Tokens.nameless(self.hashes[rows])
        where, bounds = positions(self.bounds, rows)
        groups, ids, raw = (
            None if column is None else column.take(rows) for column in (self.groups, self.ids, self.raw)
        )
        return Tokens(
            self.hashes[where],
            bounds,
            Selected(self.spelling, where),
            groups,
            ids=ids,
            raw=raw,
            compiled=self.compiled,
        )

    def windows(self, n: int) -> Hashes:
        """Hash every window of n tokens, also those that cross texts; each n is made from n−1."""
        self._windows.setdefault(1, self.hashes)
        for size in range(max(known for known in self._windows if known <= n) + 1, n + 1):
            self._windows[size] = self._extended(self._windows[size - 1][:-1], self.hashes[size - 1 :])
        return self._windows[n]

    def _extended(self, windows: Hashes, tokens: Hashes) -> Hashes:
        if self.compiled:
            from distinctly.kernels.ngrams import extend

            return extend(windows, tokens)
        return hashing.extend(windows, tokens)

    def grams(self, n: int) -> Hashes:
        """Return the hash of every n-gram, texts in order; no n-gram crosses from text to text."""
        return self.windows(n)[self.starts(n)] if n <= self._longest else np.zeros(0, np.uint64)

    def starts(self, n: int) -> Integers:
        """Return the position of the first token of every n-gram."""
        if n > self._longest:
            return np.zeros(0, np.int64)
        whole = np.ones(len(self.hashes), np.bool_)
        for back in range(1, n):
            # The last n−1 tokens of a text begin no n-gram.
            whole[self.bounds[1:][self.lengths >= back] - back] = False
        found: Integers = np.flatnonzero(whole)
        return found

    def gram_bounds(self, n: int) -> Integers:
        """Return where the n-grams of each text begin and end."""
        return bounds_of(np.maximum(self.lengths - (n - 1), 0))

    def spell(self, position: int, n: int) -> str:
        """Return the n-gram that begins at a position, as readable text."""
        return " ".join(self.spelling[place] for place in range(position, position + n))


@dataclass(frozen=True)
class Nameless:
    """What stands for things that are no texts: their hashes."""

    hashes: Hashes

    def __getitem__(self, place: int, /) -> str:
        return f"{int(self.hashes[place]):016x}"


@dataclass(frozen=True)
class Numbered:
    """Tokens as numbers of words."""

    ids: Integers
    vocabulary: Sequence[str]

    def __getitem__(self, place: int) -> str:
        return self.vocabulary[int(self.ids[place])]


@dataclass(frozen=True)
class Selected:
    """Some of the tokens of another spelling."""

    spelling: Spelling
    where: Integers

    def __getitem__(self, place: int) -> str:
        return self.spelling[int(self.where[place])]


@dataclass(frozen=True)
class Joined:
    """The tokens of several views, one after the other."""

    spellings: Sequence[Spelling]
    bounds: Integers

    def __getitem__(self, place: int) -> str:
        piece = int(np.searchsorted(self.bounds, place, "right")) - 1
        return self.spellings[piece][place - int(self.bounds[piece])]


class _Numbering(dict[str, int]):
    """Gives each new word the next number."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


def tokenizer_for(batch: Batch, wanted: Tokenizer) -> Tokenizer:
    """Return the tokenizer that a batch is really cut with: none, where it came as tokens."""
    return wanted if batch.bounds is None else tokenizer_for_tokens(wanted)


def tokenizer_for_tokens(wanted: Tokenizer) -> Given:
    """Return what takes tokens as they came, but for what was asked to be done with each."""
    return Given(lc=wanted.lc, norm=wanted.norm)
