"""Trends by the book: sums, and every order of the steps."""

from __future__ import annotations

from itertools import permutations


def slope(steps: list[float], values: list[float]) -> float:
    """Least squares: Σ(x − x̄)(y − ȳ) / Σ(x − x̄)²."""
    middle, mean = sum(steps) / len(steps), sum(values) / len(values)
    above = sum((x - middle) * (y - mean) for x, y in zip(steps, values))
    return above / sum((x - middle) ** 2 for x in steps)


def ranks(values: list[float]) -> list[float]:
    """From 1; equal values have the mean of theirs."""
    return [sum(v < one for v in values) + (sum(v == one for v in values) + 1) / 2 for one in values]


def pearson(one: list[float], other: list[float]) -> float:
    """Covariance over the product of the deviations."""
    a, b = sum(one) / len(one), sum(other) / len(other)
    together = sum((x - a) * (y - b) for x, y in zip(one, other))
    return together / (sum((x - a) ** 2 for x in one) * sum((y - b) ** 2 for y in other)) ** 0.5


def rank_p(steps: list[float], values: list[float]) -> float:
    """Return the share of all orders whose rank correlation is at least as far from 0."""
    observed = abs(pearson(ranks(steps), ranks(values)))
    found = [abs(pearson(list(order), ranks(values))) for order in permutations(ranks(steps))]
    return sum(one >= observed - 1e-12 for one in found) / len(found)
