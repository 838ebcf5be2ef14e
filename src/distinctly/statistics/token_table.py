"""`TokenTable`: the counts of each n-gram in a reference and in a candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from distinctly.ragged import Integers
from distinctly.statistics.ngram_counts import NgramCounts, NgramIndex, NgramTable, SpelledCounts
from distinctly.statistics.pairing import MergeablePair, PairIndex, PairRows
from distinctly.statistics.pool import Pool
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens


@dataclass(frozen=True)
class Spectrum:
    """Counts of counts of one corpus, ascending: ``types[j]`` n-grams occur exactly ``counts[j]`` times."""

    counts: Integers
    types: Integers

    @classmethod
    def of(cls, occurring: Integers) -> Spectrum:
        """Count the counts; n-grams that do not occur are left out."""
        types = np.bincount(occurring, minlength=1)
        counts = np.flatnonzero(types[1:]) + 1
        return cls(counts, types[counts])

    @cached_property
    def distinct(self) -> int:
        """The number of distinct n-grams."""
        return int(self.types.sum())

    @cached_property
    def total(self) -> int:
        """The number of n-grams."""
        return int(self.counts @ self.types)

    def at_ranks(self, ranks: Integers) -> Integers:
        """Return the counts of the n-grams of these ranks; the most frequent one has rank 1.

        Examples
        --------
        >>> Spectrum.of(np.array([7, 1, 0, 3, 1])).at_ranks(np.array([1, 2, 3, 4])).tolist()
        [7, 3, 1, 1]
        """
        return self.counts[::-1][np.searchsorted(np.cumsum(self.types[::-1]), ranks)]


@dataclass(frozen=True)
class TwoCounts:
    """The counts of each n-gram that occurs in one of two corpora, in the order of their hashes.

    Attributes
    ----------
    reference, candidate
        The count of each n-gram in the corpus.
    codes, index
        The numbers of the n-grams, and the index that spells them.
    one_of_many
        Whether other pairs of the same pool are also compared, so that the alphabetical order of all
        n-grams is computed once for all of them.
    """

    reference: Integers
    candidate: Integers
    codes: Integers
    index: NgramIndex | SpelledCounts
    one_of_many: bool = False

    def __len__(self) -> int:
        return len(self.reference)

    @cached_property
    def spectra(self) -> tuple[Spectrum, Spectrum]:
        """The counts of counts of the reference and of the candidate."""
        return Spectrum.of(self.reference), Spectrum.of(self.candidate)

    @cached_property
    def totals(self) -> tuple[int, int]:
        """The number of n-grams of the reference and of the candidate."""
        return int(self.reference.sum()), int(self.candidate.sum())

    def lacking(self) -> str:
        """Return the name of the corpus without n-grams; empty if both have some."""
        return next((name for name, total in zip(("reference", "candidate"), self.totals) if not total), "")

    def most_frequent(self, top: int) -> TwoCounts:
        """Keep the n-grams that are most frequent in both together; ties are in alphabetical order.

        Examples
        --------
        >>> from distinctly.batch import Batch
        >>> from distinctly.views.rows import Rows
        >>> pool = Pool(Rows(Batch.of([["c", "b", "a", "d", "d"]])))
        >>> table = TokenTable().index(pool).summarize(np.array([0]), np.array([0]))
        >>> sorted(table.most_frequent(2).spell())
        ['a', 'd']
        """
        if len(self) <= top:
            return self
        both = self.reference + self.candidate
        least = int(np.partition(both, len(both) - top)[len(both) - top])
        above, tied = np.flatnonzero(both > least), np.flatnonzero(both == least)
        # Only ties at the cut are spelled, so that a long tail of rare n-grams costs nothing.
        first = self._by_text(tied)[: top - len(above)]
        return self._at(np.sort(np.concatenate([above, first])))

    def _by_text(self, places: Integers) -> Integers:
        """Return places in the alphabetical order of their n-grams."""
        if self.one_of_many:
            return places[np.argsort(self.index.alphabetical[self.codes[places]])]
        spelled = self.index.spell(self.codes[places])
        return places[sorted(range(len(places)), key=spelled.__getitem__)]

    def _at(self, places: Integers) -> TwoCounts:
        return TwoCounts(
            self.reference[places],
            self.candidate[places],
            self.codes[places],
            self.index,
            self.one_of_many,
        )

    def spell(self, places: Integers | None = None) -> list[str]:
        """Return the texts of the n-grams at these places, or of all."""
        return self.index.spell(self.codes if places is None else self.codes[places])


@dataclass(frozen=True)
class TokenTable(MergeablePair[TwoCounts]):
    """Counts of the n-grams of two corpora, side by side.

    Attributes
    ----------
    n
        The number of tokens per n-gram.
    """

    n: int = 1
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def index(self, pool: Pool) -> TableIndex:
        """Number the n-grams of the pool."""
        return TableIndex(pool.index(NgramCounts(self.n, view=self.view)))

    def side(self) -> NgramTable:
        """Return the statistic of one side: its n-gram counts."""
        return NgramTable(self.n, view=self.view)

    def combine(self, reference: SpelledCounts, candidate: SpelledCounts) -> TwoCounts:
        """Align the counts of both sides."""
        both = reference.run.merge(candidate.run)
        sides = []
        for side in (reference.run, candidate.run):
            counts = np.zeros(len(both), np.int64)
            counts[np.searchsorted(both.hashes, side.hashes)] = side.counts
            sides.append(counts)
        return TwoCounts(sides[0], sides[1], np.arange(len(both)), SpelledCounts(both))


class TableIndex(PairIndex[TwoCounts]):
    """The n-grams of a pool as small numbers, so that a pair is counted without hashing or sorting."""

    def __init__(self, grams: NgramIndex) -> None:
        self._grams = grams

    def summarize(self, reference: Integers, candidate: Integers) -> TwoCounts:
        """Count each n-gram in both selections."""
        return self._counted(reference, candidate, one_of_many=False)

    def each(self, pairs: Sequence[PairRows]) -> Iterator[TwoCounts]:
        """Yield the counts of each pair."""
        return (self._counted(*rows, one_of_many=len(pairs) > 1) for rows in pairs)

    def _counted(self, reference: Integers, candidate: Integers, *, one_of_many: bool) -> TwoCounts:
        left, right = self._grams.occurring(reference), self._grams.occurring(candidate)
        codes = np.flatnonzero(left + right)
        return TwoCounts(left[codes], right[codes], codes, self._grams, one_of_many)
