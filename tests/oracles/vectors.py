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


def rbf_vendi(rows: Sequence[Row], sigma: float, q: float) -> float:
    """Return the Vendi Score of order q, from the whole matrix of the Gaussian kernel."""
    rows = with_direction(rows)
    kernel = [[math.exp(-(math.dist(one, other) ** 2) / (2 * sigma**2)) for other in rows] for one in rows]
    return effective(kernel, q)


def ngram_vendi(texts: Sequence[Sequence[str]], max_n: int, q: float) -> float:
    """Return the Vendi Score of the similarities of texts by their n-grams."""
    return effective(ngram_similarities([text for text in texts if text], max_n), q)


def ngram_similarities(texts: Sequence[Sequence[str]], max_n: int) -> list[list[float]]:
    """Return the mean of the cosines of n-gram counts, scaled to ones on the diagonal."""
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
    return [[kernel[i][j] / math.sqrt(kernel[i][i] * kernel[j][j]) for j in range(n)] for i in range(n)]


def similarity_hill(rows: Sequence[Row], q: float) -> float:
    """Return the diversity of order q of the different vectors, by their cosines, at least 0."""
    counts = Counter(tuple(row) for row in with_direction(rows))
    similarities = [[max(cosine(one, other), 0.0) for other in counts] for one in counts]
    return leinster_cobbold(list(counts.values()), similarities, q)


def ngram_hill(texts: Sequence[Sequence[str]], max_n: int, q: float) -> float:
    """Return the diversity of order q of the different texts, by their n-grams."""
    counts = Counter(tuple(text) for text in texts if text)
    return leinster_cobbold(list(counts.values()), ngram_similarities(list(counts), max_n), q)


def leinster_cobbold(counts: Sequence[int], similarities: Sequence[Sequence[float]], q: float) -> float:
    """Return the diversity of order q of species with these counts and similarities."""
    n = len(counts)
    if not n:
        return math.nan
    p = [count / sum(counts) for count in counts]
    ordinary = [math.fsum(similarities[i][j] * p[j] for j in range(n)) for i in range(n)]
    if q == 1:
        return math.prod(z**-share for share, z in zip(p, ordinary))
    if math.isinf(q):
        return 1 / max(ordinary)
    return math.fsum(share * z ** (q - 1) for share, z in zip(p, ordinary)) ** (1 / (1 - q))


def dcscore(rows: Sequence[Row], temperature: float) -> float:
    """Return the sum of the diagonal of the softmax of each row of the cosines."""
    rows = with_direction(rows)
    powers = [[math.exp(cosine(one, other) / temperature) for other in rows] for one in rows]
    return math.fsum(row[i] / math.fsum(row) for i, row in enumerate(powers)) if rows else math.nan


def magnitude(rows: Sequence[Row], distance: str, scale: float) -> float:
    """Return the sum of the entries of the inverse of exp(−scale·d), over points that differ.

    Vectors of integers in one direction are one point of the cosine distance: divided by their greatest
    common divisor, they are equal.
    """
    rows = with_direction(rows)
    if distance == "cosine":
        rows = [[number / math.gcd(*map(int, row)) for number in row] for row in rows]
    points = sorted({tuple(row) for row in rows})
    if not points:
        return math.nan

    def apart(one: Row, other: Row) -> float:
        if one == other:
            return 0.0
        return 1 - cosine(one, other) if distance == "cosine" else math.dist(one, other)

    similarities = [[math.exp(-scale * apart(x, y)) for y in points] for x in points]
    return math.fsum(solution(similarities, [1.0] * len(points)))


def solution(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a system of linear equations by elimination, with the largest pivot of each column."""
    n = len(matrix)
    rows = [[*row, value] for row, value in zip(matrix, right)]
    for column in range(n):
        pivot = max(range(column, n), key=lambda i: abs(rows[i][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for i in range(n):
            if i != column:
                factor = rows[i][column] / rows[column][column]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


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
