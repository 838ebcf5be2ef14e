"""Threads: calls at the same time, results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Threads:
    """A pool of threads; with one, everything is done by the caller."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._pool = ThreadPoolExecutor(number) if number > 1 else None

    def __enter__(self) -> Threads:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def run(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        """Make all calls and return what they return."""
        return [call() for call in calls] if self._pool is None else list(self._pool.map(_call, calls))

    def map(self, call: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Apply a function to items as they come, in order, holding few of them at a time."""
        if self._pool is None:
            yield from map(call, items)
            return
        waiting: deque[Future[B]] = deque()
        for item in items:
            waiting.append(self._pool.submit(call, item))
            if len(waiting) > self._number:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _call(call: Callable[[], Any]) -> Any:
    return call()
