"""The one way to time: ours and a peer's in turns (ours, theirs, ours, theirs …), wall and processor seconds.

What is timed is a call in this process, or a `Command` in a new one. Short calls are repeated within a turn
until it takes 0.2 s, and divided. A ratio is the median of the ratios per turn, with the lowest and highest:
what else the machine does slows both sides of a turn, so that it cancels.
"""

from __future__ import annotations

import importlib.util
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

# Turns of a row, and the seconds within which they should end; a row whose turns are longer has fewer.
TURNS, BUDGET = 5, 60.0
# The shortest turn in seconds, and the shortest first pass that counts as a turn although it also warms up.
SHORTEST, LONG = 0.2, 20.0
# One thread for libraries of linear algebra and for compiled loops.
SINGLE = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "NUMBA")}
# Set by `--small`: sizes are divided by this number.
SMALLER = int(os.environ.get("BENCHMARKS_SMALLER", "1"))

Kind = Literal["processor", "wall"]


def sized(number: int, at_least: int = 1) -> int:
    """Return a size, or with `--small` a part of it."""
    return max(number // SMALLER, min(number, at_least))


@dataclass(frozen=True)
class Used:
    """The wall and processor seconds of one call, and the peak memory in GB of a command (0 of a call)."""

    wall: float
    processor: float
    peak: float = 0.0


@dataclass(frozen=True)
class Command:
    """Words that are run in a new process, with additions to the environment, after a preparation."""

    words: Sequence[str | Path]
    environment: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[], object] = lambda: None


Work = Callable[[], Any] | Command


@dataclass(frozen=True)
class Row:
    """What was measured, turn by turn: ours, and what ran beside it.

    Attributes
    ----------
    what, beside
        Names of both sides; `beside` is empty if nothing ran in the same turns.
    ours, theirs
        Seconds of each turn.
    peer
        Whether the other side is another implementation, and not another run of ours.
    """

    what: str
    ours: Sequence[Used]
    beside: str = ""
    theirs: Sequence[Used] = ()
    peer: bool = True

    def ratios(self, kind: Kind) -> list[float]:
        """Return the seconds of the other side divided by ours, per turn."""
        return [getattr(b, kind) / getattr(a, kind) for a, b in zip(self.ours, self.theirs)]


def python(*words: str | Path, **options: Any) -> Command:
    """Return a command of this Python."""
    return Command([sys.executable, *words], **options)


def distinctly(*words: str | Path, **options: Any) -> Command:
    """Return a command of the package."""
    return python("-m", "distinctly", *words, **options)


def in_turns(
    what: str,
    ours: Work,
    beside: str = "",
    theirs: Work | None = None,
    *,
    peer: bool = True,
    needs: str = "",
    same: Callable[[Any, Any], bool] | None = None,
    scale: float = 1.0,
    turns: int = TURNS,
    processor: Callable[[], float] | None = None,
) -> Row | str:
    """Time ours beside theirs, or return a line which says that their package is absent.

    Parameters
    ----------
    needs
        The modules of the peer, separated by spaces.
    same
        Whether the results of both agree: what calls return, what commands print.
    scale
        The whole work divided by the part of it that the peer does.
    processor
        A clock of processor seconds, if not that of this process and its finished children.
    """
    absent = [name for name in needs.split() if importlib.util.find_spec(name) is None]
    if absent:
        return f"Left out: {what}, beside {beside}, because `{absent[0]}` is not installed."
    clock = processor or processor_seconds
    sides = [ours] if theirs is None else [ours, theirs]
    if theirs is not None:
        warm_up(ours, clock)
    measured = [once(work, clock) for work in sides]
    if same is not None and not same(*(result for _, result in measured)):
        raise RuntimeError(f"{what}: the results differ: {[result for _, result in measured]}")
    first = [used for used, _ in measured]
    repeats = [math.ceil(SHORTEST / used.wall) if callable(work) else 1 for work, used in zip(sides, first)]
    seconds = sum(used.wall * repeat for used, repeat in zip(first, repeats))
    kept = [first] if seconds > LONG else []
    number = max(1, min(turns, int(BUDGET / seconds)))
    kept += [
        [repeated(work, repeat, clock) for work, repeat in zip(sides, repeats)]
        for _ in range(number - len(kept))
    ]
    print(f"{what}: {len(kept)} × {seconds:.1f} s", file=sys.stderr, flush=True)
    if theirs is None:
        return Row(what, [used for (used,) in kept])
    scaled = [Used(scale * used.wall, scale * used.processor, used.peak) for _, used in kept]
    return Row(what, [used for used, _ in kept], beside, scaled, peer)


def warm_up(work: Work, clock: Callable[[], float]) -> None:
    """Let work import and compile, and wait for the loops that a second call loads in the background."""
    used, _ = once(work, clock)
    if callable(work) and used.wall < LONG / 4:
        once(work, clock)
    if "distinctly.engine.warming" in sys.modules:
        sys.modules["distinctly.engine.warming"].loader.wait()


