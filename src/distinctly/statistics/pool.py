"""`Pool`: texts in memory, any selections of which are summarized without counting again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from distinctly.batch import Batch, Origin
from distinctly.ragged import Integers
from distinctly.statistics.base import AnyStatistic, Collected, Derived, Index, Mergeable, NeedsRows
from distinctly.statistics.pairing import PairIndex, PairStatistic
from distinctly.views.base import D, View
from distinctly.views.rows import Rows


class Lookup:
    """The summaries of some texts by statistic, made when first asked for."""

    def __init__(self, find: Callable[[Collected], Any]) -> None:
        self._find = find
        self._made: dict[AnyStatistic, Any] = {}
        self._sampled: dict[tuple[AnyStatistic, int], Any] = {}

    def __getitem__(self, statistic: AnyStatistic) -> Any:
        if statistic not in self._made:
            if isinstance(statistic, Derived):
                self._made[statistic] = statistic.derive(*(self[source] for source in statistic.sources()))
            else:
                self._made[statistic] = self._find(statistic)
        return self._made[statistic]

    def at_sample(self, statistic: AnyStatistic, sample: int) -> Any:
        """Return a summary as it is expected to be in a smaller sample, where it can be."""
        whole = self[statistic]
        if not hasattr(whole, "rarefied"):
            return whole
        if (statistic, sample) not in self._sampled:
            self._sampled[statistic, sample] = whole.rarefied(sample)
        return self._sampled[statistic, sample]


class Selection(Lookup):
    """Some texts of a pool, and their summaries."""

    def __init__(self, pool: Pool, rows: Integers) -> None:
        super().__init__(self._summarize)
        self.pool, self.rows = pool, rows
        self._views: dict[View[Any], Any] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def view(self, view: View[D]) -> D:
        """Return these texts as a view shows them; they are cut once."""
        data: D
        if view not in self._views:
            self._views[view] = self.pool.view(view).select(self.rows)
        data = self._views[view]
        return data

    def _summarize(self, statistic: Collected) -> Any:
        if isinstance(statistic, NeedsRows):
            return statistic.summarize(self.view(statistic.view))
        return self.pool.index(statistic).summarize(self.rows)


Pair = tuple[Selection, Selection]


class Pool:
    """Texts in memory, from which any selection can be summarized, and any two be compared."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._indices: dict[Mergeable[Any, Any], Index[Any]] = {}
        self._pair_indices: dict[PairStatistic[Any], PairIndex[Any]] = {}
        self._wholes: dict[AnyStatistic, Any] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def view(self, view: View[D]) -> D:
        """Return all texts as a view shows them; it is made once."""
        return self.rows[view]

    def select(self, rows: Integers) -> Selection:
        """Return some of the texts; their summaries are kept with the selection."""
        return Selection(self, rows)

    def part(self, rows: Integers) -> Pool:
        """Return a pool of some of the texts; views that were made are cut, not made again."""
        return Pool(self.rows.select(rows))

    def index(self, statistic: Mergeable[Any, Any]) -> Any:
        """Return the index of a statistic, made once; some can do more than summarize."""
        if statistic not in self._indices:
            self._indices[statistic] = statistic.index(self.view(statistic.view))
        return self._indices[statistic]

    def whole(self, statistic: AnyStatistic) -> Any:
        """Return the summary of all texts, made once."""
        if statistic not in self._wholes:
            if isinstance(statistic, Derived):
                made = statistic.derive(*(self.whole(source) for source in statistic.sources()))
            elif isinstance(statistic, NeedsRows):
                made = statistic.summarize(self.view(statistic.view))
            else:
                made = statistic.summarize(statistic.collect(self.view(statistic.view)))
            self._wholes[statistic] = made
        return self._wholes[statistic]

    def pair_index(self, statistic: PairStatistic[Any]) -> PairIndex[Any]:
        """Return the index of a pair statistic, made once."""
        if statistic not in self._pair_indices:
            self._pair_indices[statistic] = statistic.index(self)
        return self._pair_indices[statistic]

    def compare(self, pair: Pair, statistics: Iterable[PairStatistic[Any]]) -> dict[PairStatistic[Any], Any]:
        """Return the summaries of one pair of selections."""
        makers = _standing_in(list(statistics))
        rows = pair[0].rows, pair[1].rows
        made = {maker: self.pair_index(maker).summarize(*rows) for maker in dict.fromkeys(makers.values())}
        return {statistic: made[maker] for statistic, maker in makers.items()}

    def compare_many(
        self, pairs: Sequence[Pair], statistics: Sequence[PairStatistic[Any]]
    ) -> Iterator[tuple[Pair, dict[PairStatistic[Any], Any]]]:
        """Yield many pairs of selections, each with its summaries."""
        rows = [(reference.rows, candidate.rows) for reference, candidate in pairs]
        makers = _standing_in(statistics)
        making = list(dict.fromkeys(makers.values()))
        if not making:
            yield from ((pair, {}) for pair in pairs)
            return
        for pair, *summaries in zip(pairs, *(self.pair_index(maker).each(rows) for maker in making)):
            made = dict(zip(making, summaries))
            yield pair, {statistic: made[maker] for statistic, maker in makers.items()}


def _standing_in(statistics: Sequence[PairStatistic[Any]]) -> dict[PairStatistic[Any], PairStatistic[Any]]:
    """Return which statistic to make for each: another one, where that includes it."""
    return {
        statistic: next((o for o in statistics if o != statistic and o.includes(statistic)), statistic)
        for statistic in statistics
    }


class Summaries(Lookup):
    """The summaries of a corpus by statistic, and how its texts came.

    Parameters
    ----------
    by_statistic
        Those that were folded.
    rows
        The texts themselves, for what was not folded.
    origin
        How the texts came; that of `rows` where not given.
    """

    def __init__(
        self,
        by_statistic: Mapping[Mergeable[Any, Any], Any] | None = None,
        rows: Sequence[Rows] | None = None,
        origin: Origin | None = None,
    ) -> None:
        super().__init__(self._summary)
        self._by_statistic = by_statistic or {}
        self._pool = None if rows is None else Pool(Rows.join(rows))
        if origin is None:
            origin = sum((piece.batch.origin for piece in rows or ()), Origin())
        self.origin = origin

    @property
    def rows(self) -> Rows:
        """The texts, where a statistic needed all of them."""
        return Rows(Batch.of([])) if self._pool is None else self._pool.rows

    def _summary(self, statistic: Collected) -> Any:
        if isinstance(statistic, Mergeable) and statistic in self._by_statistic:
            return self._by_statistic[statistic]
        if self._pool is None:
            raise KeyError(statistic)
        return self._pool.whole(statistic)
