"""`TokenTable`: how often each n-gram occurs in a reference, and in a candidate."""

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
from distinctly.views.tokens import Tokens
from distinctly.views.words import WORDS


@dataclass(frozen=True)
class Spectrum:
    """Counts of counts of one corpus: ``types[j]`` n-grams occur exactly ``counts[j]`` times; ascending."""

    counts: Integers
    types: Integers

    @classmethod
    def of(cls, occurring: Integers) -> Spectrum:
        """Count the counts; what does not occur is left out."""
        types = np.bincount(occurring, minlength=1)
        counts = np.flatnonzero(types[1:]) + 1
        return cls(counts, types[counts])

    @cached_property
    def distinct(self) -> int:
        """How many n-grams differ."""
        return int(self.types.sum())

    @cached_property
    def total(self) -> int:
        """How many n-grams there are."""
        return int(self.counts @ self.types)

    def at_ranks(self, ranks: Integers) -> Integers:
        """Return how often the n-grams of these ranks occur; the most frequent one has rank 1.

        Examples
        --------
        >>> Spectrum.of(np.array([7, 1, 0, 3, 1])).at_ranks(np.array([1, 2, 3, 4])).tolist()
        [7, 3, 1, 1]
        """
        return self.counts[::-1][np.searchsorted(np.cumsum(self.types[::-1]), ranks)]


@dataclass(frozen=True)
class TwoCounts:
    """The n-grams of two corpora, one entry for each that occurs in either, in the order of their hashes.

    Attributes
    ----------
    reference, candidate
        How often each occurs there.
    codes, index
        Which n-grams these are, and what can spell them.
    one_of_many
        Whether other pairs of the same pool are compared, too, so that what they share is made for all.
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
        """How many n-grams the reference has, and the candidate."""
        return int(self.reference.sum()), int(self.candidate.sum())

    def lacking(self) -> str:
        """Name the corpus that has no n-gram; nothing where both have some."""
        return next((name for name, total in zip(("reference", "candidate"), self.totals) if not total), "")

    def most_frequent(self, top: int) -> TwoCounts:
        """Keep the n-grams that are the most frequent in both together; ties go by text.

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
        # Only those at the cut need their text: a long tail of rare n-grams is never spelled.
        first = self._by_text(tied)[: top - len(above)]
        return self._at(np.sort(np.concatenate([above, first])))

    def _by_text(self, places: Integers) -> Integers:
        """Put places in the order of their n-grams' texts."""
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
        """Return n-grams as text: those at these places, or all."""
        return self.index.spell(self.codes if places is None else self.codes[places])


@dataclass(frozen=True)
class TokenTable(MergeablePair[TwoCounts]):
    """Counts of the n-grams of two corpora, side by side.

    Attributes
    ----------
    n
        Tokens an n-gram.
    """

    n: int = 1
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def index(self, pool: Pool) -> TableIndex:
        """Number the n-grams of the pool."""
        return TableIndex(pool.index(NgramCounts(self.n, view=self.view)))

    def side(self) -> NgramTable:
        """Return the counts of one side, by n-gram."""
        return NgramTable(self.n, view=self.view)

    def combine(self, reference: SpelledCounts, candidate: SpelledCounts) -> TwoCounts:
        """Put the counts of both sides next to each other."""
        both = reference.run.merge(candidate.run)
        sides = []
        for side in (reference.run, candidate.run):
            counts = np.zeros(len(both), np.int64)
            counts[np.searchsorted(both.hashes, side.hashes)] = side.counts
            sides.append(counts)
        return TwoCounts(sides[0], sides[1], np.arange(len(both)), SpelledCounts(both))


class TableIndex(PairIndex[TwoCounts]):
    """The n-grams of a pool as small numbers: a pair is two counts without hashing or sorting."""

    def __init__(self, grams: NgramIndex) -> None:
        self._grams = grams

    def summarize(self, reference: Integers, candidate: Integers) -> TwoCounts:
        """Count each n-gram in both selections."""
        return self._counted(reference, candidate, one_of_many=False)

    def each(self, pairs: Sequence[PairRows]) -> Iterator[TwoCounts]:
        """Count many pairs, in turn."""
        return (self._counted(*rows, one_of_many=len(pairs) > 1) for rows in pairs)

    def _counted(self, reference: Integers, candidate: Integers, *, one_of_many: bool) -> TwoCounts:
        one, other = self._grams.occurring(reference), self._grams.occurring(candidate)
        codes = np.flatnonzero(one + other)
        return TwoCounts(one[codes], other[codes], codes, self._grams, one_of_many)
