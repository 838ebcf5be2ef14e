"""How alike two systems are, the slow and obvious way: every pair of answers, one after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from tests.oracles.leaving_out import grams, standard_error

Answers = Mapping[str, Sequence[Any]]  # the answers of one system to each prompt
Alike = Callable[[Any, Any], float]


def ochiai(first: Sequence[str], second: Sequence[str], n: int) -> float:
    """Return the shared n-grams of two texts, relative to the geometric mean of those of each."""
    one, other = set(grams(first, n)), set(grams(second, n))
    return len(one & other) / math.sqrt(len(one) * len(other))


def shared(first: Answers, second: Answers) -> list[str]:
    """Return the prompts that both systems answer."""
    return [prompt for prompt in first if first[prompt] and second.get(prompt)]


def similarity(first: Answers, second: Answers, alike: Alike, prompts: Sequence[str]) -> float:
    """Return the mean over prompts of the mean over pairs of answers; NaN if there is no pair."""
    means = []
    for prompt in prompts:
        pairs = [
            alike(one, other)
            for i, one in enumerate(first[prompt])
            for j, other in enumerate(second[prompt])
            if first is not second or i != j
        ]
        means += [fmean(pairs)] if pairs else []
    return fmean(means) if means else math.nan


def floor(first: Answers, second: Answers, alike: Alike, prompts: Sequence[str]) -> float:
    """Return the mean over pairs of different prompts of the mean over pairs of answers."""
    means = [
        fmean(alike(one, other) for one in first[p] for other in second[q])
        for p in prompts
        for q in prompts
        if p != q
    ]
    return fmean(means) if means else math.nan


def errors(first: Answers, second: Answers, alike: Alike) -> tuple[float, float]:
    """Return the standard errors of the similarity, and of the similarity less the floor."""
    prompts = shared(first, second)
    rest = [[other for other in prompts if other != prompt] for prompt in prompts]
    similarities = [similarity(first, second, alike, some) for some in rest]
    floors = [floor(first, second, alike, some) for some in rest]
    above = [one - other for one, other in zip(similarities, floors)]
    return _error(similarities), _error(above)


def _error(values: Sequence[float]) -> float:
    defined = len(values) > 1 and not any(map(math.isnan, values))
    return standard_error(values) if defined else math.nan
