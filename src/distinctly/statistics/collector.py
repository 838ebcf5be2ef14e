"""Collectors: how the engine keeps statistics over many batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from distinctly.statistics.base import Mergeable
from distinctly.views.rows import Rows

T = TypeVar("T")
# Distinct hashes, and how often each of them occurs.
HashCounts = tuple[NDArray[np.uint64], NDArray[np.uint64]]
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
    """Takes batch after batch and gives the summaries of some statistics in the end.

    Batches are *prepared* on any thread at the same time, and *absorbed* in order on one.
    """

    @abstractmethod
    def prepare(self, view: Tokens) -> Any:
        """Do the work of one batch; changes nothing."""

    @abstractmethod
    def absorb(self, part: Any) -> None:
        """Take in what was prepared."""

    @property
    def waiting(self) -> int:
        """How many bytes have been taken in and not been worked off."""
        return 0

    def work_off(self, run: Runner) -> None:  # noqa: B027 - nothing to do where nothing waits
        """Make what is waiting smaller, or put it on disk."""

    @abstractmethod
    def summaries(self, run: Runner) -> Mapping[Any, Any]:
        """Return the summary of each statistic."""


class Adding(Collector):
    """The plain way: a state a batch, added up."""

    def __init__(self, statistics: Sequence[Statistic[Any, Any]]) -> None:
        self._statistics = statistics
        self._states: list[Any] = []

    def prepare(self, view: Tokens) -> list[Any]:
        """Collect each statistic."""
        return [statistic.collect(view) for statistic in self._statistics]

    def absorb(self, part: list[Any]) -> None:
        """Add the states."""
        self._states = [a + b for a, b in zip(self._states, part)] if self._states else part

    def summaries(self, run: Runner) -> dict[Statistic[Any, Any], Any]:
        """Summarize the states."""
        return {s: s.summarize(state) for s, state in zip(self._statistics, self._states)}
