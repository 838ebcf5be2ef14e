"""Counting equal hashes in a table that fits the cache.

A table has a hash and a count in each row; a row without a count is free. Its length is a power
of two, well above the number of hashes that are put into it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled

_ZERO, _ONE = np.uintp(0), np.uintp(1)
# Counts below this are tallied in an array; few n-grams occur more often.
SMALL = 1 << 12


@compiled
def fill(table: NDArray[np.uint64], hashes: NDArray[np.uint64], weights: NDArray[np.uint64]) -> int:
    """Clear the table and count the hashes in it; return how many are distinct.

    Each occurrence counts as its weight, or as one where there are no weights.
    """
    table[:] = np.uint64(0)
    mask = np.uint64(len(table) - 1)
    weighted = len(weights) > 0
    many = 0
    for i in range(np.uintp(len(hashes))):
        x = hashes[i]
        weight = weights[i] if weighted else np.uint64(1)
        j = x & mask
        while True:
            seen = table[j, _ONE]
            if not seen:
                table[j, _ZERO] = x
                table[j, _ONE] = weight
                many += 1
                break
            if table[j, _ZERO] == x:
                table[j, _ONE] = seen + weight
                break
            j = (j + np.uint64(1)) & mask
    return many


@compiled
def entries(table: NDArray[np.uint64], many: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the distinct hashes of a table and their counts, in no order."""
    # One place more than needed: each row is written and only kept where it has a count, since a
    # branch that goes either way by chance costs more than a write.
    hashes, counts = np.empty(many + 1, np.uint64), np.empty(many + 1, np.uint64)
    place = np.uintp(0)
    for j in range(np.uintp(len(table))):
        hashes[place] = table[j, _ZERO]
        counts[place] = table[j, _ONE]
        place += np.uintp(table[j, _ONE] != np.uint64(0))
    return hashes[:many], counts[:many]


@compiled
def tally(counts: NDArray[np.uint64], small: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Add to ``small[c]`` how many counts are c, and return the counts that it has no room for."""
    room = np.uint64(len(small))
    large = 0
    for i in range(np.uintp(len(counts))):
        if counts[i] < room:
            small[counts[i]] += 1
        else:
            large += 1
    rest = np.empty(large, np.uint64)
    place = np.uintp(0)
    if large:
        for i in range(np.uintp(len(counts))):
            if counts[i] >= room:
                rest[place] = counts[i]
                place += _ONE
    return rest
