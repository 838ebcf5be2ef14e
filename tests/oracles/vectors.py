"""Vectors, the slow and obvious way: every pair, one number after the other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

Row = Sequence[float]


def cosine(one: Row, other: Row) -> float:
    """Return the cosine of the angle between two vectors."""
    product = math.fsum(a * b for a, b in zip(one, other))
    return product / math.sqrt(math.fsum(a * a for a in one)) / math.sqrt(math.fsum(b * b for b in other))


def with_direction(rows: Sequence[Row]) -> list[Row]:
    """Leave out vectors of zeros."""
    return [row for row in rows if any(row)]


def dispersion(rows: Sequence[Row]) -> float:
    """Return the mean distance over all pairs of two different texts."""
    rows = with_direction(rows)
    n = len(rows)
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    return math.fsum(1 - cosine(rows[i], rows[j]) for i, j in pairs) / len(pairs) if pairs else math.nan


def chamfer(rows: Sequence[Row]) -> float:
    """Return the mean distance to the nearest other text."""
    rows = with_direction(rows)
    n = len(rows)
    if n < 2:
        return math.nan
    return math.fsum(min(1 - cosine(rows[i], rows[j]) for j in range(n) if j != i) for i in range(n)) / n


def vendi(rows: Sequence[Row], q: float) -> float:
    """Return the Vendi Score of order q, from the whole matrix of cosines."""
    rows = with_direction(rows)
    return effective([[cosine(one, other) for other in rows] for one in rows], q)


def ngram_vendi(texts: Sequence[Sequence[str]], max_n: int, q: float) -> float:
    """Return the Vendi Score of the mean of the cosines of n-gram counts, ones on the diagonal."""
    texts = [text for text in texts if text]
    counts = [[Counter(zip(*(text[i:] for i in range(n)))) for text in texts] for n in range(1, max_n + 1)]

    def alike(i: int, j: int) -> float:
        total = 0.0
        for own in counts:
            if own[i] and own[j]:
                words = sorted({*own[i], *own[j]})
                total += cosine([own[i][w] for w in words], [own[j][w] for w in words])
        return total / max_n

    n = len(texts)
    kernel = [[alike(i, j) for j in range(n)] for i in range(n)]
    scaled = [[kernel[i][j] / math.sqrt(kernel[i][i] * kernel[j][j]) for j in range(n)] for i in range(n)]
    return effective(scaled, q)


def effective(kernel: Sequence[Sequence[float]], q: float) -> float:
    """Return the exponential of the Rényi entropy of the eigenvalues of K/n."""
    n = len(kernel)
    if not n:
        return math.nan
    values = [v for v in eigenvalues([[cell / n for cell in row] for row in kernel]) if v >= 1e-12]
    if q == 0:
        return len(values)
    if q == 1:
        return math.exp(-math.fsum(v * math.log(v) for v in values))
    if math.isinf(q):
        return 1 / max(values)
    return math.fsum(v**q for v in values) ** (1 / (1 - q))


def eigenvalues(matrix: list[list[float]]) -> list[float]:
    """Return the eigenvalues of a symmetric matrix, by Jacobi's rotations."""
    a = [row[:] for row in matrix]
    n = len(a)
    for _ in range(100):
        if math.fsum(a[i][j] ** 2 for i in range(n) for j in range(n) if i != j) < 1e-30:
            break
        for p in range(n):
            for q in range(p + 1, n):
                if a[p][q] == 0:
                    continue
                angle = 0.5 * math.atan2(2 * a[p][q], a[q][q] - a[p][p])
                c, s = math.cos(angle), math.sin(angle)
                for k in range(n):
                    a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
                for k in range(n):
                    a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
    return [a[i][i] for i in range(n)]
