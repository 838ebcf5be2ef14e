"""N-grams of hashed tokens: their hashes, their partitions, and the counts of each text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import PIECE
from distinctly.kernels.compiling import compiled, inlined
from distinctly.kernels.sip import hash_ngram, hash_text

_ONE = np.uintp(1)


@compiled
def extend(grams: NDArray[np.uint64], tokens: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the windows of n tokens, given those of n−1 tokens; same as `hashing.extend`."""
    extended = np.empty(len(tokens), np.uint64)
    for i in range(np.uintp(len(tokens))):
        extended[i] = hash_ngram(grams[i], tokens[i])
    return extended


@compiled
def hash_texts(tokens: NDArray[np.uint64], bounds: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the hash of each text; same as `hashing.sequence`."""
    hashes = np.empty(len(bounds) - 1, np.uint64)
    spare = spare_words(bounds, 1)
    for row in range(np.uintp(len(hashes))):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        hashes[row] = hash_text(tokens, start, end, spare, False)[0]
    return hashes


@inlined
def spare_words(bounds: NDArray[np.int64], width: int) -> NDArray[np.uint64]:
    """Return room for what `hash_text` needs for the longest text, with hashes of `width` words."""
    longest = 0
    for row in range(np.uintp(len(bounds) - 1)):
        longest = max(longest, bounds[row + _ONE] - bounds[row])
    return np.empty(width * (width * longest // (PIECE // 8) + 2), np.uint64)


@compiled
def lengthen(windows: NDArray[np.uint64], tokens: NDArray[np.uint64]) -> None:
    """Turn windows of n−1 tokens into windows of n tokens, in place; the last n−1 are left as they are."""
    for i in range(np.uintp(len(tokens))):
        windows[i] = hash_ngram(windows[i], tokens[i])


@compiled
def partition(
    windows: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    n: int,
    bits: int,
    partitioned: NDArray[np.uint64],
) -> NDArray[np.int64]:
    """Sort the n-grams of all texts by the first `bits` bits of their hashes.

    Write the hashes to `partitioned`, and return the bounds of the partitions. Windows that cross texts
    are not n-grams.
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
        sizes[p] = np.uint32(places[p])  # from here on, the next free position of the partition
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
    """Count the n-grams of each text separately.

    Return the number of distinct n-grams per text, and the bounds, the counts and the types of their
    counts of counts.
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
    out_bounds = np.zeros(texts + _ONE, np.int64)
    out_counts = np.empty(len(windows), np.int64)
    out_types = np.empty(len(windows), np.int64)
    place = np.uintp(0)
    for row in range(texts):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        unique = np.uintp(0)
        if end - start > short:
            # A table as small as the text allows, so that short texts stay in the nearest cache.
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
                    used[unique] = np.uintp(j)
                    unique += _ONE
                counts[j] += 1
            largest = 0
            for k in range(unique):
                count = counts[used[k]]
                counts[used[k]] = 0
                types[count] += 1
                largest = max(largest, count)
            for count in range(1, largest + 1):
                if types[count]:
                    out_counts[place] = count
                    out_types[place] = types[count]
                    types[count] = 0
                    place += _ONE
        distinct[row] = np.int64(unique)
        out_bounds[row + _ONE] = np.int64(place)
    return distinct, out_bounds, out_counts[:place].copy(), out_types[:place].copy()


@compiled
def count_rows(
    codes: NDArray[np.int32], bounds: NDArray[np.int64], rows: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """Return the count of each numbered n-gram in the texts of these rows."""
    occurring = np.zeros(size, np.int64)
    for place in range(np.uintp(len(rows))):
        row = np.uintp(rows[place])
        for i in range(np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])):
            occurring[np.uintp(codes[i])] += 1
    return occurring


@compiled
def number(hashes: NDArray[np.uint64]) -> tuple[NDArray[np.int64], int]:
    """Number the distinct hashes in the order of their first occurrence; return one number per hash."""
    size = np.uint64(16)
    while size < np.uint64(2) * np.uint64(len(hashes)):
        size *= np.uint64(2)
    mask = size - np.uint64(1)
    keys = np.empty(size, np.uint64)
    numbers = np.full(size, -1, np.int64)
    codes = np.empty(len(hashes), np.int64)
    distinct = 0
    for i in range(np.uintp(len(hashes))):
        x = hashes[i]
        j = x & mask
        while numbers[j] >= 0 and keys[j] != x:
            j = (j + np.uint64(1)) & mask
        if numbers[j] < 0:
            keys[j] = x
            numbers[j] = distinct
            distinct += 1
        codes[i] = numbers[j]
    return codes, distinct


@compiled
def count_units(
    codes: NDArray[np.int64],
    bounds: NDArray[np.int64],
    rows: NDArray[np.int64],
    labels: NDArray[np.int64],
    size: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return each unit and n-gram that it has, and how often; the texts of a unit follow each other."""
    most = np.uintp(0)
    for place in range(np.uintp(len(rows))):
        row = np.uintp(rows[place])
        most += np.uintp(bounds[row + _ONE] - bounds[row])
    units, grams = np.empty(most, np.int64), np.empty(most, np.int64)
    counts = np.empty(most, np.int64)
    last_unit = np.full(size, -1, np.int64)
    entry = np.empty(size, np.int64)
    end = np.uintp(0)
    for place in range(np.uintp(len(rows))):
        row, unit = np.uintp(rows[place]), labels[place]
        for i in range(np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])):
            gram = codes[i]
            if last_unit[gram] == unit:
                counts[entry[gram]] += 1
            else:
                last_unit[gram] = unit
                entry[gram] = np.int64(end)
                units[end], grams[end], counts[end] = unit, gram, 1
                end += _ONE
    return units[:end].copy(), grams[:end].copy(), counts[:end].copy()
