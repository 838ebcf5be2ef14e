"""Distances and kernels over all pairs, the slow and obvious way: one pair after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Row = Sequence[float]
PairValue = Callable[[Row, Row], float]


def euclidean(one: Row, other: Row) -> float:
    """Return the length of the difference."""
    return math.sqrt(math.fsum((a - b) ** 2 for a, b in zip(one, other)))


def angular(one: Row, other: Row) -> float:
    """Return the angle as a share of half a turn, by the sides of a triangle, which keeps all digits."""
    lengths = [math.sqrt(math.fsum(a * a for a in row)) for row in (one, other)]
    units = [[a / length for a in row] for row, length in zip((one, other), lengths)]
    across = euclidean(*units)
    along = euclidean(units[0], [-a for a in units[1]])
    return 2 * math.atan2(across, along) / math.pi


def polynomial(one: Row, other: Row) -> float:
    """Return the kernel of KID."""
    return float((math.fsum(a * b for a, b in zip(one, other)) / len(one) + 1) ** 3)


def gaussian(rows: Sequence[Row]) -> PairValue:
    """Return the kernel that is scaled by the median distance of two rows that differ."""
    apart = sorted(d for i, one in enumerate(rows) for other in rows[:i] if (d := euclidean(one, other)) > 0)
    if not apart:
        return lambda one, other: 1.0
    middle = len(apart) // 2
    median = apart[middle] if len(apart) % 2 else (apart[middle - 1] + apart[middle]) / 2
    return lambda one, other: math.exp(-(euclidean(one, other) ** 2) / (2 * median**2))


def mean_between(reference: Sequence[Row], candidate: Sequence[Row], value: PairValue) -> float:
    """Return the mean over pairs of a row of each."""
    return math.fsum(value(x, y) for x in reference for y in candidate) / len(reference) / len(candidate)


def mean_within(rows: Sequence[Row], value: PairValue, *, unbiased: bool) -> float:
    """Return the mean over pairs of rows, with or without those of a row with itself."""
    places = range(len(rows))
    pairs = [(i, j) for i in places for j in places if i != j or not unbiased]
    return math.fsum(value(rows[i], rows[j]) for i, j in pairs) / len(pairs)


def energy_squared(
    reference: Sequence[Row], candidate: Sequence[Row], value: PairValue, *, unbiased: bool
) -> float:
    """Return the squared energy distance."""
    return (
        2 * mean_between(reference, candidate, value)
        - mean_within(reference, value, unbiased=unbiased)
        - mean_within(candidate, value, unbiased=unbiased)
    )


def mmd(reference: Sequence[Row], candidate: Sequence[Row], value: PairValue) -> float:
    """Return the squared maximum mean discrepancy, without bias."""
    return -energy_squared(reference, candidate, value, unbiased=True)
