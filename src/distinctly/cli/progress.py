"""A progress bar on standard error, for work that takes more than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from distinctly.config import Step
from distinctly.report.cells import printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0


class ProgressBar:
    """Shows bytes read, rate and remaining time; silent if standard error is not a terminal."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._bar: Progress | None = None
        self._kind: Callable[[], Progress] | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, step: Step) -> None:
        """Show the progress of a step."""
        if step.unit == "items" or step.done:
            self._show(step, _counting_bar if step.unit == "items" else _reading_bar)

    def _show(self, step: Step, new_bar: Callable[[], Progress]) -> None:
        if not sys.stderr.isatty():
            return
        if self._kind is not new_bar:
            if time.monotonic() - self._began < PATIENCE:
                return
            if self._bar is not None:
                self._bar.stop()
            self._kind, self._bar, self._tasks = new_bar, new_bar(), {}
            self._bar.start()
        if self._bar is not None:
            # One line per file that is read, and one line for all items that are counted.
            line = step.what if new_bar is _reading_bar else ""
            shown = printable(f"{step.what}: {step.detail}" if step.detail else step.what)
            if line not in self._tasks:
                self._tasks[line] = self._bar.add_task(shown, total=step.total)
            self._bar.update(self._tasks[line], description=shown, total=step.total, completed=step.done)


def _reading_bar() -> Progress:
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
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True, markup=False, emoji=False, highlight=False),
        transient=True,
    )


def _counting_bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True, markup=False, emoji=False, highlight=False),
        transient=True,
    )
