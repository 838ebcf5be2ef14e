"""`TokenView`: texts as tokens; `Tokens`: those of some texts, hashed and laid end to end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np

from distinctly import hashing
from distinctly.batch import Batch, VectorHashes
from distinctly.config import RunConfig
from distinctly.hashing import Bits, Hashes, Keys, keys_of
from distinctly.ragged import Integers, bounds_of, positions
from distinctly.strings import Strings
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.dropping import Dropping
from distinctly.tokenizers.given import Given
from distinctly.tokenizers.words import Words
from distinctly.views.base import Described, View, ViewKind


class Spelling(Protocol):
    """The tokens as text, by their position."""

    def __getitem__(self, place: int, /) -> str:
        """Return the token at a position."""


@runtime_checkable
class ManySpellings(Protocol):
    """A spelling from which many tokens are taken at once."""

    def take(self, places: Integers, bounds: Integers, /) -> Strings:
        """Return a copy of the tokens at these positions, given the bounds of the texts."""


@dataclass(frozen=True)
class Tokens:
    """The tokens of some texts as hashes, with the bounds of each text.

    Attributes
    ----------
    hashes
        One hash per token, one text after another.
    bounds
        Text i has the tokens ``hashes[bounds[i]:bounds[i + 1]]``.
    spelling
        The tokens as text.
    groups
        One group per text, if there are groups.
    compiled
        Whether statistics should use their compiled loops on these tokens.
    wide
        The hashes of 128 bits, if n-grams and texts are counted by them; `hashes` are their first words.

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
    compiled: bool = False
    wide: Hashes | None = None
    _windows: dict[int, Hashes] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        texts: Iterable[Sequence[str]],
        groups: Strings | None = None,
        *,
        compiled: bool = False,
        bits: Bits = 64,
    ) -> Tokens:
        """Return the tokens of texts that are given as lists of tokens."""
        lists = list(texts)
        bounds = bounds_of([len(tokens) for tokens in lists])
        return cls.of_column(chain.from_iterable(lists), bounds, groups, compiled=compiled, bits=bits)

    @classmethod
    def of_column(
        cls,
        tokens: Iterable[str],
        bounds: Integers,
        groups: Strings | None = None,
        *,
        compiled: bool = False,
        bits: Bits = 64,
    ) -> Tokens:
        """Return the tokens of texts that are given as one column of tokens with bounds."""
        numbering = _Numbering()
        ids = np.fromiter(map(numbering.__getitem__, tokens), np.int64, int(bounds[-1]))
        vocabulary = list(numbering)
        spelling = Numbered(ids, vocabulary)
        if bits == 128:
            wide = hashing.hash_strings(vocabulary, 128)[ids]
            return cls(wide[:, 0].copy(), bounds, spelling, groups, compiled, wide)
        return cls(hashing.hash_words(vocabulary)[ids], bounds, spelling, groups, compiled)

    @classmethod
    def of_vectors(cls, hashes: VectorHashes) -> Tokens:
        """Return one token per vector, for vectors that stand for texts."""
        tokens = cls(hashes.of_rows, np.arange(len(hashes.of_rows) + 1), HashNames(hashes.of_rows))
        tokens.__dict__["text_hashes"] = hashes.of_texts
        return tokens

    @classmethod
    def join(cls, pieces: Sequence[Tokens]) -> Tokens:
        """Concatenate the tokens of several pieces.

        Examples
        --------
        >>> both = Tokens.join([Tokens.of([["a", "b"]]), Tokens.of([["c"], []])])
        >>> both.lengths.tolist(), both.spelling[2]
        ([2, 1, 0], 'c')
        """
        if len(pieces) == 1:
            return pieces[0]
        filled = [piece for piece in pieces if len(piece)]
        groups = [piece.groups for piece in filled if piece.groups is not None]
        wide = [piece.wide for piece in filled if piece.wide is not None]
        hashed = [piece.text_hashes for piece in filled if "text_hashes" in piece.__dict__]
        joined = cls(
            np.concatenate([np.zeros(0, np.uint64), *(piece.hashes for piece in filled)]),
            bounds_of(np.concatenate([np.zeros(0, np.int64), *(piece.lengths for piece in filled)])),
            Joined([piece.spelling for piece in filled], bounds_of([len(piece.hashes) for piece in filled])),
            Strings.concatenate(groups) if filled and len(groups) == len(filled) else None,
            any(piece.compiled for piece in filled),
            np.concatenate(wide) if filled and len(wide) == len(filled) else None,
        )
        if filled and len(hashed) == len(filled):
            joined.__dict__["text_hashes"] = np.concatenate(hashed)
        return joined

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @cached_property
    def lengths(self) -> Integers:
        """The number of tokens of each text."""
        return np.diff(self.bounds)

    @cached_property
    def numbered(self) -> tuple[Hashes, Integers]:
        """The distinct hashes, ascending, and the number of each token's hash among them."""
        pieces = [self.spelling] if isinstance(self.spelling, Numbered) else []
        if isinstance(self.spelling, Joined):
            pieces = [piece for piece in self.spelling.spellings if isinstance(piece, Numbered)]
        if sum(len(piece.ids) for piece in pieces) != len(self.hashes):
            return np.unique(self.hashes, return_inverse=True)
        # The words are numbered already, so only the vocabulary is sorted, not all tokens.
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
        """The 64-bit hash of each text: of its tokens, in order."""
        if self.compiled:
            from distinctly.kernels.ngrams import hash_texts

            return hash_texts(self.hashes, self.bounds)
        return hashing.sequence(self.hashes, self.bounds)

    @cached_property
    def wide_text_hashes(self) -> Hashes:
        """The hash of each text in the width of the tokens, 64 or 128 bits."""
        if self.wide is None:
            return self.text_hashes
        if self.compiled:
            from distinctly.kernels.wide import hash_texts

            return hash_texts(self.wide, self.bounds)
        return hashing.sequence(self.wide, self.bounds)

    @cached_property
    def texts(self) -> Strings:
        """The texts, with their tokens joined by spaces."""
        return Strings.encode([" ".join(tokens) for tokens in self.token_lists()])

    def share_hashes(self, pieces: Sequence[Tokens]) -> None:
        """Hash the texts once for these tokens and for the pieces that they were joined from.

        Examples
        --------
        >>> pieces = [Tokens.of([["a", "b"]]), Tokens.of([["c"], []])]
        >>> joined = Tokens.join(pieces)
        >>> joined.share_hashes(pieces)
        >>> pieces[1].text_hashes.tolist() == joined.text_hashes[1:].tolist()
        True
        """
        if self.wide is not None:
            return
        start = 0
        for piece in pieces:
            piece.__dict__["text_hashes"] = self.text_hashes[start : start + len(piece)]
            start += len(piece)

    def token_lists(self) -> list[list[str]]:
        """Return one list of tokens per text.

        Examples
        --------
        >>> Tokens.of([["a", "b"], [], ["a"]]).select(np.array([2, 0])).token_lists()
        [['a'], ['a', 'b']]
        """
        spelled = [self.spelling[place] for place in range(len(self.hashes))]
        return [spelled[start:end] for start, end in pairwise(self.bounds.tolist())]

    def select(self, rows: Integers) -> Tokens:
        """Return the tokens of the texts in these rows."""
        where, bounds = positions(self.bounds, rows)
        groups = None if self.groups is None else self.groups.take(rows)
        wide = None if self.wide is None else self.wide[where]
        spelling = Selected(self.spelling, where)
        selected = Tokens(self.hashes[where], bounds, spelling, groups, self.compiled, wide)
        if "text_hashes" in self.__dict__:
            selected.__dict__["text_hashes"] = self.text_hashes[rows]
        return selected

    def windows(self, n: int) -> Hashes:
        """Return the hash of every window of n tokens, including windows that cross texts."""
        self._windows.setdefault(1, self.hashes)
        for size in range(max(known for known in self._windows if known <= n) + 1, n + 1):
            self._windows[size] = self._extended(self._windows[size - 1][:-1], self.hashes[size - 1 :])
        return self._windows[n]

    def windows_in_turn(
        self,
        sizes: Iterable[int],
        wide: Hashes | None = None,
        copied: Callable[[Hashes], Hashes] = np.copy,
    ) -> Iterator[Hashes]:
        """Yield the windows of ascending sizes from compiled loops, each in the place of those before.

        They have 128 bits if the tokens are given as `wide`. Nothing is kept, and sizes beyond the longest
        text have no windows of their own. `copied` returns the place: a copy of the hashes of tokens.

        Examples
        --------
        >>> tokens = Tokens.of([["a", "b", "c"]])
        >>> [next(tokens.windows_in_turn([n]))[0] == tokens.windows(n)[0] for n in (1, 2)] == [True, True]
        True
        """
        from distinctly.kernels import ngrams
        from distinctly.kernels import wide as wide_ngrams

        words = self.hashes if wide is None else wide
        lengthen = (ngrams if wide is None else wide_ngrams).lengthen
        windows, size = words, 1
        for n in sizes:
            for longer in range(size + 1, min(n, self._longest) + 1):
                windows = copied(words) if longer == 2 else windows
                lengthen(windows, words[longer - 1 :])
                size = longer
            yield windows

    def _extended(self, windows: Hashes, tokens: Hashes) -> Hashes:
        if self.compiled:
            from distinctly.kernels.ngrams import extend

            return extend(windows, tokens)
        return hashing.extend(windows, tokens)

    def grams(self, n: int) -> Hashes:
        """Return the hash of every n-gram, one text after another; n-grams do not cross texts."""
        if n == 1:
            return self.hashes
        return self.windows(n)[self.starts(n)] if n <= self._longest else np.zeros(0, np.uint64)

    def keys(self, n: int) -> Keys:
        """Return the key of every n-gram, by which it is counted: its hash of 64 or 128 bits."""
        if self.wide is None:
            return self.grams(n)
        windows = self.wide
        for size in range(2, min(n, self._longest) + 1):
            windows = hashing.extend(windows[:-1], self.wide[size - 1 :])
        return keys_of(windows[self.starts(n)])

    def starts(self, n: int) -> Integers:
        """Return the position of the first token of every n-gram."""
        if n > self._longest:
            return np.zeros(0, np.int64)
        begins = np.ones(len(self.hashes), np.bool_)
        for back in range(1, n):
            # No n-gram begins at the last n−1 tokens of a text.
            begins[self.bounds[1:][self.lengths >= back] - back] = False
        starts: Integers = np.flatnonzero(begins)
        return starts

    def gram_bounds(self, n: int) -> Integers:
        """Return the bounds of the n-grams of each text."""
        return bounds_of(np.maximum(self.lengths - (n - 1), 0))

    def words_at(self, places: Integers) -> Strings:
        """Return the tokens at these positions as text.

        Examples
        --------
        >>> Tokens.of([["a", "b"], ["c"]]).words_at(np.array([2, 0])).tolist()
        ['c', 'a']
        """
        if isinstance(self.spelling, ManySpellings):
            return self.spelling.take(places, self.bounds)
        return Strings.encode([self.spelling[place] for place in places.tolist()])

    def spell(self, position: int, n: int) -> str:
        """Return the n-gram that begins at a position as readable text."""
        return " ".join(self.spelling[place] for place in range(position, position + n))


