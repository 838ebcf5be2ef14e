"""How does the time of a distance grow with the size of the corpora?"""

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
# A size that is expected to take longer than this, in seconds, is not measured.
PATIENCE = 60.0
# Below this number of texts, the fixed cost of a call hides the growth.
FITTED_FROM = 1000
BEST_OF = 3
# Noise added to vectors of repeated texts, relative to their standard deviation: as far as neighbours are.
APART = 0.5


def tasks(gathered: Gathered, subject: TrialMetric, sizes: Sequence[int], seed: int) -> Iterator[Task]:
    """Yield the task of one metric: all sizes in ascending order, until they take too long."""

    def records() -> Iterator[Record]:
        metric = {"metric": subject.spec, "embedder": subject.embedder, "part": "", "kind": "growth"}
        known: dict[int, float] = {}
        for size in sorted(sizes):
            if _expected(known, size) > PATIENCE:
                note = f"Not measured: it would take over {PATIENCE:.0f} seconds."
                yield {**metric, "size": size, "repetition": 0, "value": math.nan, "note": note}
                continue
            seconds, note = _seconds(gathered, subject, size, seed)
            yield {**metric, "size": size, "repetition": 0, "value": seconds, "note": note}
            if not math.isnan(seconds):
                known[size] = seconds

    yield Task(f"{subject.name} growth", records)


def _expected(known: dict[int, float], size: int) -> float:
    """Return the expected time of a size, extrapolated from the last two sizes."""
    if not known:
        return 0.0
    (before, then), (last, now) = ([(1, 0.0), *known.items()])[-2:]
    steepness = math.log(now / then) / math.log(last / before) if then > 0 else 1.0
    return now * math.pow(size / last, max(steepness, 1.0))


def _seconds(gathered: Gathered, subject: TrialMetric, size: int, seed: int) -> tuple[float, str]:
    """Return the shortest time of a few runs of one distance; texts are repeated if there are too few."""
    draw = np.random.default_rng([seed, 32, size])
    rows = [draw.choice(corpus, size, replace=size > len(corpus)) for corpus in gathered.corpora.values()]
    local = [np.arange(size), np.arange(size, 2 * size)]
    best = math.inf
    began = time.perf_counter()
    for _ in range(BEST_OF + 1):
        pool = gathered.pool.part(np.concatenate(rows))
        view = subject.metric.view
        repeated = any(size > len(corpus) for corpus in gathered.corpora.values())
        if repeated and isinstance(view, VectorView):
            _move_apart(pool, view, draw)
        timed = compare_pairs(subject, pool, local, [(0, 1)])
        if math.isnan(timed.scores[0].value):
            return math.nan, f"Undefined: {timed.scores[0].undefined}"
        best = min(best, timed.seconds)
        if time.perf_counter() - began > 1:
            break
    return best, ""


def _move_apart(pool: Pool, view: VectorView, draw: np.random.Generator) -> None:
    """Add noise to vectors, since equal vectors would be processed once and make the time too short."""
    table = pool.view(view)
    noise = APART * table.rows.std() * draw.standard_normal(table.rows.shape)
    pool.rows.set(view, replace(table, rows=table.rows + noise.astype(table.rows.dtype)))


def exponent(seconds: dict[int, float]) -> float:
    """Return b of a fit of seconds = a · size^b; NaN if there are fewer than three sizes from 1,000 texts on.

    Examples
    --------
    >>> round(exponent({100: 5.0, 1000: 1.0, 2000: 4.0, 4000: 16.0}), 3)
    2.0
    """
    known = {
        size: value
        for size, value in seconds.items()
        if size >= FITTED_FROM and math.isfinite(value) and value > 0
    }
    if len(known) < 3:
        return math.nan
    return float(np.polyfit(np.log(list(known)), np.log(list(known.values())), 1)[0])
