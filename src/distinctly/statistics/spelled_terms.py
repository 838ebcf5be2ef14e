"""`SpelledTerms`: the text of every n-gram by its hash, for states, which have no texts to spell it from."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import Hashes
from distinctly.ragged import Integers, bounds_of
from distinctly.statistics.base import Mergeable
from distinctly.strings import Bytes, Strings
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens


@dataclass(frozen=True)
class Spelled:
    """The tokens of different n-grams, one n-gram after another.

    Attributes
    ----------
    hashes
        The hashes of the n-grams, ascending.
    data, lengths
        The bytes of their tokens, and the number of bytes of each token.
    """

    hashes: Hashes
    data: Bytes
    lengths: NDArray[np.unsignedinteger]

    @classmethod
    def of(cls, hashes: Hashes, words: Strings) -> Spelled:
        """Return the tokens of n-grams whose hashes ascend."""
        copied = words.copy()
        lengths = copied.ends - copied.starts
        # Tokens are short: a byte per length, unless one is long.
        return cls(hashes, copied.data, lengths.astype(np.min_scalar_type(int(lengths.max(initial=0)))))

    @property
    def words(self) -> Strings:
        """The tokens."""
        return Strings.packed(self.data, bounds_of(self.lengths.astype(np.int64)))

    def merge(self, other: Spelled) -> Spelled:
        """Return the n-grams of both."""
        if not len(self.hashes) or not len(other.hashes):
            return self if len(self.hashes) else other
        length = len(self.lengths) // len(self.hashes)
        new = np.flatnonzero(~np.isin(other.hashes, self.hashes, assume_unique=True))
        hashes = np.concatenate([self.hashes, other.hashes[new]])
        words = Strings.concatenate([self.words, other.words.take(_words_of(new, length))])
        order = np.argsort(hashes)
        return Spelled.of(hashes[order], words.take(_words_of(order, length)))

    def words_of(self, keys: Hashes) -> Strings:
        """Return the tokens of some n-grams, all of which are known, one n-gram after another."""
        if not len(keys):
            return Strings.encode([])
        length = len(self.lengths) // len(self.hashes)
        return self.words.take(_words_of(np.searchsorted(self.hashes, keys), length)).copy()


def _words_of(places: Integers, length: int) -> Integers:
    """Return the places of the tokens of n-grams of this length."""
    return np.asarray((places[:, None] * length + np.arange(length)).ravel(), np.int64)


@dataclass(frozen=True)
class SpelledPieces:
    """The state of `SpelledTerms`: n-grams in pieces, merged when their sizes are similar."""

    pieces: tuple[Spelled, ...]

    def __add__(self, other: SpelledPieces) -> SpelledPieces:
        pieces: list[Spelled] = []
        for piece in sorted((*self.pieces, *other.pieces), key=_size, reverse=True):
            pieces.append(piece)
            # Each n-gram is merged a logarithmic number of times in the number of batches.
            while len(pieces) > 1 and _size(pieces[-2]) <= 2 * _size(pieces[-1]):
                pieces.append(pieces.pop().merge(pieces.pop()))
        return SpelledPieces(tuple(pieces))

    def merged(self) -> Spelled:
        """Return all n-grams as one piece."""
        return reduce(Spelled.merge, self.pieces[::-1])

    def canonical(self) -> SpelledPieces:
        """Return the same n-grams in one piece, whatever they were added up from."""
        return SpelledPieces((self.merged(),))


def _size(piece: Spelled) -> int:
    return len(piece.hashes)


@dataclass(frozen=True)
class SpelledTerms(Mergeable[SpelledPieces, Spelled]):
    """The text of all n-grams; it takes about 30 bytes of memory per different n-gram.

    Examples
    --------
    >>> spelled = SpelledTerms(2)
    >>> state = spelled.collect(Tokens.of([["a", "b"]])) + spelled.collect(Tokens.of([["b", "a", "b"]]))
    >>> sorted(zip(*[iter(spelled.summarize(state).words.tolist())] * 2))
    [('a', 'b'), ('b', 'a')]
    """

    n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> SpelledPieces:
        """Spell the n-grams of a batch."""
        hashes, first = np.unique(tokens.grams(self.n), return_index=True)
        starts = tokens.starts(self.n)[first]
        words = tokens.words_at((starts[:, None] + np.arange(self.n)).ravel())
        return SpelledPieces((Spelled.of(hashes, words),))

    def summarize(self, state: SpelledPieces) -> Spelled:
        """Return all n-grams."""
        return state.merged()
