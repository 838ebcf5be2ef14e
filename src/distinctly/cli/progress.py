"""A progress bar on standard error, for anything that takes over a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from distinctly.corpus import Corpus

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0


class ProgressBar:
    """Shows bytes read, rate and remaining time; silent where standard error is no terminal."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._bar: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, corpus: Corpus) -> None:
        """Take note of how far the reading of a corpus has come."""
        source = corpus.source
        if not sys.stderr.isatty() or not source.position:
            return
        if self._bar is None:
            if time.monotonic() - self._began < PATIENCE:
                return
            self._bar = _new_bar()
            self._bar.start()
        if corpus.name not in self._tasks:
            self._tasks[corpus.name] = self._bar.add_task(corpus.name, total=source.size)
        self._bar.update(self._tasks[corpus.name], completed=source.position)


def _new_bar() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
