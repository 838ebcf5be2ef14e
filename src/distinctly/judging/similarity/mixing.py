"""Known-similarity corpora: k mixtures of A and B, from all of A to all of B (Kilgarriff, 2001)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from distinctly.errors import InputError
from distinctly.ragged import Integers


def shares(n: int, k: int) -> list[int]:
    """Return the number of texts of A in each of k corpora of n texts; the others are of B.

    Corpus i of k has n(k − i)/(k − 1) texts of A, rounded so that the larger remainder is rounded up.

    Examples
    --------
    >>> shares(100, 7)
    [100, 83, 67, 50, 33, 17, 0]
    """
    # Of two remainders that add up to 1, the larger is above one half; one half is rounded in favour of A.
    return [(2 * n * (k - 1 - i) + k - 1) // (2 * (k - 1)) for i in range(k)]


def mix(a: Integers, b: Integers, n: int, k: int, draw: np.random.Generator) -> list[Integers]:
    """Draw k disjoint corpora of n texts, from all of A to all of B; the order of rows is kept."""
    counts = shares(n, k)
    drawn = [draw.permutation(len(rows)) for rows in (a, b)]
    corpora, used = [], [0, 0]
    for of_a in counts:
        pieces = []
        for side, (rows, take) in enumerate(((a, of_a), (b, n - of_a))):
            chosen = drawn[side][used[side] : used[side] + take]
            pieces.append(rows[np.sort(chosen)])
            used[side] += take
        corpora.append(np.concatenate(pieces))
    return corpora


def check_enough(names: Sequence[str], texts: Sequence[int], n: int, k: int) -> None:
    """Raise an error if there are too few texts for k disjoint corpora of n texts."""
    for name, count, needed in zip(names, texts, _needed(n, k)):
        if count < needed:
            fitting = (
                fewer
                for fewer in range(n - 1, k - 2, -1)
                if all(have >= take for have, take in zip(texts, _needed(fewer, k)))
            )
            enough = next((f", choose a smaller n ({fewer:,} at most)" for fewer in fitting), "")
            raise InputError(
                f"expected at least {needed:,} texts for {k} disjoint corpora of {n:,}, got {count:,}. "
                f"Give more texts{enough}, or choose a smaller k.",
                source=name,
            )


def _needed(n: int, k: int) -> tuple[int, int]:
    """Return the number of texts of A and of B that are needed."""
    of_a = sum(shares(n, k))
    return of_a, n * k - of_a
