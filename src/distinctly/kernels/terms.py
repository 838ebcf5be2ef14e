"""Terms of two corpora: their counts side by side, and how the occurrences of some of them are spread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled

_ONE = np.uintp(1)
# The filter of keys reads other bits of a hash than the table of their places.
_OTHER_BITS = np.uint64(20)


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
def slot_table(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return a table of the places of keys, and a filter of their bits, in which `spread` looks them up."""
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
    # Most n-grams are not sought. Eight bits per slot reject them, and stay in the cache.
    bits = np.zeros(size, np.uint8)
    for place in range(len(keys)):
        bit = (keys[place] >> _OTHER_BITS) & (np.uint64(8) * size - np.uint64(1))
        bits[bit >> np.uint64(3)] |= np.uint8(1) << np.uint8(bit & np.uint64(7))
    return slots, bits


@compiled
def spread(
    windows: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    last: NDArray[np.bool_],
    n: int,
    keys: NDArray[np.uint64],
    slots: NDArray[np.int32],
    bits: NDArray[np.uint8],
    counts: NDArray[np.int64],
    total: int,
    in_unit: NDArray[np.int64],
    units: NDArray[np.int64],
    even: NDArray[np.int64],
    is_spelled: NDArray[np.bool_],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Add how the occurrences of keys are spread over units; see `statistics.sought_terms.TermUses`.

    A unit is one text or several consecutive texts; `last` says which texts end one. Return the keys that
    are not spelled yet, which are then marked as spelled, and the position of an occurrence of each.
    `in_unit` is room for counts, and is zero before and after.
    """
    mask = np.uint64(len(slots) - 1)
    filter_mask = np.uint64(8 * len(bits) - 1)
    short = np.uintp(n - 1)
    touched = np.empty(len(keys), np.int32)
    new, positions = np.empty(len(keys), np.int32), np.empty(len(keys), np.int64)
    number, spelled = 0, 0
    size = np.int64(0)
    for row in range(np.uintp(len(bounds) - 1)):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        if end - start > short:
            size += np.int64(end - start - short)
            for i in range(start, end - short):
                x = windows[i]
                bit = (x >> _OTHER_BITS) & filter_mask
                if not bits[bit >> np.uint64(3)] >> np.uint8(bit & np.uint64(7)) & np.uint8(1):
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
                    if not is_spelled[place]:
                        is_spelled[place] = True
                        new[spelled], positions[spelled] = place, np.int64(i)
                        spelled += 1
                in_unit[place] += 1
        if last[row]:
            for k in range(number):
                place = touched[k]
                units[place] += 1
                even[place] += min(in_unit[place] * total, size * counts[place])
                in_unit[place] = 0
            number = 0
            size = np.int64(0)
    return new[:spelled].copy(), positions[:spelled].copy()
