"""Scores of people as they came: who is left out, the mean of the others, and the scale from 0 to 10.

As Liu et al. (2022) did it: annotators whose correlation with the mean of the others is under 0.65 are
dropped, the scores of the others averaged, and put on a scale from 0 to 10.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from distinctly.errors import InputError, SpecError
from distinctly.judging.correlations import LEAST_PAIRS
from distinctly.judging.measures import Reals, correlation

LEAST_AGREEMENT = 0.65
# The scores of one set, by annotator.
Annotation = Mapping[str, float]


@dataclass(frozen=True)
class Consensus:
    """What people say of each set, and who was heard.

    Attributes
    ----------
    scores
        One a set, from 0 to 10; NaN where nobody who was heard scored the set.
    agreement
        For each annotator, Pearson's correlation with the mean of the others, over the sets that both
        scored; NaN where that is undefined.
    dropped
        The annotators who were left out.
    """

    scores: Reals
    agreement: Mapping[str, float]
    dropped: Sequence[str]


def consensus(
    annotations: Sequence[Annotation],
    *,
    least_agreement: float | None = LEAST_AGREEMENT,
    scale: tuple[float, float] | None = None,
) -> Consensus:
    """Drop annotators who disagree with the others, average the rest, and normalize to 0–10.

    Parameters
    ----------
    annotations
        For each set, its scores by annotator; not everyone needs to score every set.
    least_agreement
        Annotators whose correlation with the mean of all others is less, or undefined, are dropped, all at
        once; None keeps everyone.
    scale
        Which scores are 0 and 10; the lowest and the highest mean where not given. It changes no
        correlation.

    Examples
    --------
    >>> scores = [(1, 2, 1, 5), (5, 5, 5, 3), (9, 8, 9, 4), (3, 2, 3, 4)]
    >>> found = consensus([dict(zip(["ann", "bob", "cy", "dee"], four)) for four in scores])
    >>> found.dropped, found.scores.round(2).tolist()
    (['dee'], [0.0, 5.0, 10.0, 1.82])
    """
    people = sorted({name for one in annotations for name in one})
    if len(people) < 2 and least_agreement is not None:
        raise InputError(
            f"expected at least 2 annotators, to see who agrees, got {len(people)}. Keep everyone with "
            "--least-agreement none (Python: least_agreement=None)."
        )
    table = np.array([[one.get(name, math.nan) for name in people] for one in annotations], np.float64)
    agreement = {name: _agreement(table, place) for place, name in enumerate(people)}
    # Written so that an undefined agreement is none.
    dropped = [
        name for name in people if least_agreement is not None and not agreement[name] >= least_agreement
    ]
    heard = [place for place, name in enumerate(people) if name not in dropped]
    if not heard:
        best = max((one for one in agreement.values() if not math.isnan(one)), default=math.nan)
        raise InputError(
            f"no annotator agrees with the others by {least_agreement:g} (the most is {best:.2f}): none is "
            "left. Choose less with --least-agreement (Python: least_agreement=)."
        )
    return Consensus(_to_ten(_mean(table[:, heard]), scale), agreement, dropped)


def _agreement(table: Reals, place: int) -> float:
    others = _mean(np.delete(table, place, axis=1))
    own = table[:, place]
    both = ~np.isnan(own) & ~np.isnan(others)
    return correlation(others[both], own[both]) if both.sum() >= LEAST_PAIRS else math.nan


def _mean(table: Reals) -> Reals:
    """Return the mean of each row, over the cells that there are."""
    known = ~np.isnan(table)
    counts = known.sum(axis=1)
    sums = np.where(known, table, 0.0).sum(axis=1)
    found: Reals = np.divide(sums, counts, out=np.full(len(table), math.nan), where=counts > 0)
    return found


def _to_ten(means: Reals, scale: tuple[float, float] | None) -> Reals:
    known = means[~np.isnan(means)]
    low, high = (float(known.min()), float(known.max())) if scale is None else scale
    if scale is not None and not low < high:
        raise SpecError(f"Expected a scale from a lower score to a higher one, got {low:g} to {high:g}.")
    if scale is not None and (known.min() < low or known.max() > high):
        raise InputError(
            f"expected scores from {low:g} to {high:g}, got means from {known.min():g} to {known.max():g}. "
            "Give the ends of the scale as it was with --scale (Python: scale=)."
        )
    return (means - low) * (10 / (high - low)) if high > low else np.where(np.isnan(means), math.nan, 0.0)
