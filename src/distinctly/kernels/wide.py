"""The same loops for hashes of 128 bits, which are rows of two words: n-grams, partitions, and counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled
from distinctly.kernels.ngrams import spare_words
from distinctly.kernels.sip import hash_text, hash_wide_ngram

_ZERO, _ONE, _TWO = np.uintp(0), np.uintp(1), np.uintp(2)


@compiled
def hash_texts(tokens: NDArray[np.uint64], bounds: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the hash of each text; same as `hashing.sequence`."""
    hashes = np.empty((len(bounds) - 1, 2), np.uint64)
    spare = spare_words(bounds, 2)
    words = tokens.reshape(-1)
    for row in range(np.uintp(len(hashes))):
        start, end = _TWO * np.uintp(bounds[row]), _TWO * np.uintp(bounds[row + _ONE])
        hashes[row, _ZERO], hashes[row, _ONE] = hash_text(words, start, end, spare, True)
    return hashes


@compiled
def lengthen(windows: NDArray[np.uint64], tokens: NDArray[np.uint64]) -> None:
    """Turn windows of n−1 tokens into windows of n tokens, in place; the last n−1 are left as they are."""
    for i in range(np.uintp(len(tokens))):
        windows[i, _ZERO], windows[i, _ONE] = hash_wide_ngram(
            windows[i, _ZERO], windows[i, _ONE], tokens[i, _ZERO], tokens[i, _ONE]
        )


@compiled
def partition(
    windows: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    n: int,
    bits: int,
    partitioned: NDArray[np.uint64],
) -> NDArray[np.int64]:
    """Sort the n-grams of all texts by the first `bits` bits of their hashes, as `ngrams.partition` does."""
    shift = np.uint64(64 - bits)
    short = np.uintp(n - 1)
    places = np.zeros((1 << bits) + 1, np.int64)
    for row in range(np.uintp(len(bounds) - 1)):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        if end - start > short:
            for i in range(start, end - short):
                places[np.uintp(windows[i, _ZERO] >> shift) + _ONE] += 1
    for p in range(np.uintp(len(places) - 1)):
        places[p + _ONE] += places[p]
    free = places.copy()
    for row in range(np.uintp(len(bounds) - 1)):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        if end - start > short:
            for i in range(start, end - short):
                p = np.uintp(windows[i, _ZERO] >> shift)
                place = np.uintp(free[p])
                partitioned[place, _ZERO] = windows[i, _ZERO]
                partitioned[place, _ONE] = windows[i, _ONE]
                free[p] += 1
    return places


@compiled
def fill(table: NDArray[np.uint64], hashes: NDArray[np.uint64], weights: NDArray[np.uint64]) -> int:
    """Clear the table and count the hashes in it, as `counting.fill` does; the count is the third column."""
    table[:] = np.uint64(0)
    mask = np.uint64(len(table) - 1)
    weighted = len(weights) > 0
    distinct = 0
    for i in range(np.uintp(len(hashes))):
        first, second = hashes[i, _ZERO], hashes[i, _ONE]
        weight = weights[i] if weighted else np.uint64(1)
        j = first & mask
        while True:
            seen = table[j, _TWO]
            if not seen:
                table[j, _ZERO], table[j, _ONE], table[j, _TWO] = first, second, weight
                distinct += 1
                break
            if table[j, _ZERO] == first and table[j, _ONE] == second:
                table[j, _TWO] = seen + weight
                break
            j = (j + np.uint64(1)) & mask
    return distinct


@compiled
def entries(table: NDArray[np.uint64], distinct: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the distinct hashes of a table and their counts, in no particular order."""
    hashes, counts = np.empty((distinct, 2), np.uint64), np.empty(distinct, np.uint64)
    place = _ZERO
    for j in range(np.uintp(len(table))):
        if table[j, _TWO]:
            hashes[place, _ZERO], hashes[place, _ONE] = table[j, _ZERO], table[j, _ONE]
            counts[place] = table[j, _TWO]
            place += _ONE
    return hashes, counts
