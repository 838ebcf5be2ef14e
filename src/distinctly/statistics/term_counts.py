"""Terms of two corpora with their counts side by side, from tables of any size.

The measures of a term depend on its two counts only, and most terms have small counts. So the pairs of counts
are tallied, and all statistics are computed once per pair; of the terms themselves, only those with the
largest scores are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from distinctly.arrays import Reals
from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.statistics.collector import Runner
from distinctly.statistics.tables import PARTITIONS, HashCounts, Table, joined

# Scores of pairs of counts: of the reference, and of the candidate.
Scoring = Callable[[Integers, Integers], Reals]

# Pairs of counts below this are tallied in an array, and their scores are looked up.
SMALL = 256
# Up to this number of terms, all of them are kept if no number is given; of more, `MOST` of each direction.
ALL, MOST = 200_000, 10_000
# The partitions of each call: few calls, and enough for all threads.
PORTIONS = [range(first, first + 32) for first in range(0, PARTITIONS, 32)]


@dataclass(frozen=True)
class PairTally:
    """How many terms have each pair of counts.

    Attributes
    ----------
    small
        ``small[a, b]`` terms occur a times in the reference and b times in the candidate.
    large
        The pairs with a larger count, one column per term.

    Examples
    --------
    >>> tally = PairTally.of(np.array([2, 2, 0]), np.array([1, 1, 300]))
    >>> [column.tolist() for column in (tally + tally).pairs()]
    [[2, 0], [1, 300], [4, 2]]
    """

    small: Integers = field(default_factory=lambda: np.zeros((SMALL, SMALL), np.int64))
    large: Integers = field(default_factory=lambda: np.zeros((2, 0), np.int64))

    @classmethod
    def of(cls, reference: Integers, candidate: Integers) -> PairTally:
        """Tally the pairs of counts of terms."""
        small = (reference < SMALL) & (candidate < SMALL)
        codes = reference[small] * SMALL + candidate[small]
        tallied = np.bincount(codes, minlength=SMALL * SMALL).reshape(SMALL, SMALL)
        return cls(tallied, np.stack([reference[~small], candidate[~small]]))

    def __add__(self, other: PairTally) -> PairTally:
        return PairTally(self.small + other.small, np.concatenate([self.large, other.large], axis=1))

    @property
    def terms(self) -> int:
        """The number of terms."""
        return int(self.small.sum()) + len(self.large[0])

    def pairs(self) -> tuple[Integers, Integers, Integers]:
        """Return the different pairs of counts, and the number of terms with each."""
        reference, candidate = np.nonzero(self.small)
        large, times = np.unique(self.large, axis=1, return_counts=True)
        return (
            np.concatenate([reference, large[0]]),
            np.concatenate([candidate, large[1]]),
            np.concatenate([self.small[reference, candidate], times]),
        )


@dataclass(frozen=True)
class CountedTerms:
    """Terms with their counts in two corpora.

    Attributes
    ----------
    keys
        The hash of each term.
    reference, candidate
        Its counts.
    tally
        The pairs of counts of all terms, also of those that were not kept.
    """

    keys: Hashes
    reference: Integers
    candidate: Integers
    tally: PairTally

    def __len__(self) -> int:
        return len(self.keys)

    def take(self, places: Integers) -> CountedTerms:
        """Return some of the terms."""
        return CountedTerms(self.keys[places], self.reference[places], self.candidate[places], self.tally)

    @classmethod
    def concatenate(cls, pieces: Sequence[CountedTerms]) -> CountedTerms:
        """Put different terms together."""
        return cls(
            np.concatenate([piece.keys for piece in pieces]),
            np.concatenate([piece.reference for piece in pieces]),
            np.concatenate([piece.candidate for piece in pieces]),
            sum((piece.tally for piece in pieces), PairTally()),
        )


@dataclass(frozen=True)
class Wanted:
    """The terms to keep.

    Attributes
    ----------
    least
        The smallest count, in both corpora together. Rarer terms are not tallied either.
    score
        The scores of pairs of counts: the larger their absolute value, the more interesting is the term.
        Positive scores are of terms that the candidate uses more often.
    most
        The largest number of terms with a positive score, and of those with another score; None for all
        terms, unless there are more than `ALL` of them.
    """

    least: int
    score: Scoring
    most: int | None = None

    def scores(self, terms: CountedTerms) -> Reals:
        """Return the score of each term; those of small counts are looked up."""
        small = (terms.reference < SMALL) & (terms.candidate < SMALL)
        scores = np.empty(len(terms))
        scores[small] = self._small_scores[terms.reference[small], terms.candidate[small]]
        scores[~small] = self.score(terms.reference[~small], terms.candidate[~small])
        return scores

    @cached_property
    def _small_scores(self) -> Reals:
        reference, candidate = (counts.ravel() for counts in np.indices((SMALL, SMALL)))
        return self.score(reference, candidate).reshape(SMALL, SMALL)

    def best(self, terms: CountedTerms) -> CountedTerms:
        """Return the terms with the largest scores in each direction; of equal scores, the smallest keys."""
        most = MOST if self.most is None else self.most
        if len(terms) <= (ALL if self.most is None else most):
            return terms
        scores = self.scores(terms)
        kept = []
        for direction in (scores > 0, ~(scores > 0)):
            places = np.flatnonzero(direction)
            if len(places) > most:
                sizes = np.nan_to_num(np.abs(scores[places]), nan=-1.0)
                least = np.partition(sizes, len(places) - most)[len(places) - most]
                above, ties = places[sizes > least], places[sizes == least]
                ties = ties[np.argsort(terms.keys[ties])]
                places = np.concatenate([above, ties[: most - len(above)]])
            kept.append(places)
        return terms.take(np.sort(np.concatenate(kept)))


def count_both(
    reference: Table, candidate: Table, wanted: Wanted, run: Runner, *, compiled: bool
) -> CountedTerms:
    """Put the counts of two tables side by side, and keep the terms that are wanted.

    Examples
    --------
    >>> from distinctly.statistics.tables import PackedTable, Totals
    >>> first = PackedTable.of(np.array([7, 9], np.uint64), np.array([1, 2]), Totals(3))
    >>> second = PackedTable.of(np.array([9, 5], np.uint64), np.array([4, 1]), Totals(5))
    >>> wanted = Wanted(2, lambda a, b: (b - a).astype(float))
    >>> terms = count_both(first, second, wanted, lambda calls: [call() for call in calls], compiled=False)
    >>> terms.keys.tolist(), terms.reference.tolist(), terms.candidate.tolist()
    ([9], [2], [4])
    """
    of_portion = partial(_counted, reference, candidate, wanted, compiled=compiled)
    terms = CountedTerms.concatenate(run([partial(of_portion, portion) for portion in PORTIONS]))
    if wanted.most is None and terms.tally.terms > ALL:  # portions with few terms have kept all of them
        wanted = replace(wanted, most=MOST)
    return wanted.best(terms)


def _counted(
    reference: Table, candidate: Table, wanted: Wanted, portion: range, *, compiled: bool
) -> CountedTerms:
    """Put the counts of some partitions side by side, and keep the terms that are wanted."""
    pieces = []
    for p in portion:
        keys, first, second = _joined(
            joined(list(reference.entries(p))), joined(list(candidate.entries(p))), compiled=compiled
        )
        frequent = np.flatnonzero(first + second >= wanted.least)
        pieces.append((keys[frequent], first[frequent], second[frequent]))
    keys, first, second = (np.concatenate(column) for column in zip(*pieces))
    return wanted.best(CountedTerms(keys, first, second, PairTally.of(first, second)))


def _joined(first: HashCounts, second: HashCounts, *, compiled: bool) -> tuple[Hashes, Integers, Integers]:
    """Return the distinct keys of two partitions, and the count of each in both."""
    if compiled:
        from distinctly.kernels.terms import join_counts

        return join_counts(*first, *second)
    keys, places = np.unique(np.concatenate([first[0], second[0]]), return_inverse=True)
    counts = np.zeros((2, len(keys)), np.int64)
    counts[0, places[: len(first[0])]] = first[1]
    counts[1, places[len(first[0]) :]] = second[1]
    return keys, counts[0], counts[1]
