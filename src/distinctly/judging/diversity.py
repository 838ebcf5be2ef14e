"""Known-diversity corpora: does a metric put corpora in the order of their diversity?

Kour et al. (2022) judge distances by corpora whose similarity is known by construction. This is the same idea
for metrics of one corpus. Corpora of one level are alike in diversity, and those of a higher one are more
diverse: they are drawn from more classes, or with fewer repeats, or at a higher temperature. All have as many
texts, of matched lengths, so that size and length tell nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from distinctly.corpus import Corpus
from distinctly.embedders.given import are_vectors
from distinctly.engine.local import Progress
from distinctly.errors import SpecError, unknown
from distinctly.judging.constructing import (
    CONSTRUCTIONS,
    FEWEST_LEVELS,
    Construction,
    make_plan,
)
from distinctly.judging.defaults import default_metrics
from distinctly.judging.drawing import Drawn
from distinctly.judging.gathering import AnyEmbedders, Subject, diversities_only, gathering
from distinctly.judging.labelling import hash_of, labelled, naming_the_label
from distinctly.judging.ordering import MEASURES, Measure, Ordering
from distinctly.judging.records import Key, Record, mean_of, number
from distinctly.judging.trial import Finding, Trial, Work, run
from distinctly.spec import AnyMetrics
from distinctly.tokenizers import AnyTokenizer
from distinctly.uncertainty import Watch

# Levels whose mean lengths differ by more than this part are told.
SAME_LENGTH = 0.02


@dataclass(frozen=True, kw_only=True)
class DiversityTrial(Trial):
    """How well metrics tell corpora of more diversity from those of less.

    Attributes
    ----------
    measures
        Which ones are found; the records have what it takes for all.
    """

    kind: ClassVar[str] = "diversity"

    measures: tuple[Measure, ...] = MEASURES

    def find(self) -> list[Finding]:
        """Compute the measures of each metric over the repetitions.

        ``accuracy``
            A: the share of pairs of corpora of different levels of which the higher has at least the value
            of the lower; part `strict` where a tie is wrong, `ties` the share of these. Chance is 0.5.
        ``weighted_accuracy``
            Aw: the same, where a pair counts 1 / (difference of the numbers of their levels).
        ``monotonicity``
            ρ: Spearman's correlation of level and value.
        ``separability``
            W: ω² of a one-way analysis of variance by level.
        ``linearity``
            L: R² of a line through the number of the level (0, 1, 2 …) and the value. Classes grow by a
            factor from level to level, so that for them it is a line through the logarithm of their number.

        The first measure also has how far a metric is behind the best one (`behind`), with an interval of
        that difference over the repetitions (`behind_low`, `behind_high`).
        """
        best = self.ranked[0].measured(self.measures[0]) if self.ranked else []
        return [self._finding(one, measure, best) for one in self.orderings for measure in self.measures]

    def _finding(self, one: Ordering, measure: Measure, best: Sequence[float]) -> Finding:
        values, parts = one.measured(measure), one.parts(measure)
        if measure == self.measures[0]:
            behind = Finding.over([x - y for x, y in zip(best, values)], metric=one.metric, measure=measure)
            parts["behind"] = behind.mean
            if behind.low is not None and behind.high is not None:
                parts |= {"behind_low": behind.low, "behind_high": behind.high}
        told = {"metric": one.metric, "embedder": one.embedder, "part": one.part, "measure": measure}
        return Finding.over(values, **told, parts=parts, notes=one.why_undefined(measure))

    @cached_property
    def orderings(self) -> list[Ordering]:
        """The values by metric, in the order in which they were asked for."""
        return [_ordering(key, records) for key, records in self.by_subject.items()]

    @cached_property
    def ranked(self) -> list[Ordering]:
        """The same, the best first: by the first measure, then by ρ; those without a value last."""

        def rank(one: Ordering) -> tuple[float, ...]:
            means = [mean_of(one.measured(measure)) for measure in (self.measures[0], "monotonicity")]
            return tuple(math.inf if math.isnan(mean) else -mean for mean in means)

        return sorted(self.orderings, key=rank)

    @property
    def repetitions(self) -> int:
        """How many there were."""
        return len({record["repetition"] for record in self.records})

    @cached_property
    def length_difference(self) -> float:
        """By which part of their mean the mean lengths of the levels' texts differ at most."""
        return self._difference("length")

    @cached_property
    def spread_difference(self) -> float:
        """By which part of their mean the standard deviations of these lengths differ at most."""
        return self._difference("spread")

    def _difference(self, column: str) -> float:
        corpora: dict[tuple[float, ...], float] = {}
        for record in self.records:
            corpus = tuple(number(record, key) for key in ("level", "repetition", "draw"))
            corpora[corpus] = number(record, column)
        by_level: dict[float, list[float]] = {}
        for (level, *_), value in corpora.items():
            by_level.setdefault(level, []).append(value)
        means = [mean_of(values) for values in by_level.values()]
        return (max(means) - min(means)) / mean_of(means) if any(means) else 0.0

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of the trial as a whole."""
        told = list(self.settings.get("notes", ()))
        shared = [number(record, "shared") for record in self.records]
        if any(shared):
            told.append(
                f"There are too few texts for corpora that share none: {mean_of(shared):.0%} of a corpus is "
                "in another one of its repetition, too. Choose smaller or fewer ones (--n, --corpora)."
            )
        if self.length_difference > SAME_LENGTH:
            fewer, match = "smaller or fewer corpora (--n, --corpora)", "--match-length"
            told.append(
                f"The mean lengths of levels differ by {self.length_difference:.1%}: a metric may see it. "
                f"Choose {fewer if self.settings['match_length'] else match}."
            )
        return tuple(told)


def _ordering(key: Key, records: Sequence[Record]) -> Ordering:
    by: dict[float, list[Record]] = {}
    for one in records:
        by.setdefault(number(one, "repetition"), []).append(one)
    return Ordering(
        *key,
        tuple(np.array([int(number(one, "level")) for one in own]) for own in by.values()),
        tuple(np.array([number(one, "value") * number(one, "sign") for one in own]) for own in by.values()),
        tuple(dict.fromkeys(str(one["note"]) for one in records if one["note"])),
    )


def known_diversity(
    corpus: object,
    metrics: AnyMetrics | None = None,
    *,
    label: str | Sequence[object] | None = None,
    construction: Construction | None = None,
    n: int = 100,
    k: int = 7,
    corpora: int = 5,
    repetitions: int = 5,
    match_length: bool = True,
    seed: int = 0,
    measures: Sequence[str] = MEASURES,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedders | None = None,
    batch_size: int | None = None,
    threads: int | None = None,
    device: str = "cpu",
    cache: bool = True,
    save: str | Path | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
    **reading: Any,
) -> DiversityTrial:
    """Judge metrics of one corpus by corpora whose diversity is known by construction.

    Parameters
    ----------
    corpus
        Texts, as `measure` takes them: a file, a list, a `Corpus` …; or an array of vectors.
    metrics
        Those on trial, functions of one argument among them; all of the package where not given.
    label
        The field with the class of a text, or with its number; or these themselves, one a text. A `Corpus`
        has them as its ids. Repeats need none.
    construction
        What grows from level to level. ``classes``: the number of classes that a corpus is drawn from (where
        there are labels). ``repeats``: the share of its texts that differ (where there are none).
        ``temperature``: the number that its texts carry.
    n, k, corpora, repetitions
        Texts a corpus, levels, corpora a level, and how often all of them are drawn.
    match_length
        Choose texts so that the lengths are alike in all corpora.
    seed
        Where draws begin.
    measures
        Which to find; the first one ranks. All where not given: see `DiversityTrial.find`.
    save
        A .json or .csv file to keep the results in; a run that was stopped is gone on with.
    tokenizer, embedder, batch_size, threads, device, cache, progress, watch, reading
        As for `measure`; of embedders there may be several.

    Examples
    --------
    >>> colours = ["red", "green", "blue", "grey"] * 40
    >>> texts = [f"{colour} {place % 7}" for place, colour in enumerate(colours)]
    >>> trial = known_diversity(texts, "types:n=1", label=colours, n=30, k=4, corpora=2, repetitions=3)
    >>> trial.settings["levels"], trial.to_dict()["types:n=1"]["accuracy"]["mean"]
    ([1.0, 2.0, 3.0, 4.0], 1.0)
    """
    wanted = _measures([measures] if isinstance(measures, str) else measures)
    _check_sizes(n=n, k=k, corpora=corpora, repetitions=repetitions)
    requests = diversities_only(default_metrics() if metrics is None else metrics)
    kind = construction or ("repeats" if label is None else "classes")
    if kind not in CONSTRUCTIONS:
        raise unknown("construction", kind, CONSTRUCTIONS)
    field = label if isinstance(label, str) and kind != "repeats" else None
    given = corpus
    if not are_vectors(corpus):
        given = Corpus.wrap(corpus, **{x: y for x, y in {**reading, "id": field}.items() if y is not None})
    with (
        naming_the_label(),
        gathering(
            [("", given)],
            requests,
            tokenizer=tokenizer,
            embedder=embedder,
            batch_size=batch_size,
            threads=threads,
            device=device,
            cache=cache,
            progress=progress,
            watch=watch,
        ) as gathered,
    ):
        (source,) = gathered.corpora
        rows, labels = labelled(gathered, kind, label)
        plan = make_plan(
            kind, gathered.pool.view, rows, labels, n=n, k=k, matched=match_length, source=source
        )
        settings = {
            **gathered.settings,
            "construction": kind,
            "label": field or "",
            "labels": hash_of(labels),
            "n": n,
            "k": k,
            "corpora_a_level": corpora,
            "match_length": match_length,
            "seed": seed,
            "levels": list(plan.levels),
            "classes": len(plan.classes),
            "notes": list(plan.notes),
        }

        # All metrics of a repetition see the same corpora; those of the one before are let go.
        @lru_cache(maxsize=1)
        def drawn(repetition: int) -> Drawn:
            draw = np.random.default_rng([seed, 30, repetition])
            return Drawn.of(gathered.pool, plan, corpora, draw, matched=match_length)

        def measured(subject: Subject, repetition: int) -> Iterator[Record]:
            return drawn(repetition).measured(subject, repetition)

        pieces = [
            Work(f"{subject.name}, repetition {repetition + 1}", partial(measured, subject, repetition))
            for repetition in range(repetitions)
            for subject in gathered.subjects
        ]
        return replace(run(DiversityTrial, settings, pieces, save=save, watch=watch), measures=wanted)


def _measures(names: Sequence[str]) -> tuple[Measure, ...]:
    known: dict[str, Measure] = {measure: measure for measure in MEASURES}
    for name in names:
        if name not in known:
            raise unknown("measure", name, MEASURES)
    return tuple(known[name] for name in dict.fromkeys(names)) or MEASURES


def _check_sizes(*, n: int, k: int, corpora: int, repetitions: int) -> None:
    if k < FEWEST_LEVELS:
        raise SpecError(f"Expected at least {FEWEST_LEVELS} levels (k), got {k}.")
    if n < k:
        raise SpecError(f"Expected at least as many texts a corpus (n) as levels (k), got n = {n}, k = {k}.")
    for name, times in (("corpora", corpora), ("repetitions", repetitions)):
        if times < 1:
            raise SpecError(f"Expected `{name}` to be at least 1, got {times}.")
