"""`NgramCounts`: how often each n-gram occurs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import SpecError
from distinctly.hashing import Hashes, Keys
from distinctly.ragged import Integers, bounds_of, positions, sums
from distinctly.statistics.base import Mergeable
from distinctly.statistics.tables import Counting, PackedTable, Tally, Totals, words_of
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

if TYPE_CHECKING:
    from distinctly.statistics.collector import Collector, Spill

Reals = NDArray[np.float64]
_SMALL_COUNT = 1000


@dataclass(frozen=True)
class Grams:
    """A summary of the n-grams of selections of texts, as columns with one entry per selection.

    A formula on these columns works for a corpus (one entry) and for its texts or groups (many).

    Attributes
    ----------
    distinct, total
        N and C: the number of distinct n-grams, and of all n-grams.
    tokens, texts, short
        The number of tokens, of texts, and of texts with fewer than n tokens.
    counts, types, bounds
        The counts of counts, ascending: in selection i, ``types[j]`` n-grams occur exactly
        ``counts[j]`` times, for j from ``bounds[i]`` to ``bounds[i + 1]``.
    top
        The most frequent n-grams as readable text, with their counts, if they were requested.

    In the expected counts of a smaller corpus, `distinct` and `tokens` are not integers.
    """

    distinct: Integers | Reals
    total: Integers
    tokens: Integers | Reals
    texts: Integers
    short: Integers
    counts: Integers
    types: Integers
    bounds: Integers
    top: tuple[tuple[str, int], ...] = ()

    def sum(self, term: Callable[..., Reals], *columns: Reals) -> Reals:
        """Sum a term over the distinct n-grams.

        Parameters
        ----------
        term
            A function of arrays: the counts of n-grams, the total of their selection, and `columns`.
        columns
            More numbers per selection.
        """
        # The numbers of a single selection are broadcast.
        given = [self.total.astype(np.float64), *columns]
        if len(self.total) != 1:
            given = [np.repeat(column, np.diff(self.bounds)) for column in given]
        return sums(self.types * term(self.counts.astype(np.float64), *given), self.bounds)

    @cached_property
    def entropy(self) -> Reals:
        """The entropy of the n-grams of each selection, in bits."""
        return self.sum(lambda counts, total: -counts / total * np.log2(counts / total))

    def seen(self, times: int) -> Reals:
        """Return the number of n-grams that occur exactly `times` times (f₁, f₂, …)."""
        return self.sum(lambda counts, _: (counts == times).astype(np.float64))

    def largest(self) -> Integers:
        """Return the count of the most frequent n-gram; 0 if there is none."""
        padded = np.append(self.counts, 0)  # counts ascend, so the last one of a selection is the largest
        return np.where(np.diff(self.bounds) > 0, padded[self.bounds[1:] - 1], 0)

    def relative_powers(self, q: float) -> Reals:
        """Return ``Σ (c / largest c)^q`` over the distinct n-grams: at least 1, so it cannot underflow."""
        return self.sum(lambda counts, _, largest: (counts / largest) ** q, self.largest().astype(np.float64))

    def chao1(self) -> Reals:
        """Estimate the number of n-grams, seen or unseen: ``N + f₁(f₁−1) / (2(f₂+1))``."""
        once, twice = self.seen(1), self.seen(2)
        return np.asarray(self.distinct + once * (once - 1) / (2 * (twice + 1)), np.float64)

    @classmethod
    def concatenate(cls, columns: Sequence[Grams]) -> Grams:
        """Concatenate the columns of several summaries."""

        def joined(name: str) -> Any:
            return np.concatenate([np.zeros(0, np.int64), *(getattr(grams, name) for grams in columns)])

        lengths = [len(part) for grams in columns for part in np.split(grams.counts, grams.bounds[1:-1])]
        return cls(
            distinct=joined("distinct"),
            total=joined("total"),
            tokens=joined("tokens"),
            texts=joined("texts"),
            short=joined("short"),
            counts=joined("counts"),
            types=joined("types"),
            bounds=bounds_of(lengths),
        )


@dataclass(frozen=True)
class Run:
    """Distinct hashes in ascending order with their counts, so that a partition is a slice."""

    hashes: Keys
    counts: Integers
    spellings: NDArray[np.object_] | None = None

    def __len__(self) -> int:
        return len(self.hashes)

    def merge(self, other: Run) -> Run:
        """Return one run with the counts of both added."""
        if self.hashes.dtype != other.hashes.dtype:
            raise SpecError("Counts by hashes of 64 and of 128 bits cannot be added: give all hash_bits=128.")
        hashes = np.concatenate([self.hashes, other.hashes])
        order = np.argsort(hashes, kind="stable")  # linear on two sorted parts
        hashes, counts = hashes[order], np.concatenate([self.counts, other.counts])[order]
        first = np.flatnonzero(np.concatenate([[True], hashes[1:] != hashes[:-1]])) if len(hashes) else order
        spellings = None
        if self.spellings is not None and other.spellings is not None:
            spellings = np.concatenate([self.spellings, other.spellings])[order][first]
        added = np.add.reduceat(counts, first) if len(first) else counts
        return Run(hashes[first], added, spellings)


@dataclass(frozen=True)
class Counted:
    """The state of `NgramCounts`: sorted runs, merged when their sizes are similar."""

    runs: tuple[Run, ...]
    total: int
    tokens: int
    texts: int
    short: int

    def __add__(self, other: Counted) -> Counted:
        runs: list[Run] = []
        for run in sorted((*self.runs, *other.runs), key=len, reverse=True):
            runs.append(run)
            # Each n-gram is merged a logarithmic number of times in the number of batches.
            while len(runs) > 1 and len(runs[-2]) <= 2 * len(runs[-1]):
                runs.append(runs.pop().merge(runs.pop()))
        return Counted(
            tuple(runs),
            self.total + other.total,
            self.tokens + other.tokens,
            self.texts + other.texts,
            self.short + other.short,
        )

    @classmethod
    def of_keys(cls, keys: Hashes) -> Counted:
        """Count keys that are not n-grams of texts."""
        return cls((Run(*np.unique(keys, return_counts=True)),), len(keys), 0, 0, 0)

    def canonical(self) -> Counted:
        """Return the same counts as one run, whatever they were added up from."""
        return replace(self, runs=(self.merged(),))

    @property
    def totals(self) -> Totals:
        """The sums over the texts."""
        return Totals(self.total, self.tokens, self.texts, self.short)

    def as_table(self) -> PackedTable:
        """Return the counts as a table."""
        run = self.merged()
        return PackedTable.of(words_of(run.hashes), run.counts, self.totals)

    def merged(self) -> Run:
        """Return all counts as one run."""
        runs = list(self.runs)
        while len(runs) > 1:
            runs.append(runs.pop().merge(runs.pop()))
        return runs[0]


@dataclass(frozen=True)
class NgramCounts(Counting[Counted, Grams]):
    """Counts of the n-grams of texts, by hash; exact unless two hashes collide.

    Attributes
    ----------
    n
        The number of tokens per n-gram.
    top
        The number of most frequent n-grams to keep as readable text (costs memory).

    Examples
    --------
    >>> counts = NgramCounts(1, top=2)
    >>> grams = counts.summarize(counts.collect(Tokens.of([["a", "b", "a"], ["c"]])))
    >>> grams.distinct.tolist(), grams.total.tolist(), grams.top
    ([3], [4], (('a', 2), ('b', 1)))
    """

    n: int
    top: int = 0
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> Counted:
        """Count the n-grams of a batch."""
        grams = tokens.keys(self.n)
        if self.top:
            hashes, first, counts = np.unique(grams, return_index=True, return_counts=True)
            starts = tokens.starts(self.n)[first]
            spellings = np.array([tokens.spell(int(start), self.n) for start in starts], dtype=np.object_)
            run = Run(hashes, counts, spellings)
        else:
            run = Run(*np.unique(grams, return_counts=True))
        return Counted(
            (run,), len(grams), len(tokens.hashes), len(tokens), int((tokens.lengths < self.n).sum())
        )

    def summarize(self, state: Counted) -> Grams:
        """Turn the counts into counts of counts."""
        run = state.merged()
        counts, types = counts_of_counts(run.counts)
        return Grams(
            distinct=np.array([len(run)]),
            total=np.array([state.total]),
            tokens=np.array([state.tokens]),
            texts=np.array([state.texts]),
            short=np.array([state.short]),
            counts=counts,
            types=types,
            bounds=np.array([0, len(counts)]),
            top=_most_frequent(run, self.top),
        )

    def keys_in(self, tokens: Tokens) -> tuple[Hashes, Totals]:
        """Return the n-grams of a batch."""
        return words_of(tokens.keys(self.n)), self.totals_in(tokens)

    def totals_in(self, tokens: Tokens) -> Totals:
        """Return the sums of a batch."""
        ngrams = int(np.maximum(tokens.lengths - (self.n - 1), 0).sum())
        return Totals(ngrams, len(tokens.hashes), len(tokens), int((tokens.lengths < self.n).sum()))

    def summarize_tally(self, tally: Tally, totals: Totals) -> Grams:
        """Return the counts of counts; the n-grams are spelled elsewhere."""
        counts, types = tally.counts_of_counts()
        return Grams(
            distinct=np.array([tally.distinct]),
            total=np.array([totals.total]),
            tokens=np.array([totals.tokens]),
            texts=np.array([totals.texts]),
            short=np.array([totals.short]),
            counts=counts,
            types=types,
            bounds=np.array([0, len(counts)]),
        )

    def as_table(self, state: Counted) -> PackedTable:
        """Return a state as a table."""
        return state.as_table()

    @classmethod
    def collector(cls, statistics: Sequence[NgramCounts], spill: Spill) -> Collector:
        """Return a collector that counts several n at once, in partitions that fit the processor's cache."""
        from distinctly.statistics.ngram_collector import NgramCollector

        return NgramCollector(statistics, spill)

    @property
    def reads_twice(self) -> bool:
        """Whether n-grams have to be spelled."""
        return bool(self.top)

    def each_text(self, tokens: Tokens) -> Grams:
        """Summarize each text separately."""
        if not tokens.compiled:
            return self.index(tokens).each(np.arange(len(tokens)), len(tokens))
        from distinctly.kernels.ngrams import text_counts

        n = min(
            self.n, int(tokens.lengths.max(initial=0)) + 1
        )  # any n above the longest text gives the same result
        distinct, bounds, counts, types = text_counts(tokens.windows(n), tokens.bounds, n)
        return Grams(
            distinct=distinct,
            total=np.maximum(tokens.lengths - (self.n - 1), 0),
            tokens=tokens.lengths,
            texts=np.ones(len(tokens), np.int64),
            short=(tokens.lengths < self.n).astype(np.int64),
            counts=counts,
            types=types,
            bounds=bounds,
        )

    def index(self, tokens: Tokens) -> NgramIndex:
        """Number the n-grams once, for any selection of the texts."""
        return NgramIndex(self, tokens)


