"""Known-similarity corpora: does a distance see how much of B is mixed into A? (Kour et al., 2022)"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from distinctly.batch import are_vectors
from distinctly.corpus import Corpus
from distinctly.errors import InputError, SpecError, unknown
from distinctly.judging.differences import as_distances
from distinctly.judging.evaluating import compare_pairs, one_thread, records_of
from distinctly.judging.gathering import AnyEmbedders, Gathered, TrialMetric, gathering
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
# The same as the released code has them: one split, one clustering, its own counts.
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
    """Put distances on trial: k mixtures of A and B, whose order is known.

    Parameters
    ----------
    a, b
        Two corpora that differ, each whatever `compare` takes; 2-D arrays for metrics that see vectors only.
    metrics
        Specs, metrics, or functions of two corpora; the paper's eight where not given. A metric of one corpus
        stands for the absolute difference of its values.
    n, k
        Texts a corpus, and corpora: a number, several to be tried side by side, or a mapping from measures to
        either.
    repetitions, size_repetitions
        How often corpora are drawn anew; for the two measures of size.
    seed
        Whatever is drawn is drawn from this seed.
    measures
        Which; all eight where not given. ``growth`` is a ninth: the time against the size of the corpora.
    preset
        ``paper``: the measures as the printed table has them, and its metrics where none are given.
    parts
        Judge each number that a metric is made of by itself, too.
    reference
        Which of two corpora is the reference, for distances that are not symmetric: the one that has more of
        ``A``, or of ``B``. Where not given, B among mixtures, and A where sizes are tried: with these the
        printed values come back.
    sizes, largest
        For the two measures of size, texts a corpus; and where the distance is taken for what it tends to.
    growth_sizes
        Texts a corpus for ``growth``; where there are fewer, they are repeated.
    names
        What corpora in memory are called; files have names of their own.
    beside
        A CSV file of published values to show beside ours: see `read_published`.
    tokenizer, embedder, vectors, reading
        As for `compare`; several embedders, as a list, are tried side by side.
    save
        A .json or .csv file to keep the results in, and to go on from.
    watch
        Called with what is done, how much, and of how much.

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
        raise SpecError(f"Expected `growth_sizes` to be 2 texts or more, got {growth_sizes or 'none'}.")
    published = None if beside is None else read_published(beside)
    requests = as_distances(_default(a, preset) if metrics is None else metrics)
    given = [("" if isinstance(one, (str, Path, Corpus)) else name, one) for name, one in zip(names, (a, b))]
    with gathering(
        given, requests, tokenizer=tokenizer, embedder=embedder, vectors=vectors, **fields
    ) as gathered:
        _refuse_the_same(gathered)
        texts = [len(rows) for rows in gathered.corpora.values()]
        mixtures = list(dict.fromkeys(one for own in plan.values() for one in own))
        for size, corpora in mixtures:
            check_enough(list(gathered.corpora), texts, size, corpora)
        trying = _sizes(wanted, min(texts), sizes, largest)
        settings = {
            **gathered.settings,
            "seed": seed,
            "preset": preset,
            "reference": reference,
            "parts": parts,
            "measures": list(wanted),
            "plan": plan,
            "sizes": asdict(trying) if trying is not None else None,
            "growth_sizes": sorted(growth_sizes) if GROWTH in wanted else None,
            "notes": list(_notes(gathered, wanted, trying, growth_sizes)),
        }
        bench = _Bench(gathered, seed, swapped=reference != "A", parts=parts)
        pieces: list[Task] = []
        for subject in gathered.subjects:
            pieces += [
                bench.mixed(subject, size, corpora, repetition)
                for size, corpora in mixtures
                for repetition in range(repetitions)
            ]
            if trying is not None:
                swapped = reference == "B"
                pieces += robustness.pieces(gathered, subject, trying, size_repetitions, seed, swapped)
            if GROWTH in wanted:
                pieces += growth.pieces(gathered, subject, growth_sizes, seed)
        trial = run(SimilarityTrial, settings, pieces, save=save, config=gathered.config)
        return replace(trial, beside=published)


