"""How scores change with the length of texts: from records to slopes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from distinctly.judging.length.sets import DESIGNATED
from distinctly.judging.length.verdict import sentence
from distinctly.judging.lines import Line, fit_line
from distinctly.judging.records import Record, number
from distinctly.judging.trial import Finding, Trial


@dataclass(frozen=True, kw_only=True)
class LengthTrial(Trial):
    """Scores of sets of texts of equal length.

    Each point of the line is the mean of the sets of one length. Sets of the same length may share texts and
    deviate from the line together, so they are not treated as independent.
    """

    kind: ClassVar[str] = "length"

    def find(self) -> list[Finding]:
        """Return slope, intercept, relative slope and change over all lengths, per corpus and metric."""
        return [finding for series in self.series() for finding in _findings(series)]

    def series(self) -> list[Series]:
        """Return the scores by length, per corpus and metric."""
        return [
            Series(selected, corpus, *key)
            for corpus in dict.fromkeys(str(record["corpus"]) for record in self.records)
            for key, records in self.by_subject.items()
            if (selected := [record for record in records if record["corpus"] == corpus])
        ]

    @property
    def embedders(self) -> list[str]:
        """The embedders of metrics that use vectors."""
        return list(dict.fromkeys(embedder for _, embedder, _ in self.by_subject if embedder))

    def title(self, of: Series | Finding) -> str:
        """Return the name of a metric."""
        return self.names[of.metric, of.embedder, of.part]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the trial as a whole."""
        designated = {series.metric for series in self.series() if series.corpus == DESIGNATED}
        missing = dict.fromkeys(series.metric for series in self.series() if series.metric not in designated)
        notes = [f"{metric} needs vectors, which generated tokens do not have." for metric in missing]
        return (*super().notes, *(notes if designated else ()))


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
        """The defined scores of the sets per length, in ascending order of length."""
        scores: dict[int, list[float]] = {}
        for record in self.records:
            value = record["value"]
            if isinstance(value, float) and math.isfinite(value):
                scores.setdefault(int(record["length"] or 0), []).append(value)
        return dict(sorted(scores.items()))

    @cached_property
    def means(self) -> Mapping[int, float]:
        """The mean score per length."""
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
        described = measure == "relative_slope"
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
            parts=parts if described else {},
            notes=(sentence(line, means), *_notes(series)) if described else (),
        )


def _notes(series: Series) -> Iterator[str]:
    lengths = sorted({int(record["length"] or 0) for record in series.records})
    missing = [length for length in lengths if length not in series.means]
    if missing:
        which = f"{len(missing)} of {len(lengths)} lengths (the shortest: {missing[0]} tokens)"
        reason = next((str(record["note"]) for record in series.records if record["note"]), "it is infinite.")
        yield f"No score at {which if series.means else 'any length'}: {reason}"
        return
    if undefined := [record for record in series.records if math.isnan(number(record, "value"))]:
        yield (
            f"{len(undefined)} of {len(series.records)} sets have no score; they are left out: "
            f"{undefined[0]['note']}"
        )
