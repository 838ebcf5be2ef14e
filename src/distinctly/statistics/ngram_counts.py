"""`NgramCounts`: how often each n-gram occurs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import Hashes
from distinctly.ragged import Integers, bounds_of, positions, sums
from distinctly.statistics.base import Mergeable
from distinctly.statistics.rarefaction import expected_counts, seen_in_sample
from distinctly.views.base import View
from distinctly.views.tokens import Tokens
from distinctly.views.words import WORDS

if TYPE_CHECKING:
    from distinctly.statistics.collector import Collector, Spill

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Grams:
    """What the n-grams of a selection of texts come to; one column entry a selection.

    A formula written for the columns serves the corpus (one entry) and its texts or groups (many).

    Attributes
    ----------
    distinct, total
        N and C: n-grams that differ, and n-grams in all.
    tokens, texts, short
        Tokens, texts, and texts with fewer than n tokens.
    counts, types, bounds
        The counts of counts, ascending: in selection i, ``types[j]`` n-grams occur exactly
        ``counts[j]`` times, for j from ``bounds[i]`` to ``bounds[i + 1]``.
    top
        The most frequent n-grams as readable text, with their counts, where they were asked for.

    Of counts that are expected in a smaller sample, `distinct` and `types` are no whole numbers.
    """

    distinct: Integers | Reals
    total: Integers
    tokens: Integers
    texts: Integers
    short: Integers
    counts: Integers
    types: Integers | Reals
    bounds: Integers
    top: tuple[tuple[str, int], ...] = ()

    def sum(self, term: Callable[[Reals, Reals], Reals]) -> Reals:
        """Sum a term over the distinct n-grams, from their counts and their selection's total."""
        # One selection needs no repetition of its total.
        totals = self.total if len(self.total) == 1 else np.repeat(self.total, np.diff(self.bounds))
        terms = term(self.counts.astype(np.float64), totals.astype(np.float64))
        return sums(self.types * terms, self.bounds)

    @cached_property
    def entropy(self) -> Reals:
        """The entropy of the n-grams of each selection, in bits."""
        return self.sum(lambda counts, total: -counts / total * np.log2(counts / total))

    def seen(self, times: int) -> Reals:
        """Return how many n-grams occur exactly so many times (f₁, f₂, …)."""
        return self.sum(lambda counts, _: (counts == times).astype(np.float64))

    def largest(self) -> Integers:
        """Return how often the most frequent n-gram occurs; 0 where there is none."""
        padded = np.append(self.counts, 0)  # ascending, so it is the last one
        return np.where(np.diff(self.bounds) > 0, padded[self.bounds[1:] - 1], 0)

    def chao1(self) -> Reals:
        """Estimate how many n-grams there are, seen or not: ``N + f₁(f₁−1) / (2(f₂+1))``."""
        once, twice = self.seen(1), self.seen(2)
        return np.asarray(self.distinct + once * (once - 1) / (2 * (twice + 1)), np.float64)

    def rarefied(self, sample: int) -> Grams:
        """Return the counts to expect in a random sample of so many n-grams, without replacement.

        For one selection; one that has no more n-grams than that is its own sample.
        """
        if int(self.total[0]) <= sample:
            return self
        counts, types = expected_counts(self.counts, self.types, int(self.total[0]), sample)
        found = seen_in_sample(self.counts, int(self.total[0]), sample)
        return replace(
            self,
            distinct=np.array([min(float(self.types @ found), float(sample))]),
            total=np.array([sample]),
            counts=counts,
            types=types,
            bounds=np.array([0, len(counts)]),
        )

    @classmethod
    def concatenate(cls, columns: Sequence[Grams]) -> Grams:
        """Put the columns of several summaries one after the other."""

        def joined(name: str) -> Any:
            return np.concatenate([np.zeros(0, np.int64), *(getattr(one, name) for one in columns)])

        lengths = [len(part) for one in columns for part in np.split(one.counts, one.bounds[1:-1])]
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

    hashes: Hashes
    counts: Integers
    spellings: NDArray[np.object_] | None = None

    def __len__(self) -> int:
        return len(self.hashes)

    def merge(self, other: Run) -> Run:
        """Return one run with the counts of both added."""
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
    """The state of `NgramCounts`: sorted runs, merged when their sizes are alike."""

    runs: tuple[Run, ...]
    total: int
    tokens: int
    texts: int
    short: int

    def __add__(self, other: Counted) -> Counted:
        runs: list[Run] = []
        for run in sorted((*self.runs, *other.runs), key=len, reverse=True):
            runs.append(run)
            # Each n-gram is merged a logarithmic number of times, however many batches there are.
            while len(runs) > 1 and len(runs[-2]) <= 2 * len(runs[-1]):
                runs.append(runs.pop().merge(runs.pop()))
        return Counted(
            tuple(runs),
            self.total + other.total,
            self.tokens + other.tokens,
            self.texts + other.texts,
            self.short + other.short,
        )

    def merged(self) -> Run:
        """Return all counts as one run."""
        runs = list(self.runs)
        while len(runs) > 1:
            runs.append(runs.pop().merge(runs.pop()))
        return runs[0]


