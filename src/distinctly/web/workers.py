"""`Workers`: processes that measure, so that a long measurement can be ended and the server stays responsive.

A thread cannot be ended from outside, and shares Python's lock with the server. So each worker is a process
that runs one job at a time; a job that exceeds its time limit is ended with its process, and a new process
takes its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from distinctly.web.refusals import RefusalError

Result = TypeVar("Result")
# The number of seconds that a new process may take to import everything.
START_LIMIT = 120.0
RETRY_AFTER = 2


class ClientLeftError(Exception):
    """Nobody waits for the answer any more."""


class Workers:
    """A fixed number of processes, and a queue of limited length in front of them.

    Parameters
    ----------
    count
        The number of processes.
    queue_limit
        The number of jobs that may wait.
    """

    def __init__(self, count: int, queue_limit: int) -> None:
        self._workers = [_Worker() for _ in range(count)]
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="distinctly-web")
        self._queue_limit, self._waiting = queue_limit, 0
        self._starting: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the processes in the background."""
        self._starting = [asyncio.ensure_future(self._release(worker)) for worker in self._workers]

    async def run(
        self,
        job: Callable[..., Result],
        *arguments: object,
        seconds: float,
        has_left: Callable[[], Awaitable[bool]] | None = None,
    ) -> Result:
        """Run a job in a process, and return its result.

        Parameters
        ----------
        job, arguments
            A function of a module, and its arguments, which can be pickled.
        seconds
            The time limit.
        has_left
            Whether the client has left meanwhile; if so, the job is not started.

        Raises
        ------
        RefusalError
            If too many jobs wait, or the job takes too long, or its process ends.
        """
        if self._waiting >= self._queue_limit:
            raise RefusalError(
                503,
                f"{self._waiting} requests are already waiting. Try again in a few seconds.",
                {"Retry-After": str(RETRY_AFTER)},
            )
        self._waiting += 1
        try:
            worker = await self._idle.get()
        finally:
            self._waiting -= 1
        if has_left is not None and await has_left():
            self._idle.put_nowait(worker)
            raise ClientLeftError
        # The job goes on if the client leaves, and its process is released when it ends.
        running = asyncio.ensure_future(self._call(worker, job, arguments, seconds))
        return await asyncio.shield(running)

    async def _call(
        self, worker: _Worker, job: Callable[..., Result], arguments: tuple[object, ...], seconds: float
    ) -> Result:
        loop = asyncio.get_running_loop()
        try:
            result: Result = await loop.run_in_executor(self._threads, worker.call, job, arguments, seconds)
            return result
        finally:
            if worker.is_ready:
                self._idle.put_nowait(worker)
            else:
                self._starting = [task for task in self._starting if not task.done()]
                self._starting.append(asyncio.ensure_future(self._release(worker)))

    async def _release(self, worker: _Worker) -> None:
        """Start the process of a worker, and let it take jobs."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._threads, worker.start)
        finally:
            self._idle.put_nowait(worker)

    def stop(self) -> None:
        """End all processes."""
        for task in self._starting:
            task.cancel()
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Worker:
    """One process, and the connection to it."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    @property
    def is_ready(self) -> bool:
        """Whether the process takes jobs."""
        return self._process is not None and self._process.is_alive()

    def start(self) -> None:
        """Start the process, and wait until it has imported what it needs."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=serve_jobs, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        self._process, self._connection = process, ours
        with contextlib.suppress(EOFError, OSError):  # it has ended; the next job says so
            if ours.poll(START_LIMIT):
                ours.recv()

    def call(self, job: Callable[..., Any], arguments: tuple[object, ...], seconds: float) -> Any:
        """Run a job, and return its result."""
        if not self.is_ready:
            self.start()
        if self._connection is None:
            raise _ended()
        try:
            self._connection.send((job, arguments))
            if not self._connection.poll(seconds):
                self.kill()
                raise RefusalError(
                    503,
                    f"The computation took longer than {seconds:g} seconds and was ended. Send fewer texts "
                    "or metrics, or use the command, which has no time limit.",
                    {"Retry-After": str(RETRY_AFTER)},
                )
            result = self._connection.recv()
        except (EOFError, OSError):
            self.kill()
            raise _ended() from None
        if isinstance(result, Exception):
            raise result
        return result

    def kill(self) -> None:
        """End the process at once."""
        if self._process is not None:
            self._process.kill()
            self._process.join(5)
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def _ended() -> RefusalError:
    return RefusalError(
        503,
        "The process that computes has ended, perhaps for lack of memory. Send fewer texts or metrics.",
        {"Retry-After": str(RETRY_AFTER)},
    )


def serve_jobs(connection: Connection) -> None:
    """Run the jobs that arrive, one after the other, until the server ends: the body of a process."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches the whole group; the server ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - for as long as the process
    from distinctly.web.jobs import warm_up

    warm_up()
    connection.send(None)
    while True:
        try:
            job, arguments = connection.recv()
        except (EOFError, OSError):
            return
        try:
            result = job(*arguments)
        except Exception as error:
            logging.getLogger(__name__).exception("a job failed")
            result = RefusalError(
                500, f"Internal error: {type(error).__name__}. This is a bug of distinctly."
            )
        try:
            connection.send(result)
        except OSError:
            return
