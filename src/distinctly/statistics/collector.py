"""Collectors: how an engine collects mergeable statistics over many batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from distinctly.statistics.base import Mergeable
from distinctly.statistics.hashed_texts import HashedTexts, Piece
from distinctly.statistics.tables import Counting, HashCounts, Table
from distinctly.views.rows import Rows

# Yields all texts a second time.
ReadAgain = Callable[[], Iterator[Rows]]
# Runs calls, in parallel if there are several threads, and returns their results.
Runner = Callable[[Sequence[Callable[[], Any]]], list[Any]]


class SpilledRun(Protocol):
    """Spilled counts, by partition."""

    def length(self, p: int, /) -> int:
        """Return the number of entries of a partition."""

    def read(self, p: int, /) -> HashCounts:
        """Return a partition."""


class Spill(Protocol):
    """Storage for counts that are not needed until the end."""

    def put(self, run: list[HashCounts], /) -> SpilledRun:
        """Store the counts of each partition."""

    def keep(self, texts: HashedTexts, /) -> Piece:
        """Store texts, which can be read as long as something refers to them."""


class Collector(ABC):
    """Takes one batch after another and returns the summaries of some statistics at the end.

    Batches are *prepared* in parallel, on any thread, and *absorbed* in order, on one thread.
    """

    @property
    def is_joined(self) -> bool:
        """Whether its tables are read key by key in a second pass, and not summarized."""
        return False

    @abstractmethod
    def prepare(self, rows: Rows) -> Any:
        """Compute what is needed of one batch, without changing the collector."""

    @abstractmethod
    def absorb(self, part: Any) -> None:
        """Add a prepared batch."""

    @property
    def pending_bytes(self) -> int:
        """The number of bytes that were absorbed and not yet reduced."""
        return 0

    def reduce(self, run: Runner) -> None:  # noqa: B027 - nothing to do if nothing is pending
        """Make the pending data smaller, or spill it to disk."""

    def states(self) -> Mapping[Mergeable[Any, Any], Any]:
        """Return the states of the statistics that have no tables."""
        return {}

    def tables(self, run: Runner) -> Mapping[Counting[Any, Any], Table]:
        """Return the tables of the statistics that have some."""
        return {}

    def answers(self, run: Runner) -> Iterator[tuple[int, Mapping[Any, Any]]]:
        """Yield, for the batches of each run, their number and what a second pass needs of the tables."""
        raise TypeError(f"{type(self).__name__} has no tables to join")

    @abstractmethod
    def summaries(self, run: Runner, read_again: ReadAgain) -> Mapping[Any, Any]:
        """Return the summary of each statistic; `read_again` yields all texts a second time."""


class Adding(Collector):
    """The plain collector: it adds up the states of the batches."""

    def __init__(self, statistics: Sequence[Mergeable[Any, Any]]) -> None:
        self._statistics = statistics
        self._states: list[Any] = []

    def prepare(self, rows: Rows) -> list[Any]:
        """Collect each statistic."""
        return [statistic.collect(rows[statistic.view]) for statistic in self._statistics]

    def absorb(self, part: list[Any]) -> None:
        """Add the states."""
        if self._states:
            self._states = [state + added for state, added in zip(self._states, part)]
        else:
            self._states = part

    def states(self) -> dict[Mergeable[Any, Any], Any]:
        """Return the states."""
        return dict(zip(self._statistics, self._states))

    def summaries(self, run: Runner, read_again: ReadAgain) -> dict[Mergeable[Any, Any], Any]:
        """Summarize the states."""
        return {statistic: statistic.summarize(state) for statistic, state in self.states().items()}
