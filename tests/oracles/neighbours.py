"""Nearest neighbours, the slow and obvious way: every pair, one number after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Row = Sequence[float]
Measure = Callable[[Row, Row], float]


def squared(one: Row, other: Row) -> float:
    """Return the squared distance of two vectors: exact for whole numbers."""
    return math.fsum((a - b) ** 2 for a, b in zip(one, other))


def angle(one: Row, other: Row) -> float:
    """Return the angle between two vectors, as a part of a half turn."""
    lengths = math.hypot(*one), math.hypot(*other)
    units = [a / lengths[0] for a in one], [b / lengths[1] for b in other]
    apart = math.hypot(*(a - b for a, b in zip(*units)))
    together = math.hypot(*(a + b for a, b in zip(*units)))
    return 2 * math.atan2(apart, together) / math.pi


def radius(rows: Sequence[Row], i: int, k: int, measure: Measure) -> float:
    """Return how far the k-th nearest other text is."""
    return sorted(measure(rows[i], rows[j]) for j in range(len(rows)) if j != i)[k - 1]


def prdc(
    reference: Sequence[Row], candidate: Sequence[Row], k: int, measure: Measure
) -> tuple[float, float, float, float]:
    """Return precision, recall, density and coverage; both corpora have more than k texts."""
    in_reference = [radius(reference, i, k, measure) for i in range(len(reference))]
    in_candidate = [radius(candidate, j, k, measure) for j in range(len(candidate))]
    precise = recalled = covered = hits = 0
    for x in candidate:
        inside = [measure(y, x) < in_reference[i] for i, y in enumerate(reference)]
        precise += any(inside)
        hits += sum(inside)
    for i, y in enumerate(reference):
        recalled += any(measure(y, x) < in_candidate[j] for j, x in enumerate(candidate))
        covered += any(measure(y, x) < in_reference[i] for x in candidate)
    n, m = len(reference), len(candidate)
    return precise / m, recalled / n, hits / (k * m), covered / n


def nearest(rows: Sequence[Row], others: Sequence[Row], measure: Measure) -> list[float]:
    """Return how far the nearest of the others is from each."""
    return [min(measure(row, other) for other in others) for row in rows]


def irpr(reference: Sequence[Row], candidate: Sequence[Row]) -> float:
    """Return the harmonic mean of the two mean angles to the nearest."""
    one = math.fsum(nearest(reference, candidate, angle)) / len(reference)
    other = math.fsum(nearest(candidate, reference, angle)) / len(candidate)
    return 2 * one * other / (one + other) if one + other else 0.0
