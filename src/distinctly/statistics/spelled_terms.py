"""`SpelledTerms`: the text of every n-gram by its hash, for states, which have no texts to spell it from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import Hashes
from distinctly.ragged import Integers, bounds_of
from distinctly.statistics.base import Mergeable
from distinctly.statistics.collector import Collector, ReadAgain, Runner
from distinctly.strings import Bytes, Strings
from distinctly.views.base import View
from distinctly.views.rows import Rows
from distinctly.views.tokens import WORDS, Tokens

if TYPE_CHECKING:
    from distinctly.statistics.collector import Spill


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

    @classmethod
    def merged(cls, pieces: Sequence[Spelled]) -> Spelled:
        """Return the n-grams of all pieces."""
        filled = [piece for piece in pieces if len(piece.hashes)]
        if len(filled) < 2:
            return filled[0] if filled else pieces[0]
        length = len(filled[0].lengths) // len(filled[0].hashes)
        hashes = np.concatenate([piece.hashes for piece in filled])
        order = np.argsort(hashes, kind="stable")
        hashes = hashes[order]
        first = np.append(True, hashes[1:] != hashes[:-1])
        words = Strings.concatenate([piece.words for piece in filled])
        return cls.of(hashes[first], words.take(_words_of(order[first], length)))

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
                pieces.append(Spelled.merged([pieces.pop(), pieces.pop()]))
        return SpelledPieces(tuple(pieces))

    def canonical(self) -> SpelledPieces:
        """Return the same n-grams in one piece, whatever they were added up from."""
        return SpelledPieces((Spelled.merged(self.pieces),))


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
        return SpelledPieces((self.spelled(tokens, *self.different(tokens)),))

    def different(self, tokens: Tokens) -> tuple[Hashes, Integers]:
        """Return the hashes of the different n-grams of a batch, ascending, and where each of them begins."""
        hashes, first = np.unique(tokens.grams(self.n), return_index=True)
        return hashes, tokens.starts(self.n)[first]

    def spelled(self, tokens: Tokens, hashes: Hashes, starts: Integers) -> Spelled:
        """Return n-grams with their tokens, given where they begin."""
        return Spelled.of(hashes, tokens.words_at((starts[:, None] + np.arange(self.n)).ravel()))

    def summarize(self, state: SpelledPieces) -> Spelled:
        """Return all n-grams."""
        return Spelled.merged(state.pieces)

    @classmethod
    def collector(cls, statistics: Sequence[SpelledTerms], spill: Spill) -> Collector:  # noqa: ARG003
        """Return a collector that spells each n-gram once."""
        return SpelledCollector(statistics)


class SpelledCollector(Collector):
    """Spells the n-grams of each batch that no batch before had."""

    def __init__(self, statistics: Sequence[SpelledTerms]) -> None:
        self._statistics = list(statistics)
        self._pieces: list[list[Spelled]] = [[] for _ in statistics]
        # The hashes of the pieces, joined when their sizes are similar, so that few are searched.
        self._known: list[list[Hashes]] = [[] for _ in statistics]

    def prepare(self, rows: Rows) -> tuple[Rows, list[tuple[Hashes, Integers]]]:
        """Find the different n-grams of a batch."""
        return rows, [statistic.different(rows[statistic.view]) for statistic in self._statistics]

    def absorb(self, part: tuple[Rows, list[tuple[Hashes, Integers]]]) -> None:
        """Spell the n-grams that are new."""
        rows, different = part
        columns = zip(self._statistics, different, self._pieces, self._known)
        for statistic, (hashes, starts), pieces, known in columns:
            new = np.ones(len(hashes), np.bool_)
            for piece in known:
                places = np.minimum(np.searchsorted(piece, hashes), max(len(piece) - 1, 0))
                new &= piece[places] != hashes if len(piece) else True
            pieces.append(statistic.spelled(rows[statistic.view], hashes[new], starts[new]))
            known.append(hashes[new])
            while len(known) > 1 and len(known[-2]) <= 2 * len(known[-1]):
                known.append(np.sort(np.concatenate([known.pop(), known.pop()]), kind="stable"))

    def states(self) -> Mapping[Mergeable[Any, Any], Any]:
        """Return the n-grams of each length."""
        return {
            statistic: SpelledPieces(tuple(pieces))
            for statistic, pieces in zip(self._statistics, self._pieces)
        }

    def summaries(self, run: Runner, read_again: ReadAgain) -> Mapping[Any, Any]:
        """Return the n-grams of each length, merged."""
        return {statistic: statistic.summarize(state) for statistic, state in self.states().items()}
