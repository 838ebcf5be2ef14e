"""Pair statistics: what two selections of one pool of texts come to together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from distinctly.ragged import Integers
from distinctly.statistics.derived import AnyStatistic, Lookup, TextPool

Summary = TypeVar("Summary", covariant=True)
# The rows of a reference and of a candidate.
Rows = tuple[Integers, Integers]


class PairIndex(ABC, Generic[Summary]):
    """A pool made ready for comparing any two selections of its texts."""

    @abstractmethod
    def summarize(self, reference: Integers, candidate: Integers) -> Summary:
        """Compare two selections."""

    def each(self, pairs: Sequence[Rows]) -> Iterator[Summary]:
        """Compare many pairs, in turn; the same as one by one, and faster where there is a way."""
        return (self.summarize(reference, candidate) for reference, candidate in pairs)


class PairStatistic(ABC, Generic[Summary]):
    """A summary of a reference and a candidate, made once for all distances that read it.

    Subclasses are frozen dataclasses, as statistics are.
    """

    @abstractmethod
    def index(self, pool: TextPool) -> PairIndex[Summary]:
        """Prepare a pool for many pairs of selections."""

    def stands_for(self, other: PairStatistic[Any]) -> bool:
        """Tell whether its summary has all that another one's would have, so that one is enough."""
        return self == other


class Selection:
    """Some texts of a pool, and what they come to, made when first asked for."""

    def __init__(self, pool: TextPool, rows: Integers) -> None:
        self.rows = rows
        self.summaries: Lookup = pool.cut(rows)

    def __len__(self) -> int:
        return len(self.rows)


Pair = tuple[Selection, Selection]
Needs = tuple[tuple[AnyStatistic, ...], tuple[PairStatistic[Any], ...]]


class PairPool:
    """Texts in memory, of which any two selections can be compared."""

    def __init__(self, pool: TextPool) -> None:
        self.texts = pool
        self._indices: dict[PairStatistic[Any], PairIndex[Any]] = {}

    def select(self, rows: Integers) -> Selection:
        """Return a selection; what it comes to is kept with it."""
        return Selection(self.texts, rows)

    def index(self, statistic: PairStatistic[Any]) -> PairIndex[Any]:
        """Return the index of a pair statistic, made once."""
        if statistic not in self._indices:
            self._indices[statistic] = statistic.index(self.texts)
        return self._indices[statistic]

    def summaries(self, pair: Pair, wanted: Iterable[PairStatistic[Any]]) -> dict[PairStatistic[Any], Any]:
        """Compare one pair."""
        rows = pair[0].rows, pair[1].rows
        instead = _instead(list(wanted))
        made = {one: self.index(one).summarize(*rows) for one in dict.fromkeys(instead.values())}
        return {one: made[other] for one, other in instead.items()}

    def each(
        self, pairs: Sequence[Pair], wanted: Sequence[PairStatistic[Any]]
    ) -> Iterator[tuple[Pair, dict[PairStatistic[Any], Any]]]:
        """Compare many pairs; each with its summaries."""
        rows = [(reference.rows, candidate.rows) for reference, candidate in pairs]
        instead = _instead(wanted)
        making = list(dict.fromkeys(instead.values()))
        for pair, *found in zip(pairs, *(self.index(one).each(rows) for one in making)):
            made = dict(zip(making, found))
            yield pair, {one: made[other] for one, other in instead.items()}


def _instead(wanted: Sequence[PairStatistic[Any]]) -> dict[PairStatistic[Any], PairStatistic[Any]]:
    """Return which statistic to make for each: another one, where that has all of it."""
    return {one: next((o for o in wanted if o != one and o.stands_for(one)), one) for one in wanted}
