"""Sequences of tokens that texts share with others, which may be larger than memory.

The others are read piece by piece, once per length of the sequences: 1, 2, 3 … tokens. What is left after a
few rounds is little, unless passages were copied; a suffix array of it tells how long they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import Hashes
from distinctly.ragged import Integers, positions
from distinctly.statistics.collector import Runner
from distinctly.statistics.hashed_texts import HashedTexts, Piece
from distinctly.statistics.longest_matches import Lengths, longest_matches

# The number of rounds: a suffix array is made of what shares sequences of this number of tokens.
ROUNDS = 8
# The number of tokens that are looked up together, for which tables fit in memory.
TOGETHER = 16_000_000
# The parts of a table, each of which is filled by one thread: a power of two.
PARTS = 2
# The number of tokens of fragments that wait until equal ones are joined.
PENDING = 4_000_000
# One of this number of different sequences is counted, to know how many there are.
SAMPLED = 64

Depths = NDArray[np.uint8]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Fragments:
    """Parts of texts, each of which is the longest that may be shared.

    Attributes
    ----------
    texts
        The tokens of different fragments.
    numbers, offsets
        The row of the first text that has each fragment, and the position of its first token in that text.
    copies
        How often each fragment occurs.
    """

    texts: HashedTexts
    numbers: Integers
    offsets: Integers
    copies: Integers

    @classmethod
    def whole(cls, texts: HashedTexts) -> Fragments:
        """Return whole texts as fragments."""
        size = len(texts)
        return cls(texts, np.arange(size), np.zeros(size, np.int64), np.ones(size, np.int64))

    @classmethod
    def merged(cls, pieces: Sequence[Fragments]) -> Fragments:
        """Return the different fragments of pieces, which are in the order of the texts."""
        texts = HashedTexts.join(piece.texts for piece in pieces)
        first, which = _different(texts)
        copies = np.zeros(len(first), np.int64)
        np.add.at(copies, which, np.concatenate([piece.copies for piece in pieces]))
        return cls(
            texts.take(first),
            np.concatenate([piece.numbers for piece in pieces])[first],
            np.concatenate([piece.offsets for piece in pieces])[first],
            copies,
        )

    def occurrences(self, passage: Hashes) -> tuple[int, int, int]:
        """Return how often a passage occurs, the row of the first text that has it, and its position there.

        Examples
        --------
        >>> texts = HashedTexts(np.array([7, 8, 7, 8, 9], np.uint64), np.array([3, 2]))
        >>> Fragments.whole(texts).occurrences(np.array([8, 9], np.uint64))
        (1, 1, 0)
        """
        tokens = self.texts.hashes
        starts = np.flatnonzero(tokens[: max(len(tokens) - len(passage) + 1, 0)] == passage[0])
        for place in range(1, len(passage)):
            starts = starts[tokens[starts + place] == passage[place]]
        rows = np.searchsorted(self.texts.bounds, starts, "right") - 1
        inside = starts + len(passage) <= self.texts.bounds[rows + 1]
        starts, rows = starts[inside], rows[inside]
        numbers, offsets = self.numbers[rows], self.offsets[rows] + starts - self.texts.bounds[rows]
        first = np.lexsort((offsets, numbers))[0]
        return int(self.copies[rows].sum()), int(numbers[first]), int(offsets[first])


@dataclass(frozen=True)
class Shared:
    """What texts share with others.

    Attributes
    ----------
    lengths
        The longest match of each token of the texts in the others.
    fragments
        Of each part of the texts (`HashedTexts.cut`), all sequences of at least some number of tokens that it
        may share with the others.
    """

    lengths: Lengths
    fragments: list[Fragments]


def shared_with(
    texts: HashedTexts,
    pieces: Sequence[Piece],
    run: Runner,
    *,
    rounds: int = ROUNDS,
    together: int = TOGETHER,
) -> Shared:
    """Return the longest match of each token of texts in other texts, and what they may share with these.

    Parameters
    ----------
    texts
        The texts, in memory.
    pieces
        The other texts, which are read several times.
    run
        Runs calls, in parallel if there are several threads.
    rounds
        The number of rounds, 2 to 255; it changes no length. Fragments have the matches of at least this
        number of tokens.
    together
        The number of tokens of texts that are looked up together, for less memory; it changes no length.
    """
    lengths, fragments = [np.zeros(0, np.int32)], []
    for part in texts.cut(together):
        lookup = _Rounds(part, pieces, run)
        for n in range(1, rounds + 1):
            lookup.look_up(n)
        of_part, shared = lookup.finish(rounds)
        lengths.append(of_part)
        fragments.append(shared)
    return Shared(np.concatenate(lengths), fragments)


class _Rounds:
    """Looks up sequences of 1, 2, 3 … tokens of texts in other texts, and the reverse.

    A sequence of n tokens can only be shared if its first and its last n − 1 tokens are. So each round looks
    up only what the round before has left.
    """

    def __init__(self, texts: HashedTexts, pieces: Sequence[Piece], run: Runner) -> None:
        self._texts, self._pieces, self._run = texts, pieces, run
        self._depths: Depths = np.zeros(len(texts.hashes), np.uint8)
        # Per piece, one bit per token: whether the sequence from there on is shared.
        self._shared: list[Depths | None] = [None] * len(pieces)

    def look_up(self, n: int) -> None:
        """Find out which sequences of n tokens are shared."""
        from distinctly.kernels import shared_sequences as kernel

        table = self._filled(n)
        marks = np.zeros(len(table), np.bool_)
        self._shared = self._run(
            [partial(self._look_up_piece, n, place, table, marks) for place in range(len(self._pieces))]
        )
        arguments = self._texts.hashes, self._texts.is_last, self._depths, np.uintp(n), table, PARTS, marks
        cuts = np.linspace(0, len(self._depths), 2 * PARTS + 1).astype(np.int64)
        self._run([partial(kernel.settle, *arguments, *cut) for cut in pairwise(map(np.uintp, cuts))])

    def _filled(self, n: int) -> Hashes:
        """Return a table of the different sequences that may be shared, at most two thirds full."""
        from distinctly.kernels import shared_sequences as kernel

        arguments = self._texts.hashes, self._texts.is_last, self._depths, np.uintp(n)
        number, sample = kernel.sampled_windows(*arguments)
        sampled = len(np.unique(sample))
        expected = min(number, SAMPLED * int(sampled + 4 * sampled**0.5 + 4))
        size = 1 << max(int(1.5 * expected), 2 * PARTS).bit_length()
        while True:
            table = np.zeros(size, np.uint64)
            if all(self._run([partial(kernel.fill, *arguments, table, p, PARTS) for p in range(PARTS)])):
                return table
            size *= 2

    def _look_up_piece(self, n: int, place: int, table: Hashes, marks: Flags) -> Depths:
        from distinctly.kernels import shared_sequences as kernel

        shared = self._shared[place]
        if shared is not None and not shared.any():
            return shared
        texts = self._pieces[place].read()
        is_last = texts.is_last if n == 2 else np.zeros(0, np.bool_)
        before = np.zeros(-(-len(texts.hashes) // 8), np.uint8) if shared is None else shared
        return kernel.mark(texts.hashes, is_last, before, np.uintp(n), table, PARTS, marks)

    def finish(self, n: int) -> tuple[Lengths, Fragments]:
        """Return the longest matches, and the fragments with those of n tokens, after the round of n."""
        fragments = self._fragments(n)
        lengths = self._depths.astype(np.int32)
        starts, sizes = _runs(self._depths >= n, n)
        if len(starts):
            shared = self._texts.extract(starts, sizes)
            first, which = _different(shared)
            different = shared.take(first)
            matches = longest_matches(different, fragments.texts)
            in_different, _ = positions(different.bounds, which)
            places = np.repeat(starts - shared.bounds[:-1], sizes) + np.arange(len(in_different))
            is_deep = self._depths[places] >= n  # of other positions, shorter matches may be elsewhere
            lengths[places[is_deep]] = matches[in_different[is_deep]]
        return lengths, fragments

    def _fragments(self, n: int) -> Fragments:
        """Return the longest parts of the other texts whose sequences of n tokens are all shared."""
        merged, pending = Fragments.whole(HashedTexts.join([])), list[Fragments]()
        texts_before = 0
        for piece, shared in zip(self._pieces, self._shared):
            texts = piece.read()
            bits = np.zeros(0, np.uint8) if shared is None else shared
            starts, sizes = _runs(np.unpackbits(bits, count=len(texts.hashes), bitorder="little") > 0, n)
            rows = np.searchsorted(texts.bounds, starts, "right") - 1
            parts = texts.extract(starts, sizes)
            ones = np.ones(len(rows), np.int64)
            pending.append(Fragments(parts, rows + texts_before, starts - texts.bounds[rows], ones))
            texts_before += len(texts)
            waiting = sum(len(fragments.texts.hashes) for fragments in pending)
            if waiting > len(merged.texts.hashes) + PENDING:
                merged, pending = Fragments.merged([merged, *pending]), []
        return Fragments.merged([merged, *pending])


def _different(texts: HashedTexts) -> tuple[Integers, Integers]:
    """Return the first row of each different text, and for each text which of them it is."""
    from distinctly.kernels.ngrams import hash_texts

    _, first, which = np.unique(
        hash_texts(texts.hashes, texts.bounds), return_index=True, return_inverse=True
    )
    return first, which


def _runs(begins: Flags, n: int) -> tuple[Integers, Integers]:
    """Return where runs of tokens begin, and their sizes, given where sequences of n tokens begin.

    Examples
    --------
    >>> starts, sizes = _runs(np.array([False, True, True, False, False, False, True, False, False]), 3)
    >>> starts.tolist(), sizes.tolist()
    ([1, 6], [4, 3])
    """
    steps = np.diff(np.concatenate([[False], begins, [False]]).astype(np.int8))
    starts, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    return starts, ends - starts + n - 1
