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
    """A metric whose formula turns n-gram counts into values."""

    def formula(self, grams: Grams) -> Reals:
        """Return one value per selection; NaN where it is undefined."""


@dataclass(frozen=True)
class Mean:
    """The sum of a value over members (texts or groups), and the number of members.

    Attributes
    ----------
    total
        The sum of the defined values.
    members, undefined
        The number of all members, and of those without a value (too short for n).
    """

    total: ExactSum
    members: int
    undefined: int

    def __add__(self, other: Mean) -> Mean:
        return Mean(self.total + other.total, self.members + other.members, self.undefined + other.undefined)

    @classmethod
    def of(cls, values: Reals) -> Mean:
        """Return the mean of these values; NaN stands for an undefined one."""
        defined = values[~np.isnan(values)]
        return cls(ExactSum.of(defined), len(values), len(values) - len(defined))


@dataclass(frozen=True)
class TextMean(Mergeable[Mean, Mean]):
    """The mean of a formula over texts."""

    counts: NgramCounts
    of: Formula

    @property
    def view(self) -> View[Tokens]:
        """The view of the counts."""
        return self.counts.view

    def collect(self, tokens: Tokens) -> Mean:
        """Apply the formula to each text of a batch."""
        return Mean.of(self.of.formula(self.counts.each_text(tokens)))

    def summarize(self, state: Mean) -> Mean:
        """Return the mean: the state is the summary."""
        return state

    def index(self, tokens: Tokens) -> ValueIndex:
        """Apply the formula to each text once."""
        return ValueIndex(self.of.formula(self.counts.each_text(tokens)))


@dataclass(frozen=True)
class ValueIndex:
    """One value per text, so that the mean of a selection needs no formula."""

    values: Reals

    def summarize(self, rows: Integers) -> Mean:
        """Return the mean of the texts in these rows."""
        return Mean.of(self.values[rows])


@dataclass(frozen=True)
class GroupCounts:
    """One state per group; the texts of a group may be in different batches."""

    counted: dict[str, Counted]

    def __add__(self, other: GroupCounts) -> GroupCounts:
        merged = dict(self.counted)
        for group, counted in other.counted.items():
            merged[group] = merged[group] + counted if group in merged else counted
        return GroupCounts(merged)

    def canonical(self) -> GroupCounts:
        """Return the same counts in the order of the names of the groups."""
        return GroupCounts({group: self.counted[group].canonical() for group in sorted(self.counted)})

    @classmethod
    def collect(cls, counts: NgramCounts, tokens: Tokens, option: str = "pool=group") -> GroupCounts:
        """Count the n-grams of each group of a batch; `option` is named if there are no groups."""
        by_group = rows_by_group(tokens, option)
        return cls({group: counts.collect(tokens.select(rows)) for group, rows in by_group.items()})


@dataclass(frozen=True)
class GroupMean(Mergeable[GroupCounts, Mean]):
    """The mean of a formula over groups of texts."""

    counts: NgramCounts
    of: Formula

    @property
    def view(self) -> View[Tokens]:
        """The view of the counts."""
        return self.counts.view

    def collect(self, tokens: Tokens) -> GroupCounts:
        """Count the n-grams of each group of a batch."""
        return GroupCounts.collect(self.counts, tokens)

    def summarize(self, state: GroupCounts) -> Mean:
        """Apply the formula to each group."""
        columns = Grams.concatenate([self.counts.summarize(counted) for counted in state.counted.values()])
        return Mean.of(self.of.formula(columns))


def rows_by_group(tokens: Tokens, option: str = "pool=group") -> dict[str, Integers]:
    """Return the rows of each group, in order; raise an error if there are texts but no groups."""
    if tokens.groups is None:
        if len(tokens):
            raise without_groups(option)
        return {}
    return rows_of_each(tokens.groups)


def without_groups(option: str) -> InputError:
    """Return the error of an option that needs groups where there are none."""
    return InputError(f"{option} needs groups: name their field with --group (Python: group= or groups=).")
