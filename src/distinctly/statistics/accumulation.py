"""Accumulation curves: the expected number of distinct n-grams in some of the texts or groups.

N-grams cluster in texts, so a random sample of n-grams is not a smaller corpus. A random sample of texts
is: with n units of which d contain an n-gram, m random units contain it with probability
``1 − C(n−d, m) / C(n, m)`` (sample-based rarefaction, in ecology).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from distinctly.hashing import Hashes, Keys
from distinctly.ragged import Integers
from distinctly.statistics.base import Mergeable
from distinctly.statistics.means import GroupCounts, rows_by_group
from distinctly.statistics.ngram_counts import Counted, Grams, NgramCounts, NgramIndex, Run, counts_of_counts
from distinctly.statistics.rarefaction import Reals, seen_in_sample
from distinctly.statistics.tables import Counting, PackedTable, Tally, Totals, words_of
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

if TYPE_CHECKING:
    from distinctly.statistics.collector import Collector, Spill

Unit = Literal["text", "group"]
UNIT_GROUP = "unit=group"
# With fewer units, an expectation over draws of them says little.
LEAST_DRAWN = 10
# The number of probabilities that are kept, and of frequencies of n-grams that are computed together.
_KEPT, _TOGETHER = 4_000_000, 2_000_000


@dataclass(frozen=True)
class Curve:
    """The numbers of units that contain each n-gram, and the sizes of the corpus.

    Attributes
    ----------
    units
        The number of units, including those without n-grams.
    total, tokens, texts, short
        The number of n-grams, of tokens, of texts, and of texts without n-grams.
    frequencies, types
        ``types[j]`` n-grams occur in exactly ``frequencies[j]`` units; ascending.

    Examples
    --------
    >>> curve = Curve(2, 4, 4, 2, 0, np.array([1, 2]), np.array([2, 1]))  # the texts "a b" and "a c"
    >>> curve.expected(1), curve.expected(1.5), curve.expected(2)
    (2.0, 2.5, 3.0)
    """

    units: int
    total: int
    tokens: int
    texts: int
    short: int
    frequencies: Integers
    types: Integers

    def drawn(self, ngrams: int) -> float:
        """Return the number of units that have this number of n-grams on average; NaN without n-grams."""
        return ngrams * self.units / self.total if self.total else math.nan

    def expected(self, units: float, seen: SeenTables | None = None) -> float:
        """Return the expected number of distinct n-grams in random units; linear between whole numbers."""
        whole = min(math.floor(units), self.units)
        at_whole = self._expected(whole, seen)
        if units == whole:
            return at_whole
        return at_whole + (units - whole) * (self._expected(whole + 1, seen) - at_whole)

    def _expected(self, units: int, seen: SeenTables | None) -> float:
        if units == 0:
            return 0.0
        if seen is not None:
            return float(self.types @ seen[self.units, units][self.frequencies])
        return float(self.types @ seen_in_sample(self.frequencies, self.units, units))

    def at(self, ngrams: int, seen: SeenTables | None = None) -> Grams:
        """Return the expected sizes of random units with this number of n-grams.

        `seen` has the probabilities of curves with the same numbers of units.
        """
        return Grams(
            distinct=np.array([min(self.expected(self.drawn(ngrams), seen), float(ngrams))]),
            total=np.array([ngrams]),
            tokens=np.array([ngrams * self.tokens / self.total]),
            texts=np.array([self.texts]),
            short=np.array([self.short]),
            counts=np.zeros(0, np.int64),
            types=np.zeros(0, np.int64),
            bounds=np.zeros(2, np.int64),
        )


class SeenTables(dict[tuple[int, int], Reals]):
    """By the numbers of units and of drawn units, the probability that an n-gram of 0, 1, 2 … units is seen.

    Examples
    --------
    >>> SeenTables()[2, 1][1:].tolist()
    [0.5, 1.0]
    """

    def __missing__(self, numbers: tuple[int, int]) -> Reals:
        units, drawn = numbers
        if len(self) * (units + 1) > _KEPT:
            self.clear()
        self[numbers] = probabilities = seen_in_sample(np.arange(units + 1), units, drawn)
        return probabilities


@dataclass(frozen=True)
class TextCurve(Counting[Counted, Curve]):
    """The number of texts that contain each n-gram.

    Examples
    --------
    >>> counts = TextCurve(1)
    >>> curve = counts.summarize(counts.collect(Tokens.of([["a", "b"], ["a", "a"]])))
    >>> curve.total, curve.frequencies.tolist(), curve.types.tolist()
    (4, [1, 2], [1, 1])
    """

    n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> Counted:
        """Count the texts of a batch that contain each n-gram."""
        totals = NgramCounts(self.n, view=self.view).totals_in(tokens)
        run = Run(*np.unique(self._keys_of_texts(tokens), return_counts=True))
        return Counted((run,), totals.total, totals.tokens, totals.texts, totals.short)

    def summarize(self, state: Counted) -> Curve:
        """Turn the numbers of texts into counts of them."""
        return self._curve(counts_of_counts(state.merged().counts), state.totals)

    def keys_in(self, tokens: Tokens) -> tuple[Hashes, Totals]:
        """Return the n-grams of a batch, each once per text."""
        totals = NgramCounts(self.n, view=self.view).totals_in(tokens)
        if tokens.compiled and tokens.wide is None:
            from distinctly.statistics.recurrence import occurrences

            return occurrences(tokens, self.n, again=False)[0], totals
        return words_of(self._keys_of_texts(tokens)), totals

    def summarize_tally(self, tally: Tally, totals: Totals) -> Curve:
        """Turn the numbers of texts into counts of them."""
        return self._curve(tally.counts_of_counts(), totals)

    def as_table(self, state: Counted) -> PackedTable:
        """Return a state as a table."""
        return state.as_table()

    @classmethod
    def collector(cls, statistics: Sequence[TextCurve], spill: Spill) -> Collector:
        """Return a collector that counts in partitions, and spills them to disk."""
        from distinctly.statistics.ngram_collector import TableCollector

        return TableCollector(statistics, spill)

    def _keys_of_texts(self, tokens: Tokens) -> Keys:
        """Return the key of each n-gram, once per text."""
        keys = tokens.keys(self.n)
        texts = np.repeat(np.arange(len(tokens)), np.diff(tokens.gram_bounds(self.n)))
        order = np.lexsort((keys, texts))
        keys, texts = keys[order], texts[order]
        first = np.ones(len(keys), np.bool_)
        first[1:] = (keys[1:] != keys[:-1]) | (texts[1:] != texts[:-1])
        return keys[first]

    def _curve(self, counted: tuple[Integers, Integers], totals: Totals) -> Curve:
        return Curve(totals.texts, totals.total, totals.tokens, totals.texts, totals.short, *counted)

    def index(self, tokens: Tokens) -> CurveIndex:
        """Number the n-grams once, for any selection of the texts."""
        return CurveIndex(NgramCounts(self.n, view=self.view).index(tokens), None)


@dataclass(frozen=True)
class GroupCurve(Mergeable[GroupCounts, Curve]):
    """The number of groups of texts that contain each n-gram."""

    n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> GroupCounts:
        """Count the n-grams of each group of a batch."""
        return GroupCounts.collect(NgramCounts(self.n, view=self.view), tokens, UNIT_GROUP)

    def summarize(self, state: GroupCounts) -> Curve:
        """Count the groups that contain each n-gram."""
        groups = list(state.counted.values())
        hashes = [counted.merged().hashes for counted in groups] or [np.zeros(0, np.uint64)]
        frequencies, types = counts_of_counts(np.unique(np.concatenate(hashes), return_counts=True)[1])
        return Curve(
            len(groups),
            sum(counted.total for counted in groups),
            sum(counted.tokens for counted in groups),
            sum(counted.texts for counted in groups),
            sum(counted.short for counted in groups),
            frequencies,
            types,
        )

    def index(self, tokens: Tokens) -> CurveIndex:
        """Number the n-grams once, for any selection of the texts."""
        labels = np.empty(len(tokens), np.int64)
        for number, rows in enumerate(rows_by_group(tokens, UNIT_GROUP).values()):
            labels[rows] = number
        return CurveIndex(NgramCounts(self.n, view=self.view).index(tokens), labels)


@dataclass(frozen=True)
class CurveIndex:
    """The n-grams of texts as small numbers, and the group of each text; None if the units are texts."""

    ngrams: NgramIndex
    groups: Integers | None

    def summarize(self, rows: Integers) -> Curve:
        """Return the curve of the texts in these rows."""
        if self.groups is None:
            labels, units = np.arange(len(rows)), len(rows)
        else:
            different, labels = np.unique(self.groups[rows], return_inverse=True)
            units = len(different)
        _, gram, _ = self.ngrams.by_unit(rows, labels)
        numbers = np.bincount(gram, minlength=1)
        frequencies, types = counts_of_counts(numbers[numbers > 0])
        lengths = self.ngrams.lengths[rows]
        ngrams = np.maximum(lengths - (self.ngrams.n - 1), 0)
        short = int((lengths < self.ngrams.n).sum())
        return Curve(units, int(ngrams.sum()), int(lengths.sum()), len(rows), short, frequencies, types)

    def each(self, selections: Iterable[Integers]) -> Iterator[Curve]:
        """Yield the curve of each of many selections, the same as `summarize`.

        Numbers of texts with each n-gram are products of the selections with a table of the n-grams of each
        text, as long as no unit has several texts of a selection.
        """
        at_once = max(_TOGETHER // max(self._table.several.shape[0], 1), 1)
        remaining = iter(selections)
        while some := list(islice(remaining, at_once)):
            if all(map(self._has_units_of_one_text, some)):
                yield from self._products(some)
            else:
                yield from map(self.summarize, some)

    def _has_units_of_one_text(self, rows: Integers) -> bool:
        """Return whether a selection has no text twice, and at most one text of each group."""
        return len(np.unique(rows if self.groups is None else self.groups[rows])) == len(rows)

    def _products(self, selections: Sequence[Integers]) -> Iterator[Curve]:
        table = self._table
        chosen = np.zeros((len(self.ngrams.lengths), len(selections)), np.int32)
        for place, rows in enumerate(selections):
            chosen[rows, place] = 1
        frequencies = table.several @ chosen
        width = max(int(frequencies.max(initial=0)), 1) + 1
        flat = frequencies + width * np.arange(len(selections))
        types = np.bincount(flat.ravel(), minlength=width * len(selections)).reshape(-1, width)
        types[:, 0] = 0
        types[:, 1] += table.alone @ chosen
        sizes = (table.sizes @ chosen).T.tolist()
        for rows, of_selection, (total, tokens, short) in zip(selections, types, sizes):
            present = np.flatnonzero(of_selection)
            yield Curve(len(rows), total, tokens, len(rows), short, present, of_selection[present])

    @cached_property
    def _table(self) -> _TextTable:
        return _TextTable.of(self.ngrams)


@dataclass(frozen=True)
class _TextTable:
    """The n-grams of each text.

    Attributes
    ----------
    several
        A sparse table of ones: n-grams of several texts (rows), and the texts that have them (columns).
    alone
        The number of n-grams that no other text has, per text.
    sizes
        The number of n-grams, the number of tokens, and whether there is no n-gram (rows), per text.
    """

    several: Any
    alone: Integers
    sizes: Integers

    @classmethod
    def of(cls, ngrams: NgramIndex) -> _TextTable:
        """Count the n-grams of all texts."""
        from scipy.sparse import csr_array

        lengths = ngrams.lengths
        every = np.arange(len(lengths))
        text, gram, _ = ngrams.by_unit(every, every)
        having = np.bincount(gram, minlength=1)
        is_alone = having[gram] == 1
        numbers, shared = np.cumsum(having > 1) - 1, ~is_alone
        entries = np.ones(int(shared.sum()), np.int32), (numbers[gram[shared]], text[shared])
        sizes = np.maximum(lengths - (ngrams.n - 1), 0), lengths, lengths < ngrams.n
        return cls(
            csr_array(entries, shape=(int((having > 1).sum()), len(lengths))),
            np.bincount(text[is_alone], minlength=len(lengths)),
            np.stack(sizes).astype(np.int64),
        )


def curve_statistic(n: int, unit: Unit, view: View[Tokens]) -> TextCurve | GroupCurve:
    """Return the statistic of the curve of texts or groups."""
    return TextCurve(n, view=view) if unit == "text" else GroupCurve(n, view=view)
