"""`TokenTable`: how often each n-gram occurs in a reference, and in a candidate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from distinctly.ragged import Integers
from distinctly.statistics.derived import TextPool
from distinctly.statistics.ngram_counts import NgramCounts, NgramIndex
from distinctly.statistics.pairing import PairIndex, PairStatistic


@dataclass(frozen=True)
class TwoCounts:
    """The n-grams of two corpora, one entry for each that occurs in either, in the order of their hashes.

    Attributes
    ----------
    reference, candidate
        How often each occurs there.
    codes, index
        Which n-grams these are, and what can spell them.
    """

    reference: Integers
    candidate: Integers
    codes: Integers
    index: NgramIndex

    def __len__(self) -> int:
        return len(self.reference)

    def spell(self, place: int) -> str:
        """Return an n-gram as text."""
        return self.index.spell(int(self.codes[place]))


@dataclass(frozen=True)
class TokenTable(PairStatistic[TwoCounts]):
    """Counts of the n-grams of two corpora, side by side.

    Attributes
    ----------
    n
        Tokens an n-gram.
    """

    n: int = 1

    def index(self, pool: TextPool) -> TableIndex:
        """Number the n-grams of the pool."""
        return TableIndex(pool.index(NgramCounts(self.n)))


class TableIndex(PairIndex[TwoCounts]):
    """The n-grams of a pool as small numbers: a pair is two counts without hashing or sorting."""

    def __init__(self, grams: NgramIndex) -> None:
        self._grams = grams

    def summarize(self, reference: Integers, candidate: Integers) -> TwoCounts:
        """Count each n-gram in both selections."""
        one, other = self._grams.occurring(reference), self._grams.occurring(candidate)
        codes = np.flatnonzero(one + other)
        return TwoCounts(one[codes], other[codes], codes, self._grams)
