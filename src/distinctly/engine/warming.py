"""Compiled loops for small inputs, once a process measures again and again.

Importing numba, and loading compiled loops, takes a second, for which a small input never waits. A process
that measures a second time probably measures a third time: the loops are then loaded in the background, by
a rehearsal of the same statistics on a few texts, and used from then on. They return the same bits.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.engine.states import fold, underived
from distinctly.statistics.base import AnyStatistic, Collected, Mergeable
from distinctly.views.texts import TextView
from distinctly.views.tokens import TokenView

# From this call on, a process is taken for one that measures again and again.
REPEATED = 2
_TEXTS = [
    "a text, and a text",
    "",
    "naïve, 二 years",
    "w" * 100,
    "a text, and a text",
    " ".join("abcdefghijk"),
]


class Loader:
    """Loads compiled loops in the background, statistic by statistic."""

    def __init__(self) -> None:
        self.calls = 0
        self._lock = threading.Lock()
        self._ready: set[Collected] = set()
        self._refused: set[Collected] = set()
        self._wanted: list[Collected] = []
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    def count_call(self) -> None:
        """Count a call of a public function that measures."""
        self.calls += 1

    def choose(self, statistics: Iterable[AnyStatistic], config: RunConfig) -> RunConfig:
        """Return the settings for a small input: with compiled loops, if all that are needed are loaded."""
        if config.compiled is not None or config.hash_bits != 64:
            return config
        needed = underived(statistics)
        if self._ready.issuperset(needed):
            return config.with_loops
        if self.calls >= REPEATED and all(map(_can_be_rehearsed, needed)):
            self._load([statistic for statistic in needed if statistic not in self._ready])
        return config

    def wait(self) -> None:
        """Wait until everything that was asked for has been loaded."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def pause(self) -> None:
        """End the loading after the current step; the next call goes on with it."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            self._stopping.set()
            thread.join()
            self._stopping.clear()

    def forget_threads(self) -> None:
        """Begin without the threads of another process, one of which may have held the lock."""
        self._lock, self._thread = threading.Lock(), None
        self._stopping.clear()

    def _load(self, statistics: list[Collected]) -> None:
        with self._lock:
            is_ending = not threading.main_thread().is_alive()
            if self._thread is not None or is_ending or not self._refused.isdisjoint(statistics):
                return
            self._wanted = statistics
            # At its end, the process waits for the current step: a thread in the compiler cannot be ended.
            self._thread = threading.Thread(target=self._run, name="distinctly-loops", daemon=False)
            self._thread.start()

    def _run(self) -> None:
        try:
            import distinctly.kernels.compiling  # noqa: F401 - the longest step: numba

            for statistic in self._wanted:
                if self._stopping.is_set() or not threading.main_thread().is_alive():
                    return
                if _rehearses(statistic):
                    self._ready.add(statistic)
                else:
                    self._refused.add(statistic)
        finally:
            with self._lock:
                self._thread = None


def _can_be_rehearsed(statistic: Collected) -> bool:
    """Return whether a statistic is ours, is folded, and reads texts without code of the user."""
    if not isinstance(statistic, Mergeable) or not type(statistic).__module__.startswith("distinctly."):
        return False
    view = statistic.view
    if isinstance(view, TokenView):
        return view.tokenizer.character_classes() is not None
    return isinstance(view, TextView)


def _rehearses(statistic: Collected) -> bool:
    """Collect a statistic from a few texts by compiled loops; return whether it can be."""
    try:
        for texts in (_TEXTS, [text.split() for text in _TEXTS]):
            fold([Batch.of(texts)], [statistic], RunConfig(compiled=True)).summaries()
    except Exception:  # it stays on the plain path, where the same error is reported
        return False
    return True


loader = Loader()
if hasattr(os, "register_at_fork"):
    # A child process would wait forever for a module that a thread of its parent was importing.
    os.register_at_fork(before=loader.pause, after_in_child=loader.forget_threads)
