"""`UnitTable`: the n-grams of each unit (text or group), for values with one unit left out at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from distinctly.ragged import Integers
from distinctly.statistics.accumulation import Curve
from distinctly.statistics.ngram_counts import Grams, NgramIndex, Reals, counts_of_counts
from distinctly.statistics.rarefaction import seen_in_sample

# The most frequent n-grams that are looked up at once, to find one that a unit does not have.
_FREQUENT = 64
# The number of terms that are computed at once.
_TERMS = 4_000_000
# A sum without a unit that is a smaller share of the sum over all units has lost digits.
_SMALL_SHARE = 1e-4
# Powers relative to the largest one that are smaller than e^−40, together, cannot change a sum.
_NEGLIGIBLE = 40.0


@dataclass(frozen=True)
class UnitTable:
    """How often each n-gram occurs in each unit.

    Attributes
    ----------
    unit, gram, count
        One entry per unit and n-gram that it has: their numbers, and how often the n-gram occurs there.
    occurring
        The count of each n-gram in all units, by its number.
    ngrams, tokens, texts, short
        The number of n-grams, of tokens, of texts, and of texts without n-grams, per unit.
    """

    unit: Integers
    gram: Integers
    count: Integers
    occurring: Integers
    ngrams: Integers
    tokens: Integers
    texts: Integers
    short: Integers

    @classmethod
    def of(cls, index: NgramIndex, rows: Integers, labels: Integers, units: int) -> UnitTable:
        """Count the n-grams of texts; text ``rows[i]`` belongs to unit ``labels[i]``."""
        unit, gram, count = index.by_unit(rows, labels)
        lengths = index.lengths[rows]
        ngrams = np.maximum(lengths - (index.n - 1), 0)

        def total(values: Integers) -> Integers:
            return np.bincount(labels, values, units).astype(np.int64)

        return cls(
            unit,
            gram,
            count,
            np.bincount(gram, count, index.size).astype(np.int64),
            total(ngrams),
            total(lengths),
            np.bincount(labels, minlength=units),
            total((lengths < index.n).astype(np.int64)),
        )

    def __len__(self) -> int:
        return len(self.ngrams)

    @cached_property
    def frequencies(self) -> Integers:
        """The number of units that have each n-gram, by its number."""
        return np.bincount(self.gram, minlength=len(self.occurring))

    @cached_property
    def curve(self) -> Curve:
        """The expected number of distinct n-grams in some of the units."""
        frequencies, types = counts_of_counts(self.frequencies[self.frequencies > 0])
        return Curve(
            units=len(self),
            total=int(self.ngrams.sum()),
            tokens=int(self.tokens.sum()),
            texts=int(self.texts.sum()),
            short=int(self.short.sum()),
            frequencies=frequencies,
            types=types,
        )

    def summed(self, changes: Reals) -> Reals:
        """Return the sum of each unit, given one number per entry."""
        return np.bincount(self.unit, changes, len(self)).astype(np.float64)

    def left_out(self) -> LeftOut:
        """Return the counts without each unit."""
        counts, types = counts_of_counts(self.occurring[self.occurring > 0])
        lost = np.bincount(self.unit[self.count == self.occurring[self.gram]], minlength=len(self))
        return LeftOut(
            distinct=types.sum() - lost,
            total=self.ngrams.sum() - self.ngrams,
            tokens=self.tokens.sum() - self.tokens,
            texts=self.texts.sum() - self.texts,
            short=self.short.sum() - self.short,
            counts=counts,
            types=types,
            bounds=np.array([0, len(counts)]),
            table=self,
        )

    def left_out_at(self, size: int) -> Grams:
        """Return the expected counts at a number of n-grams, from all units but one.

        The curve of the other units is a base sum over all n-grams, corrected for the n-grams of the unit
        that is left out; beyond the number of these units it is extended by its last slope.
        """
        others = len(self) - 1
        totals = self.ngrams.sum() - self.ngrams
        with np.errstate(divide="ignore", invalid="ignore"):
            wanted = size * others / totals.astype(np.float64)
        known = np.isfinite(wanted) & (others > 0)
        whole = np.minimum(np.floor(np.where(known, wanted, 0)).astype(np.int64), max(others - 1, 0))
        curve = self.curve
        place_of = np.zeros(int(self.frequencies.max(initial=0)) + 1, np.int64)
        place_of[curve.frequencies] = np.arange(len(curve.frequencies))
        places = place_of[self.frequencies[self.gram]]
        drawn, which = np.unique(whole, return_inverse=True)
        expected = np.empty((2, len(self)))
        for step in (0, 1):
            seen, seen_without = (
                np.array([_seen(curve.frequencies - less, others, int(m) + step) for m in drawn])
                for less in (0, 1)
            )
            seen, seen_without = seen.reshape(len(drawn), -1), seen_without.reshape(len(drawn), -1)
            change = (seen_without - seen)[which[self.unit], places]
            base = seen @ curve.types.astype(np.float64)
            expected[step] = base[which] + self.summed(change)
        with np.errstate(invalid="ignore"):
            distinct = expected[0] + (wanted - whole) * (expected[1] - expected[0])
        per_ngram = np.divide(
            self.tokens.sum() - self.tokens, totals, out=np.full(len(self), np.nan), where=totals > 0
        )
        return Grams(
            distinct=np.where(known, distinct, np.nan),
            total=np.full(len(self), size),
            tokens=size * per_ngram,
            texts=self.texts.sum() - self.texts,
            short=self.short.sum() - self.short,
            counts=np.zeros(0, np.int64),
            types=np.zeros(0, np.int64),
            bounds=np.zeros(len(self) + 1, np.int64),
        )


def _seen(frequencies: Integers, units: int, drawn: int) -> Reals:
    """Return the probability that n-grams, each in a number of the units, are in `drawn` of them."""
    if drawn <= 0:
        return np.zeros(len(frequencies))
    if drawn >= units:
        return (frequencies > 0).astype(np.float64)
    return seen_in_sample(np.minimum(frequencies, units), units, drawn)


@dataclass(frozen=True)
class LeftOut(Grams):
    """The counts of all units but one, one entry per unit that is left out.

    `counts`, `types` and `bounds` are those of all units. A sum over n-grams is the sum over all units,
    corrected for the n-grams of the unit; so a formula may use `sum`, `seen`, `largest`, `relative_powers`
    and the sizes.
    """

    table: UnitTable = field(kw_only=True)

    def sum(self, term: Callable[..., Reals], *columns: Reals) -> Reals:
        """Sum a term over the distinct n-grams of the other units."""
        table = self.table
        given = np.stack([self.total.astype(np.float64), *columns])
        # Units of the same size share the sum over all n-grams.
        different, which = np.unique(given, axis=1, return_inverse=True)
        # Without a very large unit, the count of an n-gram in all units may exceed the total.
        large = np.flatnonzero(self.total < self.counts.max(initial=0))
        with np.errstate(divide="ignore", invalid="ignore"):
            base = self._over_all(term, different)
            of_unit = given[:, table.unit]
            before = table.occurring[table.gram].astype(np.float64)
            after = before - table.count
            gone = after == 0
            after[gone] = 1.0  # a term of a count of 0 may be undefined
            changes = np.where(gone, 0.0, term(after, *of_unit)) - term(before, *of_unit)
            of_all = base[which.ravel()]
            sums = np.asarray(of_all + table.summed(changes), np.float64)
            cancelled = np.flatnonzero((np.abs(sums) < _SMALL_SHARE * np.abs(of_all)) & (self.total > 0))
        for unit in {*large.tolist(), *cancelled.tolist()}:
            sums[unit] = self._without(unit).sum(term, *(column[unit : unit + 1] for column in columns))[0]
        return sums

    def _over_all(self, term: Callable[..., Reals], columns: Reals) -> Reals:
        """Sum a term over the n-grams of all units, for several totals (and other numbers) as columns."""
        counts, types = self.counts.astype(np.float64)[None, :], self.types.astype(np.float64)
        sums = np.empty(columns.shape[1])
        at_once = max(_TERMS // max(len(types), 1), 1)
        for start in range(0, len(sums), at_once):
            part = columns[:, start : start + at_once, None]
            sums[start : start + at_once] = (
                np.broadcast_to(term(counts, *part), (part.shape[1], len(types))) @ types
            )
        return sums

    def _without(self, unit: int) -> Grams:
        """Return the counts without a unit, counted again."""
        table = self.table
        occurring = table.occurring.copy()
        entries = table.unit == unit
        occurring[table.gram[entries]] -= table.count[entries]
        counts, types = counts_of_counts(occurring[occurring > 0])
        return Grams(
            distinct=self.distinct[unit : unit + 1],
            total=self.total[unit : unit + 1],
            tokens=self.tokens[unit : unit + 1],
            texts=self.texts[unit : unit + 1],
            short=self.short[unit : unit + 1],
            counts=counts,
            types=types,
            bounds=np.array([0, len(counts)]),
        )

    def seen(self, times: int) -> Reals:
        """Return the number of n-grams that occur exactly `times` times in the other units."""
        table = self.table
        before = table.occurring[table.gram]
        changes = (before - table.count == times).astype(np.float64) - (before == times)
        everywhere = float(self.types[self.counts == times].sum())
        return everywhere + table.summed(changes)

    def relative_powers(self, q: float) -> Reals:
        """Return ``Σ (c / largest c)^q`` over the n-grams of the other units.

        It is summed over the n-grams that are frequent enough to change it: few, since q is large.
        """
        table, largest = self.table, self.largest().astype(np.float64)
        least = largest[largest > 0].min(initial=math.inf)
        negligible = math.exp(-(_NEGLIGIBLE + math.log(max(len(table.occurring), 1))) / q)
        frequent = np.flatnonzero(table.occurring >= least * negligible)
        column = np.full(len(table.occurring), -1, np.int64)
        column[frequent] = np.arange(len(frequent))
        entries = np.flatnonzero(column[table.gram] >= 0)
        entries = entries[np.argsort(table.unit[entries], kind="stable")]
        units, columns, counts = table.unit[entries], column[table.gram[entries]], table.count[entries]
        sums = np.zeros(len(table))
        at_once = max(_TERMS // max(len(frequent), 1), 1)
        for start in range(0, len(table), at_once):
            scale = largest[start : start + at_once, None]
            left = np.repeat(table.occurring[frequent][None, :], len(scale), axis=0)
            first, last = np.searchsorted(units, [start, start + at_once])
            left[units[first:last] - start, columns[first:last]] -= counts[first:last]
            relative = np.divide(left, scale, out=np.zeros(left.shape), where=scale > 0)
            sums[start : start + at_once] = (relative**q).sum(axis=1)
        return sums

    def largest(self) -> Integers:
        """Return the count of the most frequent n-gram of the other units; 0 if there is none."""
        table = self.table
        largest = np.zeros(len(table), np.int64)
        np.maximum.at(largest, table.unit, table.occurring[table.gram] - table.count)
        order = np.argsort(-table.occurring, kind="stable")
        open_units = np.arange(len(table))
        for start in range(0, len(order), _FREQUENT):
            if not len(open_units):
                break
            frequent = order[start : start + _FREQUENT]
            column = np.full(len(table.occurring), -1, np.int64)
            column[frequent] = np.arange(len(frequent))
            held = np.zeros((len(table), len(frequent)), np.bool_)
            shown = column[table.gram] >= 0
            held[table.unit[shown], column[table.gram[shown]]] = True
            missing = ~held[open_units]
            first = missing.argmax(axis=1)
            solved = missing.any(axis=1)
            units = open_units[solved]
            largest[units] = np.maximum(largest[units], table.occurring[frequent[first[solved]]])
            open_units = open_units[~solved]
        return largest
