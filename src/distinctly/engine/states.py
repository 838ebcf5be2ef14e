"""States of statistics over some texts: for texts that arrive in parts, or on several machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from distinctly.batch import Batch, Origin
from distinctly.config import RunConfig
from distinctly.hashing import Hashes
from distinctly.statistics.base import AnyStatistic, Collected, Derived, Mergeable, NeedsRows, TwoPass
from distinctly.statistics.pool import Summaries
from distinctly.statistics.tables import Counting, HashCounts, MergedTable, Table, add_counts
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


@dataclass(frozen=True)
class CollectedStates:
    """What is known of some texts: tables of counts, and other states.

    Attributes
    ----------
    tables
        The tables of statistics that count.
    folded
        The states of the other statistics, and the origin of the texts.
    in_order
        Whether partitions of the tables have to be read one after another, by one thread.
    """

    tables: Mapping[Counting[Any, Any], Table]
    folded: Folded
    in_order: bool = False

    @classmethod
    def of_states(cls, folded: Folded) -> CollectedStates:
        """Return states in memory, with those of statistics that count as tables."""
        counting = {s: state for s, state in folded.states.items() if isinstance(s, Counting)}
        others = {s: state for s, state in folded.states.items() if s not in counting}
        tables = {statistic: statistic.as_table(state) for statistic, state in counting.items()}
        return cls(tables, Folded(others, None, folded.origin))

    def summaries(self) -> Summaries:
        """Return the summary of each statistic."""
        return self.summaries_of([*self.folded.states, *self.tables])

    def summaries_of(self, statistics: Iterable[Mergeable[Any, Any]]) -> Summaries:
        """Return the summaries of some statistics."""
        known: dict[Any, Any] = {
            statistic: statistic.summarize_table(self.tables[statistic])
            if isinstance(statistic, Counting)
            else statistic.summarize(self.folded.states[statistic])
            for statistic in statistics
        }
        return Summaries(known, None, self.folded.origin)


def merge_states(
    states: Sequence[CollectedStates], count: Callable[[Hashes, Hashes], HashCounts] = add_counts
) -> CollectedStates:
    """Return the sum of states, in order; tables are merged when they are read, by the function `count`."""
    tables = {s: MergedTable([each.tables[s] for each in states], count) for s in states[0].tables}
    return CollectedStates(tables, sum((each.folded for each in states), Folded()), in_order=True)


def underived(statistics: Iterable[AnyStatistic]) -> list[Collected]:
    """Return the distinct statistics to collect from texts, with derived ones replaced by their sources."""
    needed: dict[Collected, None] = {}
    for statistic in statistics:
        if isinstance(statistic, Derived):
            needed |= dict.fromkeys(underived(statistic.sources()))
        else:
            needed[statistic] = None
    return list(needed)


def second_states(statistics: Sequence[TwoPass[Any, Any]], first: Mapping[Any, Any], rows: Rows) -> list[Any]:
    """Return the states of some texts in the second pass, given the summaries of the first pass."""
    return [
        statistic.collect(rows[statistic.view], *(first[table] for table in statistic.first()))
        for statistic in statistics
    ]


def fold(
    batches: Iterable[Batch],
    statistics: Iterable[AnyStatistic],
    config: RunConfig,
    *,
    keep: Iterable[View[Any]] = (),
) -> Folded:
    """Collect all statistics from each batch, and add up their states; keep the texts with some views."""
    return fold_rows((Rows(batch, config) for batch in batches), statistics, keep=keep)


def fold_rows(
    pieces: Iterable[Rows], statistics: Iterable[AnyStatistic], *, keep: Iterable[View[Any]] = ()
) -> Folded:
    """Collect all statistics from pieces of texts in memory, as `fold` does from batches."""
    needed = underived(statistics)
    mergeable = [statistic for statistic in needed if isinstance(statistic, Mergeable)]
    views = {*keep, *(statistic.view for statistic in needed if isinstance(statistic, NeedsRows))}
    total = Folded()
    for rows in pieces:
        states = {statistic: statistic.collect(rows[statistic.view]) for statistic in mergeable}
        total += Folded(states, (rows.keeping(views),) if views else None, rows.batch.origin)
    return total