@dataclass(frozen=True)
class SpelledCounts:
    """The n-grams of a corpus with their counts and texts, in the order of their hashes."""

    run: Run

    def spell(self, codes: Integers) -> list[str]:
        """Return the texts of n-grams, given their positions."""
        spellings = self.run.spellings
        return [] if spellings is None else [str(text) for text in spellings[codes]]

    @cached_property
    def alphabetical(self) -> Integers:
        """The rank of each n-gram in alphabetical order."""
        return alphabetical_ranks(self.spell(np.arange(len(self.run))))


@dataclass(frozen=True)
class NgramTable(Mergeable[Counted, SpelledCounts]):
    """The counts and texts of all n-grams, for comparing two corpora n-gram by n-gram.

    Examples
    --------
    >>> table = NgramTable(1)
    >>> counts = table.summarize(table.collect(Tokens.of([["a", "b", "a"]])))
    >>> sorted(zip(counts.spell(np.arange(2)), counts.run.counts.tolist()))
    [('a', 2), ('b', 1)]
    """

    n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> Counted:
        """Count and spell the n-grams of a batch."""
        return NgramCounts(self.n, top=1, view=self.view).collect(tokens)

    def summarize(self, state: Counted) -> SpelledCounts:
        """Merge all counts."""
        return SpelledCounts(state.merged())


