"""Known-similarity corpora: does a distance measure how much of B is mixed into A?

After Kour et al. (2022), "Measuring the Measuring Tools".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from distinctly.batch import are_vectors
from distinctly.corpus import Corpus
from distinctly.errors import InputError, SpecError, unknown
from distinctly.judging.evaluating import compare_pairs, one_thread, records_of
from distinctly.judging.gathering import AnyEmbedders, Gathered, TrialMetric, as_distances, gather
from distinctly.judging.measures import pairs_of
from distinctly.judging.records import Record
from distinctly.judging.similarity import growth, robustness
from distinctly.judging.similarity.beside import read_published
from distinctly.judging.similarity.findings import GROWTH, MEASURES, OF_MIXTURES, OF_SIZES, SimilarityTrial
from distinctly.judging.similarity.mixing import check_enough, mix
from distinctly.judging.trial import Task, check_counts, choose_measures, run
from distinctly.spec import AnyMetrics, metric
from distinctly.tokenizers import AnyTokenizer
from distinctly.views.texts import TextView

Preset = Literal["paper"]
Reference = Literal["A", "B"]
PerMeasure = int | Sequence[int] | Mapping[str, int | Sequence[int]]
DEFAULT_METRICS = ("chi", "classifier", "dc", "frechet", "irpr", "mauve", "pr", "zipf")
# The same metrics as in the released code: one split, one clustering, its own counts.
PAPER_METRICS = (
    "chi:preset=paper",
    "classifier:preset=paper",
    "dc",
    "frechet",
    "irpr:preset=paper",
    "mauve:seeds=1",
    "pr",
    "zipf:preset=paper",
)
N, K = 100, 12
PAPER_K = (7, 12)


def known_similarity(
    a: object,
    b: object,
    metrics: AnyMetrics | None = None,
    *,
    n: PerMeasure | None = None,
    k: PerMeasure | None = None,
    repetitions: int = 5,
    seed: int = 0,
    measures: Sequence[str] | None = None,
    preset: Preset | None = None,
    parts: bool = False,
    reference: Reference | None = None,
    sizes: Sequence[int] | None = None,
    largest: int | None = None,
    size_repetitions: int = 10,
    growth_sizes: Sequence[int] = growth.SIZES,
    names: Sequence[str] = ("A", "B"),
    beside: str | Path | None = None,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedders | None = None,
    vectors: Sequence[Any] | None = None,
    save: str | Path | None = None,
    **fields: Any,
) -> SimilarityTrial:
    """Judge distances by k mixtures of A and B, whose order is known.

    Parameters
    ----------
    a, b
        Two different corpora, as for `compare`; or 2-D arrays for metrics that need only vectors.
    metrics
        Specs, metrics, or functions of two corpora; by default the eight of the paper. A metric of one corpus
        stands for the absolute difference of its values.
    n, k
        Texts per corpus, and number of corpora: a number, several numbers to compare, or a mapping from
        measures to either.
    repetitions, size_repetitions
        Number of times that mixtures, and corpora for the two measures of size, are drawn.
    seed
        Seed of the random draws.
    measures
        Measures to compute; by default all eight. ``growth`` is a ninth: the time per size of the corpora.
    preset
        ``paper``: the measures, and default metrics, as in the table of the paper.
    parts
        Also judge each part of a metric separately.
    reference
        The reference of a pair of corpora, for distances that are not symmetric: the one with more of ``A``,
        or with more of ``B``. By default B for mixtures and A for sizes, which reproduces the values of the
        paper.
    sizes, largest
        For the two measures of size: texts per corpus, and the size at which a distance is taken as its
        asymptote.
    growth_sizes
        Texts per corpus for ``growth``; if there are too few texts, they are repeated.
    names
        Names of corpora in memory; files have their own names.
    beside
        A CSV file of published values to show beside ours: see `read_published`.
    tokenizer, embedder, vectors
        As for `compare`; several embedders can be given as a list.
    save
        A .json or .csv file for the results; an interrupted run is resumed from it.
    fields
        Fields of `Reading` and `RunConfig`, such as `field`, `threads`, `device` and `progress`.

    Examples
    --------
    >>> a = [f"the cat {word} on the mat" for word in "sat lay slept purred ate stood".split()] * 10
    >>> b = [f"rain {word} in the north" for word in "fell poured began stopped froze blew".split()] * 10
    >>> trial = known_similarity(a, b, "jensen_shannon", n=10, k=4, measures=["accuracy"])
    >>> trial.to_dict()["jensen_shannon"]["accuracy"]["judgements"]
    9
    """
    if preset not in (None, "paper"):
        raise unknown("preset", str(preset), ["paper"])
    if reference not in (None, "A", "B"):
        raise unknown("reference", str(reference), ["A", "B"])
    wanted = choose_measures(MEASURES if measures is None else measures, (*MEASURES, GROWTH))
    if not wanted:
        raise SpecError("Expected at least one measure, got none.")
    plan = _plan(wanted, N if n is None else n, k if k is not None else (PAPER_K if preset else K))
    check_counts(repetitions=repetitions, size_repetitions=size_repetitions)
    if GROWTH in wanted and (not growth_sizes or min(growth_sizes) < 2):
        raise SpecError(f"Expected `growth_sizes` of at least 2 texts, got {growth_sizes or 'none'}.")
    published = None if beside is None else read_published(beside)
    requests = as_distances(_default(a, preset) if metrics is None else metrics)
    given = [
        ("" if isinstance(corpus, (str, Path, Corpus)) else name, corpus)
        for name, corpus in zip(names, (a, b))
    ]
    gathered = gather(given, requests, tokenizer=tokenizer, embedder=embedder, vectors=vectors, **fields)
    _refuse_the_same(gathered)
    texts = [len(rows) for rows in gathered.corpora.values()]
    mixtures = list(dict.fromkeys(mixture for several in plan.values() for mixture in several))
    for size, corpora in mixtures:
        check_enough(list(gathered.corpora), texts, size, corpora)
    chosen_sizes = _sizes(wanted, min(texts), sizes, largest)
    settings = {
        **gathered.settings,
        "seed": seed,
        "preset": preset,
        "reference": reference,
        "parts": parts,
        "measures": list(wanted),
        "plan": plan,
        "sizes": asdict(chosen_sizes) if chosen_sizes is not None else None,
        "growth_sizes": sorted(growth_sizes) if GROWTH in wanted else None,
        "notes": list(_notes(gathered, wanted, chosen_sizes, growth_sizes)),
    }
    mixer = _Mixtures(gathered, seed, swapped=reference != "A", parts=parts)
    tasks: list[Task] = []
    for subject in gathered.subjects:
        tasks += [
            mixer.task(subject, size, corpora, repetition)
            for size, corpora in mixtures
            for repetition in range(repetitions)
        ]
        if chosen_sizes is not None:
            swapped = reference == "B"
            tasks += robustness.tasks(gathered, subject, chosen_sizes, size_repetitions, seed, swapped)
        if GROWTH in wanted:
            tasks += growth.tasks(gathered, subject, growth_sizes, seed)
    trial = run(SimilarityTrial, settings, tasks, save=save, config=gathered.config)
    return replace(trial, beside=published)


def _plan(measures: Sequence[str], n: PerMeasure, k: PerMeasure) -> dict[str, list[tuple[int, int]]]:
    """Return, for each measure of mixtures, its pairs of n and k."""
    for given in (n, k):
        for name in given if isinstance(given, Mapping) else ():
            if name not in OF_MIXTURES:
                raise unknown("measure", name, OF_MIXTURES, of="n and k")
    plan = {}
    for measure in (measure for measure in measures if measure in OF_MIXTURES):
        plan[measure] = [
            (size, corpora) for corpora in _numbers(k, measure, K) for size in _numbers(n, measure, N)
        ]
        for size, corpora in plan[measure]:
            if corpora < 3:
                raise SpecError(f"Expected `k` to be at least 3 corpora, got {corpora}.")
            if size < corpora - 1:
                raise SpecError(f"Expected `n` to be at least k − 1 = {corpora - 1} texts, got {size}.")
    return plan


def _numbers(given: PerMeasure, measure: str, default: int) -> list[int]:
    numbers = given.get(measure, default) if isinstance(given, Mapping) else given
    return [numbers] if isinstance(numbers, int) else list(numbers)


def _default(a: object, preset: Preset | None) -> list[str]:
    """Return the metrics of the paper; for vectors, only those that need nothing else."""
    chosen = PAPER_METRICS if preset else DEFAULT_METRICS
    return [spec for spec in chosen if not are_vectors(a) or metric(spec).sees == "vectors"]


def _refuse_the_same(gathered: Gathered) -> None:
    first, second = (corpus["hash"] for corpus in gathered.settings["corpora"])
    if first == second:
        raise InputError(
            "expected two different corpora, got the same texts twice.",
            source=" and ".join(gathered.corpora),
        )


def _sizes(
    measures: Sequence[str], texts: int, sizes: Sequence[int] | None, largest: int | None
) -> robustness.Sizes | None:
    """Return the sizes to measure, or None if they are not requested or there are too few texts."""
    if not set(OF_SIZES) & set(measures) or (sizes is None and texts < robustness.FEWEST):
        return None
    return robustness.Sizes.fitting(texts, sizes, largest)


def _notes(
    gathered: Gathered,
    measures: Sequence[str],
    chosen_sizes: robustness.Sizes | None,
    growth_sizes: Sequence[int],
) -> Iterator[str]:
    """Yield notes on the corpora and sizes."""
    hashes = gathered.pool.view(TextView()).text_hashes
    of_a, of_b = (hashes[rows] for rows in gathered.corpora.values())
    both = int(np.isin(of_b, of_a).sum())
    if both > len(of_b) / 100:
        yield f"{both:,} of {len(of_b):,} texts of B are also in A, so mixtures differ less than expected."
    fewest = min(len(of_a), len(of_b))
    if chosen_sizes is not None:
        yield from chosen_sizes.note()
    elif set(OF_SIZES) & set(measures):
        fewest_texts = f"{robustness.FEWEST} texts of each corpus"
        yield f"Size and imbalance are not measured: they need {fewest_texts}, or sizes (--sizes)."
    if GROWTH in measures and max(growth_sizes) > fewest:
        yield f"For `growth`, corpora of more than {fewest:,} texts repeat texts, with noise in the vectors."


@dataclass(frozen=True)
class _Mixtures:
    """Draws mixtures and measures their distances."""

    gathered: Gathered
    seed: int
    swapped: bool
    parts: bool

    def task(self, subject: TrialMetric, n: int, k: int, repetition: int) -> Task:
        """Return the task of one repetition: the distances of all pairs of k mixtures, and their time."""

        def records() -> Iterator[Record]:
            a, b = self.gathered.corpora.values()
            corpora = mix(a, b, n, k, np.random.default_rng([self.seed, 30, n, k, repetition]))
            pool = self.gathered.pool.part(np.concatenate(corpora))
            local = [np.arange(i * n, (i + 1) * n) for i in range(k)]
            pairs = pairs_of(k)
            compared = [(j, i) if self.swapped else (i, j) for i, j in pairs]
            with one_thread():
                # The first call may compile or load something, which is not part of the time.
                compare_pairs(subject, pool, local, compared[:1])
                timed = compare_pairs(subject, pool, local, compared)
            where = {"n": n, "k": k, "repetition": repetition}
            for (i, j), score in zip(pairs, timed.scores):
                yield from records_of(
                    subject, score, parts=self.parts, kind="distance", **where, i=i + 1, j=j + 1
                )
            metric = {"metric": subject.spec, "embedder": subject.embedder, "part": "", "kind": "speed"}
            yield {**metric, **where, "value": len(pairs) / timed.seconds / 100, "note": ""}

        return Task(f"{subject.name} n={n} k={k} repetition {repetition + 1}", records)
