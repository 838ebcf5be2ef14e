"""Human scores per set, from the scores of several annotators.

Annotators whose agreement with the rest is below 0.65 are dropped, the scores of the others are averaged, and
the means are scaled to 0–10. Two correlations are computed: with the mean of the other annotators, which
decides by default, and with the average of all, as in Liu et al. (2022), which includes the annotator's own
score and is therefore mostly higher.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from distinctly.errors import InputError, SpecError, unknown
from distinctly.judging.correlations import LEAST_PAIRS
from distinctly.judging.measures import Reals, correlation

LEAST_AGREEMENT = 0.65
# The scores of one set, by annotator.
Annotation = Mapping[str, float]
# What an annotator is correlated with: the mean of the other annotators, or the average of all.
AgreementWith = Literal["others", "average"]


@dataclass(frozen=True)
class Agreement:
    """How far one annotator agrees with the rest; a correlation is NaN if it is undefined.

    Attributes
    ----------
    sets
        The number of sets that the annotator scored.
    others
        Pearson's correlation with the mean of the other annotators, over the sets that both scored.
    average
        Pearson's correlation with the average of all annotators, including this one.
    """

    sets: int
    others: float
    average: float

    def with_(self, kind: AgreementWith) -> float:
        """Return one of the two correlations."""
        return self.others if kind == "others" else self.average


@dataclass(frozen=True)
class Consensus:
    """The human score of each set, and the agreement of the annotators.

    Attributes
    ----------
    scores
        One score per set, from 0 to 10; NaN if none of the remaining annotators scored the set.
    agreement
        The agreement of each annotator with the rest.
    dropped
        The annotators who were dropped.
    agreement_with, least_agreement
        The correlation that decided, and its smallest value; None if all were kept.
    """

    scores: Reals
    agreement: Mapping[str, Agreement]
    dropped: Sequence[str]
    agreement_with: AgreementWith = "others"
    least_agreement: float | None = LEAST_AGREEMENT


def consensus(
    annotations: Sequence[Annotation],
    *,
    least_agreement: float | None = LEAST_AGREEMENT,
    agreement_with: AgreementWith = "others",
    scale: tuple[float, float] | None = None,
) -> Consensus:
    """Drop annotators who disagree with the rest, average the scores, and scale them to 0–10.

    Parameters
    ----------
    annotations
        For each set, its scores by annotator; scores may be missing.
    least_agreement
        Annotators whose correlation is lower, or undefined, are dropped, all at once; None keeps all.
    agreement_with
        The correlation: with the mean of the ``others``, or with the ``average`` of all, as in the paper.
    scale
        The scores that are mapped to 0 and 10; by default the lowest and the highest mean. It does not change
        correlations.

    Examples
    --------
    >>> scores = [(1, 2, 1, 5), (5, 5, 5, 3), (9, 8, 9, 4), (3, 2, 3, 4)]
    >>> result = consensus([dict(zip(["ann", "bob", "cy", "dee"], four)) for four in scores])
    >>> result.dropped, result.scores.round(2).tolist()
    (['dee'], [0.0, 5.0, 10.0, 1.82])
    """
    if agreement_with not in get_args(AgreementWith):
        raise unknown("agreement", agreement_with, get_args(AgreementWith))
    people = sorted({name for scores in annotations for name in scores})
    if len(people) < 2 and least_agreement is not None:
        raise InputError(
            f"expected at least 2 annotators to compute agreement, got {len(people)}. Keep all with "
            "--least-agreement none (Python: least_agreement=None)."
        )
    table = np.array([[scores.get(name, math.nan) for name in people] for scores in annotations], np.float64)
    agreement = {name: _agreement(table, place) for place, name in enumerate(people)}
    deciding = {name: agreement[name].with_(agreement_with) for name in people}
    # Annotators with an undefined agreement (NaN) are also dropped.
    dropped = [
        name for name in people if least_agreement is not None and not deciding[name] >= least_agreement
    ]
    kept = [place for place, name in enumerate(people) if name not in dropped]
    if not kept:
        if not people:
            raise InputError("expected scores of annotators, got none.")
        best = max((value for value in deciding.values() if not math.isnan(value)), default=math.nan)
        if math.isnan(best):
            raise InputError(
                f"the agreement of annotators is undefined: it needs {LEAST_PAIRS} sets that two of them "
                "scored, not all alike. Keep all with --least-agreement none (Python: least_agreement=None)."
            )
        raise InputError(
            f"no annotator has an agreement of at least {least_agreement:g} (the highest is {best:.2f}). "
            "Choose a lower --least-agreement (Python: least_agreement=)."
        )
    scores = _to_ten(_mean(table[:, kept]), scale)
    return Consensus(scores, agreement, dropped, agreement_with, least_agreement)


def _agreement(table: Reals, place: int) -> Agreement:
    scores, others = table[:, place], _mean(np.delete(table, place, axis=1))
    # A set that nobody else scored says nothing about agreement: its average is the annotator's score.
    both = ~np.isnan(scores) & ~np.isnan(others)
    with_others, with_average = (
        correlation(means[both], scores[both]) if both.sum() >= LEAST_PAIRS else math.nan
        for means in (others, _mean(table))
    )
    return Agreement(int((~np.isnan(scores)).sum()), with_others, with_average)


def _mean(table: Reals) -> Reals:
    """Return the mean of each row, ignoring missing cells."""
    known = ~np.isnan(table)
    counts = known.sum(axis=1)
    sums = np.where(known, table, 0.0).sum(axis=1)
    means: Reals = np.divide(sums, counts, out=np.full(len(table), math.nan), where=counts > 0)
    return means


def _to_ten(means: Reals, scale: tuple[float, float] | None) -> Reals:
    known = means[~np.isnan(means)]
    low, high = (float(known.min()), float(known.max())) if scale is None else scale
    if scale is not None and not low < high:
        raise SpecError(f"Expected a scale from a lower score to a higher one, got {low:g} to {high:g}.")
    if scale is not None and (known.min() < low or known.max() > high):
        raise InputError(
            f"expected scores from {low:g} to {high:g}, got means from {known.min():g} to {known.max():g}. "
            "Give the ends of the original scale with --scale (Python: scale=)."
        )
    return (means - low) * (10 / (high - low)) if high > low else np.where(np.isnan(means), math.nan, 0.0)
