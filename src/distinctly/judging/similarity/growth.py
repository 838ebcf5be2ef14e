"""How does the time of a distance grow with the corpora?"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from distinctly.judging.evaluating import compare_pairs
from distinctly.judging.gathering import Gathered, TrialMetric
from distinctly.judging.records import Record
from distinctly.judging.trial import Task
from distinctly.statistics.pool import Pool
from distinctly.views.vectors import VectorView

SIZES = (100, 316, 1000, 3162, 10_000, 31_623, 100_000)
# A larger size is not tried where it is bound to take longer than this, in seconds.
PATIENCE = 60.0
# Below this many texts, what a call costs hides how it grows.
FITTED_FROM = 1000
BEST_OF = 3
# How far the vectors of texts that repeat are moved, as part of the spread of all: as far as neighbours are.
APART = 0.5


def pieces(gathered: Gathered, subject: TrialMetric, sizes: Sequence[int], seed: int) -> Iterator[Task]:
    """Return the work for one metric: all sizes in a row, until they take too long."""

    def records() -> Iterator[Record]:
        told = {"metric": subject.spec, "embedder": subject.embedder, "part": "", "kind": "growth"}
        known: dict[int, float] = {}
        for size in sorted(sizes):
            if _expected(known, size) > PATIENCE:
                note = f"Not tried: it would take over {PATIENCE:.0f} seconds."
                yield {**told, "size": size, "repetition": 0, "value": math.nan, "note": note}
                continue
            seconds, note = _seconds(gathered, subject, size, seed)
            yield {**told, "size": size, "repetition": 0, "value": seconds, "note": note}
            if not math.isnan(seconds):
                known[size] = seconds

    yield Task(f"{subject.name} growth", records)


def _expected(known: dict[int, float], size: int) -> float:
    """Return how long a size is bound to take, if it goes on as from the last size but one to the last."""
    if not known:
        return 0.0
    (before, then), (last, now) = ([(1, 0.0), *known.items()])[-2:]
    steepness = math.log(now / then) / math.log(last / before) if then > 0 else 1.0
    return now * math.pow(size / last, max(steepness, 1.0))


def _seconds(gathered: Gathered, subject: TrialMetric, size: int, seed: int) -> tuple[float, str]:
    """Time one distance between two corpora of a size, the best of a few; texts repeat where they are few."""
    draw = np.random.default_rng([seed, 32, size])
    rows = [draw.choice(own, size, replace=size > len(own)) for own in gathered.corpora.values()]
    local = [np.arange(size), np.arange(size, 2 * size)]
    best = math.inf
    began = time.perf_counter()
    for _ in range(BEST_OF + 1):
        pool = gathered.pool.part(np.concatenate(rows))
        view = subject.metric.view
        if any(size > len(own) for own in gathered.corpora.values()) and isinstance(view, VectorView):
            _move_apart(pool, view, draw)
        timed = compare_pairs(subject, pool, local, [(0, 1)])
        if math.isnan(timed.scores[0].value):
            return math.nan, f"Undefined: {timed.scores[0].undefined}"
        best = min(best, timed.seconds)
        if time.perf_counter() - began > 1:
            break
    return best, ""


def _move_apart(pool: Pool, view: VectorView, draw: np.random.Generator) -> None:
    """Move vectors: equal ones are worked on once, and texts that differ have vectors that differ."""
    table = pool.view(view)
    noise = APART * table.rows.std() * draw.standard_normal(table.rows.shape)
    pool.rows.set(view, replace(table, rows=table.rows + noise.astype(table.rows.dtype)))


def exponent(seconds: dict[int, float]) -> float:
    """Return b of a fit of seconds = a · size^b; NaN where fewer than three sizes tell.

    Examples
    --------
    >>> round(exponent({100: 5.0, 1000: 1.0, 2000: 4.0, 4000: 16.0}), 3)
    2.0
    """
    known = {
        size: one for size, one in seconds.items() if size >= FITTED_FROM and math.isfinite(one) and one > 0
    }
    if len(known) < 3:
        return math.nan
    return float(np.polyfit(np.log(list(known)), np.log(list(known.values())), 1)[0])
