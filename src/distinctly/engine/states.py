"""States of statistics over some texts: for texts that arrive in parts, or on several machines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from distinctly.batch import Batch, Origin
from distinctly.config import RunConfig
from distinctly.statistics.base import AnyStatistic, Collected, Derived, Mergeable, NeedsRows
from distinctly.statistics.pool import Summaries
from distinctly.views.base import View
from distinctly.views.rows import Rows


@dataclass(frozen=True)
class Folded:
    """The states of statistics over the texts so far, and the texts if a statistic needs them.

    States of any parts can be added in any order. The summaries are the same, to the last bit if the
    statistic is exact.
    """

    states: Mapping[Mergeable[Any, Any], Any] = field(default_factory=dict)
    rows: tuple[Rows, ...] | None = None
    origin: Origin = field(default_factory=Origin)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been collected."""
        return not self.states and self.rows is None

    def __add__(self, other: Folded) -> Folded:
        if self.is_empty or other.is_empty:
            return other if self.is_empty else self
        rows = None if self.rows is None or other.rows is None else self.rows + other.rows
        states = {statistic: state + other.states[statistic] for statistic, state in self.states.items()}
        return Folded(states, rows, self.origin + other.origin)

    def summaries(self) -> Summaries:
        """Return the summary of each statistic."""
        by_statistic: dict[Collected, Any] = {
            statistic: statistic.summarize(state) for statistic, state in self.states.items()
        }
        return Summaries(by_statistic, self.rows, self.origin)


def underived(statistics: Iterable[AnyStatistic]) -> list[Collected]:
    """Return the distinct statistics to collect from texts, with derived ones replaced by their sources."""
    needed: dict[Collected, None] = {}
    for statistic in statistics:
        if isinstance(statistic, Derived):
            needed |= dict.fromkeys(underived(statistic.sources()))
        else:
            needed[statistic] = None
    return list(needed)


def fold(
    batches: Iterable[Batch],
    statistics: Iterable[AnyStatistic],
    config: RunConfig,
    *,
    keep: Iterable[View[Any]] = (),
) -> Folded:
    """Collect all statistics from each batch, and add up their states; keep the texts with some views."""
    needed = underived(statistics)
    mergeable = [statistic for statistic in needed if isinstance(statistic, Mergeable)]
    views = {*keep, *(statistic.view for statistic in needed if isinstance(statistic, NeedsRows))}
    total = Folded()
    for batch in batches:
        rows = Rows(batch, config)
        states = {statistic: statistic.collect(rows[statistic.view]) for statistic in mergeable}
        total += Folded(states, (rows.keeping(views),) if views else None, batch.origin)
    return total
