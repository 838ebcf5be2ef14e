"""Repetition across texts, text by text and pair by pair, with loops only."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from tests.oracles.ngrams import ngrams

Texts = Sequence[Sequence[str]]


def matches(texts: Texts, n: int) -> list[int]:
    """Count the n-grams of each text that are matched, by the highest counts of the other texts."""
    found = []
    for i, text in enumerate(texts):
        others = [Counter(ngrams(other, n)) for j, other in enumerate(texts) if j != i]
        own = Counter(ngrams(text, n))
        found.append(
            sum(min(count, max((o[gram] for o in others), default=0)) for gram, count in own.items())
        )
    return found


def self_repetition(texts: Texts, n: int) -> list[float]:
    """Return the value of each text; NaN where it has no n-gram."""
    sets = [set(ngrams(text, n)) for text in texts]
    return [
        math.log(1 + sum(sum(gram in other for other in sets) - 1 for gram in own)) if own else math.nan
        for own in sets
    ]


def common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, by the table of all prefixes."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def homogenization(texts: Texts) -> float:
    """Return the mean over pairs of 2·LCS over both lengths; 0 with an empty text."""
    values = [
        2 * common_subsequence(one, other) / (len(one) + len(other)) if one and other else 0.0
        for i, one in enumerate(texts)
        for other in texts[i + 1 :]
    ]
    return math.fsum(values) / len(values)


def shingles(text: Sequence[str], n: int) -> set[tuple[str, ...]]:
    """Return the n-grams of a text, or the text itself where it has fewer tokens."""
    return set(ngrams(text, n)) or {tuple(text)}


def jaccard(one: set[tuple[str, ...]], other: set[tuple[str, ...]]) -> float:
    """Return the share of what either has that both have."""
    return len(one & other) / len(one | other)
