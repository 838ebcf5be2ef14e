"""N-gram counts with Python's own tuples, sets and counters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence


def ngrams(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """List the n-grams of one text."""
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def counts(texts: Iterable[Sequence[str]], n: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of texts; none crosses from text to text."""
    return Counter(gram for tokens in texts for gram in ngrams(tokens, n))


def distinct(texts: Sequence[Sequence[str]], n: int, denominator: str = "ngrams") -> float:
    """N over C, or over the tokens."""
    found = counts(texts, n)
    if not found:
        return math.nan
    return len(found) / (sum(found.values()) if denominator == "ngrams" else sum(map(len, texts)))


def entropy(texts: Sequence[Sequence[str]], n: int) -> float:
    """Shannon's entropy in bits, term by term."""
    found = counts(texts, n)
    total = sum(found.values())
    return -math.fsum(c / total * math.log2(c / total) for c in found.values()) if found else math.nan


def chao_shen(texts: Sequence[Sequence[str]], n: int) -> float:
    """Coverage-adjusted entropy in bits, as DEFINITIONS writes it."""
    found = counts(texts, n)
    total = sum(found.values())
    if not found:
        return math.nan
    single = sum(c == 1 for c in found.values())
    coverage = 1 - (total - 1 if single == total else single) / total
    terms = []
    for count in found.values():
        p = coverage * count / total
        terms.append(-p * math.log2(p) / (1 - (1 - p) ** total))
    return math.fsum(terms)


def ead(texts: Sequence[Sequence[str]], n: int, size: int) -> float:
    """EAD with exact fractions: V·(1 − ((V−1)/V)^C) has no rounding there."""
    from fractions import Fraction

    found = counts(texts, n)
    if not found:
        return math.nan
    v = size**n
    expected = v * (1 - Fraction(v - 1, v) ** sum(found.values()))
    return float(len(found) / expected)


def expected_from(reference: Sequence[Sequence[str]], n: int, draws: int) -> float:
    """Expected distinct n-grams among draws from the reference's distribution, unseen part included."""
    found = counts(reference, n)
    total = sum(found.values())
    once, twice = (sum(c == k for c in found.values()) for k in (1, 2))
    unseen = once * (once - 1) / (2 * (twice + 1))
    mass = min(once, total - 1) / total if unseen > 0 else 0.0
    seen = sum(1 - (1 - (1 - mass) * c / total) ** draws for c in found.values())
    return seen + (unseen * (1 - (1 - min(mass / unseen, 1)) ** draws) if mass else 0.0)
