"""Length bias: does a score depend on how long the texts are?

Sets of texts of exactly one length, for many lengths, are scored; a line through the mean score of each
length says how much the score changes a token (Liu et al., 2022, Figures 1 and 2).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from distinctly.corpus import Corpus
from distinctly.embedders.given import are_vectors
from distinctly.errors import InputError, SpecError
from distinctly.judging.evaluating import measure_selections, records_of
from distinctly.judging.gathering import AnyEmbedders, Subject, diversities_only, gathering
from distinctly.judging.length_sets import (
    DESIGNATED,
    DESIGNATED_LENGTHS,
    TEXTS,
    AnyLengths,
    DesignatedSets,
    NaturalSets,
    Sets,
    read_lengths,
)
from distinctly.judging.length_verdict import sentence
from distinctly.judging.records import Record, number
from distinctly.judging.slopes import LEAST_POINTS, Line, fit_line
from distinctly.judging.trial import Finding, Trial, Work, run
from distinctly.metric import Metric
from distinctly.spec import AnyMetrics, Request
from distinctly.tokenizers import AnyTokenizer
from distinctly.uncertainty import Watch

DEFAULT_METRICS = ("distinct:n=1", "ead", "rarefied:n=1")
SETS = 10


def length_bias(
    corpus: object = None,
    metrics: AnyMetrics = DEFAULT_METRICS,
    *,
    designated: bool = False,
    lengths: AnyLengths | None = None,
    texts: int | None = None,
    sets: int = SETS,
    seed: int = 0,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedders | None = None,
    save: str | Path | None = None,
    watch: Watch | None = None,
    **reading: Any,
) -> LengthTrial:
    """Score sets of texts of one length, for many lengths, and say whether the score depends on it.

    Parameters
    ----------
    corpus
        Texts, as for `measure`; several corpora as a mapping by name, or as a list of `Corpus` objects. It
        may be left out where `designated` is asked for.
    metrics
        Any metrics of one corpus, functions included. `rarefied` without a `sample` is measured at as many
        n-grams as a set of the shortest texts has, the same for all lengths of a corpus.
    designated
        Also (or only) measure texts of independent tokens from one distribution, nearly uniform over 30,522:
        whatever changes with length there is bias.
    lengths
        Which lengths, in tokens: ``"5:30"``, ``"10:100:10"``, or numbers. All that have enough texts where
        not given; 10, 20, … 100 for the designated distribution.
    texts
        How many texts a set has. 2,000 where not given, fewer where less than five lengths have so many.
    sets
        How many sets of each length. They share no text where there are enough.
    seed
        Whatever is drawn is drawn from this seed.
    save
        A .json or .csv file for the results; a run that was stopped is gone on with.
    tokenizer, embedder, watch, reading
        As for `known_similarity`.

    Examples
    --------
    >>> trial = length_bias(designated=True, lengths="20:100:20", texts=200, sets=2)
    >>> for name, found in trial.to_dict().items():
    ...     print(name, found["relative_slope"]["notes"][0].partition(":")[0])
    distinct:n=1 Falls with length
    ead Level
    rarefied:n=1 Level
    """
    for name, size in (("texts", texts), ("sets", sets)):
        if size is not None and size < 1:
            raise SpecError(f"Expected `{name}` to be at least 1, got {size}.")
    requests = diversities_only(metrics)
    given = _several(corpus)
    if not given and not designated:
        raise InputError("Expected a corpus, or the designated distribution (designated=True, --designated).")
    wanted = read_lengths(lengths)
    _check(given, requests, wanted, designated=designated)
    with gathering(
        given, requests, tokenizer=tokenizer, embedder=embedder, watch=watch, **reading
    ) as gathered:
        measured: list[Sets] = [
            NaturalSets.of(name, gathered.pool, rows, texts, wanted)
            for name, rows in gathered.corpora.items()
        ]
        if designated:
            if DESIGNATED in gathered.corpora:
                raise SpecError(
                    f"Expected a corpus of another name than '{DESIGNATED}', which is there, too."
                )
            measured.append(DesignatedSets(texts or TEXTS, wanted or DESIGNATED_LENGTHS))
        settings = {
            **gathered.settings,
            "measured": [one.facts() for one in measured],
            "sets": sets,
            "seed": seed,
            "notes": [note for one in measured for note in one.notes()] + _shared(measured, sets),
        }
        pieces = [
            Work(
                f"{one.corpus}, {length} tokens, {subject.name}",
                partial(_measure, subject, one, length, settings),
            )
            for one in measured
            for length in one.lengths
            for subject in gathered.subjects
            if isinstance(one, NaturalSets) or subject.metric.sees != "vectors"
        ]
        return run(LengthTrial, settings, pieces, save=save, watch=watch)


def _several(corpus: object) -> list[tuple[str, object]]:
    """Return the corpora that are given, by name where they have one."""
    if corpus is None:
        return []
    if isinstance(corpus, Mapping):
        return [(str(name), one) for name, one in corpus.items()]
    if isinstance(corpus, (list, tuple)) and corpus and all(isinstance(one, Corpus) for one in corpus):
        return [("", one) for one in corpus]
    return [("" if isinstance(corpus, (Corpus, str, Path)) else "texts", corpus)]


def _check(
    given: Sequence[tuple[str, object]],
    requests: Sequence[Request],
    wanted: Sequence[int] | None,
    *,
    designated: bool,
) -> None:
    """Raise where there is nothing to measure, before anything is read."""
    if any(are_vectors(one) for _, one in given):
        raise InputError("Expected texts, got vectors (2-D arrays of floats), which have no length.")
    if wanted is not None and len(wanted) < LEAST_POINTS:
        raise SpecError(f"Expected {LEAST_POINTS} lengths or more for a line, got {len(wanted)}.")
    if not designated:
        return
    seeing = [request.spec for request in requests if request.metric.sees == "vectors"]
    if seeing and len(seeing) == len(requests) and not given:
        raise SpecError(f"'{seeing[0]}' sees vectors, and made-up tokens have none: give a corpus.")


def _shared(measured: Sequence[Sets], sets: int) -> list[str]:
    """Say where sets of a length have texts in common."""
    told = [
        f"{one.sharing(sets)} of {len(one.lengths)} lengths of {one.corpus}"
        for one in measured
        if sets > 1 and one.sharing(sets)
    ]
    if not told:
        return []
    return [
        f"Sets share texts where a length has too few for {sets} of them ({', '.join(told)}), so that they "
        "differ less than sets of other texts would. Intervals come from the lengths, not from the sets."
    ]


def _measure(subject: Subject, sets: Sets, length: int, settings: Mapping[str, Any]) -> Iterator[Record]:
    """Score all sets of one length."""
    sample = common_sample(subject.metric, sets.texts, sets.lengths)
    if sample is not None:
        subject = replace(subject, metric=subject.metric.at(sample))
    pool, selections = sets.draw(length, settings["sets"], settings["seed"])
    for place, score in enumerate(measure_selections(subject, pool, selections).scores, 1):
        yield from records_of(
            subject, score, corpus=sets.corpus, length=length, set=place, texts=sets.texts, sample=sample
        )


def common_sample(metric: Metric, texts: int, lengths: Iterable[int]) -> int | None:
    """Return at how many n-grams to measure a metric that takes a common sample; None for all others.

    As many as so many of the shortest texts have that have any.

    Examples
    --------
    >>> from distinctly.spec import parse_metric
    >>> common_sample(parse_metric("rarefied:n=2"), 100, [1, 5, 9])
    400
    """
    if metric.sized != "ngrams" or metric.at(1) == metric:
        return None
    n = int(getattr(metric, "n", 1))
    return min((texts * (length - n + 1) for length in lengths if length >= n), default=None)


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
        """Say of which metric it is, with what embeds where there are several."""
        name = f"{one.metric} {one.part}" if one.part else one.metric
        return f"{name} ({one.embedder})" if one.embedder and len(self.embedders) > 1 else name

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
