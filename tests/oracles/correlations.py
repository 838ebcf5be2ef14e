"""Correlations and tests of their differences, by their definitions: loops over pairs, and determinants."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

Numbers = Sequence[float]


def pearson(x: Numbers, y: Numbers) -> float:
    """Covariance over the product of the standard deviations."""
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    covariance = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    spread_x = math.fsum((a - mean_x) ** 2 for a in x)
    spread_y = math.fsum((b - mean_y) ** 2 for b in y)
    return covariance / math.sqrt(spread_x * spread_y)


def ranks(x: Numbers) -> list[float]:
    """A value's rank is how many are less, plus half of those that are equal, plus a half."""
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def spearman(x: Numbers, y: Numbers) -> float:
    return pearson(ranks(x), ranks(y))


def kendall(x: Numbers, y: Numbers) -> float:
    """τ-b: pairs in the same order less those in the other, over the pairs without a tie in x, and in y."""
    signs = [
        (np.sign(a[0] - b[0]), np.sign(a[1] - b[1])) for a, b in itertools.combinations(list(zip(x, y)), 2)
    ]
    apart_x, apart_y = sum(s != 0 for s, _ in signs), sum(t != 0 for _, t in signs)
    return float(sum(s * t for s, t in signs) / math.sqrt(apart_x * apart_y))


def kendall_p(x: Numbers, y: Numbers) -> float:
    """The share of all orders of y whose τ is as far from 0."""
    observed = abs(kendall(x, y)) - 1e-12
    orders = list(itertools.permutations(y))
    return sum(abs(kendall(x, order)) >= observed for order in orders) / len(orders)


def williams(one: float, other: float, between: float, n: int) -> float:
    """Williams' t as Steiger (1980, equation 7) has it, with |R| as the determinant of the matrix."""
    matrix = np.array([[1, one, other], [one, 1, between], [other, between, 1]])
    mean = (one + other) / 2
    below = 2 * (n - 1) / (n - 3) * np.linalg.det(matrix) + mean**2 * (1 - between) ** 3
    return float((one - other) * math.sqrt((n - 1) * (1 + between) / below))


def steiger(one: float, other: float, between: float, n: int) -> float:
    """Steiger's Z̄₁* (1980, equations 3, 10, 11 and 14): the covariance of two correlations at their mean."""
    mean = (one + other) / 2
    psi = between * (1 - mean**2 - mean**2) - 0.5 * mean * mean * (1 - mean**2 - mean**2 - between**2)
    covariance = psi / ((1 - mean**2) * (1 - mean**2))
    transformed = [0.5 * math.log((1 + r) / (1 - r)) for r in (one, other)]
    return (transformed[0] - transformed[1]) * math.sqrt(n - 3) / math.sqrt(2 - 2 * covariance)