def _plan(measures: Sequence[str], n: PerMeasure, k: PerMeasure) -> dict[str, list[tuple[int, int]]]:
    """Return, for each measure of mixtures, the sizes and numbers of corpora that it is found on."""
    for given in (n, k):
        for name in given if isinstance(given, Mapping) else ():
            if name not in OF_MIXTURES:
                raise unknown("measure", name, OF_MIXTURES, of="n and k")
    found = {}
    for measure in (one for one in measures if one in OF_MIXTURES):
        found[measure] = [
            (size, corpora) for corpora in _numbers(k, measure, K) for size in _numbers(n, measure, N)
        ]
        for size, corpora in found[measure]:
            if corpora < 3:
                raise SpecError(f"Expected `k` to be at least 3 corpora, got {corpora}.")
            if size < corpora - 1:
                raise SpecError(f"Expected `n` to be at least k − 1 = {corpora - 1} texts, got {size}.")
    return found


def _numbers(given: PerMeasure, measure: str, default: int) -> list[int]:
    own = given.get(measure, default) if isinstance(given, Mapping) else given
    return [own] if isinstance(own, int) else list(own)


def _default(a: object, preset: Preset | None) -> list[str]:
    """Return the paper's metrics; of vectors alone, those that see nothing else."""
    chosen = PAPER_METRICS if preset else DEFAULT_METRICS
    return [one for one in chosen if not are_vectors(a) or metric(one).sees == "vectors"]


def _refuse_the_same(gathered: Gathered) -> None:
    first, second = (corpus["hash"] for corpus in gathered.settings["corpora"])
    if first == second:
        raise InputError(
            "expected two different corpora, got the same texts twice: no mixture is nearer to one of them.",
            source=" and ".join(gathered.corpora),
        )


def _sizes(
    measures: Sequence[str], texts: int, sizes: Sequence[int] | None, largest: int | None
) -> robustness.Sizes | None:
    """Return the sizes to try, where they are asked for and there are texts for them."""
    if not set(OF_SIZES) & set(measures) or (sizes is None and texts < robustness.FEWEST):
        return None
    return robustness.Sizes.fitting(texts, sizes, largest)


def _notes(
    gathered: Gathered, measures: Sequence[str], trying: robustness.Sizes | None, growth_sizes: Sequence[int]
) -> Iterator[str]:
    """Say what the trial does not do as one would expect."""
    hashes = gathered.pool.view(TextView()).text_hashes
    one, other = (hashes[rows] for rows in gathered.corpora.values())
    both = int(np.isin(other, one).sum())
    if both > len(other) / 100:
        yield f"{both:,} of {len(other):,} texts of B are in A, too, so mixtures differ less than it seems."
    fewest = min(len(one), len(other))
    if trying is not None:
        yield from trying.note()
    elif set(OF_SIZES) & set(measures):
        yield f"Size and imbalance are not tried: they take {robustness.FEWEST} texts of each, or sizes."
    if GROWTH in measures and max(growth_sizes) > fewest:
        yield f"For `growth`, corpora of more than {fewest:,} texts repeat some, with vectors moved apart."


@dataclass(frozen=True)
class _Bench:
    """Where metrics are tried: the texts, and how pairs of corpora are drawn from them."""

    gathered: Gathered
    seed: int
    swapped: bool
    parts: bool

    def mixed(self, subject: TrialMetric, n: int, k: int, repetition: int) -> Task:
        """Return the work of one repetition: the distances of all pairs of k mixtures, and their time."""

        def records() -> Iterator[Record]:
            a, b = self.gathered.corpora.values()
            corpora = mix(a, b, n, k, np.random.default_rng([self.seed, 30, n, k, repetition]))
            pool = self.gathered.pool.part(np.concatenate(corpora))
            local = [np.arange(i * n, (i + 1) * n) for i in range(k)]
            pairs = pairs_of(k)
            compared = [(j, i) if self.swapped else (i, j) for i, j in pairs]
            with one_thread():
                # Whatever is compiled or loaded at the first call is none of the metric's time.
                compare_pairs(subject, pool, local, compared[:1])
                timed = compare_pairs(subject, pool, local, compared)
            where = {"n": n, "k": k, "repetition": repetition}
            for (i, j), score in zip(pairs, timed.scores):
                yield from records_of(
                    subject, score, parts=self.parts, kind="distance", **where, i=i + 1, j=j + 1
                )
            told = {"metric": subject.spec, "embedder": subject.embedder, "part": "", "kind": "speed"}
            yield {**told, **where, "value": len(pairs) / timed.seconds / 100, "note": ""}

        return Task(f"{subject.name} n={n} k={k} repetition {repetition + 1}", records)
