"""Simulated annotators, whose truth is known: to try an analysis, and to see what it can recover.

A careful annotator sees the true diversity of a set, from 0 to 10, and answers with a gain and an offset that
are particular to the annotator, a drift that is particular to the annotator and the package, and noise. A
careless one answers at random.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from distinctly.errors import InputError, SpecError
from distinctly.judging.evaluating import measure_selections
from distinctly.judging.gathering import diversities_only, gather
from distinctly.judging.measures import Reals, correlation
from distinctly.judging.people.rated import as_number
from distinctly.sources.base import Reading
from distinctly.sources.fields import read_fields
from distinctly.studies.model import TEN, NewAnswer, StudySet
from distinctly.studies.store import StudyStore

# On a shorter scale, answers have one decimal.
LEAST_STEPS = 10


@dataclass(frozen=True)
class Behaviour:
    """How simulated annotators answer; all but the seed in units of the scale from 0 to 10.

    Attributes
    ----------
    noise
        The standard deviation of each answer.
    gain_spread, offset_spread
        The standard deviations, between annotators, of the logarithm of the gain and of the offset.
    drift
        The standard deviation of the offset between packages of one annotator.
    """

    noise: float = 0.5
    gain_spread: float = 0.2
    offset_spread: float = 0.5
    drift: float = 0.0


@dataclass(frozen=True)
class SimulatedAnnotator:
    """What a simulated annotator was given; `r` is the correlation of the answers with the truth."""

    name: str
    careless: bool
    gain: float
    offset: float
    r: float


def simulate(
    study: StudyStore,
    truth: Mapping[int, float],
    *,
    annotators: int | None = None,
    careless: int = 0,
    behaviour: Behaviour | None = None,
    seed: int = 0,
) -> list[SimulatedAnnotator]:
    """Answer all packages of a study, and return what the annotators were given.

    The annotators of the study answer, the careful ones first; if there are more than the study has, they are
    added to it.

    Parameters
    ----------
    study
        A study without answers.
    truth
        The true diversity of each set, from 0 to 10, by the number of the set.
    annotators
        The number of careful annotators; by default those of the study.
    careless
        The number of careless annotators, in addition.
    behaviour
        How they answer.
    seed
        The seed of the answers.
    """
    if study.answers():
        raise InputError(
            "the study has answers already, which simulated ones must not be mixed with. Make a new study.",
            source=str(study.path),
        )
    known = study.annotators
    careful = len(known) if annotators is None else annotators
    if careful < 0 or careless < 0 or careful + careless < 1:
        raise SpecError("Expected at least 1 annotator.")
    how = behaviour or Behaviour()
    names = known[: careful + careless]
    for number in range(len(names) + 1, careful + careless + 1):
        names.append(f"simulated-{number}")
        study.add_annotator(names[-1], simulated=True)
    study.mark_simulated(names)
    packages = {each.set: each.package for each in study.sets()}
    simulated = []
    for place, name in enumerate(names):
        rng = np.random.default_rng([seed, place])
        columns = study.columns_of(name)
        numbers = list(columns.values())
        true = np.array([truth[number] for number in numbers])
        is_careless = place >= careful
        gain = math.exp(rng.normal(0, how.gain_spread))
        offset = float(rng.normal(0, how.offset_spread))
        drifts = rng.normal(0, how.drift, len(set(packages.values())) + 1)
        felt = TEN / 2 + gain * (true - TEN / 2) + offset + rng.normal(0, how.noise, len(true))
        felt += drifts[[packages[number] for number in numbers]]
        if is_careless:
            felt = rng.uniform(0, TEN, len(true))
        scores = _on_scale(felt, study.low, study.high)
        study.save_all(
            [
                NewAnswer(name, where, column, float(score), f"simulated {where} {column}")
                for (where, column), score in zip(columns, scores)
            ]
        )
        r = correlation(true, scores)
        simulated.append(SimulatedAnnotator(name, is_careless, gain, offset, r))
    return simulated


def _on_scale(felt: Reals, low: float, high: float) -> Reals:
    """Return answers on the scale of the study, rounded as people would."""
    raw = low + np.clip(felt / TEN, 0, 1) * (high - low)
    return np.clip(np.round(raw, 0 if high - low >= LEAST_STEPS else 1), low, high)


def truth_of_table(study: StudyStore, path: str | Path, column: str = "truth") -> dict[int, float]:
    """Read the true diversity of methods, or of sets, from a file.

    Parameters
    ----------
    study
        The study.
    path
        A file with fields: ``method`` or ``set``, and the true diversity.
    column
        The field with the true diversity, from 0 to 10.
    """
    read = read_fields(path, Reading())
    key = "set" if "set" in read.rows[0][1] else "method"
    by_key: dict[str, float] = {}
    for place, (where, _) in enumerate(read.rows):
        value = as_number(
            read.value(place, column, "truth-column"), column, where, source=read.name, needed=True
        )
        if not 0 <= value <= TEN:
            raise InputError(
                f"expected a true diversity from 0 to 10 in '{column}', got {value:g}.",
                source=read.name,
                row=where,
            )
        name = str(read.value(place, key, "truth"))
        if name in by_key:
            raise InputError(f"the {key} '{name}' occurs twice.", source=read.name, row=where)
        by_key[name] = value
    truth = {}
    for each in study.sets():
        name = str(each.set) if key == "set" else each.method
        if name not in by_key:
            raise InputError(f"there is no row for the {key} '{name}' of the study.", source=read.name)
        truth[each.set] = by_key[name]
    return truth


def truth_of_metric(sets: Sequence[StudySet], spec: str) -> dict[int, float]:
    """Return the true diversity of sets if it is what a metric measures: its values, mapped to 0–10."""
    requests = diversities_only([spec])
    texts = [text for each in sets for text in each.texts]
    gathered = gather([("sets", texts)], requests)
    bounds = np.cumsum([len(each.texts) for each in sets])
    rows = np.split(np.arange(bounds[-1]), bounds[:-1])
    subject = gathered.subjects[0]
    values = subject.sign * np.array(
        [score.value for score in measure_selections(subject, gathered.pool, rows).scores]
    )
    if np.isnan(values).any():
        raise InputError(f"{spec} is undefined for {int(np.isnan(values).sum()):,} of {len(values):,} sets.")
    low, high = float(values.min()), float(values.max())
    if low == high:
        raise InputError(f"{spec} has the same value for all sets, so there is nothing to see.")
    return {each.set: float(value) for each, value in zip(sets, (values - low) * (TEN / (high - low)))}
