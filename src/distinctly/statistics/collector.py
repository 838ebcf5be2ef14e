"""Collectors: how an engine keeps mergeable statistics over many batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from distinctly.statistics.base import Mergeable
from distinctly.views.rows import Rows

# Distinct hashes, and how often each of them occurs.
HashCounts = tuple[NDArray[np.uint64], NDArray[np.uint64]]
# Yields all texts once more.
ReadAgain = Callable[[], Iterator[Rows]]
# Runs some calls, on several threads where there are several, and returns what they return.
Runner = Callable[[Sequence[Callable[[], Any]]], list[Any]]


class SpilledRun(Protocol):
    """Counts that were put aside, by partition."""

    def length(self, p: int, /) -> int:
        """Return the number of entries of a partition."""

    def read(self, p: int, /) -> HashCounts:
        """Return a partition."""


class Spill(Protocol):
    """Where counts go that are not needed until the end."""

    def put(self, run: list[HashCounts], /) -> SpilledRun:
        """Keep the counts of each partition."""


class Collector(ABC):
    """Takes batch after batch and returns the summaries of some statistics at the end.

    Batches are *prepared* on any thread at the same time, and *absorbed* in order on one.
    """

    @abstractmethod
    def prepare(self, rows: Rows) -> Any:
        """Do the work of one batch; changes nothing."""

    @abstractmethod
    def absorb(self, part: Any) -> None:
        """Take in what was prepared."""

    @property
    def pending_bytes(self) -> int:
        """Bytes that were taken in and not yet reduced."""
        return 0

    def reduce(self, run: Runner) -> None:  # noqa: B027 - nothing to do where nothing is pending
        """Make what is pending smaller, or spill it to disk."""

    @abstractmethod
    def summaries(self, run: Runner, read_again: ReadAgain) -> Mapping[Any, Any]:
        """Return the summary of each statistic; `read_again` yields all texts a second time."""


class Adding(Collector):
    """The plain way: one state per batch, added up."""

    def __init__(self, statistics: Sequence[Mergeable[Any, Any]]) -> None:
        self._statistics = statistics
        self._states: list[Any] = []

    def prepare(self, rows: Rows) -> list[Any]:
        """Collect each statistic."""
        return [statistic.collect(rows[statistic.view]) for statistic in self._statistics]

    def absorb(self, part: list[Any]) -> None:
        """Add the states."""
        self._states = [a + b for a, b in zip(self._states, part)] if self._states else part

    def summaries(self, run: Runner, read_again: ReadAgain) -> dict[Mergeable[Any, Any], Any]:
        """Summarize the states."""
        return {s: s.summarize(state) for s, state in zip(self._statistics, self._states)}
