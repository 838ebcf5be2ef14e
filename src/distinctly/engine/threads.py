"""Threads: parallel calls with results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Threads:
    """A pool of threads; with one thread, the caller does all the work."""

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
        """Make all calls and return their results."""
        return [call() for call in calls] if self._pool is None else list(self._pool.map(_call, calls))

    def map(self, call: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the result of a function for each item, in order, with few items in memory at a time."""
        if self._pool is None:
            yield from map(call, items)
            return
        waiting: deque[Future[Result]] = deque()
        for item in items:
            waiting.append(self._pool.submit(call, item))
            if len(waiting) > self._number:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _call(call: Callable[[], Any]) -> Any:
    return call()