def once(work: Work, clock: Callable[[], float]) -> tuple[Used, Any]:
    """Return what one call or command uses, and its result."""
    if isinstance(work, Command):
        return run(work)
    wall, processor = time.perf_counter(), clock()
    result = work()
    return Used(time.perf_counter() - wall, clock() - processor), result


def repeated(work: Work, repeat: int, clock: Callable[[], float]) -> Used:
    """Return what one of several successive calls uses."""
    if isinstance(work, Command):
        return run(work)[0]
    used, _ = once(lambda: [work() for _ in range(repeat)] and None, clock)
    return Used(used.wall / repeat, used.processor / repeat)


def run(command: Command) -> tuple[Used, str]:
    """Run a command, and return what it and its children use, and what it prints."""
    command.prepare()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out, tempfile.TemporaryFile("w+") as errors:
        began = time.perf_counter()
        process = subprocess.Popen(
            [str(word) for word in command.words],
            stdout=out,
            stderr=errors,
            env={**os.environ, **command.environment},
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            raise RuntimeError(f"{command.words} ended with {process.returncode}: {errors.read()[-2000:]}")
        out.seek(0)
        peak = usage.ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)
        return Used(wall, usage.ru_utime + usage.ru_stime, peak), out.read()


def processor_seconds() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def two_settings(one_thread: Sequence[Row | str], all_cores: Sequence[Row | str]) -> list[Row | str]:
    """Return rows with the processor seconds of one thread and the wall seconds of all cores."""
    # If one of the processes ended early, its last line says so, and nothing follows.
    return [
        a
        if isinstance(a, str)
        else b
        if isinstance(b, str)
        else Row(a.what, _joined(a.ours, b.ours), a.beside, _joined(a.theirs, b.theirs), a.peer)
        for a, b in zip(one_thread, all_cores)
    ]


def _joined(one_thread: Sequence[Used], all_cores: Sequence[Used]) -> list[Used]:
    return [Used(b.wall, a.processor, b.peak) for a, b in zip(one_thread, all_cores)]


def table(rows: Sequence[Row]) -> list[str]:
    """Return the lines of a table of rows, and of a paragraph on those that are slower than a peer."""
    if not rows:
        return []
    peaks = any(used.peak for row in rows for used in (*row.ours, *row.theirs))
    heads = [
        "ours: wall",
        "processor",
        *["peak GB"] * peaks,
        "theirs: wall",
        "processor",
        *["peak GB"] * peaks,
    ]
    heads += ["ratio, processor", "ratio, wall"]
    lines = [f"| what | beside | {' | '.join(heads)} |", "|---|---|" + "---:|" * len(heads)]
    for row in rows:
        cells = [cell for side in (row.ours, row.theirs) for cell in _cells(side, peaks=peaks)]
        cells += [ratio(row, kind) for kind in ("processor", "wall")]
        lines.append(f"| {row.what} | {row.beside} | {' | '.join(cells)} |")
    below = [
        f"{row.what} ({number_of(statistics.median(row.ratios('processor')))}× of {row.beside})"
        for row in rows
        if row.peer and row.theirs and statistics.median(row.ratios("processor")) < 1
    ]
    return [*lines, "", f"Below a peer: {'; '.join(below)}."] if below else lines


def _cells(side: Sequence[Used], *, peaks: bool) -> list[str]:
    """Return the medians of one side."""
    if not side:
        return [""] * (2 + peaks)
    cells = [
        duration(statistics.median(getattr(used, kind) for used in side)) for kind in ("wall", "processor")
    ]
    peak = statistics.median(used.peak for used in side)
    return [*cells, *[f"{peak:.2f}" if peak else ""] * peaks]


def ratio(row: Row, kind: Kind) -> str:
    """Return the median ratio, its spread, and the number of turns if it is not the usual one."""
    ratios = row.ratios(kind)
    if not ratios:
        return "" if len(row.ours) == TURNS or kind == "wall" else _turns(row.ours)
    spread = f"{number_of(min(ratios))}–{number_of(max(ratios))}"
    remarks = [*[spread] * (len(ratios) > 1), *[_turns(ratios)] * (len(ratios) != TURNS)]
    return f"{number_of(statistics.median(ratios))}× ({'; '.join(remarks)})"


def _turns(measured: Sequence[object]) -> str:
    return f"{len(measured)} turn{'s' * (len(measured) != 1)}"


def duration(seconds: float) -> str:
    """Return seconds with three digits, in a unit of their size."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{number_of(seconds / size)} {unit}"
    return f"{number_of(seconds / 1e-6)} µs"


def number_of(value: float) -> str:
    """Return a number with three digits, without an exponent."""
    rounded = float(f"{value:.3g}")
    digits = max(0, 2 - math.floor(math.log10(rounded))) if 0 < rounded < 1000 else 0
    return f"{value:,.{digits}f}"
