"""How scores change with the length of texts: from records to slopes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from distinctly.judging.length.sets import (
    DESIGNATED,
)
from distinctly.judging.length.verdict import sentence
from distinctly.judging.lines import Line, fit_line
from distinctly.judging.records import Record, number
from distinctly.judging.trial import Finding, Trial


@dataclass(frozen=True, kw_only=True)
class LengthTrial(Trial):
    """What sets of texts of one length scored.

    A point of the line is the mean of the sets of one length: sets of one length may share texts, and their
    score may be off the line together, so that they are not counted as independent of each other.
    """

    kind: ClassVar[str] = "length"

    def find(self) -> list[Finding]:
        """Return slope, intercept, relative slope and change over all lengths, for each corpus and metric."""
        return [finding for series in self.series() for finding in _findings(series)]

    def series(self) -> list[Series]:
        """Return the scores by length, for each corpus and metric."""
        return [
            Series([one for one in records if one["corpus"] == corpus], corpus, *key)
            for corpus in dict.fromkeys(str(one["corpus"]) for one in self.records)
            for key, records in self.by_subject.items()
            if any(one["corpus"] == corpus for one in records)
        ]

    @property
    def embedders(self) -> list[str]:
        """What made vectors, where a metric sees some."""
        return list(dict.fromkeys(str(one["embedder"]) for one in self.records if one["embedder"]))

    def title(self, one: Series | Finding) -> str:
        """Return the name of a metric."""
        return self.names[one.metric, one.embedder, one.part]

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of the trial as a whole."""
        found = self.series()
        designated = {one.metric for one in found if one.corpus == DESIGNATED}
        blind = [one.metric for one in found if designated and one.metric not in designated]
        told = [f"{one} sees vectors, and made-up tokens have none." for one in dict.fromkeys(blind)]
        return (*super().notes, *told)


@dataclass(frozen=True)
class Series:
    """The scores of one metric on one corpus."""

    records: Sequence[Record]
    corpus: str
    metric: str
    embedder: str
    part: str

    @cached_property
    def by_length(self) -> Mapping[int, Sequence[float]]:
        """The scores of the sets of each length that has any, the shortest first."""
        found: dict[int, list[float]] = {}
        for one in self.records:
            value = one["value"]
            if isinstance(value, float) and math.isfinite(value):
                found.setdefault(int(one["length"] or 0), []).append(value)
        return dict(sorted(found.items()))

    @cached_property
    def means(self) -> Mapping[int, float]:
        """The mean score of each length."""
        return {length: math.fsum(values) / len(values) for length, values in self.by_length.items()}

    @cached_property
    def line(self) -> Line:
        """The line through these means."""
        return fit_line(np.array(list(self.means), np.float64), np.array(list(self.means.values())))


def _findings(series: Series) -> Iterator[Finding]:
    line, means = series.line, series.means
    shortest, longest = min(means, default=0), max(means, default=0)
    parts = {
        "mean_score": line.mean,
        "shortest": shortest,
        "longest": longest,
        "at_shortest": means.get(shortest, math.nan),
        "at_longest": means.get(longest, math.nan),
        "lengths": len(means),
        "bend": line.bend,
    }
    for measure, estimate in (
        ("slope", line.slope),
        ("intercept", line.intercept),
        ("relative_slope", line.relative),
        ("change", line.relative.times(longest - shortest)),
    ):
        told = measure == "relative_slope"
        yield Finding(
            metric=series.metric,
            measure=measure,
            mean=estimate.value,
            low=None if math.isnan(estimate.low) else estimate.low,
            high=None if math.isnan(estimate.high) else estimate.high,
            repetitions=max(map(len, series.by_length.values()), default=0),
            embedder=series.embedder,
            part=series.part,
            settings={"corpus": series.corpus},
            parts=parts if told else {},
            notes=(sentence(line, means), *_notes(series)) if told else (),
        )


def _notes(series: Series) -> Iterator[str]:
    lengths = sorted({int(one["length"] or 0) for one in series.records})
    missing = [length for length in lengths if length not in series.means]
    if missing:
        which = f"{len(missing)} of {len(lengths)} lengths (the shortest: {missing[0]} tokens)"
        why = next((str(one["note"]) for one in series.records if one["note"]), "it is infinite.")
        yield f"No score at {which if series.means else 'any length'}: {why}"
        return
    if lost := [one for one in series.records if math.isnan(number(one, "value"))]:
        yield f"{len(lost)} of {len(series.records)} sets have no score; they are left out: {lost[0]['note']}"
