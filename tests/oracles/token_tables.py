"""Distances between the token counts of two corpora: loops over tokens, term by term."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tests.oracles.ngrams import counts

Texts = Sequence[Sequence[str]]
Columns = dict[str, tuple[int, int]]


def columns(reference: Texts, candidate: Texts, top: int | None = None, n: int = 1) -> Columns:
    """Return both counts of each n-gram: of the `top` most frequent ones, ties in order of text."""
    one, other = ({" ".join(g): c for g, c in counts(t, n).items()} for t in (reference, candidate))
    both = {token: (one.get(token, 0), other.get(token, 0)) for token in [*one, *other]}
    ranked = sorted(both, key=lambda token: (-sum(both[token]), token))
    return {token: both[token] for token in ranked[:top]}


def totals(table: Columns) -> tuple[int, int]:
    """Return the sums of the two rows."""
    return sum(a for a, _ in table.values()), sum(b for _, b in table.values())


def chi_parts(table: Columns) -> dict[str, Fraction]:
    """Return each token's part of χ², as fractions: (observed − expected)² / expected of its two cells."""
    rows = totals(table)
    found = {}
    for token, pair in table.items():
        expected = [Fraction(sum(pair) * row, sum(rows)) for row in rows]
        found[token] = sum(((o - e) ** 2 / e for o, e in zip(pair, expected)), Fraction(0))
    return found


def bergsma(statistic: float, rows: int, columns: int, total: int) -> float:
    """Return Cramér's V with the bias correction, as Bergsma (2013) prints it for any table."""
    phi = max(0.0, statistic / total - (rows - 1) * (columns - 1) / (total - 1))
    fewer = min(r - (r - 1) ** 2 / (total - 1) for r in (rows, columns))
    return math.sqrt(phi / (fewer - 1))


def log_survival_even(statistic: float, degrees: int) -> float:
    """Return log p for an even number of degrees: p = exp(−x) Σ xᵏ/k! over k < degrees/2, x = χ²/2."""
    x = statistic / 2
    logs = [k * math.log(x) - math.lgamma(k + 1) - x for k in range(degrees // 2)]
    largest = max(logs)
    return largest + math.log(math.fsum(math.exp(one - largest) for one in logs))


def jensen_shannon(table: Columns) -> float:
    """Return the root of the mean of two Kullback–Leibler divergences, in bits."""
    rows = totals(table)
    terms = []
    for pair in table.values():
        shares = [count / row for count, row in zip(pair, rows)]
        middle = sum(shares) / 2
        terms += [share * math.log2(share / middle) / 2 for share in shares if share]
    return math.sqrt(max(math.fsum(terms), 0.0))


def zipf_slope(texts: Texts, top: int, *, exact: bool) -> float:
    """Return the slope through the first rank of each value of round(15·log rank)."""
    ranked = sorted((count for count in counts(texts, 1).values()), reverse=True)[:top]
    points: dict[int, tuple[float, float]] = {}
    for rank, count in enumerate(ranked, 1):
        step = round(15 * math.log(rank))
        points.setdefault(step, (math.log(rank) if exact else step / 15, math.log(count)))
    n = len(points)
    x_mean = math.fsum(x for x, _ in points.values()) / n
    y_mean = math.fsum(y for _, y in points.values()) / n
    return math.fsum((x - x_mean) * (y - y_mean) for x, y in points.values()) / math.fsum(
        (x - x_mean) ** 2 for x, _ in points.values()
    )
