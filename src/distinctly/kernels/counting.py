"""Counting equal hashes in a table that fits the cache."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled

_ZERO, _ONE = np.uintp(0), np.uintp(1)
SMALL = 1 << 12


@compiled
def count(
    hashes: NDArray[np.uint64], weights: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the distinct hashes and how often each occurs, in no order.

    Each occurrence counts as its weight, or as one where there are no weights.
    """
    weighted = len(weights) > 0
    size = np.uint64(256)
    table = np.zeros((size, 2), np.uint64)  # hash and count side by side; no count, no entry
    many = np.uint64(0)
    for i in range(np.uintp(len(hashes))):
        if np.uint64(2) * many >= size:
            larger = np.zeros((np.uint64(4) * size, 2), np.uint64)
            mask = np.uint64(4) * size - np.uint64(1)
            for k in range(np.uintp(size)):
                if table[k, _ONE]:
                    j = table[k, _ZERO] & mask
                    while larger[j, _ONE]:
                        j = (j + np.uint64(1)) & mask
                    larger[j, _ZERO] = table[k, _ZERO]
                    larger[j, _ONE] = table[k, _ONE]
            table = larger
            size *= np.uint64(4)
        x = hashes[i]
        weight = weights[i] if weighted else np.uint64(1)
        mask = size - np.uint64(1)
        j = x & mask
        while True:
            seen = table[j, _ONE]
            if not seen:
                table[j, _ZERO] = x
                table[j, _ONE] = weight
                many += np.uint64(1)
                break
            if table[j, _ZERO] == x:
                table[j, _ONE] = seen + weight
                break
            j = (j + np.uint64(1)) & mask
    found, counts = np.empty(many, np.uint64), np.empty(many, np.uint64)
    place = np.uintp(0)
    for k in range(np.uintp(size)):
        if table[k, _ONE]:
            found[place] = table[k, _ZERO]
            counts[place] = table[k, _ONE]
            place += _ONE
    return found, counts


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
    for i in range(np.uintp(len(counts))):
        if counts[i] >= room:
            rest[place] = counts[i]
            place += _ONE
    return rest
