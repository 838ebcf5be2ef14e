"""`LongestMatches`: how long the sequences are that each token of a candidate begins and a reference has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.config import cores
from distinctly.ragged import Integers, bounds_of
from distinctly.statistics.all_tokens import TOGETHER as PIECE
from distinctly.statistics.all_tokens import AllTokens, TextPieces, hashed
from distinctly.statistics.hashed_texts import HashedTexts, Piece, cut_pieces
from distinctly.statistics.longest_matches import Lengths, SuffixOrder, longest_matches
from distinctly.statistics.pairing import MergeablePair, PairIndex
from distinctly.statistics.pool import Pool
from distinctly.statistics.shared_sequences import ROUNDS, TOGETHER, Fragments, shared_with
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

# Beyond this number of tokens, short sequences are looked up by compiled loops first.
COMPILED_FROM = 500_000


@dataclass(frozen=True)
class Passage:
    """A sequence of tokens of a candidate that a reference has too, and that neither side could make longer.

    Attributes
    ----------
    row, position
        The row of the first text of the candidate that has it, and the position of its first token there.
    length
        Its number of tokens.
    times
        How often it is a longest match in the candidate.
    reference_row, reference_position
        The row of the first text of the reference that has it, and the position of its first token there.
    reference_times
        How often it occurs in the reference.
    """

    row: int
    position: int
    length: int
    times: int
    reference_row: int
    reference_position: int
    reference_times: int


@dataclass(frozen=True)
class Matches:
    """The longest match of each token of a candidate: the number of tokens from it on that a reference has.

    The n tokens from a position on are in the reference if its longest match has at least n tokens.

    Attributes
    ----------
    texts
        The tokens of the candidate.
    lengths
        The longest match of each of them.
    is_reference_empty
        Whether the reference has no tokens.
    fragments
        For each part of the candidate of about `together` tokens, what the reference may share with it: all
        sequences of at least `least` tokens.
    together, least
        See `fragments`.
    """

    texts: HashedTexts
    lengths: Lengths
    is_reference_empty: bool
    fragments: Sequence[Fragments] = field(repr=False, compare=False)
    together: int = field(default=TOGETHER, repr=False, compare=False)
    least: int = field(default=1, repr=False, compare=False)

    @cached_property
    def number_of(self) -> Integers:
        """The number of tokens whose longest match has 0, 1, 2 … tokens."""
        return np.bincount(self.lengths, minlength=1)

    def ngrams(self, n: int) -> Integers:
        """Return the number of n-grams of each text."""
        return np.maximum(self.texts.lengths - (n - 1), 0)

    def novel(self, n: int) -> Integers:
        """Return the number of n-grams of each text that the reference does not have."""
        known = bounds_of((self.lengths >= n).astype(np.int64))[self.texts.bounds]
        return self.ngrams(n) - np.diff(known)

    @property
    def copied_texts(self) -> int:
        """The number of texts with tokens, all of which a text of the reference has in sequence."""
        rows = np.flatnonzero(self.texts.lengths)
        return int((self.lengths[self.texts.bounds[rows]] == self.texts.lengths[rows]).sum())

    def quantile(self, share: float) -> int:
        """Return the longest match of the token at a share of all tokens, in the order of these lengths."""
        upto = np.cumsum(self.number_of)
        return int(np.searchsorted(upto, share * upto[-1])) if upto[-1] else 0

    def passages(self, most: int, at_least: int = 2) -> list[Passage]:
        """Return the longest passages, those of the first texts first; none is a part of another.

        Examples
        --------
        >>> tokens = [Tokens.of([text]) for text in (["a", "b", "c"], ["b", "c", "x", "c"])]
        >>> matches = LongestMatches().combine(*(AllTokens().collect(each) for each in tokens))
        >>> passage = matches.passages(5)[0]
        >>> passage.length, passage.row, passage.position, passage.reference_row, passage.reference_position
        (2, 0, 0, 0, 1)
        """
        least = max(at_least, self.least)
        starts = np.flatnonzero(self._begins_match & (self.lengths >= least))
        starts = starts[np.argsort(-self.lengths[starts], kind="stable")]
        chosen: dict[bytes, Passage] = {}
        for start in starts.tolist():
            length = int(self.lengths[start])
            content = self.texts.hashes[start : start + length].tobytes()
            if content in chosen:
                continue
            if len(chosen) == most:
                break
            if not any(_contains(longer, content) for longer in chosen):
                chosen[content] = self._passage(starts, start, length)
        return list(chosen.values())

    @property
    def _begins_match(self) -> NDArray[np.bool_]:
        """Whether the longest match of each token is no part of the match of the token before it."""
        begins = np.ones(len(self.lengths), np.bool_)
        begins[1:] = self.lengths[1:] >= self.lengths[:-1]
        first = self.texts.bounds[:-1][self.texts.lengths > 0]
        begins[first] = True
        return begins

    def _passage(self, starts: Integers, start: int, length: int) -> Passage:
        hashes, bounds = self.texts.hashes, self.texts.bounds
        passage = hashes[start : start + length]
        alike = starts[self.lengths[starts] == length]
        for place in range(length):
            alike = alike[hashes[alike + place] == passage[place]]
        row = int(np.searchsorted(bounds, start, "right")) - 1
        part = int(np.searchsorted(self._parts, start, "right")) - 1
        times, reference_row, reference_position = self.fragments[part].occurrences(passage)
        position = start - int(bounds[row])
        return Passage(row, position, length, len(alike), reference_row, reference_position, times)

    @cached_property
    def _parts(self) -> Integers:
        """Where each part of the candidate begins that has fragments."""
        return bounds_of([len(part.hashes) for part in self.texts.cut(self.together)])


def _contains(longer: bytes, content: bytes) -> bool:
    """Return whether hashes of 8 bytes are a part of others."""
    place = longer.find(content)
    while place >= 0 and place % 8:
        place = longer.find(content, place + 1)
    return place >= 0


@dataclass(frozen=True)
class LongestMatches(MergeablePair[Matches]):
    """The longest match of each token of the candidate in the reference; exact up to hashing.

    Examples
    --------
    >>> tokens = [Tokens.of([text]) for text in (["a", "b", "c"], ["b", "c", "a", "x"])]
    >>> matches = LongestMatches().combine(*(AllTokens().collect(each) for each in tokens))
    >>> matches.lengths.tolist(), matches.ngrams(2).tolist(), matches.novel(2).tolist()
    ([2, 1, 1, 0], [3], [2])
    """

    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def index(self, pool: Pool) -> PairIndex[Matches]:
        """Sort the suffixes of the pool."""
        return MatchIndex(hashed(pool.view(self.view)))

    def side(self) -> AllTokens:
        """Return the statistic of one side."""
        return AllTokens(view=self.view)

    def combine(self, reference: TextPieces, candidate: TextPieces) -> Matches:
        """Look up the candidate, in memory, in the pieces of the reference."""
        texts = HashedTexts.join(piece.read() for piece in candidate.pieces)
        return find_matches(list(cut_pieces(reference.pieces, PIECE)), texts)


class MatchIndex(PairIndex[Matches]):
    """The tokens of a pool, and the order of their suffixes if they are not too many."""

    def __init__(self, texts: HashedTexts) -> None:
        self._texts = texts

    @cached_property
    def _order(self) -> SuffixOrder:
        return SuffixOrder(self._texts)

    def summarize(self, reference: Integers, candidate: Integers) -> Matches:
        """Find the longest matches of the candidate in the reference."""
        texts, others = (self._texts.take(rows) for rows in (candidate, reference))
        if len(self._texts.hashes) > COMPILED_FROM:
            return find_matches(list(others.cut(PIECE)), texts)
        lengths = self._order.matches(candidate, reference)
        return Matches(texts, lengths, not len(others.hashes), [Fragments.whole(others)])


def find_matches(pieces: Sequence[Piece], texts: HashedTexts) -> Matches:
    """Return the longest matches of texts, in memory, in the pieces of a reference."""
    first = _first_tokens(pieces, COMPILED_FROM - len(texts.hashes))
    if first is not None:
        lengths = longest_matches(texts, first)
        return Matches(texts, lengths, not len(first.hashes), [Fragments.whole(first)])
    with ThreadPoolExecutor(cores()) as threads:

        def run(calls: Sequence[Callable[[], Any]]) -> list[Any]:
            return list(threads.map(_call, calls))

        shared = shared_with(texts, pieces, run, rounds=ROUNDS, together=TOGETHER)
    is_empty = not shared.lengths.any() and not any(len(piece.read().hashes) for piece in pieces)
    return Matches(texts, shared.lengths, is_empty, shared.fragments, TOGETHER, ROUNDS)


def _first_tokens(pieces: Sequence[Piece], most: int) -> HashedTexts | None:
    """Return all texts, unless they have more than this number of tokens."""
    texts: list[HashedTexts] = []
    for piece in pieces:
        texts.append(piece.read())
        most -= len(texts[-1].hashes)
        if most < 0:
            return None
    return HashedTexts.join(texts)


def _call(call: Callable[[], Any]) -> Any:
    return call()
