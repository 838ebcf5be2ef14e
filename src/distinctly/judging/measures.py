"""Measures of how well the values of a metric follow known levels.

Kour et al. (2022), "Measuring the Measuring Tools", sections 4.1 to 4.5. All are undefined (NaN) if all
values are equal, or if one is missing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers

Reals = NDArray[np.float64]
# Symbols of the measures in the paper.
LETTERS = {
    "accuracy": "A",
    "weighted_accuracy": "Aw",
    "time": "T",
    "monotonicity": "ρ",
    "separability": "W",
    "linearity": "L",
    "size_robustness": "S",
    "imbalance_robustness": "I",
}


def monotonicity(levels: Reals | Integers, values: Reals) -> float:
    """Return ρ: Spearman's rank correlation of level and value.

    Examples
    --------
    >>> round(monotonicity(np.array([1, 1, 2, 3]), np.array([0.1, 0.2, 0.5, 0.4])), 3)
    0.738
    """
    return correlation(ranks(levels), ranks(values)) if _usable(values) else math.nan


def ranks(values: Reals | Integers) -> Reals:
    """Return the rank of each value, from 1; equal values share their mean rank.

    Examples
    --------
    >>> ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranked: Reals = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranked


def correlation(levels: Reals | Integers, values: Reals) -> float:
    """Return r: Pearson's correlation of level and value."""
    across = np.asarray(levels, np.float64) - np.mean(levels)
    if not _usable(values) or not across.any():
        return math.nan
    up = standardized(values)
    return float(np.clip(across @ up / math.sqrt(across @ across * (up @ up)), -1.0, 1.0))


def linearity(levels: Reals | Integers, values: Reals) -> float:
    """Return L: the coefficient of determination (R²) of a straight line through level and value."""
    return correlation(levels, values) ** 2


def separability(levels: Integers, values: Reals) -> float:
    """Return W: ω², the share of the variance that the level explains, in a one-way analysis of variance.

    ω² = (SS_levels − df_levels · MS_residual) / (SS_total + MS_residual); it can be slightly negative.

    Examples
    --------
    >>> round(separability(np.array([1, 1, 2, 2]), np.array([0.0, 1.0, 4.0, 5.0])), 3)
    0.886
    """
    _, places, counts = np.unique(levels, return_inverse=True, return_counts=True)
    freedom = len(values) - len(counts)
    if not _usable(values) or freedom < 1 or len(counts) < 2:
        return math.nan
    scaled = standardized(values)
    means = np.bincount(places, scaled) / counts
    residual = float(((scaled - means[places]) ** 2).sum())
    total = float((scaled**2).sum())
    mean_square = residual / freedom
    return (total - residual - (len(counts) - 1) * mean_square) / (total + mean_square)


def standardized(values: Reals) -> Reals:
    """Return z-scores: the values minus their mean, divided by their standard deviation."""
    # Scale the largest value to 1 first, so that no square overflows or underflows.
    scaled = values / np.abs(values).max()
    deviations = scaled - scaled.mean()
    scores: Reals = deviations / math.sqrt(float((deviations**2).mean()))
    return scores


def _usable(values: Reals) -> bool:
    return len(values) > 1 and bool(np.isfinite(values).all()) and bool((values != values[0]).any())


@dataclass(frozen=True)
class Judgements:
    """The judgements that hold for k ordered corpora: an inner interval is not longer than an outer one.

    Pairs of corpora are numbered as `pairs_of` lists them.

    Attributes
    ----------
    inner, outer
        For each judgement, the inner pair, and the pair that contains it.
    harder
        The difference of the two lengths: the smaller, the harder the judgement.
    times
        How often each judgement is counted: 1, or the number of times that the released code lists it.
    """

    inner: Integers
    outer: Integers
    harder: Integers
    times: Integers

    @property
    def count(self) -> int:
        """Number of judgements."""
        return int(self.times.sum())


def pairs_of(k: int) -> list[tuple[int, int]]:
    """Return all pairs of k corpora, i < j."""
    return [(i, j) for i in range(k) for j in range(i + 1, k)]


@cache
def judgements(k: int, *, repeated: bool = False) -> Judgements:
    """Return the judgements on k corpora.

    Parameters
    ----------
    k
        Number of corpora.
    repeated
        Count a judgement as often as the recursion of the released code lists it: those of the outer interval
        [i, j] (from 1) of length l, binom(k − 1 − l, i − 1) times.

    Examples
    --------
    >>> [judgements(k).count for k in (7, 12, 50)]
    [105, 935, 269500]
    >>> [judgements(k, repeated=True).count for k in (7, 8, 12)]
    [156, 339, 6053]
    """
    first, last = np.triu_indices(k, 1)
    number = np.full((k, k), -1)
    number[first, last] = np.arange(len(first))
    inner, outer = [], []
    for place, (i, j) in enumerate(zip(first, last)):
        within = number[i : j + 1, i : j + 1]
        pairs = within[(within >= 0) & (within != place)]
        inner.append(pairs)
        outer.append(np.full(len(pairs), place))
    inside, around = (np.concatenate([np.zeros(0, np.int64), *pairs]) for pairs in (inner, outer))
    length = last - first
    times = np.array(
        [math.comb(k - 1 - (j - i), i) if repeated else 1 for i, j in zip(first, last)], np.int64
    )
    return Judgements(inside, around, length[around] - length[inside], times[around])


@dataclass(frozen=True)
class Accuracy:
    """The share of judgements that a metric gets right.

    Attributes
    ----------
    plain, weighted
        The share with equal weights, and with more weight on harder judgements: 1 / (difference in length).
    strict, strict_weighted
        The same if a tie counts as wrong.
    ties
        The share of judgements on two equal distances.
    """

    plain: float
    weighted: float
    strict: float
    strict_weighted: float
    ties: float


def accuracy(distances: Reals, expected: Judgements) -> Accuracy:
    """Judge the distances of all pairs, in the order of `pairs_of`.

    Examples
    --------
    >>> accuracy(np.array([1.0, 2.0, 1.5]), judgements(3)).plain
    1.0
    """
    if not _usable(distances) or not len(expected.inner):
        return Accuracy(*[math.nan] * 5)
    inner, outer = distances[expected.inner], distances[expected.outer]
    weights = expected.times / expected.harder
    below, ties = inner < outer, inner == outer

    def share(right: NDArray[np.bool_], weighed: Reals | Integers) -> float:
        return float(weighed[right].sum() / weighed.sum())

    return Accuracy(
        share(below | ties, expected.times),
        share(below | ties, weights),
        share(below, expected.times),
        share(below, weights),
        share(ties, expected.times),
    )
