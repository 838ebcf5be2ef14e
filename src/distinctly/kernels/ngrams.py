"""N-grams of hashed tokens: their hashes, their partitions, and how varied each text is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled
from distinctly.kernels.scan import mix

_CHAIN = np.uint64(0xA0761D6478BD642F)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_LENGTH = np.uint64(0xD6E8FEB86659FD93)
_ONE = np.uintp(1)


@compiled
def extend(grams: NDArray[np.uint64], tokens: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Make windows of n tokens from those of n−1, as `hashing.extend`."""
    made = np.empty(len(tokens), np.uint64)
    for i in range(np.uintp(len(tokens))):
        made[i] = mix(grams[i] * _CHAIN + tokens[i])
    return made


@compiled
def hash_texts(tokens: NDArray[np.uint64], bounds: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hash each text, as `hashing.sequence`."""
    made = np.empty(len(bounds) - 1, np.uint64)
    for row in range(np.uintp(len(bounds) - 1)):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        total = np.uint64(end - start + _ONE) * _LENGTH
        step = np.uint64(0)
        for i in range(start, end):
            step += _STEP
            total += mix(tokens[i] + step)
        made[row] = mix(total)
    return made


@compiled
def lengthen(windows: NDArray[np.uint64], tokens: NDArray[np.uint64]) -> None:
    """Make windows of n tokens of those of n−1, in place; the last of them have nothing to take in."""
    for i in range(np.uintp(len(tokens))):
        windows[i] = mix(windows[i] * _CHAIN + tokens[i])


@compiled
def partition(
    windows: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    n: int,
    bits: int,
    partitioned: NDArray[np.uint64],
) -> NDArray[np.int64]:
    """Sort the n-grams of all texts by the first `bits` bits of their hashes.

    Writes the hashes, and returns where each partition begins and ends. Windows that cross from
    text to text are no n-grams.
    """
    shift = np.uint64(64 - bits)
    short = np.uintp(n - 1)
    sizes = np.zeros(1 << bits, np.uint32)
    for row in range(np.uintp(len(bounds) - 1)):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        if end - start > short:
            for i in range(start, end - short):
                sizes[windows[i] >> shift] += np.uint32(1)
    places = np.zeros(len(sizes) + 1, np.int64)
    for p in range(np.uintp(len(sizes))):
        places[p + _ONE] = places[p] + np.int64(sizes[p])
        sizes[p] = np.uint32(places[p])  # from here on, where the next one goes
    for row in range(np.uintp(len(bounds) - 1)):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        if end - start > short:
            for i in range(start, end - short):
                p = windows[i] >> shift
                partitioned[sizes[p]] = windows[i]
                sizes[p] += np.uint32(1)
    return places


@compiled
def text_counts(
    windows: NDArray[np.uint64], bounds: NDArray[np.int64], n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Count the n-grams of each text by itself.

    Returns, a text: its distinct n-grams, and the bounds of its counts of counts; and those.
    """
    texts = np.uintp(len(bounds) - 1)
    short = np.uintp(n - 1)
    longest = np.uintp(1)
    for row in range(texts):
        longest = max(longest, np.uintp(bounds[row + _ONE] - bounds[row]))
    size = np.uintp(4)
    while size < np.uintp(2) * longest:
        size *= np.uintp(2)
    keys = np.empty(size, np.uint64)
    counts = np.zeros(size, np.int64)
    used = np.empty(longest, np.uintp)
    types = np.zeros(longest + _ONE, np.int64)
    distinct = np.zeros(texts, np.int64)
    found_bounds = np.zeros(texts + _ONE, np.int64)
    found_counts = np.empty(len(windows), np.int64)
    found_types = np.empty(len(windows), np.int64)
    found = np.uintp(0)
    for row in range(texts):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        many = np.uintp(0)
        if end - start > short:
            # As small a table as the text allows, so that a short one stays in the nearest cache.
            mask = np.uint64(4)
            while mask < np.uint64(2) * np.uint64(end - start):
                mask *= np.uint64(2)
            mask -= np.uint64(1)
            for i in range(start, end - short):
                x = windows[i]
                j = x & mask
                while counts[j] and keys[j] != x:
                    j = (j + np.uint64(1)) & mask
                if not counts[j]:
                    keys[j] = x
                    used[many] = np.uintp(j)
                    many += _ONE
                counts[j] += 1
            most = 0
            for k in range(many):
                count = counts[used[k]]
                counts[used[k]] = 0
                types[count] += 1
                most = max(most, count)
            for count in range(1, most + 1):
                if types[count]:
                    found_counts[found] = count
                    found_types[found] = types[count]
                    types[count] = 0
                    found += _ONE
        distinct[row] = np.int64(many)
        found_bounds[row + _ONE] = np.int64(found)
    return distinct, found_bounds, found_counts[:found].copy(), found_types[:found].copy()


@compiled
def count_rows(
    codes: NDArray[np.int32], bounds: NDArray[np.int64], rows: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """Count how often each numbered n-gram occurs in these texts."""
    occurring = np.zeros(size, np.int64)
    for place in range(np.uintp(len(rows))):
        row = np.uintp(rows[place])
        for i in range(np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])):
            occurring[np.uintp(codes[i])] += 1
    return occurring
