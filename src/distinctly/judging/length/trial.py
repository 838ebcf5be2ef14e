"""Length bias: does a score depend on how long the texts are?

Sets of texts of equal length are scored, for many lengths. The slope of a line through the mean score per
length is the change of the score per token (Liu et al., 2022, Figures 1 and 2). Where few texts are equally
long, as in a corpus of essays, texts of similar length are cut to the same length.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from distinctly.batch import are_vectors
from distinctly.corpus import Corpus
from distinctly.embedders.base import Positional
from distinctly.embedders.given import GivenVectors
from distinctly.errors import InputError, SpecError
from distinctly.judging.evaluating import measure_selections, records_of
from distinctly.judging.gathering import AnyEmbedders, TrialMetric, diversities_only, gather
from distinctly.judging.length.findings import LengthTrial
from distinctly.judging.length.sets import (
    DESIGNATED,
    DESIGNATED_LENGTHS,
    TEXTS,
    AnyLengths,
    DesignatedSets,
    NaturalSets,
    Sets,
    read_lengths,
)
from distinctly.judging.lines import LEAST_POINTS
from distinctly.judging.records import Record
from distinctly.judging.trial import Task, check_counts, run
from distinctly.spec import AnyMetrics, Request, metric
from distinctly.tokenizers import AnyTokenizer
from distinctly.views.vectors import VectorView

# With `rarefied:n=1` at the number of tokens in a set of the shortest texts.
DEFAULT_METRICS = ("distinct:n=1", "ead")
SETS = 10


def length_bias(
    corpus: object = None,
    metrics: AnyMetrics | None = None,
    *,
    designated: bool = False,
    lengths: AnyLengths | None = None,
    bins: int | None = None,
    texts: int | None = None,
    sets: int = SETS,
    seed: int = 0,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedders | None = None,
    save: str | Path | None = None,
    **fields: Any,
) -> LengthTrial:
    """Score sets of texts of equal length, for many lengths, and test whether the score depends on it.

    Parameters
    ----------
    corpus
        Texts, as for `measure`; several corpora as a mapping by name, or as a list of `Corpus` objects. It
        can be omitted with `designated`.
    metrics
        Metrics of one corpus, including functions. By default ``distinct:n=1``, ``ead``, and ``rarefied:n=1``
        with the number of tokens in a set of the shortest texts as its sample.
    designated
        Measure texts of independent tokens from one distribution, nearly uniform over 30,522, besides or
        instead of a corpus: a score that changes with their length is biased.
    lengths
        Lengths in tokens: ``"5:30"``, ``"10:100:10"``, or numbers. By default all lengths with enough texts;
        10, 20, … 100 for the designated distribution. If too few texts have exactly these lengths, texts from
        one length up to the next are cut to it.
    bins
        Put texts into this number of bins by length, and cut them to the shortest length of their bin. By
        default this is done, with up to 10 bins, only if too few texts are equally long.
    texts
        Texts per set. By default 2,000, or fewer if less than five lengths have that number.
    sets
        Sets per length. They are disjoint if there are enough texts.
    seed
        Seed of the random draws.
    save
        A .json or .csv file for the results; an interrupted run is resumed from it.
    tokenizer, embedder
        As for `measure`; several embedders can be given as a list.
    fields
        Fields of `Reading` and `RunConfig`, such as `field`, `threads`, `device` and `progress`.

    Examples
    --------
    >>> trial = length_bias(designated=True, lengths="20:100:20", texts=200, sets=2)
    >>> for name, measures in trial.to_dict().items():
    ...     print(name, measures["relative_slope"]["notes"][0].partition(":")[0])
    distinct:n=1 Falls with length
    ead Level
    rarefied:n=1,sample=4000 Level
    """
    check_counts(texts=texts, sets=sets, bins=bins)
    requests = diversities_only((*DEFAULT_METRICS, _rarefied(1)) if metrics is None else metrics)
    given = _several(corpus)
    if not given and not designated:
        raise InputError("Expected a corpus, or the designated distribution (designated=True, --designated).")
    wanted = read_lengths(lengths)
    _check(given, requests, wanted, bins, designated=designated)
    gathered = gather(given, requests, tokenizer=tokenizer, embedder=embedder, **fields)
    measured: list[Sets] = [
        NaturalSets.of(name, gathered.pool, gathered.tokens, rows, texts, wanted, bins)
        for name, rows in gathered.corpora.items()
    ]
    if designated:
        if DESIGNATED in gathered.corpora:
            raise SpecError(f"Expected a corpus with another name than '{DESIGNATED}'. Rename it.")
        measured.append(DesignatedSets(texts or TEXTS, wanted or DESIGNATED_LENGTHS, gathered.tokens))
    subjects = gathered.subjects
    if metrics is None:
        subjects = [*subjects[:-1], _at_shortest(subjects[-1], measured)]
    _check_cut(subjects, measured)
    settings = {
        **gathered.settings,
        "measured": [each.facts() for each in measured],
        "sets": sets,
        "seed": seed,
        "notes": [note for each in measured for note in each.notes()] + _shared(measured, sets),
    }
    tasks = [
        Task(
            f"{each.corpus}, {length} tokens, {subject.name}",
            partial(_measure, subject, each, length, settings),
        )
        for each in measured
        for length in each.lengths
        for subject in subjects
        if isinstance(each, NaturalSets) or subject.metric.sees != "vectors"
    ]
    return run(LengthTrial, settings, tasks, save=save, config=gathered.config)


def _several(corpus: object) -> list[tuple[str, object]]:
    """Return the given corpora with their names; an empty name is that of the corpus itself."""
    if corpus is None:
        return []
    if isinstance(corpus, Mapping):
        return [(str(name), texts) for name, texts in corpus.items()]
    if isinstance(corpus, (list, tuple)) and corpus and all(isinstance(item, Corpus) for item in corpus):
        return [("", item) for item in corpus]
    return [("" if isinstance(corpus, (Corpus, str, Path)) else "texts", corpus)]


def _check(
    given: Sequence[tuple[str, object]],
    requests: Sequence[Request],
    wanted: Sequence[int] | None,
    bins: int | None,
    *,
    designated: bool,
) -> None:
    """Raise an error if there is nothing to measure, before anything is read."""
    if bins is not None and wanted is not None:
        raise SpecError("Expected either bins or lengths, got both. Remove --bins or --lengths.")
    if bins is not None and bins < LEAST_POINTS:
        raise SpecError(f"Expected at least {LEAST_POINTS} bins for a line, got {bins}.")
    if bins is not None and not given:
        raise SpecError("Expected a corpus for bins of length, got only the designated distribution.")
    if any(are_vectors(corpus) for _, corpus in given):
        raise InputError("Expected texts, got vectors (2-D arrays of floats), which have no length.")
    if wanted is not None and len(wanted) < LEAST_POINTS:
        raise SpecError(f"Expected at least {LEAST_POINTS} lengths for a line, got {len(wanted)}.")
    if not designated:
        return
    of_vectors = [request.spec for request in requests if request.metric.sees == "vectors"]
    if of_vectors and len(of_vectors) == len(requests) and not given:
        raise SpecError(
            f"'{of_vectors[0]}' needs vectors, which generated tokens do not have. Give a corpus."
        )


def _check_cut(subjects: Sequence[TrialMetric], measured: Sequence[Sets]) -> None:
    """Raise an error if texts are cut and a metric uses vectors that belong to whole texts."""
    cut = [each for each in measured if isinstance(each, NaturalSets) and each.binned is not None]
    for subject in subjects if cut else ():
        view = subject.metric.view
        if isinstance(view, VectorView) and isinstance(view.embedder, (GivenVectors, Positional)):
            raise SpecError(
                f"'{subject.spec}' uses vectors of whole texts, but the texts of {cut[0].corpus} are cut to "
                "equal lengths. Choose an embedder (--embedder), which embeds the cut texts."
            )


def _shared(measured: Sequence[Sets], sets: int) -> list[str]:
    """Return a note if sets of the same length share texts."""
    counts = [
        f"{each.sharing(sets)} of {len(each.lengths)} lengths of {each.corpus}"
        for each in measured
        if sets > 1 and each.sharing(sets)
    ]
    if not counts:
        return []
    return [
        f"Sets share texts if a length has too few for {sets} disjoint sets ({', '.join(counts)}), so they "
        "differ less than disjoint sets. Intervals are computed from the lengths, not from the sets."
    ]


def _measure(subject: TrialMetric, sets: Sets, length: int, settings: Mapping[str, Any]) -> Iterator[Record]:
    """Score all sets of one length, one record per value."""
    pool, selections = sets.draw(length, settings["sets"], settings["seed"])
    for place, score in enumerate(measure_selections(subject, pool, selections).scores, 1):
        yield from records_of(subject, score, corpus=sets.corpus, length=length, set=place, texts=sets.texts)


def _rarefied(sample: int) -> str:
    return f"rarefied:n=1,sample={sample}"


def _at_shortest(subject: TrialMetric, measured: Sequence[Sets]) -> TrialMetric:
    """Return `rarefied` with the number of tokens in a set of the shortest texts as its sample."""
    sample = min((sets.texts * max(length, 1) for sets in measured for length in sets.lengths), default=1)
    bound = metric(_rarefied(sample)).reading(subject.metric.view)
    return replace(subject, spec=_rarefied(sample), metric=bound)
