"""Pair statistics: joint summaries of two selections of a pool of texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from distinctly.ragged import Integers
from distinctly.statistics.base import Mergeable
from distinctly.views.base import View

if TYPE_CHECKING:
    from distinctly.statistics.pool import Pool

Summary = TypeVar("Summary", covariant=True)
# The rows of a reference and of a candidate.
PairRows = tuple[Integers, Integers]


class PairIndex(ABC, Generic[Summary]):
    """A pool prepared for comparing any two selections of its texts."""

    @abstractmethod
    def summarize(self, reference: Integers, candidate: Integers) -> Summary:
        """Compare two selections."""

    def each(self, pairs: Sequence[PairRows]) -> Iterator[Summary]:
        """Yield the summary of each pair; the same as `summarize`, and faster for some statistics."""
        return (self.summarize(reference, candidate) for reference, candidate in pairs)


class PairStatistic(ABC, Generic[Summary]):
    """A summary of a reference and a candidate, computed once for all distances that read it.

    Subclasses are frozen dataclasses, as statistics are.

    Attributes
    ----------
    view
        The view of the texts that the statistic reads.
    """

    if TYPE_CHECKING:

        @property
        def view(self) -> View[Any]:
            """The view of the texts that the statistic reads."""

    @abstractmethod
    def index(self, pool: Pool) -> PairIndex[Summary]:
        """Prepare a pool for many pairs of selections."""

    def includes(self, other: PairStatistic[Any]) -> bool:
        """Return whether its summary can replace the summary of another statistic."""
        return self == other


class MergeablePair(PairStatistic[Summary]):
    """A pair statistic that can also be combined from one mergeable statistic per side, without a pool."""

    @abstractmethod
    def side(self) -> Mergeable[Any, Any]:
        """Return the statistic of each side."""

    @abstractmethod
    def combine(self, reference: Any, candidate: Any) -> Summary:
        """Combine the summaries of the two sides."""
