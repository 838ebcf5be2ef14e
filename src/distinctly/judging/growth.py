"""How does the time of a distance grow with the corpora?"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence

import numpy as np

from distinctly.judging.evaluating import compare_pairs
from distinctly.judging.gathering import Gathered, Subject
from distinctly.judging.trial import Record, Work

SIZES = (100, 316, 1000, 3162, 10_000, 31_623, 100_000)
# A larger size is not tried where it is bound to take longer than this, in seconds.
PATIENCE = 60.0
# Below this many texts, what a call costs hides how it grows.
FITTED_FROM = 1000
BEST_OF = 3


def pieces(gathered: Gathered, subject: Subject, sizes: Sequence[int], seed: int) -> Iterator[Work]:
    """Return the work for one metric: all sizes in a row, until they take too long."""

    def records() -> Iterator[Record]:
        told = {"metric": subject.spec, "embedder": subject.embedder, "part": "", "kind": "growth"}
        last: tuple[int, float] | None = None
        for size in sorted(sizes):
            if last is not None and last[1] * (size / last[0]) > PATIENCE:
                note = f"Not tried: it would take over {PATIENCE:.0f} seconds."
                yield {**told, "size": size, "repetition": 0, "value": math.nan, "note": note}
                continue
            seconds, note = _seconds(gathered, subject, size, seed)
            yield {**told, "size": size, "repetition": 0, "value": seconds, "note": note}
            last = (size, seconds) if not math.isnan(seconds) else last

    yield Work(f"{subject.name} growth", records)


def _seconds(gathered: Gathered, subject: Subject, size: int, seed: int) -> tuple[float, str]:
    """Time one distance between two corpora of a size, the best of a few; texts repeat where they are few."""
    draw = np.random.default_rng([seed, 32, size])
    rows = [draw.choice(own, size, replace=size > len(own)) for own in gathered.corpora.values()]
    local = [np.arange(size), np.arange(size, 2 * size)]
    best = math.inf
    began = time.perf_counter()
    for _ in range(BEST_OF + 1):
        pool = gathered.pool.part(np.concatenate(rows))
        timed = compare_pairs(subject, pool, local, [(0, 1)])
        if math.isnan(timed.scores[0].value):
            return math.nan, next(iter(timed.scores[0].notes), "")
        best = min(best, timed.seconds)
        if time.perf_counter() - began > 1:
            break
    return best, ""


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
