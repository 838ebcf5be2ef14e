"""Counts of inputs of any size: keys are sorted into partitions, then counted one partition at a time.

The keys of each batch are sorted by their first bits. When enough keys are pending, each partition is counted
in a table that fits the cache. The result is a *run*: distinct keys and their counts. Runs are spilled, to
memory or to disk. At the end, the runs of each partition are counted once more, and only the counts of counts
are kept; or the runs are merged into one table, which is a state.
"""

from __future__ import annotations

import functools
import math
import operator
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from distinctly.hashing import Hashes, Keys, keys_of
from distinctly.kernels import counting, ngrams, wide
from distinctly.ragged import Integers, bounds_of
from distinctly.statistics.collector import Collector, ReadAgain, Runner, Spill, SpilledRun
from distinctly.statistics.ngram_counts import NgramCounts, Run
from distinctly.statistics.spelling import Sought, least_of_the_top
from distinctly.statistics.tables import (
    BITS,
    PARTITIONS,
    Counting,
    HashCounts,
    Totals,
    add_counts,
    frequent_entries,
    joined,
    of_turn,
    turns_for,
)
from distinctly.views.rows import Rows
from distinctly.views.tokens import Tokens

# The partitions of each call: few calls, and enough for all threads.
PORTIONS = [range(first, first + 16) for first in range(0, PARTITIONS, 16)]
# The largest number of hashes that are counted in one table, so that a very frequent n-gram does not
# need a table for all its occurrences.
LARGEST_TABLE = 1 << 20
# About this number of entries of all runs is answered at a time: memory must not grow with the corpus.
LARGEST_PIECE = 4_000_000

_NO_HASHES: Hashes = np.zeros(0, np.uint64)
Partitioned = tuple[Hashes, Integers]


@dataclass(frozen=True)
class Prepared:
    """The partitioned keys and the sums of one batch, for each statistic."""

    parts: list[Partitioned]
    totals: list[Totals]


