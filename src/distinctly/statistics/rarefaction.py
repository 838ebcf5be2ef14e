"""Rarefaction: the expected counts in a random sample of n-grams, drawn without replacement."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers, sums

Reals = NDArray[np.float64]

# exp(−745) is the smallest float; a probability below it is 0.
_SMALLEST_LOG = -745.0


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