def alphabetical_ranks(texts: Sequence[str]) -> Integers:
    """Return the rank of each text in alphabetical order.

    Examples
    --------
    >>> alphabetical_ranks(["b", "c", "a"]).tolist()
    [1, 2, 0]
    """
    ranks = np.empty(len(texts), np.int64)
    ranks[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
    return ranks


class NgramIndex:
    """The n-grams of texts as small numbers, so that a selection is counted without hashing."""

    def __init__(self, statistic: NgramCounts, tokens: Tokens) -> None:
        self._statistic, self._tokens = statistic, tokens
        self._codes, self._size = _numbered(tokens, statistic.n)
        self.n, self.lengths = statistic.n, tokens.lengths
        small = tokens.compiled and self._size < 2**31
        self._small = self._codes.astype(np.int32) if small else None
        self._bounds = tokens.gram_bounds(statistic.n)

    def spell(self, codes: Integers) -> list[str]:
        """Return the texts of n-grams, given their numbers."""
        return [self._tokens.spell(place, self._statistic.n) for place in self._places[codes].tolist()]

    @cached_property
    def _places(self) -> Integers:
        """The position of one occurrence of each n-gram, by its number."""
        places = np.zeros(self._size, np.int64)
        places[self._codes] = self._tokens.starts(self._statistic.n)
        return places

    @cached_property
    def alphabetical(self) -> Integers:
        """The rank of each n-gram in alphabetical order, by its number."""
        return alphabetical_ranks(self.spell(np.arange(self._size)))

    def occurring(self, rows: Integers) -> Integers:
        """Return the count of each n-gram in the texts of these rows, by its number."""
        if self._small is not None:
            from distinctly.kernels.ngrams import count_rows

            return count_rows(self._small, self._bounds, rows, self._size)
        where, _ = positions(self._bounds, rows)
        return np.bincount(self._codes[where], minlength=self._size)

    @property
    def size(self) -> int:
        """The number of distinct n-grams of all texts."""
        return self._size

    def by_unit(self, rows: Integers, labels: Integers) -> tuple[Integers, Integers, Integers]:
        """Return each unit and n-gram that it has, and how often.

        Text ``rows[i]`` belongs to unit ``labels[i]``.
        """
        if self._tokens.compiled:
            from distinctly.kernels.ngrams import count_units

            order = np.argsort(labels, kind="stable")
            return count_units(self._codes, self._bounds, rows[order], labels[order], self._size)
        where, bounds = positions(self._bounds, rows)
        size = max(self._size, 1)
        keys, counts = np.unique(
            np.repeat(labels, np.diff(bounds)) * size + self._codes[where], return_counts=True
        )
        units, grams = np.divmod(keys, size)
        return units, grams, counts

    def summarize(self, rows: Integers) -> Grams:
        """Return the summary of the texts in these rows together."""
        if self._statistic.top:
            return self._statistic.summarize(self._statistic.collect(self._tokens.select(rows)))
        lengths = self._tokens.lengths[rows]
        # One count per n-gram of all texts, so that no selection has to be sorted.
        types = np.bincount(self.occurring(rows), minlength=1)
        counts = np.flatnonzero(types[1:]) + 1
        return Grams(
            distinct=np.array([types[1:].sum()], np.int64),
            total=np.array([np.maximum(lengths - (self._statistic.n - 1), 0).sum()], np.int64),
            tokens=np.array([lengths.sum()], np.int64),
            texts=np.array([len(rows)]),
            short=np.array([(lengths < self._statistic.n).sum()], np.int64),
            counts=counts,
            types=types[counts],
            bounds=np.array([0, len(counts)]),
        )

    def each(self, labels: Integers, selections: int, rows: Integers | None = None) -> Grams:
        """Summarize many selections at once: text i belongs to selection ``labels[i]``."""
        selected = np.arange(len(self._tokens)) if rows is None else rows
        where, bounds = positions(self._bounds, selected)
        keys = np.repeat(labels, np.diff(bounds)) * self._size + self._codes[where]
        distinct_keys, counts = np.unique(keys, return_counts=True)
        owners = distinct_keys // max(self._size, 1)
        # The same for the counts: the number of n-grams of a selection with each count.
        widest = int(counts.max(initial=0)) + 1
        pairs, types = np.unique(owners * widest + counts, return_counts=True)
        lengths = self._tokens.lengths[selected]
        short = lengths < self._statistic.n
        return Grams(
            distinct=np.bincount(owners, minlength=selections),
            total=np.bincount(labels, np.diff(bounds), selections).astype(np.int64),
            tokens=np.bincount(labels, lengths, selections).astype(np.int64),
            texts=np.bincount(labels, minlength=selections),
            short=np.bincount(labels, short, selections).astype(np.int64),
            counts=pairs % widest,
            types=types,
            bounds=bounds_of(np.bincount(pairs // widest, minlength=selections)),
        )


def _numbered(tokens: Tokens, n: int) -> tuple[Integers, int]:
    """Return the number of each n-gram among the distinct n-grams, and how many those are."""
    if tokens.compiled and tokens.wide is None:
        from distinctly.kernels.ngrams import number

        return number(tokens.grams(n))
    if n == 1 and tokens.wide is None:
        hashes, codes = tokens.numbered
    else:
        hashes, codes = np.unique(tokens.keys(n), return_inverse=True)
    return codes, len(hashes)


def counts_of_counts(counts: Integers) -> tuple[Integers, Integers]:
    """Return the distinct counts, ascending, and the number of times that each of them occurs."""
    if int(counts.max(initial=0)) > len(counts) + _SMALL_COUNT:
        return np.unique(counts, return_counts=True)
    types = np.bincount(counts)  # faster, and small where no count is much larger than their number
    distinct = np.flatnonzero(types)
    return distinct, types[distinct]


def _most_frequent(run: Run, top: int) -> tuple[tuple[str, int], ...]:
    if not top or run.spellings is None:
        return ()
    ranked = sorted(zip(run.spellings.tolist(), run.counts.tolist()), key=lambda pair: (-pair[1], pair[0]))
    return tuple(ranked[:top])
