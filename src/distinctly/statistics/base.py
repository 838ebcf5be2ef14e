"""What all statistics share, and their kinds: mergeable, in two passes, needing all rows, derived."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from distinctly.ragged import Integers
from distinctly.views.base import View

if TYPE_CHECKING:
    from distinctly.statistics.collector import Collector, Spill

S = TypeVar("S", bound="State")
M = TypeVar("M", bound="Mergeable[Any, Any]")
Summary = TypeVar("Summary", covariant=True)


class State(Protocol):
    """What is kept of the batches so far. The order of adding changes nothing."""

    def __add__(self: S, other: S, /) -> S:
        """Return the state of both."""


class Statistic(ABC, Generic[Summary]):
    """A summary of texts, read from one view of them.

    Subclasses are frozen dataclasses, so that two metrics that need the same one share it.

    Attributes
    ----------
    view
        What it reads of the texts.
    """

    if TYPE_CHECKING:

        @property
        def view(self) -> View[Any]:
            """What it reads of the texts."""


class Mergeable(Statistic[Summary], Generic[S, Summary]):
    """One that is folded over batches: ``collect(a) + collect(b)`` is ``collect(a and b)``.

    Attributes
    ----------
    exact
        Whether that holds to the bit; otherwise within rounding.
    """

    exact: ClassVar[bool] = True

    @abstractmethod
    def collect(self, data: Any) -> S:
        """Make the state of one batch."""

    @abstractmethod
    def summarize(self, state: S) -> Summary:
        """Turn the state into what a metric reads."""

    def index(self, data: Any) -> Index[Summary]:
        """Prepare texts for many selections of them."""
        return Recollected(self, data)

    @classmethod
    def collector(cls: type[M], statistics: Sequence[M], spill: Spill) -> Collector | None:  # noqa: ARG003
        """Return a faster way to collect statistics of this class, of one view, from large inputs."""
        return None

    @property
    def reads_twice(self) -> bool:
        """Whether that faster way has to read the texts a second time."""
        return False


class NeedsRows(Statistic[Summary]):
    """One that needs all texts together, in memory."""

    @abstractmethod
    def summarize(self, data: Any) -> Summary:
        """Summarize all texts."""


class TwoPass(NeedsRows[Summary], Generic[S, Summary]):
    """One that is folded over batches a second time, knowing the summary of the first pass.

    Where all texts are in memory, `summarize` does both passes at once.
    """

    @abstractmethod
    def first(self) -> Mergeable[Any, Any]:
        """Return what is folded in the first pass."""

    @abstractmethod
    def collect(self, data: Any, first: Any) -> S:
        """Make the state of one batch in the second pass."""

    @abstractmethod
    def finish(self, state: S) -> Summary:
        """Turn the state of the second pass into what a metric reads."""


class Derived(ABC, Generic[Summary]):
    """A summary that is made from the summaries of other statistics, once, for all that need it.

    Subclasses are frozen dataclasses, as statistics are.
    """

    @abstractmethod
    def sources(self) -> tuple[AnyStatistic, ...]:
        """Return the statistics that it is made from."""

    @abstractmethod
    def derive(self, *summaries: Any) -> Summary:
        """Make the summary from those of the sources."""


# What is read from texts: each is one of the two.
Collected = Mergeable[Any, Any] | NeedsRows[Any]
AnyStatistic = Collected | Derived[Any]


class Index(Protocol[Summary]):
    """Texts made ready: any selection of them can be summarized without counting again."""

    def summarize(self, rows: Integers) -> Summary:
        """Return what `collect` on these texts alone would be summarized to."""


@dataclass(frozen=True)
class Recollected(Generic[Summary]):
    """The index of a statistic that has none: collect the selection anew."""

    statistic: Mergeable[Any, Summary]
    data: Any

    def summarize(self, rows: Integers) -> Summary:
        """Return the summary of these texts."""
        return self.statistic.summarize(self.statistic.collect(self.data.select(rows)))
