"""`Tokens`: texts as hashed tokens, laid end to end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np

from distinctly import hashing
from distinctly.batch import Batch
from distinctly.hashing import Hashes
from distinctly.ragged import Integers, bounds_of, positions
from distinctly.strings import Strings
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.given import Given


@dataclass(frozen=True)
class Tokens:
    """The tokens of some texts: ids into a vocabulary, and where each text begins and ends.

    Attributes
    ----------
    ids
        One a token, texts laid end to end.
    bounds
        Text i has the tokens ``ids[bounds[i]:bounds[i + 1]]``.
    vocabulary, type_hashes
        What an id stands for, as text and as its 64-bit hash.
    groups
        One a text, where there are groups.

    Examples
    --------
    >>> tokens = Tokens.of([["a", "b", "a"], [], ["b"]])
    >>> tokens.lengths.tolist(), tokens.spell(1, 2)
    ([3, 0, 1], 'b a')
    """

    ids: Integers
    bounds: Integers
    vocabulary: Sequence[str]
    type_hashes: Hashes
    groups: Strings | None = None
    nulls_skipped: int = 0
    nulls_emptied: int = 0
    _grams: dict[int, Hashes] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]], groups: Strings | None = None) -> Tokens:
        """Make the view of texts that are cut already."""
        lists = list(texts)
        return cls._from(chain.from_iterable(lists), bounds_of([len(tokens) for tokens in lists]), groups)

    @classmethod
    def cut(cls, batch: Batch, tokenizer: Tokenizer) -> Tokens:
        """Make the view of a batch of texts."""
        strings = batch.strings.tolist()
        if batch.bounds is None:
            made = cls.of([tokenizer.tokenize(text) for text in strings], batch.groups)
        else:
            made = cls._from((tokenizer.prepare(token) for token in strings), batch.bounds, batch.groups)
        return cls(
            made.ids,
            made.bounds,
            made.vocabulary,
            made.type_hashes,
            made.groups,
            batch.nulls_skipped,
            batch.nulls_emptied,
        )

    @classmethod
    def _from(cls, tokens: Iterable[str], bounds: Integers, groups: Strings | None) -> Tokens:
        vocabulary = _Numbering()
        ids = np.fromiter(map(vocabulary.__getitem__, tokens), np.int64, int(bounds[-1]))
        words = list(vocabulary)
        return cls(ids, bounds, words, hashing.hash_strings(words), groups)

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @cached_property
    def lengths(self) -> Integers:
        """How many tokens each text has."""
        return np.diff(self.bounds)

    @cached_property
    def _longest(self) -> int:
        return int(self.lengths.max(initial=0))

    @cached_property
    def text_hashes(self) -> Hashes:
        """A hash of each text: of its tokens, in order."""
        return hashing.sequence(self.type_hashes[self.ids], self.bounds)

    def select(self, rows: Integers) -> Tokens:
        """Return the view of these texts."""
        where, bounds = positions(self.bounds, rows)
        groups = None if self.groups is None else self.groups.take(rows)
        return Tokens(self.ids[where], bounds, self.vocabulary, self.type_hashes, groups)

    def grams(self, n: int) -> Hashes:
        """Return the hash of every n-gram, texts in order; no n-gram crosses from text to text."""
        return self._windows(n)[self.starts(n)] if n <= self._longest else np.zeros(0, np.uint64)

    def starts(self, n: int) -> Integers:
        """Return the position of the first token of every n-gram."""
        if n > self._longest:
            return np.zeros(0, np.int64)
        whole = np.ones(len(self.ids), np.bool_)
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
        return " ".join(self.vocabulary[word] for word in self.ids[position : position + n])

    def _windows(self, n: int) -> Hashes:
        """Hash every window of n tokens, also those that cross texts; each n is made from n−1."""
        tokens = self.type_hashes[self.ids]
        self._grams.setdefault(1, tokens)
        for size in range(max(known for known in self._grams if known <= n) + 1, n + 1):
            self._grams[size] = hashing.extend(self._grams[size - 1][:-1], tokens[size - 1 :])
        return self._grams[n]


class _Numbering(dict[str, int]):
    """Gives each new word the next number."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


def tokenizer_for(batch: Batch, wanted: Tokenizer) -> Tokenizer:
    """Return the tokenizer that a batch is really cut with: none, where it came as tokens."""
    return wanted if batch.bounds is None else Given(lc=wanted.lc, norm=wanted.norm)
