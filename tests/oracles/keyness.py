"""Keyness by loops over dictionaries, with exact fractions where the formula allows it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

Texts = Sequence[Sequence[str]]
Term = tuple[str, ...]


def terms_of(tokens: Sequence[str], n: int) -> list[Term]:
    return [tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1)]


def counts(texts: Texts, n: int) -> Counter[Term]:
    return Counter(term for tokens in texts for term in terms_of(tokens, n))


def text_range(units: Sequence[Texts], term: Term) -> int:
    """Return the number of units, each of one or several texts, that have a term."""
    return sum(any(term in terms_of(tokens, len(term)) for tokens in unit) for unit in units)


def dispersion(units: Sequence[Texts], term: Term) -> float:
    """Return Gries' DP: half the sum of |expected − observed| share over all units."""
    n = len(term)
    sizes = [sum(len(terms_of(tokens, n)) for tokens in unit) for unit in units]
    uses = [sum(terms_of(tokens, n).count(term) for tokens in unit) for unit in units]
    if not sum(uses):
        return math.nan
    shares = [Fraction(use, sum(uses)) - Fraction(size, sum(sizes)) for use, size in zip(uses, sizes)]
    return float(sum(map(abs, shares)) / 2)


def g2(a: int, b: int, c: int, d: int) -> float:
    """Return 2 Σ O ln(O/E) of a table with the rows (a, b) and (c, d)."""
    total = a + b + c + d
    cells = ((a, a + b, a + c), (b, a + b, b + d), (c, c + d, a + c), (d, c + d, b + d))
    return 2 * math.fsum(o * math.log(Fraction(o * total, row * column)) for o, row, column in cells if o)


def chi2(a: int, b: int, c: int, d: int) -> float:
    """Return Σ (O − E)²/E."""
    total = a + b + c + d
    cells = ((a, a + b, a + c), (b, a + b, b + d), (c, c + d, a + c), (d, c + d, b + d))
    if any(not row or not column for _, row, column in cells):
        return math.nan
    terms = (
        (o - Fraction(row * column, total)) ** 2 / Fraction(row * column, total) for o, row, column in cells
    )
    return float(sum(terms))


def corrected(p_values: Sequence[float]) -> list[float]:
    """Return min over j ≥ i of p(j)·m/j (Benjamini and Hochberg), in the order given."""
    ascending = sorted(p_values)
    number = len(ascending)
    return [
        min(1.0, *(ascending[j] * number / (j + 1) for j in range(number) if ascending[j] >= p))
        for p in p_values
    ]


def collocates(texts: Texts, node: Term, left: int, right: int) -> tuple[Counter[str], Counter[str], int]:
    """Return the tokens near a node, all others, and the number of nodes."""
    near: Counter[str] = Counter()
    far: Counter[str] = Counter()
    nodes = 0
    for tokens in texts:
        starts = [place for place, term in enumerate(terms_of(tokens, len(node))) if term == node]
        nodes += len(starts)
        inside = {start + k for start in starts for k in range(len(node))}
        around = {
            place
            for start in starts
            for place in range(max(start - left, 0), min(start + len(node) + right, len(tokens)))
        } - inside
        for place, token in enumerate(tokens):
            if place in around:
                near[token] += 1
            elif place not in inside:
                far[token] += 1
    return near, far, nodes
