"""Known-diversity corpora: does a metric put corpora in the order of their diversity?

Kour et al. (2022) judge distances by corpora whose similarity is known by construction. This is the same idea
for metrics of one corpus. Corpora of one level are alike in diversity, and those of a higher one are more
diverse: they are drawn from more classes, or with fewer repeats, or at a higher temperature. All have as many
texts, of matched lengths, so that size and length tell nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from distinctly.api import sort_keywords
from distinctly.batch import are_vectors
from distinctly.corpus import Corpus
from distinctly.errors import SpecError, unknown
from distinctly.judging.defaults import default_metrics
from distinctly.judging.diversity.constructing import (
    CONSTRUCTIONS,
    FEWEST_LEVELS,
    Construction,
    make_plan,
)
from distinctly.judging.diversity.drawing import Drawn
from distinctly.judging.diversity.findings import DiversityTrial
from distinctly.judging.diversity.labelling import hash_of, labelled, naming_the_label
from distinctly.judging.diversity.ordering import MEASURES
from distinctly.judging.gathering import AnyEmbedders, TrialMetric, diversities_only, gathering
from distinctly.judging.records import Record
from distinctly.judging.trial import Task, check_counts, choose_measures, run
from distinctly.spec import AnyMetrics
from distinctly.tokenizers import AnyTokenizer


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
    save: str | Path | None = None,
    **fields: Any,
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
    wanted = choose_measures(measures, MEASURES) or MEASURES
    _check_sizes(n=n, k=k, corpora=corpora, repetitions=repetitions)
    requests = diversities_only(default_metrics() if metrics is None else metrics)
    kind = construction or ("repeats" if label is None else "classes")
    if kind not in CONSTRUCTIONS:
        raise unknown("construction", kind, CONSTRUCTIONS)
    field = label if isinstance(label, str) and kind != "repeats" else None
    reading, _, config = sort_keywords(fields, None, None, None)
    if field is not None:
        reading["id"] = field
    given = corpus if are_vectors(corpus) else Corpus.wrap(corpus, **reading)
    with (
        naming_the_label(),
        gathering(
            [("", given)],
            requests,
            tokenizer=tokenizer,
            embedder=embedder,
            config=config,
        ) as gathered,
    ):
        (source,) = gathered.corpora
        rows, labels = labelled(gathered, kind, label)
        plan = make_plan(
            kind,
            gathered.pool.view(gathered.tokens),
            rows,
            labels,
            n=n,
            k=k,
            matched=match_length,
            source=source,
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
            return Drawn.of(gathered.pool, gathered.tokens, plan, corpora, draw, matched=match_length)

        def measured(subject: TrialMetric, repetition: int) -> Iterator[Record]:
            return drawn(repetition).measured(subject, repetition)

        pieces = [
            Task(f"{subject.name}, repetition {repetition + 1}", partial(measured, subject, repetition))
            for repetition in range(repetitions)
            for subject in gathered.subjects
        ]
        return replace(
            run(DiversityTrial, settings, pieces, save=save, config=gathered.config), measures=wanted
        )


def _check_sizes(*, n: int, k: int, corpora: int, repetitions: int) -> None:
    if k < FEWEST_LEVELS:
        raise SpecError(f"Expected at least {FEWEST_LEVELS} levels (k), got {k}.")
    if n < k:
        raise SpecError(f"Expected at least as many texts a corpus (n) as levels (k), got n = {n}, k = {k}.")
    check_counts(corpora=corpora, repetitions=repetitions)
