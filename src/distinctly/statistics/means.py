"""The mean of a formula over the texts or groups of a corpus: `pool=text` and `pool=group`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from distinctly.errors import InputError
from distinctly.ragged import Integers, rows_of_each
from distinctly.statistics.base import Mergeable
from distinctly.statistics.exact_sum import ExactSum
from distinctly.statistics.ngram_counts import Counted, Grams, NgramCounts, Reals
from distinctly.views.base import View
from distinctly.views.tokens import Tokens


class Formula(Protocol):
    """Something with a formula: a metric."""

    def formula(self, grams: Grams) -> Reals:
        """Return one value a selection; NaN where it is undefined."""


@dataclass(frozen=True)
class Mean:
    """A sum over members (texts or groups) and how many they were.

    Attributes
    ----------
    total
        The sum of the values that are defined.
    members, undefined
        All members, and those without a value (too short for n).
    """

    total: ExactSum
    members: int
    undefined: int

    def __add__(self, other: Mean) -> Mean:
        return Mean(self.total + other.total, self.members + other.members, self.undefined + other.undefined)

    @classmethod
    def of(cls, values: Reals) -> Mean:
        """Make the mean of these values."""
        defined = values[~np.isnan(values)]
        return cls(ExactSum.of(defined), len(values), len(values) - len(defined))


@dataclass(frozen=True)
class TextMean(Mergeable[Mean, Mean]):
    """The mean of a formula over texts."""

    counts: NgramCounts
    of: Formula

    @property
    def view(self) -> View[Tokens]:
        """What the counts are of."""
        return self.counts.view

    def collect(self, view: Tokens) -> Mean:
        """Apply the formula to each text of a batch."""
        return Mean.of(self.of.formula(self.counts.each_text(view)))

    def summarize(self, state: Mean) -> Mean:
        """Return the mean; it is its own summary."""
        return state

    def index(self, view: Tokens) -> ValueIndex:
        """Apply the formula to each text once."""
        return ValueIndex(self.of.formula(self.counts.each_text(view)))


@dataclass(frozen=True)
class ValueIndex:
    """One value a text, so that the mean of a selection needs no formula."""

    values: Reals

    def summarize(self, rows: Integers) -> Mean:
        """Return the mean of these texts."""
        return Mean.of(self.values[rows])


@dataclass(frozen=True)
class GroupCounts:
    """One state a group; a group's texts may come in different batches."""

    counted: dict[str, Counted]

    def __add__(self, other: GroupCounts) -> GroupCounts:
        merged = dict(self.counted)
        for group, counted in other.counted.items():
            merged[group] = merged[group] + counted if group in merged else counted
        return GroupCounts(merged)


@dataclass(frozen=True)
class GroupMean(Mergeable[GroupCounts, Mean]):
    """The mean of a formula over groups of texts."""

    counts: NgramCounts
    of: Formula

    @property
    def view(self) -> View[Tokens]:
        """What the counts are of."""
        return self.counts.view

    def collect(self, view: Tokens) -> GroupCounts:
        """Count the n-grams of each group of a batch."""
        return GroupCounts(
            {group: self.counts.collect(view.select(rows)) for group, rows in rows_by_group(view).items()}
        )

    def summarize(self, state: GroupCounts) -> Mean:
        """Apply the formula to each group."""
        columns = Grams.concatenate([self.counts.summarize(counted) for counted in state.counted.values()])
        return Mean.of(self.of.formula(columns))


def rows_by_group(view: Tokens) -> dict[str, Integers]:
    """Return the rows of each group, in order; raise where there are texts and no groups."""
    if view.groups is None:
        if len(view):
            raise InputError(
                "pool=group needs groups: name their field with --group (Python: group= or groups=)."
            )
        return {}
    return rows_of_each(view.groups)
