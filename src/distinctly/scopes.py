"""A corpus in memory, measured whole, within its groups, and across them; with standard errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from distinctly.metric import Metric
from distinctly.ragged import Integers
from distinctly.score import Note, Score
from distinctly.spec import Request
from distinctly.statistics.derived import Lookup, TextPool
from distinctly.tokenizers.base import Tokenizer
from distinctly.uncertainty import (
    Chance,
    Reals,
    Units,
    around,
    mean_by_draws,
    ngrams_in,
    score_of,
    standard_error,
    values_of,
)

Scope = Literal["within", "across", "pooled"]
# Draws subsamples of so many units of a corpus.
Draw = Callable[["Subject", int], list[Integers]]
# With fewer units than this, half of them are no corpus.
LEAST_UNITS = 4
UNDEFINED_DRAW = "a random draw of one text per group has no value."


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is asked besides the values.

    Attributes
    ----------
    interval
        Give every value an interval.
    paired
        Test the difference of each corpus from the best by exchanging texts.
    sample
        ``common``: size-dependent metrics are measured at the size of the smallest corpus.
        ``all``: every corpus as it is.
    by
        The ids of the texts say which system each is of.
    explain
        How many of the n-grams and texts that cost the most variety to list.
    chance
        Seeds and numbers of draws.
    """

    interval: bool = False
    paired: bool = False
    sample: Literal["common", "all"] = "common"
    by: bool = False
    explain: int = 0
    chance: Chance = field(default_factory=Chance)


@dataclass(frozen=True)
class Subject:
    """A corpus in memory."""

    name: str
    pool: TextPool
    tokenizer: Tokenizer
    units: Units

    @property
    def grouped(self) -> bool:
        """Whether the texts belong to groups."""
        return self.pool.view.groups is not None


@dataclass(frozen=True)
class Measured:
    """A score with what the comparison with others needs.

    Attributes
    ----------
    tested, error
        A value and its standard error: the score's own or, where the score is of all texts, that of
        the size at which the error could be found. NaN where there is none.
    by_group
        One value a group, for the scope `within`.
    """

    request: Request
    score: Score
    tested: float = math.nan
    error: float = math.nan
    by_group: Reals | None = None


def pooled(subjects: Sequence[Subject], requests: Sequence[Request], plan: Plan) -> list[list[Measured]]:
    """Measure all texts of each corpus together."""
    whole = [[np.arange(len(one.pool))] for one in subjects]
    return _selections(subjects, requests, whole, lambda one, size: one.units.some(size, plan.chance), plan)


def across(subjects: Sequence[Subject], requests: Sequence[Request], plan: Plan) -> list[list[Measured]]:
    """Measure one text a group, again and again; the mean."""
    whole = [one.units.one_each(plan.chance) for one in subjects]
    found = _selections(
        subjects, requests, whole, lambda one, size: one.units.one_each_of_some(size, plan.chance), plan
    )
    return [
        [
            replace(m, score=with_parts(m.score, groups=len(one.units), draws=plan.chance.draws))
            for m in column
        ]
        for one, column in zip(subjects, found)
    ]


def within(subjects: Sequence[Subject], requests: Sequence[Request], plan: Plan) -> list[list[Measured]]:
    """Measure each group by itself; the mean over groups."""
    return [[_within(subject, request, plan) for request in requests] for subject in subjects]


def _has_errors(subjects: Sequence[Subject], plan: Plan) -> bool:
    """Tell whether standard errors are wanted, as every comparison does, and can be had."""
    return (plan.interval or len(subjects) > 1) and min(len(one.units) for one in subjects) >= LEAST_UNITS


def _selections(
    subjects: Sequence[Subject],
    requests: Sequence[Request],
    whole: Sequence[Sequence[Integers]],
    draw: Draw,
    plan: Plan,
) -> list[list[Measured]]:
    """Measure each corpus by the selections of it, at sizes that all of them have."""
    metrics = [request.metric for request in requests]
    sizes = [_common_size(metric, subjects, whole, plan) for metric in metrics]
    first = [one.pool.cut(rows[0]) for one, rows in zip(subjects, whole)]  # one cut serves all metrics
    if not _has_errors(subjects, plan):
        return [
            [
                Measured(request, _shown(subject, request.metric, rows, summaries, size, None, plan))
                for request, size in zip(requests, sizes)
            ]
            for subject, rows, summaries in zip(subjects, whole, first)
        ]
    # What depends on how many texts there are is measured on as many of each corpus.
    by_texts = [place for place, metric in enumerate(metrics) if metric.sized == "texts"]
    others = [place for place in range(len(metrics)) if place not in by_texts]
    halves = [one.units.half(plan.chance.share) for one in subjects]
    alike = [min(halves)] * len(halves) if plan.sample == "common" else halves
    measured: list[dict[int, Measured]] = [{} for _ in subjects]
    for places, drawn_sizes in ((others, halves), (by_texts, alike)):
        if not places:
            continue
        own = [requests[place] for place in places]
        drawn = [draw(one, size) for one, size in zip(subjects, drawn_sizes)]
        common = [_common_size(request.metric, subjects, drawn, plan) for request in own]
        for number, subject in enumerate(subjects):
            if plan.chance.watch is not None:
                plan.chance.watch("measuring subsamples", number, len(subjects))
            column = _with_errors(
                subject, own, whole[number], drawn[number], drawn_sizes[number], common, plan
            )
            for place, request, (value, error), size in zip(places, own, column, common):
                shown = _shown(
                    subject,
                    request.metric,
                    whole[number],
                    first[number],
                    size if plan.interval else sizes[place],
                    value if plan.interval else None,
                    plan,
                )
                shown = around(shown, error, request.metric.bounds) if plan.interval else shown
                measured[number][place] = Measured(request, shown, value, error)
    return [[by_place[place] for place in range(len(metrics))] for by_place in measured]


