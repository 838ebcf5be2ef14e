"""Run the cases in several processes, and return their entries."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

from . import data
from .cases import all_cases
from .inputs import write_inputs
from .interface import Case, Cases, Entries

PROCESSES = 2
# Long cases start first, so that no process works alone at the end.
LONG = ("trials/", "measure/", "compare/", "distances/")
_cases: Cases = {}


def run_case(name: str, case: Case) -> Entries:
    """Return the entries of a case, with its name; an exception is also an entry."""
    try:
        entries = case()
    except Exception as error:  # every exception is recorded
        entries = {"error": {"kind": "error", "error": type(error).__name__, "message": str(error)}}
    return {f"{name} | {key}": entry for key, entry in entries.items()}


def record(only: str = "", processes: int = PROCESSES) -> tuple[Entries, dict[str, float]]:
    """Return the entries of all cases whose names begin with `only`, and the seconds of each case."""
    names = [name for name in all_cases() if name.startswith(only)]
    names.sort(key=lambda name: not name.startswith(LONG))
    entries: Entries = {}
    seconds: dict[str, float] = {}
    with _folder() as folder:
        if data.names():
            write_inputs(folder)
        with ProcessPoolExecutor(
            processes, multiprocessing.get_context("spawn"), _begin, (str(folder),)
        ) as pool:
            for future in as_completed([pool.submit(_timed, name) for name in names]):
                name, case_entries, case_seconds = future.result()
                entries |= case_entries
                seconds[name] = case_seconds
    return dict(sorted(entries.items())), seconds


def _begin(folder: str) -> None:
    os.chdir(folder)
    _cases.update(all_cases())


def _timed(name: str) -> tuple[str, Entries, float]:
    began = time.perf_counter()
    return name, run_case(name, _cases[name]), time.perf_counter() - began


@contextmanager
def _folder() -> Iterator[Path]:
    """Make a folder for inputs and a cache of vectors, both used by the processes that are started."""
    changed = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    before = {name: os.environ.get(name) for name in (*changed, "DISTINCTLY_CACHE")}
    with tempfile.TemporaryDirectory() as inputs, tempfile.TemporaryDirectory() as cache:
        os.environ.update(changed | {"DISTINCTLY_CACHE": cache})
        yield Path(inputs)
    for name, value in before.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
