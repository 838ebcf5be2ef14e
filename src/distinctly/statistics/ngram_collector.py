"""N-gram counts of inputs of any size: sorted into partitions, then counted one partition at a time.

The n-grams of each batch are sorted by the first bits of their hashes. When enough n-grams are
pending, each partition is counted in a table that fits the cache. The result is a *run*: distinct
hashes and their counts. Runs are spilled, to memory or to disk. At the end, the runs of each partition
are counted once more, and only the counts of counts are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import Hashes, Keys, keys_of
from distinctly.kernels import counting, ngrams, wide
from distinctly.kernels.counting import SMALL, tally
from distinctly.ragged import Integers
from distinctly.statistics.collector import Collector, ReadAgain, Runner, Spill, SpilledRun
from distinctly.statistics.contents import Copies, TextCounts
from distinctly.statistics.ngram_counts import Grams, NgramCounts
from distinctly.statistics.spelling import Sought, least_of_the_top
from distinctly.views.rows import Rows
from distinctly.views.tokens import Tokens

BITS = 10
PARTITIONS = 1 << BITS
# The partitions of each call: few calls, and enough for all threads.
PORTIONS = [range(first, first + 16) for first in range(0, PARTITIONS, 16)]
# The largest number of hashes that are counted in one table, so that a very frequent n-gram does not
# need a table for all its occurrences.
LARGEST_TABLE = 1 << 20
# A partition with more distinct hashes than this is counted in several turns.
LARGEST_TURN = 4_000_000

_NO_HASHES: Hashes = np.zeros(0, np.uint64)
Partitioned = tuple[Hashes, Integers]


@dataclass
class Totals:
    """Sums over all batches, for one n."""

    total: int = 0
    tokens: int = 0
    texts: int = 0
    short: int = 0


@dataclass(frozen=True)
class Prepared:
    """The partitioned n-grams and the sums of one batch, for each statistic."""

    parts: list[Partitioned]
    totals: list[Totals]


class NgramCollector(Collector):
    """Counts the n-grams of several n at once."""

    def __init__(self, statistics: Sequence[NgramCounts], spill: Spill) -> None:
        self._statistics, self._spill = sorted(statistics, key=lambda statistic: statistic.n), spill
        self._totals = [Totals() for _ in statistics]
        self._pending: list[list[Partitioned]] = [[] for _ in statistics]
        self._runs: list[list[SpilledRun]] = [[] for _ in statistics]
        self._bytes = 0

    @property
    def pending_bytes(self) -> int:
        """The number of bytes of n-grams that are sorted but not counted."""
        return self._bytes

    def prepare(self, rows: Rows) -> Prepared:
        """Hash and partition the n-grams of a batch."""
        tokens: Tokens = rows[self._statistics[0].view]
        lengths = tokens.lengths
        longest = int(lengths.max(initial=0))
        words = tokens.hashes if tokens.wide is None else tokens.wide
        kernels = ngrams if tokens.wide is None else wide
        windows = words.copy()
        parts, totals, size = [], [], 1
        for statistic in self._statistics:
            n = statistic.n
            while size < min(n, longest):
                size += 1
                kernels.lengthen(windows, words[size - 1 :])
            # Allocated here and not in the kernel, since numpy asks the system for large pages.
            count = int(np.maximum(lengths - (n - 1), 0).sum())
            hashes = np.empty((count, *words.shape[1:]), np.uint64)
            parts.append((hashes, kernels.partition(windows, tokens.bounds, n, BITS, hashes)))
            short = int((lengths < n).sum())
            totals.append(Totals(len(parts[-1][0]), len(tokens.hashes), len(tokens), short))
        return Prepared(parts, totals)

    def absorb(self, part: Prepared) -> None:
        """Add the n-grams to the pending ones."""
        for place, (partitioned, sums) in enumerate(zip(part.parts, part.totals)):
            self._pending[place].append(partitioned)
            self._bytes += partitioned[0].nbytes
            totals = self._totals[place]
            totals.total += sums.total
            totals.tokens += sums.tokens
            totals.texts += sums.texts
            totals.short += sums.short

    def reduce(self, run: Runner) -> None:
        """Count the pending n-grams, and spill the run."""
        for place in range(len(self._statistics)):
            pending, self._pending[place] = self._pending[place], []
            if not pending:
                continue
            portions = run([partial(_count_pending, pending, portion) for portion in PORTIONS])
            del pending
            partitions = [counted for portion in portions for counted in portion]
            self._runs[place].append(self._spill.put(partitions))
        self._bytes = 0

    def summaries(self, run: Runner, read_again: ReadAgain) -> Mapping[Any, Any]:
        """Count each partition a last time, and spell the most frequent n-grams in a second reading."""
        if any(self._runs):
            self.reduce(run)
        summaries: dict[NgramCounts, Grams] = {}
        for place, statistic in enumerate(self._statistics):
            find = partial(_entries, self._runs[place], self._pending[place])
            tallies = run([partial(_finish, find, portion) for portion in PORTIONS])
            summaries[statistic] = _grams(tallies, self._totals[place])
            if not statistic.top:
                self._pending[place] = []
        return self._spelled(summaries, run, read_again)

    def _spelled(
        self, summaries: dict[NgramCounts, Grams], run: Runner, read_again: ReadAgain
    ) -> dict[NgramCounts, Grams]:
        """Return the summaries with the most frequent n-grams as text."""
        sought = {
            counts: Sought(counts, *self.frequent(counts, least_of_the_top(grams, counts.top), run))
            for counts, grams in summaries.items()
            if counts.top
        }
        if sought:
            for rows in read_again():
                for counts, ngrams in sought.items():
                    ngrams.look_through(rows[counts.view])
        return {
            counts: replace(grams, top=sought[counts].ranked()) if counts in sought else grams
            for counts, grams in summaries.items()
        }

    def frequent(self, statistic: NgramCounts, least: int, run: Runner) -> tuple[Keys, Hashes]:
        """Return the keys, ascending, and the counts of all n-grams that occur at least `least` times."""
        place = self._statistics.index(statistic)
        find = partial(_entries, self._runs[place], self._pending[place])
        portions = run([partial(_at_least, find, portion, least) for portion in PORTIONS])
        hashes, counts = (np.concatenate(column) for column in zip(*portions))
        keys = keys_of(hashes)
        order = np.argsort(keys)
        return keys[order], counts[order]


class TextCollector(NgramCollector):
    """Counts whole texts, each as if it were one token."""

    def __init__(self, statistics: Sequence[TextCounts], spill: Spill) -> None:
        (self._texts,) = statistics
        self._counts = NgramCounts(1, view=self._texts.view)
        super().__init__([self._counts], spill)

    def prepare(self, rows: Rows) -> Prepared:
        """Hash and partition the texts of a batch."""
        tokens: Tokens = rows[self._texts.view]
        texts = tokens.wide_text_hashes[tokens.lengths > 0]
        hashes = np.empty_like(texts)
        kernels = ngrams if tokens.wide is None else wide
        places = kernels.partition(texts, np.array([0, len(texts)]), 1, BITS, hashes)
        return Prepared([(hashes, places)], [Totals(total=len(texts))])

    def summaries(self, run: Runner, read_again: ReadAgain) -> Mapping[Any, Any]:
        """Count each partition a last time, and find the most frequent text."""
        if any(self._runs):
            self.reduce(run)
        find = partial(_entries, self._runs[0], self._pending[0])
        grams = _grams(run([partial(_finish, find, portion) for portion in PORTIONS]), self._totals[0])
        most = int(grams.largest()[0])
        keys, _ = self.frequent(self._counts, max(most, 1), run)
        return {self._texts: Copies(int(grams.total[0]), int(grams.distinct[0]), most, keys[:1].tobytes())}


class Counter:
    """Counts hashes in a table that is reused, so that its memory stays in the cache."""

    def __init__(self) -> None:
        self._table: Hashes = np.empty(0, np.uint64)

    def count(self, hashes: Hashes, weights: Hashes = _NO_HASHES) -> tuple[Hashes, Hashes]:
        """Return the distinct hashes and the count of each."""
        if len(hashes) <= LARGEST_TABLE:
            return self._count(hashes, weights)
        starts = range(0, len(hashes), LARGEST_TABLE)
        slices = [slice(start, start + LARGEST_TABLE) for start in starts]
        parts = [self._count(hashes[part], weights[part]) for part in slices]
        return self._count(*(np.concatenate(column) for column in zip(*parts)))

    def _count(self, hashes: Hashes, weights: Hashes) -> tuple[Hashes, Hashes]:
        size = 1 << max(int(1.5 * len(hashes)), 1).bit_length()
        width = hashes.ndim + 1  # the words of a hash, and a count
        if len(self._table) < width * size:
            self._table = np.empty(width * size, np.uint64)
        table = self._table[: width * size].reshape(size, width)
        if hashes.ndim == 1:
            return counting.entries(table, counting.fill(table, hashes, weights))
        return wide.entries(table, wide.fill(table, hashes, weights))


def _count_pending(pending: list[Partitioned], portion: range) -> list[tuple[Hashes, Hashes]]:
    counter = Counter()
    return [counter.count(_gathered(pending, p)) for p in portion]


def _gathered(pending: list[Partitioned], p: int) -> Hashes:
    pieces = [hashes[places[p] : places[p + 1]] for hashes, places in pending]
    return np.concatenate(pieces) if pieces else _NO_HASHES


def _entries(
    runs: list[SpilledRun], pending: list[Partitioned], portion: range
) -> Iterator[tuple[Hashes, Hashes]]:
    """Yield the distinct hashes and the counts of each partition of a portion."""
    counter = Counter()
    for p in portion:
        if not runs:
            yield counter.count(_gathered(pending, p))
        elif len(runs) == 1:
            yield runs[0].read(p)
        else:
            size = sum(run.length(p) for run in runs)
            turns = 1
            while size > turns * LARGEST_TURN:
                turns *= 2
            for turn in range(turns):
                pieces = [_only(*run.read(p), turn, turns) for run in runs]
                yield counter.count(*(np.concatenate(column) for column in zip(*pieces)))


Find = Callable[[range], Iterator[tuple[Hashes, Hashes]]]


def _finish(find: Find, portion: range) -> tuple[Integers, Hashes]:
    """Return the number of n-grams that occur 0, 1, 2, … times in a portion, and the larger counts."""
    small = np.zeros(SMALL, np.int64)
    large = [tally(counts, small) for _, counts in find(portion)]
    return small, np.concatenate(large)


def _at_least(find: Find, portion: range, least: int) -> tuple[Hashes, Hashes]:
    """Return the entries of a portion with a count of at least `least`."""
    kept = [(hashes[counts >= least], counts[counts >= least]) for hashes, counts in find(portion)]
    hashes, counts = (np.concatenate(column) for column in zip(*kept))
    return hashes, counts


def _only(hashes: Hashes, counts: Hashes, turn: int, turns: int) -> tuple[Hashes, Hashes]:
    """Return the entries of one turn, chosen by the bits that follow those of the partition."""
    if turns == 1:
        return hashes, counts
    first = hashes if hashes.ndim == 1 else hashes[:, 0]
    selected = (first >> np.uint64(65 - BITS - turns.bit_length())) & np.uint64(turns - 1) == turn
    return hashes[selected], counts[selected]


def _grams(tallies: list[tuple[Integers, Hashes]], totals: Totals) -> Grams:
    small_types: NDArray[np.int64] = np.sum([small for small, _ in tallies], axis=0)
    large_counts, large_types = np.unique(np.concatenate([large for _, large in tallies]), return_counts=True)
    small_counts = np.flatnonzero(small_types)
    counts = np.concatenate([small_counts, large_counts.astype(np.int64)])
    types = np.concatenate([small_types[small_counts], large_types])
    return Grams(
        distinct=np.array([types.sum()]),
        total=np.array([totals.total]),
        tokens=np.array([totals.tokens]),
        texts=np.array([totals.texts]),
        short=np.array([totals.short]),
        counts=counts,
        types=types,
        bounds=np.array([0, len(counts)]),
    )
