"""`Pool`: texts in memory, any selection of which is summarized without counting again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from distinctly.batch import Origin
from distinctly.ragged import Integers
from distinctly.statistics.base import AnyStatistic, Collected, Derived, Index, Mergeable, NeedsRows
from distinctly.statistics.pairing import PairIndex, PairStatistic
from distinctly.views.base import D, View
from distinctly.views.rows import Rows
from distinctly.views.texts import TextView


class Lookup(ABC):
    """The summaries of some texts by statistic, computed when they are first needed."""

    def __init__(self) -> None:
        self._summaries: dict[AnyStatistic, Any] = {}

    @abstractmethod
    def _find(self, statistic: Collected) -> Any:
        """Return the summary of a statistic."""

    def __getitem__(self, statistic: AnyStatistic) -> Any:
        if statistic not in self._summaries:
            if isinstance(statistic, Derived):
                sources = (self[source] for source in statistic.sources())
                self._summaries[statistic] = statistic.derive(*sources)
            else:
                self._summaries[statistic] = self._find(statistic)
        return self._summaries[statistic]


class Selection(Lookup):
    """Some texts of a pool, and their summaries."""

    def __init__(self, pool: Pool, rows: Integers) -> None:
        super().__init__()
        self.pool, self.rows = pool, rows
        self._views: dict[View[Any], Any] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def view(self, view: View[D]) -> D:
        """Return a view of these texts; it is selected once."""
        data: D
        if view not in self._views:
            self._views[view] = self.pool.view(view).select(self.rows)
        data = self._views[view]
        return data

    def _find(self, statistic: Collected) -> Any:
        if isinstance(statistic, NeedsRows):
            return statistic.summarize(self.view(statistic.view))
        return self.pool.index(statistic).summarize(self.rows)


Pair = tuple[Selection, Selection]


class Pool:
    """Texts in memory, any selection of which can be summarized, and any two of which can be compared."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._indices: dict[Mergeable[Any, Any], Index[Any]] = {}
        self._pair_indices: dict[PairStatistic[Any], PairIndex[Any]] = {}
        self._wholes: dict[AnyStatistic, Any] = {}
        self._ranks: dict[View[Any], Integers] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def view(self, view: View[D]) -> D:
        """Return a view of all texts; it is computed once."""
        return self.rows[view]

    def select(self, rows: Integers) -> Selection:
        """Return a selection of the texts, which keeps its summaries."""
        return Selection(self, rows)

    def part(self, rows: Integers) -> Pool:
        """Return a pool of some of the texts; existing views are selected, not computed again."""
        return Pool(self.rows.select(rows))

    def content_ranks(self, view: View[Any]) -> Integers:
        """Return the rank of each text in an order that depends only on the contents, as a view has them."""
        if view not in self._ranks:
            hashes = self.view(view).text_hashes
            order = np.argsort(hashes, kind="stable")
            in_order = hashes[order]
            if (in_order[1:] == in_order[:-1]).any():
                # Texts with the same tokens may differ in other views.
                order = np.lexsort((self.view(TextView()).text_hashes, hashes))
            ranks = np.empty(len(order), np.int64)
            ranks[order] = np.arange(len(order))
            self._ranks[view] = ranks
        return self._ranks[view]

    def index(self, statistic: Mergeable[Any, Any]) -> Any:
        """Return the index of a statistic, built once; some indices have more methods than `summarize`."""
        if statistic not in self._indices:
            self._indices[statistic] = statistic.index(self.view(statistic.view))
        return self._indices[statistic]

    def whole(self, statistic: AnyStatistic) -> Any:
        """Return the summary of all texts, computed once."""
        if statistic not in self._wholes:
            if isinstance(statistic, Derived):
                summary = statistic.derive(*(self.whole(source) for source in statistic.sources()))
            elif isinstance(statistic, NeedsRows):
                summary = statistic.summarize(self.view(statistic.view))
            else:
                summary = statistic.summarize(statistic.collect(self.view(statistic.view)))
            self._wholes[statistic] = summary
        return self._wholes[statistic]

    def pair_index(self, statistic: PairStatistic[Any]) -> PairIndex[Any]:
        """Return the index of a pair statistic, built once."""
        if statistic not in self._pair_indices:
            self._pair_indices[statistic] = statistic.index(self)
        return self._pair_indices[statistic]

    def compare(self, pair: Pair, statistics: Iterable[PairStatistic[Any]]) -> dict[PairStatistic[Any], Any]:
        """Return the summaries of one pair of selections."""
        substitutes = _substitutes(list(statistics))
        rows = pair[0].rows, pair[1].rows
        needed = dict.fromkeys(substitutes.values())
        summaries = {statistic: self.pair_index(statistic).summarize(*rows) for statistic in needed}
        return {statistic: summaries[substitute] for statistic, substitute in substitutes.items()}

    def compare_many(
        self, pairs: Sequence[Pair], statistics: Sequence[PairStatistic[Any]]
    ) -> Iterator[tuple[Pair, dict[PairStatistic[Any], Any]]]:
        """Yield each pair of selections with its summaries."""
        rows = [(reference.rows, candidate.rows) for reference, candidate in pairs]
        substitutes = _substitutes(statistics)
        needed = list(dict.fromkeys(substitutes.values()))
        if not needed:
            yield from ((pair, {}) for pair in pairs)
            return
        columns = [self.pair_index(statistic).each(rows) for statistic in needed]
        for pair, *summaries in zip(pairs, *columns):
            by_statistic = dict(zip(needed, summaries))
            yield pair, {statistic: by_statistic[substitute] for statistic, substitute in substitutes.items()}


def _substitutes(statistics: Sequence[PairStatistic[Any]]) -> dict[PairStatistic[Any], PairStatistic[Any]]:
    """Return the statistic to compute for each: another one that includes it, if there is one."""
    return {
        statistic: next((s for s in statistics if s != statistic and s.includes(statistic)), statistic)
        for statistic in statistics
    }


class Summaries(Lookup):
    """The summaries of a corpus by statistic, and the origin of its texts.

    Parameters
    ----------
    by_statistic
        The summaries of the folded statistics.
    rows
        The texts, for statistics that were not folded.
    origin
        The origin of the texts; by default the origin of `rows`.
    """

    def __init__(
        self,
        by_statistic: Mapping[Collected, Any] | None = None,
        rows: Sequence[Rows] | None = None,
        origin: Origin | None = None,
    ) -> None:
        super().__init__()
        self._by_statistic = by_statistic or {}
        self._pool = None if rows is None else Pool(Rows.join(rows))
        if origin is None:
            origin = sum((piece.batch.origin for piece in rows or ()), Origin())
        origin.check()
        self.origin = origin

    def _find(self, statistic: Collected) -> Any:
        if statistic in self._by_statistic:
            return self._by_statistic[statistic]
        if self._pool is None:
            raise KeyError(statistic)
        return self._pool.whole(statistic)
