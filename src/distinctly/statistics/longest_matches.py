"""The longest sequence of tokens from each position of texts that other texts have, by a suffix array."""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers
from distinctly.statistics.hashed_texts import HashedTexts

# The number of tokens of each side whose suffixes are sorted together.
TOGETHER = 2_000_000

Ranks = NDArray[np.int32]
# Numbers of tokens.
Lengths = NDArray[np.int32]


def longest_matches(texts: HashedTexts, others: HashedTexts, *, together: int = TOGETHER) -> Lengths:
    """Return, for each token of texts, the number of tokens from it on that other texts have in sequence.

    Parameters
    ----------
    texts, others
        The texts, and those that they may share sequences with.
    together
        The number of tokens of each side whose suffixes are sorted together, for less memory; it changes no
        number.

    Examples
    --------
    >>> def of(*texts):
    ...     tokens = np.array([ord(token) for text in texts for token in text], np.uint64)
    ...     return HashedTexts(tokens, np.array([len(text) for text in texts]))
    >>> longest_matches(of("abcx", "ba"), of("zab", "bc")).tolist()
    [2, 2, 1, 0, 1, 1]
    """
    if not len(texts.hashes) or not len(others.hashes):
        return np.zeros(len(texts.hashes), np.int32)
    of_parts = [
        reduce(np.maximum, [_of_part(part, other) for other in others.cut(together)])
        for part in texts.cut(together)
    ]
    return np.concatenate(of_parts)


def _of_part(texts: HashedTexts, others: HashedTexts) -> Lengths:
    order = SuffixOrder(HashedTexts.join([texts, others]))
    return order.matches(np.arange(len(texts)), np.arange(len(texts), len(texts) + len(others)))


class SuffixOrder:
    """All suffixes of texts in the order of their tokens, by doubling (Manber & Myers 1993).

    After round k, suffixes with the same first 2ᵏ tokens have the same rank. The longest match of a suffix in
    some texts is with one of its two neighbours in this order that are of these texts, and the ranks of all
    rounds tell how long it is. Each text ends with a token of its own, so that no match crosses texts.

    Parameters
    ----------
    texts
        The texts.
    """

    def __init__(self, texts: HashedTexts) -> None:
        self._bounds = texts.bounds
        self._rounds = _rounds(_with_ends(texts))
        ranks = self._rounds[-1]
        self._order = np.empty(len(ranks), np.int64)
        self._order[ranks] = np.arange(len(ranks))

    def matches(self, texts: Integers, others: Integers) -> Lengths:
        """Return the longest match of each token of some texts in other texts, given the rows of both.

        A text may be on both sides: what it has, it has.
        """
        ranks, order = self._rounds[-1], self._order
        suffixes = self._suffixes(texts)
        is_other = np.zeros(len(ranks), np.bool_)
        is_other[ranks[self._suffixes(others)]] = True
        by_rank = np.arange(len(ranks))
        before = np.maximum.accumulate(np.where(is_other, by_rank, -1))
        after = np.minimum.accumulate(np.where(is_other, by_rank, len(ranks))[::-1])[::-1]
        ends = np.repeat(self._bounds[texts + 1] + texts, np.diff(self._bounds)[texts])
        is_itself = is_other[ranks[suffixes]]
        lengths = np.where(is_itself, ends - suffixes, 0).astype(np.int32)
        for neighbours in (before[ranks[suffixes]], after[ranks[suffixes]]):
            exists = np.flatnonzero(~is_itself & (neighbours >= 0) & (neighbours < len(ranks)))
            common = self._common(suffixes[exists], order[neighbours[exists]])
            lengths[exists] = np.maximum(lengths[exists], common)
        return lengths

    def _suffixes(self, rows: Integers) -> Integers:
        """Return the places of the tokens of texts among all tokens and ends."""
        lengths = np.diff(self._bounds)[rows]
        starts = self._bounds[rows] + rows
        ends = np.cumsum(lengths)
        suffixes: Integers = np.arange(lengths.sum()) + np.repeat(starts - ends + lengths, lengths)
        return suffixes

    def _common(self, first: Integers, second: Integers) -> Integers:
        """Return the number of tokens that two suffixes begin with alike."""
        lengths = np.zeros(len(first), np.int64)
        for k in reversed(range(len(self._rounds))):
            equal = self._rounds[k][first + lengths] == self._rounds[k][second + lengths]
            lengths += np.where(equal, 1 << k, 0)
        return lengths


def _with_ends(texts: HashedTexts) -> Ranks:
    """Return all tokens as small numbers, each text with an end of its own."""
    known, ids = np.unique(texts.hashes, return_inverse=True)
    rows = np.arange(len(texts))
    numbered = np.empty(len(ids) + len(texts), np.int32)
    numbered[np.arange(len(ids)) + np.repeat(rows, texts.lengths)] = ids
    numbered[texts.bounds[1:] + rows] = len(known) + rows
    return numbered


def _rounds(ids: Ranks) -> list[Ranks]:
    """Return the rank of each suffix by its first 1, 2, 4 … tokens, until all ranks differ.

    A rank is the number of suffixes with smaller ones. So those that differ from all others stay as they are,
    and only the others are sorted again.
    """
    starts = np.append(0, np.cumsum(np.bincount(ids)))[:-1]
    ranks = starts[ids].astype(np.int32)
    rounds = [ranks]
    tied = np.flatnonzero(np.bincount(ids)[ids] > 1)
    width = 1
    while len(tied):
        keys = ranks[tied].astype(np.int64) << 32
        keys |= ranks[tied + width]  # each suffix has an end of its own, which no tie reaches
        order = np.argsort(keys)
        keys, tied = keys[order], tied[order]
        new = np.append(True, keys[1:] != keys[:-1])
        first_of_rank = np.append(True, (keys[1:] >> 32) != (keys[:-1] >> 32))
        places = np.arange(len(keys))
        begins = np.maximum.accumulate(np.where(new, places, 0))
        base = np.maximum.accumulate(np.where(first_of_rank, places, 0))
        ranks = ranks.copy()
        ranks[tied] += (begins - base).astype(np.int32)
        rounds.append(ranks)
        alone = new & np.append(new[1:], True)
        tied = tied[~alone]
        width *= 2
    return rounds
