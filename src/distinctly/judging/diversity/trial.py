"""Known-diversity corpora: does a metric order corpora by their diversity?

Kour et al. (2022) judge distances by corpora whose similarity is known by construction. This trial applies
the idea to metrics of one corpus. Corpora of one level are equally diverse, and corpora of a higher level are
more diverse: they contain more classes, fewer repeats, or texts of a higher temperature. All corpora have the
same size and matched lengths, so neither reveals the level.
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
    make_design,
)
from distinctly.judging.diversity.drawing import Drawn
from distinctly.judging.diversity.findings import DiversityTrial
from distinctly.judging.diversity.labelling import hash_of_labels, labelled
from distinctly.judging.diversity.ordering import MEASURES
from distinctly.judging.gathering import AnyEmbedders, TrialMetric, diversities_only, gather
from distinctly.judging.records import Record
from distinctly.judging.trial import Task, check_counts, choose_measures, run
from distinctly.metrics import NEITHER
from distinctly.sources.base import naming_option
from distinctly.spec import AnyMetrics, Request
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
        Texts, as for `measure`: a file, a list, a `Corpus` …; or an array of vectors.
    metrics
        Metrics to judge, including functions of one argument; by default all metrics of the package.
    label
        Name of the field with the class or the number of a text; or a list of these, one per text. The
        labels of a `Corpus` are its ids. Repeats need no labels.
    construction
        What increases from level to level. ``classes``: the number of classes in a corpus (the default with
        labels). ``repeats``: the share of texts that are not repeated (the default without labels).
        ``temperature``: the number of the texts.
    n, k, corpora, repetitions
        Texts per corpus, levels, corpora per level, and number of times that all corpora are drawn.
    match_length
        Choose texts so that all corpora have similar lengths.
    seed
        Seed of the random draws.
    measures
        Measures to compute; metrics are ranked by the first. By default all: see `DiversityTrial.find`.
    save
        A .json or .csv file for the results; an interrupted run is resumed from it.
    tokenizer, embedder
        As for `measure`; several embedders can be given as a list.
    fields
        Fields of `Reading` and `RunConfig`, such as `field`, `threads`, `device` and `progress`.

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
    _check_directions(requests)
    kind = construction or ("repeats" if label is None else "classes")
    if kind not in CONSTRUCTIONS:
        raise unknown("construction", kind, CONSTRUCTIONS)
    field = label if isinstance(label, str) and kind != "repeats" else None
    reading, _, config = sort_keywords(fields, None, None, None)
    if field is not None:
        reading["id"] = field
    given = corpus if are_vectors(corpus) else Corpus.wrap(corpus, **reading)
    with naming_option("id", "label"):
        gathered = gather([("", given)], requests, tokenizer=tokenizer, embedder=embedder, config=config)
    (source,) = gathered.corpora
    rows, labels = labelled(gathered, kind, label)
    design = make_design(
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
        "labels": hash_of_labels(labels),
        "n": n,
        "k": k,
        "corpora_a_level": corpora,
        "match_length": match_length,
        "seed": seed,
        "levels": list(design.levels),
        "classes": len(design.classes),
        "notes": list(design.notes),
    }

    # All metrics of a repetition measure the same corpora; only the last repetition is kept.
    @lru_cache(maxsize=1)
    def drawn(repetition: int) -> Drawn:
        draw = np.random.default_rng([seed, 30, repetition])
        return Drawn.of(gathered.pool, gathered.tokens, design, corpora, draw, matched=match_length)

    def measured(subject: TrialMetric, repetition: int) -> Iterator[Record]:
        return drawn(repetition).measured(subject, repetition)

    tasks = [
        Task(f"{subject.name}, repetition {repetition + 1}", partial(measured, subject, repetition))
        for repetition in range(repetitions)
        for subject in gathered.subjects
    ]
    trial = run(DiversityTrial, settings, tasks, save=save, config=gathered.config)
    return replace(trial, measures=wanted)


def _check_directions(requests: Sequence[Request]) -> None:
    """Raise if a larger value of a metric is neither more nor less diverse: there is no right order."""
    for request in requests:
        if request.metric.more_is == NEITHER:
            raise SpecError(
                f"A larger value of '{request.spec}' is neither more nor less diverse, so that no order of "
                "corpora is the right one. Leave it out."
            )


def _check_sizes(*, n: int, k: int, corpora: int, repetitions: int) -> None:
    if k < FEWEST_LEVELS:
        raise SpecError(f"Expected at least {FEWEST_LEVELS} levels (k), got {k}.")
    if n < k:
        raise SpecError(
            f"Expected at least as many texts per corpus (n) as levels (k), got n = {n}, k = {k}."
        )
    check_counts(corpora=corpora, repetitions=repetitions)
