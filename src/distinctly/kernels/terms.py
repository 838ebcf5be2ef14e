"""Terms of two corpora: their counts side by side, and how the occurrences of some of them are spread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled

_ONE = np.uintp(1)


@compiled
def join_counts(
    hashes: NDArray[np.uint64],
    counts: NDArray[np.uint64],
    other_hashes: NDArray[np.uint64],
    other_counts: NDArray[np.uint64],
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct hashes of two partitions, with the count of each in both."""
    entries = len(hashes) + len(other_hashes)
    size = np.uint64(16)
    while size < np.uint64(2 * entries):
        size *= np.uint64(2)
    mask = size - np.uint64(1)
    slots = np.full(size, -1, np.int64)
    keys = np.empty(entries, np.uint64)
    first, second = np.zeros(entries, np.int64), np.zeros(entries, np.int64)
    for i in range(np.uintp(len(hashes))):  # no hash occurs twice
        keys[i] = hashes[i]
        first[i] = np.int64(counts[i])
        j = hashes[i] & mask
        while slots[j] >= 0:
            j = (j + np.uint64(1)) & mask
        slots[j] = np.int64(i)
    used = np.int64(len(hashes))
    for i in range(np.uintp(len(other_hashes))):
        x = other_hashes[i]
        j = x & mask
        while slots[j] >= 0 and keys[slots[j]] != x:
            j = (j + np.uint64(1)) & mask
        if slots[j] < 0:
            slots[j] = used
            keys[used] = x
            used += 1
        second[slots[j]] = np.int64(other_counts[i])
    return keys[:used], first[:used], second[:used]


@compiled
def slot_table(keys: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Return a table of the places of keys, in which `spread` looks them up."""
    size = np.uint64(16)
    while size < np.uint64(2 * len(keys)):
        size *= np.uint64(2)
    mask = size - np.uint64(1)
    slots = np.full(size, -1, np.int32)
    for place in range(len(keys)):
        j = keys[place] & mask
        while slots[j] >= 0:
            j = (j + np.uint64(1)) & mask
        slots[j] = np.int32(place)
    return slots


@compiled
def spread(
    windows: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    last: NDArray[np.bool_],
    n: int,
    keys: NDArray[np.uint64],
    slots: NDArray[np.int32],
    counts: NDArray[np.int64],
    total: int,
    units: NDArray[np.int64],
    even: NDArray[np.int64],
    first: NDArray[np.int64],
) -> None:
    """Add how the occurrences of keys are spread over units; see `statistics.sought_terms.TermUses`.

    A unit is one text or several consecutive texts; `last` says which texts end one. Write the position of
    the first occurrence of each key to `first`, where it is negative.
    """
    mask = np.uint64(len(slots) - 1)
    short = np.uintp(n - 1)
    # A bit per slot that is in use: most n-grams are not sought, and this table stays in the cache.
    filter_mask = np.uint64(8 * len(slots) - 1)
    used_bits = np.zeros(len(slots), np.uint8)
    for place in range(len(keys)):
        bit = (keys[place] >> np.uint64(20)) & filter_mask
        used_bits[bit >> np.uint64(3)] |= np.uint8(1) << np.uint8(bit & np.uint64(7))
    in_unit = np.zeros(len(keys), np.int64)
    touched = np.empty(len(keys), np.int32)
    number = 0
    size = np.int64(0)
    for row in range(np.uintp(len(bounds) - 1)):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        if end - start > short:
            size += np.int64(end - start - short)
            for i in range(start, end - short):
                x = windows[i]
                bit = (x >> np.uint64(20)) & filter_mask
                if not used_bits[bit >> np.uint64(3)] >> np.uint8(bit & np.uint64(7)) & np.uint8(1):
                    continue
                j = x & mask
                while slots[j] >= 0 and keys[slots[j]] != x:
                    j = (j + np.uint64(1)) & mask
                place = slots[j]
                if place < 0:
                    continue
                if not in_unit[place]:
                    touched[number] = place
                    number += 1
                    if first[place] < 0:
                        first[place] = np.int64(i)
                in_unit[place] += 1
        if last[row]:
            for k in range(number):
                place = touched[k]
                units[place] += 1
                even[place] += min(in_unit[place] * total, size * counts[place])
                in_unit[place] = 0
            number = 0
            size = np.int64(0)
