"""Rarefaction: the expected counts in a random sample of n-grams, drawn without replacement."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers, bounds_of, positions, sums

Reals = NDArray[np.float64]

# exp(−745) is the smallest float; a probability below it is 0.
_SMALLEST_LOG = -745.0
# Counts farther from their mean than `_REACH` standard deviations plus `_REACH` are neglected.
_REACH = 9.0


def seen_in_sample(counts: Integers, total: int, sample: int) -> Reals:
    """Return, for each count, the probability that such an n-gram is in the sample.

    It is ``1 − C(C−c, s) / C(C, s)``, computed as a product of ``1 − s/(C−i)`` over i < c, since
    log-gamma loses too many digits for large C.

    Examples
    --------
    >>> seen_in_sample(np.array([1, 2, 4]), 4, 2).tolist()
    [0.5, 0.8333333333333334, 1.0]
    """
    if not len(counts):
        return np.zeros(0)
    largest = min(int(counts.max()), total - sample)
    # Log probabilities fall by at least s/C per step.
    largest = min(largest, int(-_SMALLEST_LOG * total / sample) + 1)
    missed = np.zeros(largest + 1)
    np.cumsum(np.log1p(-sample / (total - np.arange(largest, dtype=np.float64))), out=missed[1:])
    probabilities = -np.expm1(missed[np.minimum(counts, largest)])
    return np.where(counts > largest, 1.0, probabilities)


def expected_types(
    counts: Integers, types: Integers | Reals, bounds: Integers, totals: Integers, samples: Sequence[int]
) -> Reals:
    """Return the expected number of types of many selections in samples of several ascending sizes.

    The result has one row per selection and one column per sample; it is NaN where the selection is
    smaller than the sample. Meant for small samples: it computes products of ``1 − c/(C−i)`` over
    i < s, for all selections together.

    Examples
    --------
    >>> expected_types(np.array([1, 2, 1]), np.array([2, 1, 1]), np.array([0, 2, 3]), np.array([4, 1]), [2])
    array([[1.83333333],
           [       nan]])
    """
    c = counts.astype(np.float64)
    total = np.repeat(totals, np.diff(bounds)).astype(np.float64)
    missed = np.zeros(len(c))
    expected = np.empty((len(totals), len(samples)))
    # If the n-grams outside the sample are fewer than c, 1 − c/(C−i) becomes 0, then negative.
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(samples[-1]):
            missed += np.log1p(-c / (total - i))
            if i + 1 in samples:
                seen = np.where(c > total - (i + 1), 1.0, -np.expm1(missed))
                expected[:, samples.index(i + 1)] = sums(np.asarray(types * seen, np.float64), bounds)
    expected[totals[:, None] < np.array(samples)] = np.nan
    return expected


def expected_counts(
    counts: Integers, types: Integers | Reals, total: int, sample: int
) -> tuple[Integers, Reals]:
    """Return the counts that can occur in a sample, and the expected number of n-grams with each.

    Examples
    --------
    >>> counts, types = expected_counts(np.array([1, 3]), np.array([1, 1]), 4, 2)
    >>> counts.tolist(), types.round(12).tolist()
    ([1, 2], [1.0, 0.5])
    """
    c = counts.astype(np.float64)
    mean = c * sample / total
    spread = np.sqrt(mean * (1 - c / total) * (total - sample) / max(total - 1, 1))
    low = np.maximum(np.floor(mean - _REACH * (spread + 1)), np.maximum(1, c - (total - sample))).astype(
        np.int64
    )
    high = np.minimum(np.ceil(mean + _REACH * (spread + 1)), np.minimum(c, sample)).astype(np.int64)
    widths = np.maximum(high - low + 1, 0)
    where, _ = positions(bounds_of(widths), np.arange(len(counts)))
    owner = np.repeat(np.arange(len(counts)), widths)
    k = where - bounds_of(widths)[owner] + low[owner]
    log_factorial = _log_factorials(1 << int(total).bit_length())
    count, rest = counts[owner], total - counts[owner]
    logs = (
        (log_factorial[count] - log_factorial[k] - log_factorial[count - k])
        + (log_factorial[rest] - log_factorial[sample - k] - log_factorial[rest - sample + k])
        - (log_factorial[total] - log_factorial[sample] - log_factorial[total - sample])
    )
    expected = np.bincount(k, types[owner] * np.exp(logs)).astype(np.float64)
    possible: Integers = np.flatnonzero(expected)
    return possible, expected[possible]


@functools.lru_cache(maxsize=2)
def _log_factorials(size: int) -> Reals:
    """Return log i! for i < size; cached, since every selection of a pool needs it."""
    from scipy.special import gammaln

    logs: Reals = gammaln(np.arange(1.0, size + 1))
    return logs
