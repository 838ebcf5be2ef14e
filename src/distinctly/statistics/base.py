"""What all statistics share: collect, merge, summarize, and cut selections from an index."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from distinctly.ragged import Integers
from distinctly.views.tokens import Tokens

S = TypeVar("S", bound="State")
Summary = TypeVar("Summary", covariant=True)


class State(Protocol):
    """What is kept of the batches so far. The order of adding changes nothing."""

    def __add__(self: S, other: S, /) -> S:
        """Return the state of both."""


class Statistic(ABC, Generic[S, Summary]):
    """A mergeable summary: ``collect(a) + collect(b)`` is ``collect(a and b)``, to the bit.

    Subclasses are frozen dataclasses, so that two metrics that need the same one share it.
    """

    @abstractmethod
    def collect(self, view: Tokens) -> S:
        """Make the state of one batch."""

    @abstractmethod
    def summarize(self, state: S) -> Summary:
        """Turn the state into what a metric reads."""

    def index(self, view: Tokens) -> Index[Summary]:
        """Prepare a view for many selections of its texts."""
        return Recollected(self, view)


class Index(Protocol[Summary]):
    """A view made ready: any selection of its texts can be summarized without counting again."""

    def summarize(self, rows: Integers) -> Summary:
        """Return what `collect` on these texts alone would come to."""


@dataclass(frozen=True)
class Recollected(Generic[Summary]):
    """The index of a statistic that has none: collect the selection anew."""

    statistic: Statistic[Any, Summary]
    view: Tokens

    def summarize(self, rows: Integers) -> Summary:
        """Return the summary of these texts."""
        return self.statistic.summarize(self.statistic.collect(self.view.select(rows)))
