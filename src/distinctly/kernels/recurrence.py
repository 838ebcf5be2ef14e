"""N-grams that several texts share: keys of n-grams, and the number of texts with each key."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import STEP
from distinctly.kernels.compiling import compiled
from distinctly.kernels.sip import mix

_ONE = np.uintp(1)


@compiled
def occurrences(
    windows: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    n: int,
    again: bool,
    keys: NDArray[np.uint64],
    rows: NDArray[np.uint32],
) -> int:
    """Write one key per n-gram of each text, and its row; return the number of keys.

    Each repetition of an n-gram in a text has its own key (`again`), or none.
    """
    short = np.uintp(n - 1)
    longest = np.uintp(1)
    for row in range(np.uintp(len(bounds) - 1)):
        longest = max(longest, np.uintp(bounds[row + _ONE] - bounds[row]))
    size = np.uintp(4)
    while size < np.uintp(2) * longest:
        size *= np.uintp(2)
    seen = np.empty(size, np.uint64)
    counts = np.zeros(size, np.uint32)
    used = np.empty(longest, np.uintp)
    written = np.uintp(0)
    for row in range(np.uintp(len(bounds) - 1)):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        if end - start <= short:
            continue
        # A table as small as the text allows, so that short texts stay in the nearest cache.
        mask = np.uint64(4)
        while mask < np.uint64(2) * np.uint64(end - start):
            mask *= np.uint64(2)
        mask -= np.uint64(1)
        unique = np.uintp(0)
        for i in range(start, end - short):
            x = windows[i]
            j = x & mask
            while counts[j] and seen[j] != x:
                j = (j + np.uint64(1)) & mask
            times = np.uint64(counts[j])
            if not times:
                seen[j] = x
                used[unique] = np.uintp(j)
                unique += _ONE
            if not times or again:
                keys[written] = mix(x + times * STEP) if times else x
                rows[written] = np.uint32(row)
                written += _ONE
            counts[j] += np.uint32(1)
        for k in range(unique):
            counts[used[k]] = np.uint32(0)
    return int(written)


@compiled
def sort_keys(
    keys: NDArray[np.uint64],
    rows: NDArray[np.uint32],
    bits: int,
    sorted_keys: NDArray[np.uint64],
    sorted_rows: NDArray[np.uint32],
) -> NDArray[np.int64]:
    """Sort keys and their rows by the first `bits` bits of the keys; return the bounds of the partitions."""
    shift = np.uint64(64 - bits)
    places = np.zeros((1 << bits) + 1, np.int64)
    for i in range(np.uintp(len(keys))):
        places[np.uintp(keys[i] >> shift) + _ONE] += 1
    for p in range(np.uintp(1 << bits)):
        places[p + _ONE] += places[p]
    next_places = places[:-1].copy()
    for i in range(np.uintp(len(keys))):
        p = np.uintp(keys[i] >> shift)
        sorted_keys[next_places[p]] = keys[i]
        sorted_rows[next_places[p]] = rows[i]
        next_places[p] += 1
    return places


@compiled
def in_others(
    keys: NDArray[np.uint64],
    rows: NDArray[np.uint32],
    places: NDArray[np.int64],
    once: bool,
    totals: NDArray[np.int64],
) -> None:
    """Add up, for each text, the number of other texts that have each key; at most 1 per key if `once`."""
    largest = np.uintp(1)
    for p in range(np.uintp(len(places) - 1)):
        largest = max(largest, np.uintp(places[p + _ONE] - places[p]))
    size = np.uintp(4)
    while size * np.uintp(2) < np.uintp(3) * largest:
        size *= np.uintp(2)
    mask = np.uint64(size - _ONE)
    seen = np.empty(size, np.uint64)
    counts = np.empty(size, np.uint32)
    for p in range(np.uintp(len(places) - 1)):
        start, end = np.uintp(places[p]), np.uintp(places[p + _ONE])
        counts[:] = np.uint32(0)
        for i in range(start, end):
            x = keys[i]
            j = x & mask
            while counts[j] and seen[j] != x:
                j = (j + np.uint64(1)) & mask
            seen[j] = x
            counts[j] += np.uint32(1)
        for i in range(start, end):
            x = keys[i]
            j = x & mask
            while seen[j] != x or not counts[j]:
                j = (j + np.uint64(1)) & mask
            others = np.int64(counts[j]) - 1
            totals[np.uintp(rows[i])] += min(others, 1) if once else others
