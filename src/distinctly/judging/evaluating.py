"""Metrics called on many corpora: whatever one of them raises is a value that is missing, with a note."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from distinctly.distance._difference import measured
from distinctly.distance.base import Distance
from distinctly.errors import reason
from distinctly.functions import UserFunction
from distinctly.judging.gathering import TrialMetric
from distinctly.judging.records import Plain, Record
from distinctly.metrics import Metric
from distinctly.ragged import Integers
from distinctly.score import Score
from distinctly.statistics.pool import Pair, Pool

# Parts that say what was compared, not how it came out: of any metric, and of one of ours.
_COMPARED = ("reference_texts", "candidate_texts")
_SIZES = (*_COMPARED, "texts", "tokens", "groups")


@dataclass(frozen=True)
class Timed:
    """Scores, and the seconds that they took; reading, cutting and embedding texts excluded."""

    scores: Sequence[Score]
    seconds: float


@contextmanager
def one_thread() -> Iterator[None]:
    """Let the libraries work on one thread: many small corpora gain nothing by more, and times compare."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        yield


def compare_pairs(
    subject: TrialMetric, pool: Pool, corpora: Sequence[Integers], pairs: Sequence[tuple[int, int]]
) -> Timed:
    """Measure the distance of each of many pairs of corpora; what a corpus comes to is made once."""
    metric = subject.metric
    if not isinstance(metric, Distance):
        raise TypeError(f"'{subject.spec}' is no distance")
    began = time.perf_counter()
    selections = [pool.select(rows) for rows in corpora]
    chosen = [(selections[i], selections[j]) for i, j in pairs]
    try:
        summarized = pool.compare_many(chosen, metric.pair_statistics())
        scores = [metric.score_pair(pair, summaries) for pair, summaries in summarized]
    except Exception:  # one of them: which, is found one by one
        scores = [_guarded(metric, pool, pair) for pair in chosen]
    return Timed(scores, time.perf_counter() - began)


def _guarded(metric: Distance, pool: Pool, pair: Pair) -> Score:
    try:
        return metric.score_pair(pair, pool.compare(pair, metric.pair_statistics()))
    except Exception as error:
        return _raised(metric, error)


def measure_selections(subject: TrialMetric, pool: Pool, selections: Iterable[Integers]) -> Timed:
    """Measure each of many selections of a pool."""
    began = time.perf_counter()
    scores = []
    for rows in selections:
        try:
            scores.append(subject.metric.score_from(pool.select(rows)))
        except Exception as error:
            scores.append(_raised(subject.metric, error))
    return Timed(scores, time.perf_counter() - began)


def _raised(metric: Metric, error: Exception) -> Score:
    why = f"it raised {type(error).__name__}: {reason(error)}."
    return metric.scored(math.nan, {}, undefined=why)


def records_of(
    subject: TrialMetric, score: Score, *, parts: bool = False, **where: Plain
) -> Iterator[Record]:
    """Write a score as a record; one more for each of its parts, where they are to be judged, too.

    Several numbers that a user's function gives are always judged one by one.
    """
    told = {"metric": subject.spec, "embedder": subject.embedder}
    why = f"Undefined: {score.undefined}" if score.undefined else ""
    own = isinstance(measured(subject.metric), UserFunction)
    left_out = _COMPARED if own else _SIZES
    several = {name: part for name, part in score.parts.items() if name not in left_out}
    values = {} if own and several else {"": score.value}
    for name, value in (values | several if own or parts else values).items():
        number = float(value)
        known = math.isfinite(number)
        note = "" if known else why or f"Undefined: it gave {'NaN' if math.isnan(number) else number}."
        yield {**told, "part": name, **where, "value": number if known else math.nan, "note": note}