@dataclass(frozen=True)
class NgramCounts(Mergeable[Counted, Grams]):
    """Counts of the n-grams of texts, by their hash; exact up to a collision of 64 bits.

    Attributes
    ----------
    n
        Tokens an n-gram.
    top
        How many of the most frequent n-grams to keep as readable text (costs memory).

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

    def collect(self, view: Tokens) -> Counted:
        """Count the n-grams of a batch."""
        grams = view.grams(self.n)
        if self.top:
            hashes, first, counts = np.unique(grams, return_index=True, return_counts=True)
            starts = view.starts(self.n)[first]
            spellings = np.array([view.spell(int(at), self.n) for at in starts], dtype=np.object_)
            run = Run(hashes, counts, spellings)
        else:
            run = Run(*np.unique(grams, return_counts=True))
        return Counted((run,), len(grams), len(view.hashes), len(view), int((view.lengths < self.n).sum()))

    def summarize(self, state: Counted) -> Grams:
        """Turn the counts into counts of counts."""
        run = state.merged()
        counts, types = np.unique(run.counts, return_counts=True)
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

    @classmethod
    def collector(cls, statistics: Sequence[NgramCounts], spill: Spill) -> Collector:
        """Count several n at once, in partitions that fit the processor's cache."""
        from distinctly.statistics.ngram_collector import NgramCollector

        return NgramCollector(statistics, spill)

    @property
    def reads_twice(self) -> bool:
        """Whether n-grams have to be spelled."""
        return bool(self.top)

    def each_text(self, view: Tokens) -> Grams:
        """Summarize every text of a view by itself."""
        if not view.compiled:
            return self.index(view).each(np.arange(len(view)), len(view))
        from distinctly.kernels.ngrams import text_counts

        n = min(self.n, int(view.lengths.max(initial=0)) + 1)  # longer than all texts is long enough
        distinct, bounds, counts, types = text_counts(view.windows(n), view.bounds, n)
        return Grams(
            distinct=distinct,
            total=np.maximum(view.lengths - (self.n - 1), 0),
            tokens=view.lengths,
            texts=np.ones(len(view), np.int64),
            short=(view.lengths < self.n).astype(np.int64),
            counts=counts,
            types=types,
            bounds=bounds,
        )

    def index(self, view: Tokens) -> NgramIndex:
        """Number the n-grams of a view once, for any selection of its texts."""
        return NgramIndex(self, view)


@dataclass(frozen=True)
class SpelledCounts:
    """The n-grams of a corpus with their counts, in the order of their hashes, each as readable text."""

    run: Run

    def spell(self, codes: Integers) -> list[str]:
        """Return n-grams as text, by their places."""
        spellings = self.run.spellings
        return [] if spellings is None else [str(text) for text in spellings[codes]]

    @cached_property
    def alphabetical(self) -> Integers:
        """The rank of each n-gram in the order of their texts."""
        return alphabetical_ranks(self.spell(np.arange(len(self.run))))


