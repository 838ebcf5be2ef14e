"""`Matches` and `Recurrences`: n-grams of a text that occur in other texts. Linear in the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from distinctly import hashing
from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.statistics.base import NeedsRows, TwoPass
from distinctly.statistics.means import Mean
from distinctly.statistics.ngram_counts import Counted, Reals, Run
from distinctly.statistics.tables import Counting, PackedTable, Table, Tally, Totals
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

if TYPE_CHECKING:
    from distinctly.statistics.collector import Collector, Spill

RowNumbers = NDArray[np.uint32]

# Few enough keys for the table of a partition to stay in the cache, and no more partitions than the
# processor can write to at once.
_KEYS_PER_PARTITION = 1 << 15
_MOST_BITS = 10
# The last bits of keys, which need not be sorted for a table to be read in order.
_UNSORTED_BITS = 48


@dataclass(frozen=True)
class Matches(NeedsRows[Integers]):
    """The number of n-grams of each text that are matched by the other texts, clipped as in BLEU.

    The count of an n-gram is clipped at its highest count in any other text. Equivalently, its k-th
    occurrence in a text is matched if another text has it at least k times. So an n-gram and k make a
    key, and the matched keys are those that at least two texts have.

    Examples
    --------
    >>> Matches(1).summarize(Tokens.of([["a", "a", "a", "b"], ["a", "a"], ["c"]])).tolist()
    [2, 2, 0]
    """

    n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, tokens: Tokens) -> Integers:
        """Count the matched n-grams of each text."""
        return in_others(tokens, self.n, again=True)


@dataclass(frozen=True)
class Recurrences(NeedsRows[Integers]):
    """The number of other texts that have an n-gram, summed over the distinct n-grams of each text.

    Examples
    --------
    >>> Recurrences(1).summarize(Tokens.of([["a", "a", "b"], ["a", "b"], ["a", "c"]])).tolist()
    [3, 3, 2]
    """

    n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, tokens: Tokens) -> Integers:
        """Add up, for each text, the number of other texts that have each of its n-grams."""
        return in_others(tokens, self.n, again=False)


@dataclass(frozen=True)
class TextsPerKey(Counting[Counted, Run]):
    """The number of texts that have each key; see `occurrences`.

    Examples
    --------
    >>> texts = TextsPerKey(1, again=False)
    >>> sorted(texts.summarize(texts.collect(Tokens.of([["a", "a"], ["a", "b"]]))).counts.tolist())
    [1, 2]
    """

    joined: ClassVar[bool] = True

    n: int
    again: bool
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> Counted:
        """Count the keys of a batch; a text has each key at most once."""
        return Counted.of_keys(occurrences(tokens, self.n, again=self.again)[0])

    def summarize(self, state: Counted) -> Run:
        """Merge all counts."""
        return state.merged()

    def keys_in(self, tokens: Tokens) -> tuple[Hashes, Totals]:
        """Return the keys of a batch."""
        keys = occurrences(tokens, self.n, again=self.again)[0]
        return keys, Totals(total=len(keys))

    def summarize_tally(self, tally: Tally, totals: Totals) -> Run:
        """Raise: the keys themselves are needed."""
        raise TypeError("the number of texts per key is not summarized by a tally")

    def summarize_table(self, table: Table) -> Run:
        """Return the keys of a table that several texts have."""
        packed = PackedTable.packed(table)
        shared = packed.counts > 1
        return Run(packed.hashes[shared], packed.counts[shared].astype(np.int64))

    def as_table(self, state: Counted) -> PackedTable:
        """Return a state as a table."""
        return state.as_table()

    @classmethod
    def collector(cls, statistics: Sequence[TextsPerKey], spill: Spill) -> Collector:
        """Return a collector that counts in partitions, and spills them to disk."""
        from distinctly.statistics.ngram_collector import TableCollector

        return TableCollector(statistics, spill)

    def in_others(self, tokens: Tokens, texts: Run) -> Integers:
        """Return what `in_others` returns, given the number of texts per key in the whole corpus.

        Keys that only one text has may be left out.
        """
        rows, others = self._others(tokens, texts)
        totals = np.bincount(rows, np.minimum(others, 1) if self.again else others, len(tokens))
        return totals.astype(np.int64)  # sums of integers, which are exact as floats

    def alone(self, tokens: Tokens, texts: Run) -> Integers:
        """Return the number of keys of each text that no other text has."""
        rows, others = self._others(tokens, texts)
        return np.bincount(rows[others == 0], minlength=len(tokens))

    def _others(self, tokens: Tokens, texts: Run) -> tuple[RowNumbers, Integers]:
        """Return the row of each key, and the number of other texts that have it."""
        keys, rows = occurrences(tokens, self.n, again=self.again)
        if tokens.compiled and len(keys):
            # In the order of the table, so that neighbouring keys are looked up in the same places.
            order = np.argsort(keys >> np.uint64(_UNSORTED_BITS), kind="stable")
            keys, rows = keys[order], rows[order]
        places = np.searchsorted(texts.hashes, keys)
        known = places < len(texts.hashes)
        known[known] = texts.hashes[places[known]] == keys[known]
        others = np.zeros(len(keys), np.int64)
        others[known] = texts.counts[places[known]] - 1
        return rows, others


class RecurrenceFormula(Protocol):
    """A metric that turns recurrences into one value per text."""

    def each_text(self, recurrences: Integers, lengths: Integers) -> Reals:
        """Return one value per text; NaN where it is undefined."""


@dataclass(frozen=True)
class RecurrenceMean(TwoPass[Mean, Mean]):
    """The mean of a formula of recurrences over texts."""

    columns: Recurrences
    of: RecurrenceFormula

    @property
    def view(self) -> View[Tokens]:
        """The view of the recurrences."""
        return self.columns.view

    def summarize(self, tokens: Tokens) -> Mean:
        """Apply the formula, and add up the values exactly."""
        return Mean.of(self.of.each_text(self.columns.summarize(tokens), tokens.lengths))

    def first(self) -> tuple[TextsPerKey]:
        """Return the number of texts per n-gram."""
        return (TextsPerKey(self.columns.n, again=False, view=self.view),)

    def collect(self, tokens: Tokens, *first: Run) -> Mean:
        """Apply the formula to the texts of a batch."""
        (keys,) = self.first()
        return Mean.of(self.of.each_text(keys.in_others(tokens, first[0]), tokens.lengths))

    def finish(self, state: Mean) -> Mean:
        """Return the mean; it is its own summary."""
        return state


def in_others(tokens: Tokens, n: int, *, again: bool) -> Integers:
    """Return, for each text, the number of matched n-grams (`again`), or of their recurrences."""
    keys, rows = occurrences(tokens, n, again=again)
    totals = np.zeros(len(tokens), np.int64)
    if not tokens.compiled:
        _, where, counts = np.unique(keys, return_inverse=True, return_counts=True)
        others = counts[where] - 1
        np.add.at(totals, rows, np.minimum(others, 1) if again else others)
        return totals
    from distinctly.kernels import recurrence as kernel

    bits = min(max(len(keys) // _KEYS_PER_PARTITION, 1).bit_length(), _MOST_BITS)
    # Allocated here and not in the kernel, since numpy asks the system for large pages.
    sorted_keys, sorted_rows = np.empty_like(keys), np.empty_like(rows)
    places = kernel.sort_keys(keys, rows, bits, sorted_keys, sorted_rows)
    kernel.in_others(sorted_keys, sorted_rows, places, again, totals)
    return totals


def matches_without(tokens: Tokens, n: int, labels: Integers, blocks: int) -> tuple[Integers, Integers]:
    """Return the matches of each text, and how many it loses without each block of texts.

    A text loses a key without a block if all other texts that have the key are in that block. So the texts
    of a key are in two blocks, and it is alone in one of them.

    Parameters
    ----------
    tokens, n
        The texts, and the size of the n-grams.
    labels, blocks
        The block of each text, from 0 on, and the number of blocks.

    Returns
    -------
    matches
        What `Matches` counts.
    losses
        One row per text and one column per block; the column of its own block has no meaning.

    Examples
    --------
    >>> tokens = Tokens.of([["a", "b"], ["a"], ["b"], ["b"]])
    >>> matches, losses = matches_without(tokens, 1, np.array([0, 1, 2, 2]), 3)
    >>> matches.tolist(), losses.tolist()
    ([2, 1, 1, 1], [[0, 1, 1], [1, 0, 0], [0, 0, 0], [0, 0, 0]])
    """
    keys, rows = occurrences(tokens, n, again=True)
    matches = np.zeros(len(tokens), np.int64)
    losses = np.zeros((len(tokens), blocks), np.int64)
    order = np.argsort(keys)
    ordered, rows = keys[order], rows[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    counts = np.diff(np.append(starts, len(ordered)))
    shared = np.repeat(counts > 1, counts)
    rows, counts = rows[shared], counts[counts > 1]
    if not len(rows):
        return matches, losses
    np.add.at(matches, rows, 1)
    starts = np.cumsum(counts) - counts
    of_key = labels[rows]
    lowest, highest = np.minimum.reduceat(of_key, starts), np.maximum.reduceat(of_key, starts)
    in_lowest = of_key == np.repeat(lowest, counts)
    in_highest = of_key == np.repeat(highest, counts)
    low, high = (np.add.reduceat(inside, starts, dtype=np.int64) for inside in (in_lowest, in_highest))
    for inside, alone, others, left_out in ((in_lowest, low, high, highest), (in_highest, high, low, lowest)):
        lost = inside & np.repeat((alone == 1) & (others == counts - 1), counts)
        np.add.at(losses, (rows[lost], np.repeat(left_out, counts)[lost]), 1)
    return matches, losses


def occurrences(tokens: Tokens, n: int, *, again: bool) -> tuple[Hashes, RowNumbers]:
    """Return one key per n-gram of each text, and its row; rows ascend.

    Each repetition of an n-gram in a text has its own key (`again`), or none.
    """
    if not tokens.compiled:
        return _plain_occurrences(tokens, n, again=again)
    from distinctly.kernels import recurrence as kernel

    # Any n above the longest text gives the same result.
    size = min(n, int(tokens.lengths.max(initial=0)) + 1)
    (windows,) = tokens.windows_in_turn([size])
    room = int(np.maximum(tokens.lengths - (size - 1), 0).sum())
    keys, rows = np.empty(room, np.uint64), np.empty(room, np.uint32)
    count = kernel.occurrences(windows, tokens.bounds, size, again, keys, rows)
    return keys[:count], rows[:count]


def _plain_occurrences(tokens: Tokens, n: int, *, again: bool) -> tuple[Hashes, RowNumbers]:
    grams = tokens.grams(n)
    rows = np.repeat(np.arange(len(tokens), dtype=np.uint32), np.diff(tokens.gram_bounds(n)))
    order = np.lexsort((grams, rows))
    grams, rows = grams[order], rows[order]
    new = np.ones(len(grams), np.bool_)
    new[1:] = (grams[1:] != grams[:-1]) | (rows[1:] != rows[:-1])
    if not again:
        return grams[new], rows[new]
    starts = np.flatnonzero(new)
    times = np.arange(len(grams)) - np.repeat(starts, np.diff(np.append(starts, len(grams))))
    later = hashing.mix(grams + times.astype(np.uint64) * hashing.STEP)
    return np.where(times > 0, later, grams), rows
