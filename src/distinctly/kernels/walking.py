"""Balls of nearest neighbours, found in sorted lists of near points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled

_ONE = np.uintp(1)


@compiled
def walk(
    nearest: NDArray[np.int64],
    squares: NDArray[np.float64],
    lengths: NDArray[np.int64],
    own: NDArray[np.int64],
    other: NDArray[np.int64],
    k: int,
    reached: NDArray[np.bool_],
    entered: NDArray[np.bool_],
    is_short: NDArray[np.bool_],
) -> tuple[int, int]:
    """Find the points of the other side that lie in the balls of the own side.

    `own` and `other` are the numbers of texts per point. Mark the points whose balls hold a point of the
    other side (`reached`), the points inside a ball (`entered`), and the points whose lists are too short
    (`is_short`). Return the number of pairs, and of texts whose balls have radius 0.
    """
    hits, empty = 0, 0
    for u in range(np.uintp(len(nearest))):
        if not own[u]:
            continue
        seen = own[u] - 1
        length = np.uintp(lengths[u])
        m = np.uintp(0)
        while seen < k and m < length:
            seen += own[nearest[u, m]]
            m += _ONE
        if seen < k:
            is_short[u] = True
            continue
        radius = squares[u, m - _ONE] if m else 0.0
        if radius <= 0.0:
            empty += own[u]
            continue
        within = other[u]
        entered[u] |= other[u] > 0
        m = np.uintp(0)
        while m < length and squares[u, m] < radius:
            v = nearest[u, m]
            if other[v]:
                within += other[v]
                entered[v] = True
            m += _ONE
        reached[u] = within > 0
        hits += own[u] * within
    return hits, empty
