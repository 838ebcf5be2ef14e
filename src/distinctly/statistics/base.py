"""Base classes of statistics: mergeable, in two passes, needing all rows, derived."""

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
    """What is kept of the batches so far. States can be added in any order."""

    def __add__(self: S, other: S, /) -> S:
        """Return the state of the batches of both."""


class Statistic(ABC, Generic[Summary]):
    """A summary of texts, computed from one view of them.

    Subclasses are frozen dataclasses, so that two metrics that need equal statistics share one.

    Attributes
    ----------
    view
        The view of the texts that the statistic reads.
    """

    if TYPE_CHECKING:

        @property
        def view(self) -> View[Any]:
            """The view of the texts that the statistic reads."""


class Mergeable(Statistic[Summary], Generic[S, Summary]):
    """A statistic that is folded over batches: ``collect(a) + collect(b) == collect(a and b)``.

    Attributes
    ----------
    exact
        Whether the equality is exact to the last bit; otherwise it holds up to rounding.
    """

    exact: ClassVar[bool] = True

    @abstractmethod
    def collect(self, data: Any) -> S:
        """Return the state of one batch."""

    @abstractmethod
    def summarize(self, state: S) -> Summary:
        """Turn the state into the summary that metrics read."""

    def index(self, data: Any) -> Index[Summary]:
        """Return an index that summarizes any selection of the texts."""
        return Recollected(self, data)

    @classmethod
    def collector(cls: type[M], statistics: Sequence[M], spill: Spill) -> Collector | None:  # noqa: ARG003
        """Return a faster collector for statistics of this class and one view, or None if there is none."""
        return None

    @property
    def reads_twice(self) -> bool:
        """Whether the faster collector has to read the texts a second time."""
        return False


class NeedsRows(Statistic[Summary]):
    """A statistic that needs all texts in memory at once."""

    @abstractmethod
    def summarize(self, data: Any) -> Summary:
        """Summarize all texts."""


class TwoPass(NeedsRows[Summary], Generic[S, Summary]):
    """A statistic that is folded over batches twice, the second time with the summaries of the first pass.

    If all texts are in memory, `summarize` computes the same in one call. An engine that cannot hold them
    folds `first()`, then `collect`.
    """

    @abstractmethod
    def first(self) -> tuple[Mergeable[Any, Any], ...]:
        """Return the statistics of the first pass."""

    @abstractmethod
    def collect(self, data: Any, *first: Any) -> S:
        """Return the state of one batch in the second pass, given the summaries of the first."""

    @abstractmethod
    def finish(self, state: S) -> Summary:
        """Return the summary of the second pass."""


class Derived(ABC, Generic[Summary]):
    """A summary that is derived from the summaries of other statistics, once for all metrics that need it.

    Subclasses are frozen dataclasses, as statistics are.
    """

    @abstractmethod
    def sources(self) -> tuple[AnyStatistic, ...]:
        """Return the statistics that it is derived from."""

    @abstractmethod
    def derive(self, *summaries: Any) -> Summary:
        """Derive the summary from the summaries of the sources."""


# Statistics that are computed from texts.
Collected = Mergeable[Any, Any] | NeedsRows[Any]
AnyStatistic = Collected | Derived[Any]


class Index(Protocol[Summary]):
    """Prepared texts, any selection of which can be summarized without counting again."""

    def summarize(self, rows: Integers) -> Summary:
        """Return the summary of the texts in these rows."""


@dataclass(frozen=True)
class Recollected(Generic[Summary]):
    """The index of a statistic that has no faster one: it collects each selection anew."""

    statistic: Mergeable[Any, Summary]
    data: Any

    def summarize(self, rows: Integers) -> Summary:
        """Return the summary of the texts in these rows."""
        return self.statistic.summarize(self.statistic.collect(self.data.select(rows)))
