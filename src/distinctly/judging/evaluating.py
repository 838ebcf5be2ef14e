"""Call metrics on many corpora; an exception becomes an undefined value with a note."""

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
from distinctly.run.estimating import score_rows
from distinctly.score import Score
from distinctly.statistics.pool import Pair, Pool

# Parts that describe the input, not the result: of any metric, and of metrics of the package.
_COMPARED = ("reference_texts", "candidate_texts")
_SIZES = (*_COMPARED, "texts", "tokens", "groups")


@dataclass(frozen=True)
class Timed:
    """Scores, and the seconds to compute them; reading, tokenizing and embedding are excluded."""

    scores: Sequence[Score]
    seconds: float


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit numerical libraries to one thread: more do not help small corpora, and times are comparable."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        yield


def compare_pairs(
    subject: TrialMetric, pool: Pool, corpora: Sequence[Integers], pairs: Sequence[tuple[int, int]]
) -> Timed:
    """Measure the distance of many pairs of corpora; each corpus is summarized once."""
    metric = subject.metric
    if not isinstance(metric, Distance):
        raise TypeError(f"'{subject.spec}' is not a distance")
    began = time.perf_counter()
    selections = [pool.select(rows) for rows in corpora]
    chosen = [(selections[i], selections[j]) for i, j in pairs]
    try:
        summarized = pool.compare_many(chosen, metric.pair_statistics())
        scores = [metric.score_pair(pair, summaries) for pair, summaries in summarized]
    except Exception:  # one pair failed; measure each separately to find out which
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
            scores.append(score_rows(subject.metric, pool, rows))
        except Exception as error:
            scores.append(_raised(subject.metric, error))
    return Timed(scores, time.perf_counter() - began)


def _raised(metric: Metric, error: Exception) -> Score:
    problem = f"the metric raised {type(error).__name__}: {reason(error)}."
    return metric.scored(math.nan, {}, undefined=problem)


def records_of(
    subject: TrialMetric, score: Score, *, parts: bool = False, **where: Plain
) -> Iterator[Record]:
    """Yield a record of a score, and one per part if `parts` are also judged.

    The numbers of a function that returns several are always judged separately.
    """
    metric = {"metric": subject.spec, "embedder": subject.embedder}
    reason_undefined = f"Undefined: {score.undefined}" if score.undefined else ""
    is_function = isinstance(measured(subject.metric), UserFunction)
    ignored = _COMPARED if is_function else _SIZES
    part_values = {name: part for name, part in score.parts.items() if name not in ignored}
    values = {} if is_function and part_values else {"": score.value}
    for name, value in (values | part_values if is_function or parts else values).items():
        number = float(value)
        known = math.isfinite(number)
        note = ""
        if not known:
            returned = "NaN" if math.isnan(number) else number
            note = reason_undefined or f"Undefined: the metric returned {returned}."
        yield {**metric, "part": name, **where, "value": number if known else math.nan, "note": note}
