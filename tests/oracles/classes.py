"""Classes of equivalent texts, the slow and obvious way."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

Similarity = Callable[[int, int], float]


def complete_linkage(items: int, similarity: Similarity, threshold: float) -> list[frozenset[int]]:
    """Merge the two most similar classes, by their least similar pair; of several, those with small items."""
    classes = [frozenset([item]) for item in range(items)]
    while True:
        candidates = []
        for one, other in itertools.combinations(sorted(classes, key=min), 2):
            least = min(similarity(a, b) for a in one for b in other)
            if least >= threshold:
                candidates.append((-least, min(one), min(other), one, other))
        if not candidates:
            return classes
        *_, one, other = min(candidates)
        classes = [kept for kept in classes if kept not in (one, other)] + [one | other]


def in_order(items: int, similarity: Similarity, threshold: float) -> list[int]:
    """Return the class of each item: that of the first class whose first item is similar, or a new one."""
    firsts: list[int] = []
    classes = []
    for item in range(items):
        joined = [place for place, first in enumerate(firsts) if similarity(first, item) >= threshold]
        if not joined:
            firsts.append(item)
        classes.append(joined[0] if joined else len(firsts) - 1)
    return classes


def utility(classes: Sequence[object], quality: Sequence[float], patience: float) -> float:
    """Return the weighted mean of the quality of texts that are the first of their class."""
    total = weights = 0.0
    for place, (name, worth) in enumerate(zip(classes, quality)):
        weight = patience**place
        weights += weight
        if name not in classes[:place]:
            total += weight * worth
    return total / weights
