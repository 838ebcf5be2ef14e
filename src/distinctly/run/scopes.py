"""Measure corpora in memory as a whole, within groups and across groups, with standard errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from distinctly.config import RunConfig
from distinctly.metrics import Metric
from distinctly.ragged import Integers
from distinctly.run.corpora import Subcorpus
from distinctly.run.resampling import (
    DRAWS,
    ONE_PER_GROUP,
    ONE_PER_GROUP_OF_SOME,
    SHARE,
    SUBSAMPLES,
    TEXTS,
    Reals,
    Resampling,
    around,
)
from distinctly.run.scoring import values_of
from distinctly.score import Note, Score
from distinctly.spec import Request
from distinctly.statistics.pool import Lookup, Pool
from distinctly.views.tokens import Tokens

Scope = Literal["within", "across", "pooled"]
# A function that draws subsamples of a number of units of a corpus.
Draw = Callable[[Subcorpus, int], list[Integers]]
# Half of fewer units is too small a corpus.
LEAST_UNITS = 4
UNDEFINED_DRAW = "a random draw of one text per group has no value."


@dataclass(frozen=True)
class Measured:
    """A score, with values for the comparison with other corpora.

    Attributes
    ----------
    tested, error
        A value and its standard error: those of the score or, if the score is of all texts, those at the size
        at which the error was estimated. NaN if there is none.
    by_group
        One value per group, for the scope `within`.
    """

    request: Request
    score: Score
    tested: float = math.nan
    error: float = math.nan
    by_group: Reals | None = None


@dataclass(frozen=True)
class Scoped:
    """Corpora that are measured together in each scope.

    Attributes
    ----------
    corpora
        The corpora, each in a separate pool.
    resampling
        The requested intervals, and what is drawn.
    config
        How to run.
    """

    corpora: Sequence[Subcorpus]
    resampling: Resampling
    config: RunConfig

    def measure(self, scope: Scope, requests: Sequence[Request]) -> list[list[Measured]]:
        """Measure each corpus (rows) by each metric (columns) in one scope."""
        measure = {"within": self._within, "across": self._across, "pooled": self._pooled}[scope]
        return measure(requests)

    def _pooled(self, requests: Sequence[Request]) -> list[list[Measured]]:
        """Measure all texts of each corpus together."""
        whole = [[np.arange(len(corpus.pool))] for corpus in self.corpora]

        def draw(corpus: Subcorpus, size: int) -> list[Integers]:
            return corpus.units.draw_units(
                size, self.resampling.subsamples, self.resampling.stream(SUBSAMPLES)
            )

        return self._selected(requests, whole, draw)

    def _across(self, requests: Sequence[Request]) -> list[list[Measured]]:
        """Measure one text per group, and return the mean over draws."""
        whole = [
            corpus.units.one_per_group(DRAWS, self.resampling.stream(ONE_PER_GROUP))
            for corpus in self.corpora
        ]

        def draw(corpus: Subcorpus, size: int) -> list[Integers]:
            stream = self.resampling.stream(ONE_PER_GROUP_OF_SOME)
            return corpus.units.one_per_group_of_some(size, self.resampling.subsamples, stream)

        return [
            [
                replace(result, score=with_parts(result.score, groups=len(corpus.units), draws=DRAWS))
                for result in row
            ]
            for corpus, row in zip(self.corpora, self._selected(requests, whole, draw))
        ]

    def _within(self, requests: Sequence[Request]) -> list[list[Measured]]:
        """Measure each group separately, and return the mean over groups."""
        return [[self._in_groups(corpus, request) for request in requests] for corpus in self.corpora]

    @property
    def _has_errors(self) -> bool:
        """Whether standard errors are needed, as for every comparison, and can be estimated."""
        wanted = self.resampling.interval or len(self.corpora) > 1
        return wanted and min(len(corpus.units) for corpus in self.corpora) >= LEAST_UNITS

    def _selected(
        self, requests: Sequence[Request], whole: Sequence[Sequence[Integers]], draw: Draw
    ) -> list[list[Measured]]:
        """Measure selections of each corpus, at a common size."""
        metrics = [request.metric for request in requests]
        sizes = [self._common_size(metric, whole) for metric in metrics]
        # All metrics share one selection.
        first = [corpus.pool.select(rows[0]) for corpus, rows in zip(self.corpora, whole)]
        if not self._has_errors:
            return [
                [
                    Measured(request, self._shown(corpus, request.metric, rows, summaries, size, None))
                    for request, size in zip(requests, sizes)
                ]
                for corpus, rows, summaries in zip(self.corpora, whole, first)
            ]
        # Metrics that depend on the number of texts are measured on the same number of each corpus.
        by_texts = [place for place, metric in enumerate(metrics) if metric.sized == "texts"]
        others = [place for place in range(len(metrics)) if place not in by_texts]
        halves = [corpus.units.half(SHARE) for corpus in self.corpora]
        equal = [min(halves)] * len(halves) if self.resampling.sample == "common" else halves
        measured: list[dict[int, Measured]] = [{} for _ in self.corpora]
        for places, drawn_sizes in ((others, halves), (by_texts, equal)):
            if not places:
                continue
            chosen = [requests[place] for place in places]
            drawn = [draw(corpus, size) for corpus, size in zip(self.corpora, drawn_sizes)]
            common = [self._common_size(request.metric, drawn) for request in chosen]
            for number, corpus in enumerate(self.corpora):
                self.config.report("measuring subsamples", number, len(self.corpora))
                estimates = self._estimates(
                    corpus, chosen, whole[number], drawn[number], drawn_sizes[number], common
                )
                for place, request, (value, error), size in zip(places, chosen, estimates, common):
                    interval = self.resampling.interval
                    shown = self._shown(
                        corpus,
                        request.metric,
                        whole[number],
                        first[number],
                        size if interval else sizes[place],
                        value if interval else None,
                    )
                    shown = around(shown, error, request.metric.bounds) if interval else shown
                    measured[number][place] = Measured(request, shown, value, error)
        return [[by_place[place] for place in range(len(metrics))] for by_place in measured]

    def _estimates(
        self,
        corpus: Subcorpus,
        requests: Sequence[Request],
        whole: Sequence[Integers],
        drawn: Sequence[Integers],
        size: int,
        samples: Sequence[int | None],
    ) -> list[tuple[float, float]]:
        """Return the value of each metric at the size of subsamples, and its standard error."""
        metrics = [request.metric for request in requests]
        values = values_of(metrics, corpus.pool, drawn, samples)
        errors = [self.resampling.standard_error(column, len(corpus.units), size) for column in values.T]
        of_all = values_of(metrics, corpus.pool, whole, samples).mean(axis=0)
        # If a metric depends on the number of texts, its value and its error are those of subsamples.
        centres = [
            float(column.mean()) if metric.sized == "texts" else float(value)
            for metric, column, value in zip(metrics, values.T, of_all)
        ]
        return list(zip(centres, errors))

    def _common_size(self, metric: Metric, selections: Sequence[Sequence[Integers]]) -> int | None:
        """Return the number of n-grams (or texts) of the smallest selection; None if it does not matter."""
        if metric.sized == "no" or (self.resampling.sample == "all" and len(self.corpora) > 1):
            return None
        if metric.sized == "texts":
            return min(len(rows) for of_corpus in selections for rows in of_corpus)
        sizes = [
            ngrams_in(corpus.pool, metric, rows)
            for corpus, of_corpus in zip(self.corpora, selections)
            for rows in of_corpus
        ]
        return min(sizes) or None

    def _shown(
        self,
        corpus: Subcorpus,
        metric: Metric,
        whole: Sequence[Integers],
        summaries: Lookup,
        size: int | None,
        value: float | None,
    ) -> Score:
        """Score a corpus at a size; the part `plain` is the value of all its texts if that differs."""
        plain = metric.score_from(summaries)
        if len(whole) > 1:
            mean = float(values_of([metric], corpus.pool, whole, [None]).mean())
            plain = plain.with_value(mean, UNDEFINED_DRAW)
        if size is None or math.isnan(plain.value):
            return plain
        if metric.sized == "texts":
            what = "groups" if len(whole) > 1 else "texts"
            if size >= len(whole[0]) and value is None:
                return plain
            if value is None or math.isnan(value):
                drawn = corpus.units.draw_texts(size, DRAWS, self.resampling.stream(TEXTS))
                value = float(values_of([metric], corpus.pool, drawn, [None]).mean())
            note = Note(f"At a common number of {what}, the mean over draws; part `plain` is of all {what}.")
            shown = plain.with_value(value, f"a random sample of {size:,} {what} has no value.")
            return with_parts(replace(shown, notes=(*plain.notes, note)), plain=plain.value, sample=size)
        if size >= ngrams_in(corpus.pool, metric, whole[0]):
            return plain
        score = metric.score_from(summaries, size)
        if len(whole) > 1:
            mean = float(values_of([metric], corpus.pool, whole, [size]).mean())
            score = score.with_value(mean, UNDEFINED_DRAW)
        note = Note("At a common sample of n-grams (part `sample`); part `plain` is of all n-grams.")
        return with_parts(replace(score, notes=(*score.notes, note)), plain=plain.value, sample=size)

    def _in_groups(self, corpus: Subcorpus, request: Request) -> Measured:
        """Measure each group of one corpus."""
        metric, units, texts = request.metric, corpus.units, len(corpus.pool)
        labels = np.empty(texts, np.int64)
        for place, rows in enumerate(units.rows):
            labels[rows] = place
        values = metric.each(corpus.pool, labels, len(units))
        defined = np.sort(values[np.isfinite(values)])
        sizes = np.array([len(rows) for rows in units.rows], np.int64)
        parts: dict[str, int | float] = {
            "groups": len(units),
            "undefined_groups": len(values) - len(defined),
            "texts": texts,
            "smallest_group": int(sizes.min(initial=texts)),
            "largest_group": int(sizes.max(initial=0)),
        }
        notes = _group_notes(metric, sizes, len(defined))
        if not len(defined):
            why = "there are no texts." if not len(units) else "no group has a value."
            return Measured(request, metric.scored(math.nan, parts, notes, undefined=why), by_group=values)
        deviation = float(defined.std(ddof=1)) if len(defined) > 1 else math.nan
        error = self.resampling.error(deviation / math.sqrt(len(defined)), len(units))
        score = metric.scored(float(defined.mean()), parts, notes)
        shown = around(score, error, metric.bounds) if self.resampling.interval else score
        return Measured(request, shown, score.value, error, values)


def ngrams_in(pool: Pool, metric: Metric, rows: Integers) -> int:
    """Return the number of n-grams in texts, of the n that a metric counts."""
    tokens: Tokens = pool.view(metric.view)
    return int(np.maximum(tokens.lengths[rows] - ((metric.ngram_size or 1) - 1), 0).sum())


def _group_notes(metric: Metric, sizes: Integers, defined: int) -> tuple[Note, ...]:
    notes: list[Note] = []
    if alone := int((sizes == 1).sum()):
        result = ", so no value" if metric.least_texts > 1 else ""
        notes.append(Note(f"{alone:,} of {len(sizes):,} groups have one text{result}."))
    if len(sizes) > defined and metric.least_texts == 1:
        missing = f"{len(sizes) - defined:,} of {len(sizes):,} groups have no value and are left out."
        notes.append(Note(missing))
    if len(sizes) and metric.sized != "no" and sizes.min() != sizes.max():
        unequal = (
            f"Groups have from {sizes.min():,} to {sizes.max():,} texts, and the value depends on that. "
            "Compare only with groups of similar sizes."
        )
        notes.append(Note(unequal, "warning"))
    return tuple(notes)


def with_parts(score: Score, **parts: int | float) -> Score:
    """Return a score with more parts."""
    return replace(score, parts={**score.parts, **parts})
