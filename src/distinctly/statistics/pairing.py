"""Pair statistics: summaries of two selections of one pool of texts together."""

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
    """A pool made ready for comparing any two selections of its texts."""

    @abstractmethod
    def summarize(self, reference: Integers, candidate: Integers) -> Summary:
        """Compare two selections."""

    def each(self, pairs: Sequence[PairRows]) -> Iterator[Summary]:
        """Compare many pairs, in turn; the same as one by one, and faster where there is a way."""
        return (self.summarize(reference, candidate) for reference, candidate in pairs)


class PairStatistic(ABC, Generic[Summary]):
    """A summary of a reference and a candidate, made once for all distances that read it.

    Subclasses are frozen dataclasses, as statistics are.

    Attributes
    ----------
    view
        What it reads of the texts.
    """

    if TYPE_CHECKING:

        @property
        def view(self) -> View[Any]:
            """What it reads of the texts."""

    @abstractmethod
    def index(self, pool: Pool) -> PairIndex[Summary]:
        """Prepare a pool for many pairs of selections."""

    def includes(self, other: PairStatistic[Any]) -> bool:
        """Tell whether its summary has all that another one's would have, so that one is enough."""
        return self == other


class MergeablePair(PairStatistic[Summary]):
    """One that can also be made from a mergeable statistic of each side, without a pool."""

    @abstractmethod
    def side(self) -> Mergeable[Any, Any]:
        """Return the statistic of each side."""

    @abstractmethod
    def combine(self, reference: Any, candidate: Any) -> Summary:
        """Make the summary from those of the two sides."""
