"""Rarefaction: what a random sample of a corpus's n-grams, drawn without replacement, is expected to hold."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers, bounds_of, positions, sums

Reals = NDArray[np.float64]

# exp(−745) is the smallest float; below it a chance is 0.
_NEVER = -745.0
# Counts farther from their mean than so many standard deviations, and so many more, are not met.
_FAR = 9.0


def seen_in_sample(counts: Integers, total: int, sample: int) -> Reals:
    """Return the chance that an n-gram with such a count is in the sample: ``1 − C(C−c, s) / C(C, s)``.

    As a product of ``1 − s/(C−i)`` over i < c: log-gamma has too few digits left at large C.

    Examples
    --------
    >>> seen_in_sample(np.array([1, 2, 4]), 4, 2).tolist()
    [0.5, 0.8333333333333334, 1.0]
    """
    if not len(counts):
        return np.zeros(0)
    largest = min(int(counts.max()), total - sample)
    # Log chances fall by at least s/C a step.
    largest = min(largest, int(-_NEVER * total / sample) + 1)
    missed = np.zeros(largest + 1)
    np.cumsum(np.log1p(-sample / (total - np.arange(largest, dtype=np.float64))), out=missed[1:])
    chances = -np.expm1(missed[np.minimum(counts, largest)])
    return np.where(counts > largest, 1.0, chances)


def expected_types(
    counts: Integers, types: Integers | Reals, bounds: Integers, totals: Integers, samples: Sequence[int]
) -> Reals:
    """Return how many types many selections are expected to have in samples of such sizes, ascending.

    One row a selection, one column a sample; NaN where the selection is smaller than the sample. For
    small samples: as a product of ``1 − c/(C−i)`` over i < s, all selections together.

    Examples
    --------
    >>> expected_types(np.array([1, 2, 1]), np.array([2, 1, 1]), np.array([0, 2, 3]), np.array([4, 1]), [2])
    array([[1.83333333],
           [       nan]])
    """
    c = counts.astype(np.float64)
    total = np.repeat(totals, np.diff(bounds)).astype(np.float64)
    missed = np.zeros(len(c))
    found = np.empty((len(totals), len(samples)))
    # What is left out of the sample has no room for all occurrences: 1 − c/(C−i) is 0, then negative.
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(samples[-1]):
            missed += np.log1p(-c / (total - i))
            if i + 1 in samples:
                chances = np.where(c > total - (i + 1), 1.0, -np.expm1(missed))
                found[:, samples.index(i + 1)] = sums(np.asarray(types * chances, np.float64), bounds)
    found[totals[:, None] < np.array(samples)] = np.nan
    return found


def expected_counts(
    counts: Integers, types: Integers | Reals, total: int, sample: int
) -> tuple[Integers, Reals]:
    """Return which counts a sample can hold, and how many n-grams are expected to have each.

    Examples
    --------
    >>> found, types = expected_counts(np.array([1, 3]), np.array([1, 1]), 4, 2)
    >>> found.tolist(), types.round(12).tolist()
    ([1, 2], [1.0, 0.5])
    """
    c = counts.astype(np.float64)
    mean = c * sample / total
    spread = np.sqrt(mean * (1 - c / total) * (total - sample) / max(total - 1, 1))
    low = np.maximum(np.floor(mean - _FAR * (spread + 1)), np.maximum(1, c - (total - sample))).astype(
        np.int64
    )
    high = np.minimum(np.ceil(mean + _FAR * (spread + 1)), np.minimum(c, sample)).astype(np.int64)
    widths = np.maximum(high - low + 1, 0)
    where, _ = positions(bounds_of(widths), np.arange(len(counts)))
    owner = np.repeat(np.arange(len(counts)), widths)
    k = where - bounds_of(widths)[owner] + low[owner]
    log_factorial = _log_factorials(1 << int(total).bit_length())
    mine, rest = counts[owner], total - counts[owner]
    logs = (
        (log_factorial[mine] - log_factorial[k] - log_factorial[mine - k])
        + (log_factorial[rest] - log_factorial[sample - k] - log_factorial[rest - sample + k])
        - (log_factorial[total] - log_factorial[sample] - log_factorial[total - sample])
    )
    expected = np.bincount(k, types[owner] * np.exp(logs)).astype(np.float64)
    found: Integers = np.flatnonzero(expected)
    return found, expected[found]


@functools.lru_cache(maxsize=2)
def _log_factorials(size: int) -> Reals:
    """Return log i! for i below a size; kept, since every selection of a pool asks again."""
    from scipy.special import gammaln

    found: Reals = gammaln(np.arange(1.0, size + 1))
    return found
