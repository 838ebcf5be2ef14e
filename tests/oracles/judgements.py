"""Oracle for the measures of a trial: intervals listed by loops, sums taken one by one.

`released` is the recursion of the code that came with Kour et al. (2022): an interval is asked about whenever
it is reached, by dropping the last corpus or the first; one that is reached by several ways is asked about
as often, each time against every interval within it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

Interval = tuple[int, int]
Judgement = tuple[Interval, Interval]


def distinct(k: int) -> list[Judgement]:
    """Return (inner, outer) for all corpora 1 … k."""
    found = []
    for i in range(1, k + 1):
        for j in range(i + 1, k + 1):
            for a in range(i, j + 1):
                for b in range(a + 1, j + 1):
                    if (a, b) != (i, j):
                        found.append(((a, b), (i, j)))  # noqa: PERF401 - a loop
    return found


def released(k: int) -> list[Judgement]:
    """Return (inner, outer) as often as the recursion comes to them."""
    return [(inner, outer) for outer in _reached(1, k) for inner in set(_reached(*outer)) if inner != outer]


def _reached(i: int, j: int) -> Iterator[Interval]:
    yield (i, j)
    if j - i > 1:
        yield from _reached(i, j - 1)
        yield from _reached(i + 1, j)


def shares_right(
    distances: dict[Interval, float], asked: Sequence[Judgement]
) -> tuple[float, float, float, float, float]:
    """Return accuracy and weighted accuracy, both again with ties wrong, and the share of ties."""
    right = right_weight = strict = strict_weight = ties = weight = 0.0
    for inner, outer in asked:
        own = 1 / ((outer[1] - outer[0]) - (inner[1] - inner[0]))
        weight += own
        if distances[inner] <= distances[outer]:
            right += 1
            right_weight += own
        if distances[inner] < distances[outer]:
            strict += 1
            strict_weight += own
        if distances[inner] == distances[outer]:
            ties += 1
    n = len(asked)
    return right / n, right_weight / weight, strict / n, strict_weight / weight, ties / n


def omega_squared(levels: Sequence[int], values: Sequence[float]) -> float:
    """Return ω² of a one-way analysis of variance, equation 4 of the paper."""
    groups: dict[int, list[float]] = {}
    for level, value in zip(levels, values):
        groups.setdefault(level, []).append(value)
    mean = math.fsum(values) / len(values)
    between = within = 0.0
    for own in groups.values():
        centre = math.fsum(own) / len(own)
        between += len(own) * (centre - mean) ** 2
        within += math.fsum((value - centre) ** 2 for value in own)
    mean_square = within / (len(values) - len(groups))
    return (between - (len(groups) - 1) * mean_square) / (between + within + mean_square)


def robustness(values: Sequence[Sequence[float]], asymptote: float, *, divided: bool) -> float:
    """Return 1 − the mean error over repetitions and sizes, in parts of the asymptote or not."""
    errors = []
    for repetition in values:
        for value in repetition:
            errors.append(abs(value - asymptote) / (asymptote if divided else 1))  # noqa: PERF401 - a loop
    return 1 - sum(errors) / len(errors)
