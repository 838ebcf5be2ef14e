"""`Engine`: what folds statistics over the texts of a corpus; and its result, `Summaries`."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Protocol, cast

from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.errors import SpecError
from distinctly.statistics.base import AnyStatistic, Collected, Derived, Mergeable, NeedsRows
from distinctly.statistics.pool import Lookup, Pool
from distinctly.views.rows import Rows


class Summaries(Lookup):
    """The summaries of a corpus by statistic.

    Parameters
    ----------
    by_statistic
        Those that were folded.
    rows
        The texts themselves, where a statistic needs them all together.
    """

    def __init__(
        self, by_statistic: Mapping[Mergeable[Any, Any], Any], rows: Sequence[Rows] | None = None
    ) -> None:
        super().__init__(self._summary)
        self._by_statistic = by_statistic
        self._pool = None if rows is None else Pool(Rows.join(rows))

    def _summary(self, statistic: Collected) -> Any:
        if isinstance(statistic, NeedsRows) and self._pool is not None:
            return self._pool.whole(statistic)
        return self._by_statistic[cast("Mergeable[Any, Any]", statistic)]


class Engine(Protocol):
    """Folds statistics over the texts of a corpus: a module of this package with this function."""

    def summarize(self, corpus: Corpus, statistics: Iterable[AnyStatistic], config: RunConfig) -> Summaries:
        """Return the summaries of all statistics, the same to the bit whatever the engine."""


def underived(statistics: Iterable[AnyStatistic]) -> list[Collected]:
    """Return the statistics to collect from the texts for all of these, each once."""
    needed: dict[Collected, None] = {}
    for statistic in statistics:
        if isinstance(statistic, Derived):
            needed |= dict.fromkeys(underived(statistic.sources()))
        else:
            needed[statistic] = None
    return list(needed)


def find_engine(name: str) -> Engine:
    """Return the engine of that name: the module `distinctly.engine.<name>`.

    Examples
    --------
    >>> find_engine("local").summarize.__module__
    'distinctly.engine.local'
    """
    module = f"distinctly.engine.{name}"
    found = importlib.import_module(module) if name.isidentifier() and find_spec(module) else None
    if not hasattr(found, "summarize"):
        raise SpecError(f"Expected an engine such as local, got '{name}'.")
    return cast("Engine", found)