@dataclass(frozen=True)
class HashNames:
    """The spelling of hashes that are not of texts: the hash in hexadecimal."""

    hashes: Hashes

    def __getitem__(self, place: int, /) -> str:
        return f"{int(self.hashes[place]):016x}"


@dataclass(frozen=True)
class Numbered:
    """Tokens as numbers in a vocabulary."""

    ids: Integers
    vocabulary: Sequence[str]

    def __getitem__(self, place: int) -> str:
        return self.vocabulary[int(self.ids[place])]


@dataclass(frozen=True)
class Selected:
    """A selection of the tokens of another spelling."""

    spelling: Spelling
    where: Integers

    def __getitem__(self, place: int) -> str:
        return self.spelling[int(self.where[place])]


@dataclass(frozen=True)
class Joined:
    """The tokens of several spellings, one after another."""

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


@dataclass(frozen=True)
class TokenView(View[Tokens]):
    """The tokens of texts.

    Examples
    --------
    >>> TokenView(Words(lc=True)).make(Batch.of(["The cat"]), RunConfig()).token_lists()
    [['the', 'cat']]

    Attributes
    ----------
    tokenizer
        The tokenizer.
    lists_as_given
        Whether texts that came as token lists are read as they are. Otherwise the options of the tokenizer
        that concern tokens apply to them: lower-casing, normalization, and the tokens that are left out.
    """

    tokenizer: Tokenizer
    lists_as_given: bool = False
    kind: ClassVar[ViewKind] = "tokens"

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((TokenView, self.tokenizer))  # cached, since every lookup of a summary needs it

    def __getstate__(self) -> dict[str, object]:
        # Other processes hash strings differently.
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}

    def make(self, batch: Batch, config: RunConfig) -> Tokens:
        """Tokenize the texts; texts that came as token lists are at most normalized and reduced."""
        compiled = bool(config.compiled)
        if batch.only_vectors and batch.vectors is not None:
            return Tokens.of_vectors(batch.vector_hashes)
        if batch.bounds is not None:
            prepared = self._given.prepare_all(batch.strings)
            if not self._given.drops:
                return Tokens.of_column(
                    prepared, batch.bounds, batch.groups, compiled=compiled, bits=config.hash_bits
                )
            spelled = list(prepared)
            kept = [self._given.kept(spelled[start:end]) for start, end in pairwise(batch.bounds.tolist())]
            return Tokens.of(kept, batch.groups, compiled=compiled, bits=config.hash_bits)
        if compiled and (classes := self.tokenizer.character_classes()) is not None:
            from distinctly.views.scanned import scan

            hashes, bounds, spelling = scan(
                self.tokenizer.prepare_all(batch.strings), classes, self.tokenizer, config.hash_bits
            )
            wide = None if hashes.ndim == 1 else hashes
            first = hashes if wide is None else wide[:, 0].copy()
            return Tokens(first, bounds, spelling, batch.groups, True, wide)
        lists = [self._tokenize(text) for text in batch.strings]
        return Tokens.of(lists, batch.groups, compiled=compiled, bits=config.hash_bits)

    def join(self, pieces: Sequence[Tokens]) -> Tokens:
        """Concatenate the tokens of several batches."""
        return Tokens.join(pieces)

    def describe(self, *, came_as_tokens: bool) -> Described:
        """Return the tokenizer and its options."""
        return self._described[came_as_tokens]

    @cached_property
    def _tokenize(self) -> Callable[[str], list[str]]:
        return self.tokenizer.split if self.tokenizer.is_plain else self.tokenizer.tokenize

    @cached_property
    def _given(self) -> Given:
        """The tokenizer of texts that came as token lists."""
        if self.lists_as_given or self.tokenizer.lists_as_given:
            return Given()
        lc, norm = self.tokenizer.lc, self.tokenizer.norm
        if not isinstance(self.tokenizer, Dropping):
            return Given(lc=lc, norm=norm)
        return Given(
            lc=lc,
            norm=norm,
            punct=self.tokenizer.punct,
            numbers=self.tokenizer.numbers,
            stopwords=self.tokenizer.stopwords,
            hash=self.tokenizer.hash,
            stop_lines=self.tokenizer.stop_lines,
        )

    @cached_property
    def _described(self) -> tuple[Described, Described]:
        tokenizers = self.tokenizer, self._given
        of_texts, of_tokens = (("tok", tokenizer.name, tokenizer.options()) for tokenizer in tokenizers)
        return of_texts, of_tokens


# The default view of metrics of tokens.
WORDS = TokenView(Words())
