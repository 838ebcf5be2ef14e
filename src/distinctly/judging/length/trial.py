"""Length bias: does a score depend on how long the texts are?

Sets of texts of exactly one length, for many lengths, are scored; a line through the mean score of each
length says how much the score changes a token (Liu et al., 2022, Figures 1 and 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from distinctly.batch import are_vectors
from distinctly.corpus import Corpus
from distinctly.errors import InputError, SpecError
from distinctly.judging.evaluating import measure_selections, records_of
from distinctly.judging.gathering import AnyEmbedders, TrialMetric, diversities_only, gathering
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
from distinctly.metrics import Metric
from distinctly.spec import AnyMetrics, Request
from distinctly.tokenizers import AnyTokenizer

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
    **fields: Any,
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
    check_counts(texts=texts, sets=sets)
    requests = diversities_only(metrics)
    given = _several(corpus)
    if not given and not designated:
        raise InputError("Expected a corpus, or the designated distribution (designated=True, --designated).")
    wanted = read_lengths(lengths)
    _check(given, requests, wanted, designated=designated)
    with gathering(given, requests, tokenizer=tokenizer, embedder=embedder, **fields) as gathered:
        measured: list[Sets] = [
            NaturalSets.of(name, gathered.pool, gathered.tokens, rows, texts, wanted)
            for name, rows in gathered.corpora.items()
        ]
        if designated:
            if DESIGNATED in gathered.corpora:
                raise SpecError(
                    f"Expected a corpus of another name than '{DESIGNATED}', which is there, too."
                )
            measured.append(DesignatedSets(texts or TEXTS, wanted or DESIGNATED_LENGTHS, gathered.tokens))
        settings = {
            **gathered.settings,
            "measured": [one.facts() for one in measured],
            "sets": sets,
            "seed": seed,
            "notes": [note for one in measured for note in one.notes()] + _shared(measured, sets),
        }
        pieces = [
            Task(
                f"{one.corpus}, {length} tokens, {subject.name}",
                partial(_measure, subject, one, length, settings),
            )
            for one in measured
            for length in one.lengths
            for subject in gathered.subjects
            if isinstance(one, NaturalSets) or subject.metric.sees != "vectors"
        ]
        return run(LengthTrial, settings, pieces, save=save, config=gathered.config)


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


def _measure(subject: TrialMetric, sets: Sets, length: int, settings: Mapping[str, Any]) -> Iterator[Record]:
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
    >>> from distinctly.spec import metric
    >>> common_sample(metric("rarefied:n=2"), 100, [1, 5, 9])
    400
    """
    if metric.sized != "ngrams" or metric.at(1) == metric:
        return None
    n = int(getattr(metric, "n", 1))
    return min((texts * (length - n + 1) for length in lengths if length >= n), default=None)
