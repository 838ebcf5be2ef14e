"""Counting of hashes in a table that fits the cache.

Each row of a table has a hash and a count; a row with count 0 is free. The length of a table is a power
of two, well above the number of its hashes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled

_ZERO, _ONE = np.uintp(0), np.uintp(1)
# Counts below this are tallied in an array; few n-grams have larger counts.
SMALL = 1 << 12


@compiled
def fill(table: NDArray[np.uint64], hashes: NDArray[np.uint64], weights: NDArray[np.uint64]) -> int:
    """Clear the table and count the hashes in it; return the number of distinct hashes.

    Each occurrence counts as its weight, or as 1 if there are no weights.
    """
    table[:] = np.uint64(0)
    mask = np.uint64(len(table) - 1)
    weighted = len(weights) > 0
    distinct = 0
    for i in range(np.uintp(len(hashes))):
        x = hashes[i]
        weight = weights[i] if weighted else np.uint64(1)
        j = x & mask
        while True:
            seen = table[j, _ONE]
            if not seen:
                table[j, _ZERO] = x
                table[j, _ONE] = weight
                distinct += 1
                break
            if table[j, _ZERO] == x:
                table[j, _ONE] = seen + weight
                break
            j = (j + np.uint64(1)) & mask
    return distinct


@compiled
def entries(table: NDArray[np.uint64], distinct: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the distinct hashes of a table and their counts, in no particular order."""
    # One entry more than needed: every row is written, and overwritten if it has no count, since an
    # unpredictable branch costs more than a write.
    hashes, counts = np.empty(distinct + 1, np.uint64), np.empty(distinct + 1, np.uint64)
    place = np.uintp(0)
    for j in range(np.uintp(len(table))):
        hashes[place] = table[j, _ZERO]
        counts[place] = table[j, _ONE]
        place += np.uintp(table[j, _ONE] != np.uint64(0))
    return hashes[:distinct], counts[:distinct]


@compiled
def tally(counts: NDArray[np.uint64], small: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Add the number of counts equal to c to ``small[c]``, and return the counts that are too large."""
    limit = np.uint64(len(small))
    large = 0
    for i in range(np.uintp(len(counts))):
        if counts[i] < limit:
            small[counts[i]] += 1
        else:
            large += 1
    rest = np.empty(large, np.uint64)
    place = np.uintp(0)
    if large:
        for i in range(np.uintp(len(counts))):
            if counts[i] >= limit:
                rest[place] = counts[i]
                place += _ONE
    return rest
