"""Sequences of n tokens that two corpora share, found for n = 1, 2, 3 … in turn.

A sequence of n tokens can only be shared if its first and its last n − 1 tokens are. So each round looks up
only what the round before has left, in a table of the sequences of one corpus.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled, inlined

_ONE, _NEXT, _BYTE = np.uint64(1), np.uintp(1), np.uintp(8)
_FIRST_FACTOR, _SECOND_FACTOR = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFT, _HALF = np.uint64(29), np.uint64(32)
# The first bits of a hash say to which part of the table it belongs.
_PART_SHIFT = np.uint64(60)
# Entries of the table that are requested before they are needed, so that memory answers many at a time.
_AHEAD = 64
# A sample of the sequences: those with a hash that has these bits 0.
_SAMPLED = np.uint64(63)

# Loops over `np.uintp` have such indices; a type checker takes them for integers of Python.
Index = int | np.uintp


@inlined
def _window(hashes: NDArray[np.uint64], start: Index, n: Index) -> np.uint64:
    """Return the hash of n tokens, never 0. The tokens are hashes already, so that mixing is enough."""
    x: np.uint64 = hashes[start]
    for k in range(start + _NEXT, start + n):
        x = ((x ^ (x >> _SHIFT)) * _FIRST_FACTOR) + hashes[k]
    x = (x ^ (x >> _HALF)) * _SECOND_FACTOR
    x ^= x >> _SHIFT
    return x if x else _ONE


@inlined
def _may_match(depths: NDArray[np.uint8], is_last: NDArray[np.bool_], i: Index, n: Index) -> bool:
    """Return whether the n tokens from i on are in one text, and shared but for the first or the last one.

    If n − 1 ≥ 2 tokens from i on are shared, i is not the last token of a text.
    """
    if n == 1:
        return True
    before = np.uint8(n - _NEXT)
    return depths[i] >= before and (n > 2 or not is_last[i]) and depths[i + _NEXT] >= before


@compiled
def sampled_windows(
    hashes: NDArray[np.uint64], is_last: NDArray[np.bool_], depths: NDArray[np.uint8], n: np.uintp
) -> tuple[int, NDArray[np.uint64]]:
    """Return how many sequences may be shared, and the hashes of a sample of the different ones."""
    sample = np.empty(len(hashes) // 8 + 64, np.uint64)
    number, sampled = np.uintp(0), np.uintp(0)
    for i in range(np.uintp(len(hashes))):
        if _may_match(depths, is_last, i, n):
            number += _NEXT
            x = _window(hashes, i, n)
            if not (x >> _HALF) & _SAMPLED and sampled < np.uintp(len(sample)):
                sample[sampled] = x
                sampled += _NEXT
    return np.int64(number), sample[:sampled]


@compiled
def fill(
    hashes: NDArray[np.uint64],
    is_last: NDArray[np.bool_],
    depths: NDArray[np.uint8],
    n: np.uintp,
    table: NDArray[np.uint64],
    part: int,
    parts: int,
) -> bool:
    """Enter sequences that may be shared into one part of a table; return whether they fit.

    The table is divided into `parts` equal parts, a power of two, each of which is filled by one thread.
    """
    size = np.uint64(len(table) // parts)
    mask = size - _ONE
    first = np.uint64(part) * size
    of_part, part_mask = np.uint64(part), np.uint64(parts - 1)
    room = np.int64(size) - 1
    for i in range(np.uintp(len(hashes))):
        if not _may_match(depths, is_last, i, n):
            continue
        x = _window(hashes, i, n)
        if (x >> _PART_SHIFT) & part_mask != of_part:
            continue
        j = x & mask
        while table[first + j] and table[first + j] != x:
            j = (j + _ONE) & mask
        if not table[first + j]:
            if not room:
                return False
            room -= 1
            table[first + j] = x
    return True


@inlined
def _place(table: NDArray[np.uint64], x: np.uint64, mask: np.uint64, part_mask: np.uint64) -> np.int64:
    """Return the place of a sequence in a table; −1 if it is not there."""
    first = ((x >> _PART_SHIFT) & part_mask) * (mask + _ONE)
    j = x & mask
    while table[first + j] and table[first + j] != x:
        j = (j + _ONE) & mask
    place: np.int64 = np.int64(first + j) if table[first + j] else np.int64(-1)
    return place


@inlined
def _bit(bits: NDArray[np.uint8], i: Index) -> bool:
    return bool((bits[i >> np.uintp(3)] >> np.uint8(i & np.uintp(7))) & np.uint8(1))


@compiled
def mark(
    hashes: NDArray[np.uint64],
    is_last: NDArray[np.bool_],
    before: NDArray[np.uint8],
    n: np.uintp,
    table: NDArray[np.uint64],
    parts: int,
    marks: NDArray[np.bool_],
) -> NDArray[np.uint8]:
    """Look up the sequences of one corpus in the table of the other, and mark those that are there.

    Return which sequences are there, one bit per token; `before` are those of n − 1 tokens.
    """
    mask, part_mask = np.uint64(len(table) // parts) - _ONE, np.uint64(parts - 1)
    starts, windows = np.empty(_AHEAD + 8, np.uintp), np.empty(_AHEAD + 8, np.uint64)
    shared = np.zeros(len(before), np.uint8)
    size = np.uintp(len(hashes))
    waiting = np.uintp(0)
    read = np.uint64(0)
    for byte in range(np.uintp(len(before))):
        if before[byte] or n == 1:
            for i in range(byte * _BYTE, min(byte * _BYTE + _BYTE, size)):
                if n > 1:
                    is_shared = _bit(before, i) and i + _NEXT < size and _bit(before, i + _NEXT)
                    if not is_shared or (n == 2 and is_last[i]):
                        continue
                x = _window(hashes, i, n)
                starts[waiting], windows[waiting] = i, x
                read ^= table[((x >> _PART_SHIFT) & part_mask) * (mask + _ONE) + (x & mask)]
                waiting += _NEXT
        if waiting >= _AHEAD or byte == len(before) - 1:
            for k in range(waiting):
                place = _place(table, windows[k], mask, part_mask)
                if place >= 0:
                    if not marks[place]:  # writing takes the memory from the other processors
                        marks[place] = True
                    i = starts[k]
                    shared[i >> np.uintp(3)] |= np.uint8(1) << np.uint8(i & np.uintp(7))
            waiting = np.uintp(0)
    if read == _ONE:  # so that the reads above are not left out
        starts[0] = 0
    return shared


@compiled
def settle(
    hashes: NDArray[np.uint64],
    is_last: NDArray[np.bool_],
    depths: NDArray[np.uint8],
    n: np.uintp,
    table: NDArray[np.uint64],
    parts: int,
    marks: NDArray[np.bool_],
    start: np.uintp,
    stop: np.uintp,
) -> None:
    """Set the depths to n where a sequence was marked, for some positions of the corpus of the table."""
    mask, part_mask = np.uint64(len(table) // parts) - _ONE, np.uint64(parts - 1)
    for i in range(start, stop):
        if _may_match(depths, is_last, i, n):
            place = _place(table, _window(hashes, i, n), mask, part_mask)
            if place >= 0 and marks[place]:
                depths[i] = np.uint8(n)
