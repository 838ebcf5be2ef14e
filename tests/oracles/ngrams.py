"""N-gram counts with Python's own tuples, sets and counters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction


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


def rarefied(texts: Sequence[Sequence[str]], n: int, sample: int) -> float:
    """Expected share of distinct n-grams in a sample, by whole numbers of ways to draw it."""
    found = counts(texts, n)
    total = sum(found.values())
    if total < sample:
        return math.nan
    missed = [Fraction(math.comb(total - c, sample), math.comb(total, sample)) for c in found.values()]
    return float(sum(1 - one for one in missed) / sample)


def hill(texts: Sequence[Sequence[str]], n: int, q: float) -> float:
    """Return the Hill number of order q, term by term."""
    found = counts(texts, n)
    total = sum(found.values())
    chances = [c / total for c in found.values()]
    if q == 1:
        return math.exp(-math.fsum(p * math.log(p) for p in chances))
    if math.isinf(q):
        return 1 / max(chances)
    return math.fsum(p**q for p in chances) ** (1 / (1 - q))
