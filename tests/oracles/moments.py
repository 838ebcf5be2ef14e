"""Distances of means, medians, spreads and quantiles, the slow and obvious way."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from tests.oracles.vectors import cosine, eigenvalues

Row = Sequence[float]


def mean(rows: Sequence[Row]) -> list[float]:
    """Return the mean of each coordinate."""
    return [math.fsum(column) / len(rows) for column in zip(*rows)]


def scatter(rows: Sequence[Row]) -> list[list[float]]:
    """Return the sums of products of deviations from the mean."""
    centre = mean(rows)
    apart = [[x - m for x, m in zip(row, centre)] for row in rows]
    size = range(len(centre))
    return [[math.fsum(row[i] * row[j] for row in apart) for j in size] for i in size]


def frechet(one: Sequence[Row], other: Sequence[Row]) -> float:
    """Return the Fréchet distance; ``tr √(Σ₁Σ₂)`` from the singular values of the products of deviations.

    The singular values of B are the positive eigenvalues of ((0, B), (Bᵀ, 0)).
    """
    means = mean(one), mean(other)
    place = math.fsum((a - b) ** 2 for a, b in zip(*means))
    left, right = (
        [[x - m for x, m in zip(row, centre)] for row in rows] for rows, centre in zip((one, other), means)
    )
    products = [[math.fsum(a * b for a, b in zip(x, y)) for y in right] for x in left]
    size = len(left) + len(right)
    both = [[0.0] * size for _ in range(size)]
    for i, row in enumerate(products):
        for j, value in enumerate(row):
            both[i][len(left) + j] = both[len(left) + j][i] = value
    root = math.fsum(map(abs, eigenvalues(both))) / 2
    spreads = [math.fsum(x * x for row in rows for x in row) / (len(rows) - 1) for rows in (left, right)]
    return place + sum(spreads) - 2 * root / math.sqrt((len(left) - 1) * (len(right) - 1))


def cosine_distance(one: Row, other: Row) -> float:
    """Return 1 − cosine; NaN where a vector is zero."""
    return 1 - cosine(one, other) if any(one) and any(other) else math.nan


def medoid(one: Sequence[Row], other: Sequence[Row]) -> float:
    """Return the cosine distance of the means."""
    return cosine_distance(mean(one), mean(other))


def median(one: Sequence[Row], other: Sequence[Row]) -> float:
    """Return the cosine distance of the medians of vectors that are not zero."""
    found = [[statistics.median(column) for column in zip(*filter(any, rows))] for rows in (one, other)]
    return cosine_distance(*found)


def wasserstein(one: Sequence[float], other: Sequence[float]) -> float:
    """Return W₂ of two lists of numbers: repeat both to the same length, sort, and pair them."""
    size = math.lcm(len(one), len(other))
    left, right = (
        sorted(x for x in numbers for _ in range(size // len(numbers))) for numbers in (one, other)
    )
    return math.sqrt(math.fsum((a - b) ** 2 for a, b in zip(left, right)) / size)
