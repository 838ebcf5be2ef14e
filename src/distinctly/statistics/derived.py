"""Statistics made from other statistics, and the summaries of a corpus as a metric finds them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from distinctly.ragged import Integers
from distinctly.statistics.base import Index, Statistic
from distinctly.views.tokens import Tokens

Summary = TypeVar("Summary", covariant=True)


class Derived(ABC, Generic[Summary]):
    """A summary that is made from the summaries of other statistics, once, for all who need it.

    Subclasses are frozen dataclasses, as statistics are.
    """

    @abstractmethod
    def sources(self) -> tuple[AnyStatistic, ...]:
        """Return the statistics that it is made from."""

    @abstractmethod
    def derive(self, *summaries: Any) -> Summary:
        """Make the summary from those of the sources."""


class Cuttable(Derived[Summary]):
    """One whose summary of some texts is a part of that of all, so that it is made once and cut."""

    @abstractmethod
    def cut(self, whole: Any, rows: Integers) -> Summary:
        """Cut the summary of a selection of texts from that of all."""


AnyStatistic = Statistic[Any, Any] | Derived[Any]


def collected(statistics: Iterable[AnyStatistic]) -> list[Statistic[Any, Any]]:
    """Return the statistics to collect from the texts for all of these."""
    found: dict[Statistic[Any, Any], None] = {}
    for statistic in statistics:
        if isinstance(statistic, Derived):
            found |= dict.fromkeys(collected(statistic.sources()))
        else:
            found[statistic] = None
    return list(found)


class Lookup:
    """The summaries of some texts by statistic, made when first asked for."""

    def __init__(self, find: Callable[[Statistic[Any, Any]], Any]) -> None:
        self._find = find
        self._made: dict[AnyStatistic, Any] = {}
        self._sampled: dict[tuple[AnyStatistic, int], Any] = {}

    def __getitem__(self, statistic: AnyStatistic) -> Any:
        if statistic not in self._made:
            self._made[statistic] = self._make(statistic)
        return self._made[statistic]

    def at_sample(self, statistic: AnyStatistic, sample: int) -> Any:
        """Return a summary as it is expected to be in a smaller sample, where it can be."""
        whole = self[statistic]
        if not hasattr(whole, "rarefied"):
            return whole
        if (statistic, sample) not in self._sampled:
            self._sampled[statistic, sample] = whole.rarefied(sample)
        return self._sampled[statistic, sample]

    def _make(self, statistic: AnyStatistic) -> Any:
        if isinstance(statistic, Derived):
            return statistic.derive(*(self[source] for source in statistic.sources()))
        return self._find(statistic)


class TextPool:
    """Texts in memory, from which any selection can be summarized without counting again."""

    def __init__(self, view: Tokens) -> None:
        self.view = view
        self._indices: dict[Statistic[Any, Any], Index[Any]] = {}
        self._wholes: dict[Derived[Any], Any] = {}

    def __len__(self) -> int:
        return len(self.view)

    def cut(self, rows: Integers) -> Lookup:
        """Return the summaries of these texts."""
        return _Cut(self, rows)

    def part(self, rows: Integers) -> TextPool:
        """Return a pool of some of the texts; what was made of all and can be cut is not made again."""
        found = TextPool(self.view.select(rows))
        for one, whole in self._wholes.items():
            if isinstance(one, Cuttable):
                found.know(one, one.cut(whole, rows))
        return found

    def know(self, statistic: Derived[Any], whole: Any) -> None:
        """Take a summary of all texts as given, instead of making it."""
        self._wholes[statistic] = whole

    def index(self, statistic: Statistic[Any, Any]) -> Any:
        """Return the index of a statistic, made once; some can do more than summarize."""
        if statistic not in self._indices:
            self._indices[statistic] = statistic.index(self.view)
        return self._indices[statistic]

    def whole(self, statistic: AnyStatistic) -> Any:
        """Return the summary of all texts, made once for derived statistics."""
        if not isinstance(statistic, Derived):
            return statistic.summarize(statistic.collect(self.view))
        if statistic not in self._wholes:
            sources = (self.whole(source) for source in statistic.sources())
            self._wholes[statistic] = statistic.derive(*sources)
        return self._wholes[statistic]


class _Cut(Lookup):
    """The summaries of a selection of a pool."""

    def __init__(self, pool: TextPool, rows: Integers) -> None:
        super().__init__(lambda statistic: pool.index(statistic).summarize(rows))
        self._pool, self._rows = pool, rows

    def _make(self, statistic: AnyStatistic) -> Any:
        if isinstance(statistic, Cuttable):
            return statistic.cut(self._pool.whole(statistic), self._rows)
        return super()._make(statistic)