def _with_errors(
    subject: Subject,
    requests: Sequence[Request],
    whole: Sequence[Integers],
    drawn: Sequence[Integers],
    size: int,
    samples: Sequence[int | None],
    plan: Plan,
) -> list[tuple[float, float]]:
    """Return the value of each metric at a size that subsamples have, and its standard error."""
    metrics = [request.metric for request in requests]
    values = values_of(metrics, subject.pool, drawn, samples)
    errors = [standard_error(one, len(subject.units), size, plan.chance) for one in values.T]
    own = mean_by_draws(metrics, subject.pool, whole, samples)
    # What depends on how many texts there are is that of the subsamples, as its error is.
    centres = [
        float(column.mean()) if metric.sized == "texts" else float(value)
        for metric, column, value in zip(metrics, values.T, own)
    ]
    return list(zip(centres, errors))


def _common_size(
    metric: Metric, subjects: Sequence[Subject], selections: Sequence[Sequence[Integers]], plan: Plan
) -> int | None:
    """Return how many n-grams (or texts) every selection of every corpus has, where that matters."""
    if metric.sized == "no" or (plan.sample == "all" and len(subjects) > 1):
        return None
    if metric.sized == "texts":
        return min(len(rows) for each in selections for rows in each)
    n = int(getattr(metric, "n", 1))
    sizes = [ngrams_in(one.pool, n, rows) for one, each in zip(subjects, selections) for rows in each]
    return min(sizes) or None


def _shown(
    subject: Subject,
    metric: Metric,
    whole: Sequence[Integers],
    summaries: Lookup,
    size: int | None,
    value: float | None,
    plan: Plan,
) -> Score:
    """Score a corpus at a size, with the value of all its texts beside it where that is another."""
    plain = score_of(metric, summaries)
    if len(whole) > 1:
        mean = float(mean_by_draws([metric], subject.pool, whole, [None])[0])
        plain = plain.with_value(mean, UNDEFINED_DRAW)
    if size is None or math.isnan(plain.value):
        return plain
    if metric.sized == "texts":
        what = "groups" if len(whole) > 1 else "texts"
        if size >= len(whole[0]) and value is None:
            return plain
        if value is None or math.isnan(value):
            some = subject.units.texts(size, plan.chance)
            value = float(values_of([metric], subject.pool, some, [None]).mean())
        told = f"At a common size of {what}, the mean over draws; `plain` is of all."
        shown = plain.with_value(value, f"a random sample of {size:,} {what} has no value.")
        return with_parts(replace(shown, notes=(*plain.notes, Note(told))), plain=plain.value, sample=size)
    if size >= ngrams_in(subject.pool, int(getattr(metric, "n", 1)), whole[0]):
        return plain
    score = score_of(metric, summaries, size)
    if len(whole) > 1:
        mean = float(mean_by_draws([metric], subject.pool, whole, [size])[0])
        score = score.with_value(mean, UNDEFINED_DRAW)
    told = "At a common sample of n-grams (part `sample`); `plain` is of all."
    return with_parts(replace(score, notes=(*score.notes, Note(told))), plain=plain.value, sample=size)


def _within(subject: Subject, request: Request, plan: Plan) -> Measured:
    metric, units = request.metric, subject.units
    labels = np.empty(len(subject.pool), np.int64)
    for place, rows in enumerate(units.rows):
        labels[rows] = place
    values = metric.each(subject.pool, labels, len(units))
    defined = np.sort(values[np.isfinite(values)])
    sizes = np.array([len(rows) for rows in units.rows], np.int64)
    parts: dict[str, int | float] = {
        "groups": len(units),
        "undefined_groups": len(values) - len(defined),
        "texts": len(subject.pool),
        "smallest_group": int(sizes.min(initial=len(subject.pool))),
        "largest_group": int(sizes.max(initial=0)),
    }
    notes = _group_notes(metric, sizes, len(defined))
    if not len(defined):
        why = "there are no texts." if not len(units) else "no group has a value."
        return Measured(request, metric.scored(math.nan, parts, notes, undefined=why), by_group=values)
    deviation = float(defined.std(ddof=1)) if len(defined) > 1 else math.nan
    error = plan.chance.error(deviation / math.sqrt(len(defined)), len(units))
    score = metric.scored(float(defined.mean()), parts, notes)
    shown = around(score, error, metric.bounds) if plan.interval else score
    return Measured(request, shown, score.value, error, values)


def _group_notes(metric: Metric, sizes: Integers, defined: int) -> tuple[Note, ...]:
    notes: list[Note] = []
    if alone := int((sizes == 1).sum()):
        told = ", so no value" if metric.least_texts > 1 else ""
        notes.append(Note(f"{alone:,} of {len(sizes):,} groups have one text{told}."))
    if len(sizes) > defined and metric.least_texts == 1:
        missing = f"{len(sizes) - defined:,} of {len(sizes):,} groups have no value and are left out."
        notes.append(Note(missing))
    if len(sizes) and metric.sized != "no" and sizes.min() != sizes.max():
        unequal = (
            f"Groups have from {sizes.min():,} to {sizes.max():,} texts, and the value depends on that: "
            "compare only with groups of such sizes."
        )
        notes.append(Note(unequal, "warning"))
    return tuple(notes)


def with_parts(score: Score, **parts: int | float) -> Score:
    """Return a score with more parts."""
    return replace(score, parts={**score.parts, **parts})
