"""`AllTokens`: the tokens of all texts, in order, as hashes: in memory, or on disk if there are many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from distinctly.statistics.base import Mergeable
from distinctly.statistics.collector import Collector, ReadAgain, Runner, Spill
from distinctly.statistics.hashed_texts import HashedTexts, Piece, regrouped
from distinctly.views.base import View
from distinctly.views.rows import Rows
from distinctly.views.tokens import WORDS, Tokens

# The number of tokens that are read at a time: 8 MB of hashes.
TOGETHER = 1_000_000


@dataclass(frozen=True)
class TextPieces:
    """All texts, in pieces; each piece is read when it is needed.

    Attributes
    ----------
    pieces
        The pieces, in the order of the texts; an iterator if they are to be written, one after another.
    """

    pieces: tuple[Piece, ...] | Iterator[Piece]

    def __post_init__(self) -> None:
        """Check the pieces, which may come from a file."""
        if isinstance(self.pieces, tuple) and not all(isinstance(p, get_args(Piece)) for p in self.pieces):
            raise TypeError("pieces that are no texts")

    def __add__(self, other: TextPieces) -> TextPieces:
        return TextPieces((*self.pieces, *other.pieces))

    def canonical(self) -> TextPieces:
        """Return the same texts in pieces that do not depend on how they were added up, to be written."""
        return TextPieces(regrouped(self.pieces, TOGETHER))

    def moved(self, keep: Callable[[HashedTexts], Piece]) -> TextPieces:
        """Return the same texts, read and kept elsewhere: the files of a run are removed at its end."""
        return TextPieces(tuple(keep(part) for part in regrouped(self.pieces, TOGETHER)))


@dataclass(frozen=True)
class AllTokens(Mergeable[TextPieces, TextPieces]):
    """The tokens of all texts, as hashes of 64 bits.

    Examples
    --------
    >>> every = AllTokens()
    >>> both = every.collect(Tokens.of([["a", "b"]])) + every.collect(Tokens.of([["c"]]))
    >>> [piece.read().lengths.tolist() for piece in every.summarize(both).pieces]
    [[2, 1]]
    """

    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> TextPieces:
        """Take the tokens of a batch."""
        return TextPieces((hashed(tokens),))

    def summarize(self, state: TextPieces) -> TextPieces:
        """Return the texts; those in memory are joined, so that batches do not show."""
        pieces = tuple(state.pieces)
        in_memory = all(isinstance(piece, HashedTexts) for piece in pieces)
        return TextPieces((HashedTexts.join(piece.read() for piece in pieces),) if in_memory else pieces)

    @classmethod
    def collector(cls, statistics: Sequence[AllTokens], spill: Spill) -> Collector:
        """Return a collector that writes tokens to disk if they do not fit in memory."""
        return TokenCollector(statistics, spill)


def hashed(tokens: Tokens) -> HashedTexts:
    """Return the hashes of tokens."""
    return HashedTexts(tokens.hashes, tokens.lengths)


class TokenCollector(Collector):
    """Collects the tokens of one view, in memory up to a limit, and on disk beyond it."""

    def __init__(self, statistics: Sequence[AllTokens], spill: Spill) -> None:
        (self._statistic,) = statistics
        self._spill = spill
        self._kept: list[Piece] = []
        self._pending: list[HashedTexts] = []

    def prepare(self, rows: Rows) -> HashedTexts:
        """Take the hashes of a batch."""
        tokens: Tokens = rows[self._statistic.view]
        # A copy, since the hashes may be a part of a larger array.
        return HashedTexts(tokens.hashes.copy(), tokens.lengths)

    def absorb(self, part: HashedTexts) -> None:
        """Add a batch."""
        self._pending.append(part)

    @property
    def pending_bytes(self) -> int:
        """The number of bytes of the batches that have not been stored."""
        return sum(part.hashes.nbytes + part.lengths.nbytes for part in self._pending)

    def reduce(self, run: Runner) -> None:
        """Store the pending batches."""
        self._kept += [self._spill.keep(part) for part in regrouped(self._pending, TOGETHER)]
        self._pending = []

    def states(self) -> Mapping[Mergeable[Any, Any], Any]:
        """Return the tokens."""
        return {self._statistic: TextPieces((*self._kept, *self._pending))}

    def summaries(self, run: Runner, read_again: ReadAgain) -> Mapping[Any, Any]:
        """Return the tokens: those on disk stay there, as long as they are referred to."""
        return {self._statistic: self._statistic.summarize(self.states()[self._statistic])}