class TableCollector(Collector):
    """Counts the keys of several statistics, each in a table."""

    def __init__(self, statistics: Sequence[Counting[Any, Any]], spill: Spill) -> None:
        self._statistics, self._spill = list(statistics), spill
        self._totals = [Totals() for _ in statistics]
        self._pending: list[list[Partitioned]] = [[] for _ in statistics]
        self._runs: list[list[SpilledRun]] = [[] for _ in statistics]
        self._counters = Counters()
        self._bytes = 0
        # The number of batches in each run.
        self.batches: list[int] = []
        self._batches_pending = 0

    @property
    def is_joined(self) -> bool:
        """Whether the tables are read key by key in a second pass."""
        return self._statistics[0].joined

    @property
    def pending_bytes(self) -> int:
        """The number of bytes of keys that are sorted but not counted."""
        return self._bytes

    def prepare(self, rows: Rows) -> Prepared:
        """Partition the keys of a batch."""
        parts, totals = [], []
        for statistic in self._statistics:
            keys, sums = statistic.keys_in(rows[statistic.view])
            hashes = np.empty_like(keys)
            kernels = ngrams if keys.ndim == 1 else wide
            parts.append((hashes, kernels.partition(keys, np.array([0, len(keys)]), 1, BITS, hashes)))
            totals.append(sums)
        return Prepared(parts, totals)

    def absorb(self, part: Prepared) -> None:
        """Add the keys to the pending ones."""
        for place, (partitioned, sums) in enumerate(zip(part.parts, part.totals)):
            self._pending[place].append(partitioned)
            self._bytes += partitioned[0].nbytes
            self._totals[place] += sums
        self._batches_pending += 1

    def reduce(self, run: Runner) -> None:
        """Count the pending keys, and spill the run."""
        if not self._batches_pending:
            return
        for place in range(len(self._statistics)):
            pending, self._pending[place] = self._pending[place], []
            portions = run([partial(_count_pending, self._counters, pending, part) for part in PORTIONS])
            del pending
            partitions = [counted for portion in portions for counted in portion]
            self._runs[place].append(self._spill.put(partitions))
        self._bytes = 0
        self.batches.append(self._batches_pending)
        self._batches_pending = 0

    def tables(self, run: Runner) -> Mapping[Counting[Any, Any], CollectedTable]:
        """Return the counts of each statistic."""
        if any(self._runs):
            self.reduce(run)
        columns = zip(self._statistics, self._totals, self._runs, self._pending)
        return {
            statistic: CollectedTable(totals, runs, pending, self._counters)
            for statistic, totals, runs, pending in columns
        }

    def summaries(self, run: Runner, read_again: ReadAgain) -> dict[Any, Any]:
        """Count each partition a last time."""
        summaries: dict[Any, Any] = {}
        for place, (statistic, table) in enumerate(self.tables(run).items()):
            tallies = run([partial(statistic.tally_table, table, portion) for portion in PORTIONS])
            tally = functools.reduce(operator.add, tallies)
            summaries[statistic] = statistic.summarize_tally(tally, table.totals)
            if not statistic.reads_twice:
                self._pending[place] = []
        return summaries

    def answers(self, run: Runner) -> Iterator[tuple[int, dict[Any, Run]]]:
        """Yield the number of batches of each run, and its keys that occur more than once in all runs.

        The keys of each statistic ascend, and have their counts in all runs. So the batches of a run can be
        read again without a table of all keys.
        """
        self.reduce(run)
        answers = [self._answers_to(runs, run) for runs in self._runs]
        for number, batches in enumerate(self.batches):
            answered = {}
            for statistic, of_runs in zip(self._statistics, answers):
                hashes, counts = joined([kept.read(p) for kept, size in of_runs[number] for p in range(size)])
                answered[statistic] = Run(hashes, counts.view(np.int64))
            yield batches, answered

    def _answers_to(self, runs: Sequence[SpilledRun], run: Runner) -> list[list[tuple[SpilledRun, int]]]:
        """Return, for each run, pieces of its answers, and the number of partitions of each piece."""
        entries = sum(each.length(p) for each in runs for p in range(PARTITIONS))
        step = max(len(PORTIONS) * LARGEST_PIECE // max(entries, 1), 1)
        answers: list[list[tuple[SpilledRun, int]]] = [[] for _ in runs]
        for start in range(0, len(PORTIONS), step):
            portions = run([partial(_answer, runs, portion) for portion in PORTIONS[start : start + step]])
            for number, answered in enumerate(answers):
                partitions = [part for portion in portions for part in portion[number]]
                answered.append((self._spill.put(partitions), len(partitions)))
        return answers


class NgramCollector(TableCollector):
    """Counts the n-grams of several n at once."""

    def __init__(self, statistics: Sequence[NgramCounts], spill: Spill) -> None:
        self._counts = sorted(statistics, key=lambda statistic: statistic.n)
        super().__init__(self._counts, spill)

    def prepare(self, rows: Rows) -> Prepared:
        """Hash and partition the n-grams of a batch."""
        tokens: Tokens = rows[self._counts[0].view]
        lengths = tokens.lengths
        kernels = ngrams if tokens.wide is None else wide
        parts, totals = [], []
        sizes = [statistic.n for statistic in self._counts]
        counter = self._counters.counter
        in_turn = tokens.windows_in_turn(sizes, tokens.wide, lambda words: counter.gather([words]))
        # Memory for all sizes together, and not in the kernel: numpy asks the system for large pages.
        bounds = bounds_of([int(np.maximum(lengths - (n - 1), 0).sum()) for n in sizes])
        memory = np.empty((int(bounds[-1]), 2)[: 1 if tokens.wide is None else 2], np.uint64)
        for place, (statistic, windows) in enumerate(zip(self._counts, in_turn)):
            hashes = memory[bounds[place] : bounds[place + 1]]
            parts.append((hashes, kernels.partition(windows, tokens.bounds, statistic.n, BITS, hashes)))
            totals.append(statistic.totals_in(tokens))
        return Prepared(parts, totals)

    def summaries(self, run: Runner, read_again: ReadAgain) -> dict[Any, Any]:
        """Count each partition a last time, and spell the most frequent n-grams in a second reading."""
        summaries = super().summaries(run, read_again)
        sought = {
            counts: Sought(counts, *self._frequent(counts, least_of_the_top(grams, counts.top), run))
            for counts, grams in summaries.items()
            if counts.top
        }
        if sought:
            for rows in read_again():
                for counts, wanted in sought.items():
                    wanted.look_through(rows[counts.view])
        return {
            counts: replace(grams, top=sought[counts].ranked()) if counts in sought else grams
            for counts, grams in summaries.items()
        }

    def _frequent(self, statistic: NgramCounts, least: int, run: Runner) -> tuple[Keys, Hashes]:
        """Return the keys, ascending, and the counts of all n-grams that occur at least `least` times."""
        table = self.tables(run)[statistic]
        hashes, counts = joined(run([partial(frequent_entries, table, part, least) for part in PORTIONS]))
        keys = keys_of(hashes)
        order = np.argsort(keys)
        return keys[order], counts[order]


class Counter:
    """Counts hashes in memory that is reused: clearing it is cheaper than asking for new memory."""

    def __init__(self) -> None:
        self._table: Hashes = np.empty(0, np.uint64)
        self._gathered: Hashes = np.empty(0, np.uint64)

    def gather(self, pieces: Sequence[Hashes]) -> Hashes:
        """Concatenate hashes; the result is overwritten by the next call."""
        if not pieces:
            return _NO_HASHES
        shape = (sum(map(len, pieces)), *pieces[0].shape[1:])
        words = math.prod(shape)
        if len(self._gathered) < words:
            self._gathered = np.empty(words + words // 4, np.uint64)
        return np.concatenate(pieces, out=self._gathered[:words].reshape(shape))

    def count(self, hashes: Hashes, weights: Hashes = _NO_HASHES) -> HashCounts:
        """Return the distinct hashes and the count of each."""
        if len(hashes) <= LARGEST_TABLE:
            return self._count(hashes, weights)
        starts = range(0, len(hashes), LARGEST_TABLE)
        slices = [slice(start, start + LARGEST_TABLE) for start in starts]
        parts = [self._count(hashes[part], weights[part]) for part in slices]
        return self._count(*(np.concatenate(column) for column in zip(*parts)))

    def _count(self, hashes: Hashes, weights: Hashes) -> HashCounts:
        size = 1 << max(int(1.5 * len(hashes)), 1).bit_length()
        width = hashes.ndim + 1  # the words of a hash, and a count
        if len(self._table) < width * size:
            self._table = np.empty(width * size, np.uint64)
        table = self._table[: width * size].reshape(size, width)
        if hashes.ndim == 1:
            return counting.entries(table, counting.fill(table, hashes, weights))
        return wide.entries(table, wide.fill(table, hashes, weights))


class Counters(threading.local):
    """One counter per thread."""

    def __init__(self) -> None:
        self.counter = Counter()


@dataclass(frozen=True)
class CollectedTable:
    """A table of spilled runs or, if there are none, of pending keys.

    Attributes
    ----------
    totals
        The sums over all batches.
    runs, pending
        What was counted, and what was not.
    counters
        What counts the rest.
    """

    totals: Totals
    runs: Sequence[SpilledRun]
    pending: Sequence[Partitioned]
    counters: Counters = field(repr=False, compare=False)

    def entries(self, p: int) -> Iterator[HashCounts]:
        """Yield the distinct keys and the counts of a partition."""
        counter = self.counters.counter
        if not self.runs:
            hashes = counter.gather(_pieces(self.pending, p))
            if len(hashes):
                yield counter.count(hashes)
        elif len(self.runs) == 1:
            yield self.runs[0].read(p)
        else:
            turns = turns_for(sum(run.length(p) for run in self.runs))
            for turn in range(turns):
                pieces = [of_turn(*run.read(p), turn, turns) for run in self.runs]
                yield counter.count(*(np.concatenate(column) for column in zip(*pieces)))


def _count_pending(counters: Counters, pending: Sequence[Partitioned], portion: range) -> list[HashCounts]:
    counter = counters.counter
    return [counter.count(counter.gather(_pieces(pending, p))) for p in portion]


def _pieces(pending: Sequence[Partitioned], p: int) -> list[Hashes]:
    """Return the keys of a partition."""
    return [hashes[places[p] : places[p + 1]] for hashes, places in pending]


def _answer(runs: Sequence[SpilledRun], portion: range) -> list[list[HashCounts]]:
    """Return, for each run, the keys of each partition that occur more than once in all runs."""
    answers: list[list[HashCounts]] = [[] for _ in runs]
    for p in portion:
        read = [run.read(p) for run in runs]
        for answered, piece in zip(answers, repeated_keys(read)):
            answered.append(piece)
    return answers


def repeated_keys(pieces: Sequence[HashCounts]) -> list[HashCounts]:
    """Return, for each piece, the keys that occur more than once in all pieces, with their counts there.

    Examples
    --------
    >>> first = np.array([7, 3], np.uint64), np.array([1, 1], np.uint64)
    >>> second = np.array([9, 3], np.uint64), np.array([2, 4], np.uint64)
    >>> [(hashes.tolist(), counts.tolist()) for hashes, counts in repeated_keys([first, second])]
    [([3], [5]), ([3, 9], [5, 2])]
    """
    hashes, counts = add_counts(*joined(pieces))
    hashes, counts = hashes[counts > 1], counts[counts > 1]
    answers = []
    for keys, _ in pieces:
        if not len(keys):
            answers.append((hashes[:0], counts[:0]))
            continue
        ascending = np.sort(keys)
        places = np.minimum(np.searchsorted(hashes, ascending), max(len(hashes) - 1, 0))
        present = places[hashes[places] == ascending] if len(hashes) else places[:0]
        answers.append((hashes[present], counts[present]))
    return answers