@dataclass(frozen=True)
class NgramTable(Mergeable[Counted, SpelledCounts]):
    """The counts of all n-grams with their text, for comparing two corpora n-gram by n-gram.

    Examples
    --------
    >>> table = NgramTable(1)
    >>> counts = table.summarize(table.collect(Tokens.of([["a", "b", "a"]])))
    >>> sorted(zip(counts.spell(np.arange(2)), counts.run.counts.tolist()))
    [('a', 2), ('b', 1)]
    """

    n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, view: Tokens) -> Counted:
        """Count and spell the n-grams of a batch."""
        return NgramCounts(self.n, top=1, view=self.view).collect(view)

    def summarize(self, state: Counted) -> SpelledCounts:
        """Merge all counts."""
        return SpelledCounts(state.merged())


def alphabetical_ranks(texts: Sequence[str]) -> Integers:
    """Return the rank of each text in their order.

    Examples
    --------
    >>> alphabetical_ranks(["b", "c", "a"]).tolist()
    [1, 2, 0]
    """
    ranks = np.empty(len(texts), np.int64)
    ranks[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
    return ranks


class NgramIndex:
    """The n-grams of a view as small numbers, so that a selection is counted without hashing."""

    def __init__(self, statistic: NgramCounts, view: Tokens) -> None:
        self._statistic, self._view = statistic, view
        if statistic.n == 1:
            hashes, codes = view.numbered
        else:
            hashes, codes = np.unique(view.grams(statistic.n), return_inverse=True)
        self._codes, self._size = codes, len(hashes)
        self._small = codes.astype(np.int32) if view.compiled and len(hashes) < 2**31 else None
        self._bounds = view.gram_bounds(statistic.n)

    def spell(self, codes: Integers) -> list[str]:
        """Return n-grams as text, by their numbers."""
        return [self._view.spell(at, self._statistic.n) for at in self._places[codes].tolist()]

    @cached_property
    def _places(self) -> Integers:
        """Where each n-gram can be read, by its number: at any one of its places."""
        found = np.zeros(self._size, np.int64)
        found[self._codes] = self._view.starts(self._statistic.n)
        return found

    @cached_property
    def alphabetical(self) -> Integers:
        """The rank of each n-gram in the order of their texts, by its number."""
        return alphabetical_ranks(self.spell(np.arange(self._size)))

    def occurring(self, rows: Integers) -> Integers:
        """Return how often each n-gram of the view occurs in these texts, by its number."""
        if self._small is not None:
            from distinctly.kernels.ngrams import count_rows

            return count_rows(self._small, self._bounds, rows, self._size)
        where, _ = positions(self._bounds, rows)
        return np.bincount(self._codes[where], minlength=self._size)

    def summarize(self, rows: Integers) -> Grams:
        """Return the summary of these texts together."""
        if self._statistic.top:
            return self._statistic.summarize(self._statistic.collect(self._view.select(rows)))
        lengths = self._view.lengths[rows]
        # A count for every n-gram of the view: no sorting, however often a selection is made.
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
        """Summarize many selections at once: label i says to which one text i belongs."""
        chosen = np.arange(len(self._view)) if rows is None else rows
        where, bounds = positions(self._bounds, chosen)
        keys = np.repeat(labels, np.diff(bounds)) * self._size + self._codes[where]
        found, counts = np.unique(keys, return_counts=True)
        owners = found // max(self._size, 1)
        # The same again, of the counts: how many n-grams of a selection occur so many times.
        widest = int(counts.max(initial=0)) + 1
        pairs, types = np.unique(owners * widest + counts, return_counts=True)
        lengths = self._view.lengths[chosen]
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


def _most_frequent(run: Run, top: int) -> tuple[tuple[str, int], ...]:
    if not top or run.spellings is None:
        return ()
    ranked = sorted(zip(run.spellings.tolist(), run.counts.tolist()), key=lambda pair: (-pair[1], pair[0]))
    return tuple(ranked[:top])
