"""Tables of counts by key: the states of statistics that count n-grams or texts, in any size.

A key is a hash of 64 bits, or of 128 bits as a row of two words. The keys of a table are divided into
`PARTITIONS` parts by their first bits, so that each part can be counted, merged, written and sent alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from distinctly.hashing import Hashes, Keys, keys_of
from distinctly.ragged import Integers, bounds_of
from distinctly.statistics.base import Mergeable, S, Summary

BITS = 10
PARTITIONS = 1 << BITS
# Counts below this are tallied in an array; few keys have larger counts.
SMALL = 1 << 12
# A partition with more distinct keys than this is counted in several turns.
LARGEST_TURN = 4_000_000

# Distinct keys, and the count of each.
HashCounts = tuple[Hashes, Hashes]
D = TypeVar("D")


@dataclass(frozen=True)
class Totals:
    """Sums over texts, which accompany the counts of a table.

    Attributes
    ----------
    total
        The number of counted items: the sum of the counts.
    tokens, texts, short
        The number of tokens, of texts, and of texts that are too short to have a key.
    """

    total: int = 0
    tokens: int = 0
    texts: int = 0
    short: int = 0

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.total + other.total,
            self.tokens + other.tokens,
            self.texts + other.texts,
            self.short + other.short,
        )


class Table(Protocol):
    """Distinct keys with their counts, in partitions."""

    @property
    def totals(self) -> Totals:
        """The sums over the texts that were counted."""

    def entries(self, p: int, /) -> Iterator[HashCounts]:
        """Yield the keys and counts of a partition, each key once.

        In several pieces if it is large: the keys of a piece are then larger than those of the pieces before.
        """


@dataclass(frozen=True)
class Tally:
    """How often keys occur: a summary of a table, or of some of its partitions.

    Attributes
    ----------
    small
        ``small[c]`` keys occur exactly c times.
    large
        The counts of the keys that occur more often than that, ascending.
    most, key
        The largest count, and the smallest key with that count, as bytes.

    Examples
    --------
    >>> tally = Tally.of(np.array([7, 9], np.uint64), np.array([2, 1], np.uint64))
    >>> tally += Tally.of(np.array([5], np.uint64), np.array([5000], np.uint64))
    >>> [column.tolist() for column in tally.counts_of_counts()], tally.most
    ([[1, 2, 5000], [1, 1, 1]], 5000)
    >>> again = Tally.of_counts(*tally.counts_of_counts(), tally.most, tally.key)
    >>> bool((again.small == tally.small).all()), again.large.tolist()
    (True, [5000])
    """

    small: Integers = field(default_factory=lambda: np.zeros(SMALL, np.int64))
    large: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))
    most: int = 0
    key: bytes = b""

    @classmethod
    def of(cls, hashes: Hashes, counts: Hashes) -> Tally:
        """Tally the counts of different keys."""
        is_small = counts < SMALL
        small = np.bincount(counts[is_small].astype(np.int64), minlength=SMALL)
        if not len(counts):
            return cls(small)
        most = int(counts.max())
        key = np.sort(keys_of(hashes[counts == most]))[:1].tobytes()
        return cls(small, np.sort(counts[~is_small]), most, key)

    @classmethod
    def of_counts(cls, counts: Integers, types: Integers, most: int, key: bytes) -> Tally:
        """Return the tally with these counts of counts, which `counts_of_counts` returns."""
        small, is_small = np.zeros(SMALL, np.int64), counts < SMALL
        small[counts[is_small]] = types[is_small]
        return cls(small, np.repeat(counts[~is_small], types[~is_small]).astype(np.uint64), most, key)

    def __add__(self, other: Tally) -> Tally:
        largest = sorted((self, other), key=lambda tally: (-tally.most, _as_number(tally.key)))[0]
        large = np.sort(np.concatenate([self.large, other.large]))
        return Tally(self.small + other.small, large, largest.most, largest.key)

    @property
    def distinct(self) -> int:
        """The number of different keys."""
        return int(self.small.sum()) + len(self.large)

    def counts_of_counts(self) -> tuple[Integers, Integers]:
        """Return the distinct counts, ascending, and the number of keys with each of them."""
        small_counts = np.flatnonzero(self.small)
        large_counts, large_types = np.unique(self.large, return_counts=True)
        return (
            np.concatenate([small_counts, large_counts.astype(np.int64)]),
            np.concatenate([self.small[small_counts], large_types]),
        )


def _as_number(key: bytes) -> tuple[int, bytes]:
    """Return what keys are compared by: 64-bit ones as numbers, and 128-bit ones as bytes."""
    return (int.from_bytes(key, "little"), b"") if len(key) == 8 else (0, key)


class Counting(Mergeable[S, Summary], Generic[S, Summary]):
    """A mergeable statistic whose state is a table of counts.

    Small inputs are counted as a `State` in memory, which can be turned into a table. Large inputs, and those
    of several machines, are counted as tables only.
    """

    # Whether the keys are read in a second pass (see `TwoPass`), and not summarized by a tally.
    joined: ClassVar[bool] = False

    @abstractmethod
    def keys_in(self, data: Any) -> tuple[Hashes, Totals]:
        """Return the keys to count in a batch, with repetitions, and the sums of the batch."""

    def tally(self, entries: Iterator[HashCounts]) -> Any:
        """Return what is needed of the counts of some keys: by default, how often they occur.

        Tallies of different keys can be added.
        """
        return sum((Tally.of(*piece) for piece in entries), Tally())

    @abstractmethod
    def summarize_tally(self, tally: Any, totals: Totals) -> Summary:
        """Return the summary, given the tally of all keys."""

    @abstractmethod
    def as_table(self, state: S) -> PackedTable:
        """Return a state as a table."""

    def summarize_table(self, table: Table) -> Summary:
        """Return the summary of a table."""
        return self.summarize_tally(self.tally_table(table, range(PARTITIONS)), table.totals)

    def tally_table(self, table: Table, partitions: Sequence[int]) -> Any:
        """Tally some partitions of a table."""
        return self.tally(piece for p in partitions for piece in table.entries(p))


@dataclass(frozen=True)
class PackedTable:
    """A table in memory: keys and counts of all partitions, one after another.

    Attributes
    ----------
    hashes, counts
        Keys ascend within a partition.
    bounds
        Where each partition begins and ends.
    totals
        The sums over the texts.

    Examples
    --------
    >>> table = PackedTable.of(np.array([2**63, 1], np.uint64), np.array([4, 5], np.uint64), Totals(9))
    >>> table.hashes.tolist(), [len(hashes) for hashes, _ in table.entries(512)]
    ([1, 9223372036854775808], [1])
    """

    hashes: Hashes
    counts: Hashes
    bounds: Integers
    totals: Totals

    @classmethod
    def of(cls, hashes: Hashes, counts: Integers | Hashes, totals: Totals) -> PackedTable:
        """Return a table of distinct keys in any order."""
        order = key_order(hashes)
        hashes = hashes[order]
        first = hashes if hashes.ndim == 1 else hashes[:, 0]
        starts = np.searchsorted(first, np.arange(PARTITIONS, dtype=np.uint64) << np.uint64(64 - BITS))
        return cls(hashes, counts[order].astype(np.uint64), np.append(starts, len(first)), totals)

    @classmethod
    def packed(cls, table: Table) -> PackedTable:
        """Return any table as a table in memory."""
        partitions = [list(sorted_entries(table, p)) for p in range(PARTITIONS)]
        lengths = [sum(len(hashes) for hashes, _ in pieces) for pieces in partitions]
        hashes, counts = joined([piece for pieces in partitions for piece in pieces])
        return cls(hashes, counts, bounds_of(lengths), table.totals)

    def entries(self, p: int) -> Iterator[HashCounts]:
        """Yield the keys and counts of a partition."""
        part = slice(int(self.bounds[p]), int(self.bounds[p + 1]))
        if part.stop > part.start:
            yield self.hashes[part], self.counts[part]


NONE: Hashes = np.zeros(0, np.uint64)


@dataclass(frozen=True)
class MergedTable:
    """The sum of several tables; a partition is merged when it is read.

    Attributes
    ----------
    tables
        The tables.
    count
        Adds the counts of equal keys, as `add_counts` does; compiled loops are faster.
    """

    tables: Sequence[Table]
    count: Callable[[Hashes, Hashes], HashCounts]

    @property
    def totals(self) -> Totals:
        """The sums over the texts of all tables."""
        return sum((table.totals for table in self.tables), Totals())

    def entries(self, p: int) -> Iterator[HashCounts]:
        """Yield the keys and counts of a partition of all tables together."""
        pieces = [piece for table in self.tables for piece in table.entries(p)]
        turns = turns_for(sum(len(hashes) for hashes, _ in pieces))
        for turn in range(turns):
            hashes, counts = joined([of_turn(*piece, turn, turns) for piece in pieces])
            if len(hashes):
                yield self.count(hashes, counts)


def turns_for(entries: int) -> int:
    """Return the number of turns in which a partition is counted: a power of two."""
    turns = 1
    while entries > turns * LARGEST_TURN:
        turns *= 2
    return turns


def of_turn(hashes: Hashes, counts: Hashes, turn: int, turns: int) -> HashCounts:
    """Return the entries of one turn, chosen by the bits that follow those of the partition."""
    if turns == 1:
        return hashes, counts
    first = hashes if hashes.ndim == 1 else hashes[:, 0]
    selected = (first >> np.uint64(65 - BITS - turns.bit_length())) & np.uint64(turns - 1) == turn
    return hashes[selected], counts[selected]


def add_counts(hashes: Hashes, counts: Hashes) -> HashCounts:
    """Return the distinct keys, and the sum of the counts of each, without compiled loops.

    Examples
    --------
    >>> hashes, counts = add_counts(np.array([5, 3, 5], np.uint64), np.array([1, 1, 2], np.uint64))
    >>> hashes.tolist(), counts.tolist()
    ([3, 5], [1, 3])
    """
    order = key_order(hashes)
    hashes, counts = hashes[order], counts[order]
    if not len(hashes):
        return hashes, counts
    differ = hashes[1:] != hashes[:-1]
    first = np.flatnonzero(np.append(True, differ if hashes.ndim == 1 else differ.any(axis=1)))
    return hashes[first], np.add.reduceat(counts, first)


def key_order(hashes: Hashes) -> Integers:
    """Return an order in which keys ascend, as numbers; of two words, the first decides first."""
    if hashes.ndim == 1:
        return np.argsort(hashes)
    return np.lexsort((hashes[:, 1], hashes[:, 0]))


def sorted_entries(table: Table, p: int) -> Iterator[HashCounts]:
    """Yield the keys and counts of a partition, keys ascending."""
    for hashes, counts in table.entries(p):
        order = key_order(hashes)
        yield hashes[order], counts[order]


def joined(pieces: Sequence[HashCounts]) -> HashCounts:
    """Concatenate keys and counts; pieces without keys may have any width."""
    filled = [piece for piece in pieces if len(piece[0])]
    if len(filled) < 2:
        return filled[0] if filled else (NONE, NONE)
    hashes, counts = (np.concatenate(column) for column in zip(*filled))
    return hashes, counts


def frequent_entries(table: Table, partitions: Sequence[int], least: int) -> HashCounts:
    """Return the entries of some partitions with a count of at least `least`."""
    return joined(
        [
            (hashes[counts >= least], counts[counts >= least])
            for p in partitions
            for hashes, counts in table.entries(p)
        ]
    )


def words_of(keys: Keys) -> Hashes:
    """Return keys that can be sorted as hashes: those of 128 bits as rows of two words."""
    return keys if keys.dtype == np.uint64 else np.ascontiguousarray(keys).view(np.uint64).reshape(-1, 2)
