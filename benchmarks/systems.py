"""Eight systems with intervals: this version beside another, `python -m benchmarks.systems --before SRC`.

`SRC` is the folder `src` of another checkout. The command is run in new processes, and `measure` once more in
a process that has measured before, without the time to start Python and to load compiled loops.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

DATA = Path(__file__).parents[2] / "shared" / "data" / "alpacaeval-8-systems.jsonl.gz"
SRC = Path(__file__).parents[1] / "src"
METRICS = ("distinct", "ead", "entropy")
OPTIONS = ("--by", "label", "--group", "prompt_id")
WARM = """
import sys, time
import distinctly as dy

def run():
    return dy.measure(sys.argv[1], sys.argv[2:], by="label", group="prompt_id", interval=True)

run()
wall, processor = time.perf_counter(), time.process_time()
run()
print(time.perf_counter() - wall, time.process_time() - processor)
"""


def command(source: Path, options: Sequence[str] = ()) -> tuple[float, float]:
    """Return the wall and processor seconds of one run of the command, in a new process."""
    metrics = [word for metric in METRICS for word in ("-m", metric)]
    words = [sys.executable, "-m", "distinctly", "measure", str(DATA), *metrics, *options]
    began = time.perf_counter()
    process = subprocess.Popen(
        words, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(source)}
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{words} ended with status {status}")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime


def warm(source: Path) -> tuple[float, float]:
    """Return the wall and processor seconds of the second of two calls in one process."""
    words = [sys.executable, "-c", WARM, str(DATA), *METRICS]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    printed = subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout
    wall, processor = map(float, printed.split())
    return wall, processor


def lines(before: Path | None = None, runs: int = 3) -> list[str]:
    """Return a table of the best of several runs, each beside the other version if it is given."""
    cases: dict[str, Callable[[Path], tuple[float, float]]] = {
        "`measure --by --group --interval`": partial(command, options=(*OPTIONS, "--interval")),
        "the same call in a living process": warm,
        "`measure`, one corpus, no interval": command,
    }
    table = [
        "| | wall s | processor s | before: wall s | processor s | ratio of wall | of processor |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for title, run in cases.items():
        sides = [[run(source) for _ in range(runs)] for source in (SRC, before) if source is not None]
        best = [[min(column) for column in zip(*side)] for side in sides]
        cells = [f"{seconds:.2f}" for side in best for seconds in side]
        if len(best) == 2:
            cells += [f"{old / new:.1f}×" for new, old in zip(*best)]
        table.append(f"| {title} | {' | '.join(cells)} |")
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="folder src of the version to compare with")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print(*lines(arguments.before, arguments.runs), sep="\n")
