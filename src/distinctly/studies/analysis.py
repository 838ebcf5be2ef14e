"""The analysis of a study: who is dropped, how far annotators agree, and which metrics agree with them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from distinctly.errors import InputError, unknown
from distinctly.judging.correlations import LEAST_PAIRS
from distinctly.judging.measures import Reals
from distinctly.judging.people.annotations import (
    LEAST_AGREEMENT,
    AgreementWith,
    Annotation,
    Consensus,
    consensus,
)
from distinctly.judging.people.contrasts import contrasts
from distinctly.judging.people.findings import PeopleTrial
from distinctly.judging.people.trial import human_agreement
from distinctly.score import finite
from distinctly.spec import AnyMetrics
from distinctly.studies.model import TEN, StudySet
from distinctly.studies.reliability import Reliability, check_installed, reliability
from distinctly.studies.store import StudyStore

# How the scores of an annotator are treated: as they were given, or as contrasts within each package.
Rescale = Literal["none", "package"]
# The subsets of the two trials, which distinguish their findings.
SETS, METHODS = "Sets", "Methods"


@dataclass(frozen=True)
class MethodScore:
    """The human score of a method from 0 to 10: the mean over its sets, with a 95 % interval."""

    method: str
    human: float
    low: float
    high: float
    sets: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "method": self.method,
            "human": finite(self.human),
            "low": finite(self.low),
            "high": finite(self.high),
            "sets": self.sets,
        }


@dataclass(frozen=True)
class Analysis:
    """The results of a study.

    Attributes
    ----------
    name, methods_order, scale
        The file, the methods in the order of the study, and the ends of the scale.
    rescale
        The treatment of the scores.
    sets, annotations
        The sets of packages with at least one score, and the scores of each by annotator, as they were given.
    consensus
        The agreement of the annotators, who is dropped, and the human score of each set.
    reliabilities
        The agreement of all annotators and of those who are kept, for both treatments of the scores.
    by_sets, by_methods
        The correlations of metrics with the human scores of sets and of methods; None if there are none.
    notes
        Notes for the reader.
    """

    name: str
    methods_order: Sequence[str]
    scale: tuple[float, float]
    rescale: Rescale
    sets: Sequence[StudySet]
    annotations: Sequence[Annotation]
    consensus: Consensus
    reliabilities: Sequence[Reliability] = ()
    by_sets: PeopleTrial | None = None
    by_methods: PeopleTrial | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def methods(self) -> list[MethodScore]:
        """The human score of each method, in the order of the study."""
        return [_method_score(name, self._scores_of(name)) for name in self.methods_order]

    def _scores_of(self, method: str) -> Reals:
        scores = [score for each, score in zip(self.sets, self.consensus.scores) if each.method == method]
        known = np.array(scores, np.float64)
        return known[~np.isnan(known)]


def analyse(
    study: StudyStore,
    metrics: AnyMetrics | None = None,
    *,
    rescale: Rescale = "none",
    least_agreement: float | None = LEAST_AGREEMENT,
    agreement_with: AgreementWith = "average",
    columns: Mapping[str, Mapping[str, float]] | None = None,
    save: str | Path | None = None,
    **options: Any,
) -> Analysis:
    """Analyse the answers of a study; the latest answer of each annotator and set counts.

    Parameters
    ----------
    study
        The study.
    metrics
        Metrics to correlate with people; by default all metrics of one corpus, with an empty list none.
    rescale
        ``none``: scores are averaged as they were given, and the ends of the scale are 0 and 10. ``package``:
        the scores of each annotator are rescaled per package to a mean of 0 and a standard deviation of 1.
    least_agreement, agreement_with
        Annotators whose Pearson correlation with the ``average`` of all (as in Liu et al., 2022), or with the
        mean of the ``others``, is lower are dropped; None keeps all.
    columns
        Values of metrics that were computed elsewhere, by name and method.
    save
        A .json or .csv file for the trial over sets, from which an interrupted run is resumed.
    options
        `tokenizer`, `embedder` and fields of `RunConfig`.

    Raises
    ------
    MissingExtraError
        If the packages that compute agreement are not installed.
    InputError
        If there are no answers, or no annotator agrees with the others.
    """
    if rescale not in get_args(Rescale):
        raise unknown("treatment of scores", rescale, get_args(Rescale))
    check_installed()
    sets, annotations = _annotations(study)
    treated: dict[str, Sequence[Annotation]] = {"none": annotations}
    rescaled = contrasts(annotations, [str(each.package) for each in sets])
    treated["package"] = rescaled.annotations
    if rescale == "package" and not any(rescaled.annotations):
        raise InputError(
            "no annotator has scored all sets of a package yet, so there is no contrast. Use --rescale none.",
            source=str(study.path),
        )
    ends = (study.low, study.high) if rescale == "none" else None
    combined = consensus(
        treated[rescale], least_agreement=least_agreement, agreement_with=agreement_with, scale=ends
    )
    people = list(combined.agreement)
    kept = [name for name in people if name not in combined.dropped]
    analysis = Analysis(
        study.path.name,
        study.methods,
        (study.low, study.high),
        rescale,
        sets,
        annotations,
        combined,
        [
            reliability(treated[how], chosen, annotators=called, rescale=how)
            for called, chosen in (("all", people), ("kept", kept))
            if called == "all" or kept != people
            for how in get_args(Rescale)
        ],
        notes=_notes(study, rescaled.notes if rescale == "package" else ()),
    )
    wanted = metrics is None or not isinstance(metrics, (list, tuple)) or bool(metrics)
    if wanted and rescale == "package":
        note = (
            "Metrics are not rescaled: what differs between packages, and not within them, lowers their "
            "correlations over sets."
        )
        analysis = replace(analysis, notes=(*analysis.notes, note))
    if wanted:
        by_sets = human_agreement(
            [each.texts for each in sets],
            metrics,
            annotations=annotations,
            packages=None if rescale == "none" else [each.package for each in sets],
            scale=ends,
            subsets=[SETS] * len(sets),
            save=save,
            least_agreement=least_agreement,
            agreement_with=agreement_with,
            **options,
        )
        analysis = replace(analysis, by_sets=by_sets)
    return _with_methods(analysis, metrics if wanted else [], columns or {}, options)


def _annotations(study: StudyStore) -> tuple[list[StudySet], list[Annotation]]:
    """Return the sets of packages with answers, and their scores by annotator."""
    by_set: dict[int, dict[str, float]] = {}
    for answer in study.answers(every=False):
        by_set.setdefault(answer.set, {})[answer.annotator] = answer.score
    if not by_set:
        raise InputError(
            "the study has no answers yet. Serve it with `distinctly serve --study`, or fill it with "
            "`distinctly study simulate`.",
            source=str(study.path),
        )
    sets = study.sets()
    begun = {each.package for each in sets if each.set in by_set}
    sets = [each for each in sets if each.package in begun]
    return sets, [by_set.get(each.set, {}) for each in sets]


def _notes(study: StudyStore, more: Sequence[str]) -> tuple[str, ...]:
    progress = study.progress()
    notes = [*study.notes, *more]
    begun = [each for each in progress if 0 < each.scored < each.sets]
    if begun:
        each = ", ".join(f"{one.annotator} ({one.scored:,} of {one.sets:,})" for one in begun)
        notes.append(f"Some annotators have not scored all sets: {each}.")
    waiting = [one.annotator for one in progress if not one.scored]
    if waiting:
        notes.append(f"Annotators without answers do not count: {', '.join(waiting)}.")
    simulated = [one.annotator for one in progress if one.simulated]
    if simulated:
        notes.append(f"Some answers are simulated, those of {', '.join(simulated)}.")
    return tuple(notes)


def _with_methods(
    analysis: Analysis,
    metrics: AnyMetrics | None,
    columns: Mapping[str, Mapping[str, float]],
    options: Mapping[str, Any],
) -> Analysis:
    """Correlate metrics of all texts of a method, and given columns, with the scores of methods."""
    if not columns and isinstance(metrics, list) and not metrics:
        return analysis
    scored = [score for score in analysis.methods if score.sets]
    if len(scored) < LEAST_PAIRS:
        note = f"Correlations over methods need {LEAST_PAIRS} methods with scores, got {len(scored)}."
        return replace(analysis, notes=(*analysis.notes, note))
    texts = {
        score.method: [text for each in analysis.sets if each.method == score.method for text in each.texts]
        for score in scored
    }
    without_metrics = isinstance(metrics, list) and not metrics
    trial = human_agreement(
        None if without_metrics else list(texts.values()),
        metrics,
        human=[score.human for score in scored],
        columns={
            name: [values.get(method, math.nan) for method in texts] for name, values in columns.items()
        },
        subsets=[METHODS] * len(scored),
        **options,
    )
    return replace(analysis, by_methods=trial)


def _method_score(name: str, scores: Reals) -> MethodScore:
    """Return the mean, with an interval by Student's t over sets."""
    from scipy.special import stdtrit

    count = len(scores)
    if not count:
        return MethodScore(name, math.nan, math.nan, math.nan, 0)
    mean = float(scores.mean())
    if count < 2:
        return MethodScore(name, mean, math.nan, math.nan, count)
    half = float(stdtrit(count - 1, 0.975)) * float(scores.std(ddof=1)) / math.sqrt(count)
    return MethodScore(name, mean, max(mean - half, 0.0), min(mean + half, TEN), count)
