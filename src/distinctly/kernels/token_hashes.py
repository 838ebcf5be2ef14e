"""The hashes of tokens, given their positions in UTF-8 bytes; same as `hashing.hash_strings`.

A token of less than eight bytes is one word of SipHash. Such words are hashed in a loop without branches,
which the compiler turns into one that hashes several words at once: ten times as fast as one token after
another. Longer tokens, one in ten of English, follow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled
from distinctly.kernels.sip import TOKEN, absorbed, finished, hash_token
from distinctly.kernels.words8 import load8

_ONE, _TWO, _EIGHT = np.uintp(1), np.uintp(2), np.uintp(8)


@compiled
def as_words(
    data: NDArray[np.uint8], spans: NDArray[np.int64], words: NDArray[np.uint64], long: NDArray[np.uintp]
) -> int:
    """Write the word of each token, and the numbers of those that are not one word; count these."""
    longs = np.uintp(0)
    for i in range(np.uintp(len(spans) >> 1)):
        start = np.uintp(spans[_TWO * i])
        size = np.uintp(spans[_TWO * i + _ONE]) - start
        word = np.uint64(0)
        is_long = True
        if start + _EIGHT <= np.uintp(len(data)):  # otherwise the word would reach beyond the data
            word = load8(data, start)
            is_long = size >= _EIGHT
        mask = (np.uint64(1) << np.uint64(_EIGHT * (size & np.uintp(7)))) - np.uint64(1)
        words[i] = (word & mask) | (np.uint64(size) << np.uint64(56))
        long[longs] = i
        longs += np.uintp(is_long)
    return int(longs)


@compiled
def hash_words(words: NDArray[np.uint64], hashes: NDArray[np.uint64]) -> None:
    """Write the 64-bit hash of each word."""
    for i in range(np.uintp(len(words))):
        v0, v1, v2, v3 = TOKEN
        v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, words[i], True)
        hashes[i] = finished(v0, v1, v2, v3, True)[0]


@compiled
def hash_long(
    data: NDArray[np.uint8], spans: NDArray[np.int64], long: NDArray[np.uintp], hashes: NDArray[np.uint64]
) -> None:
    """Write the 64-bit hashes of the tokens with these numbers."""
    for k in range(np.uintp(len(long))):
        i = long[k]
        hashes[i] = hash_token(data, np.uintp(spans[_TWO * i]), np.uintp(spans[_TWO * i + _ONE]))[0]


@compiled
def hash_wide_words(words: NDArray[np.uint64], hashes: NDArray[np.uint64]) -> None:
    """Write the 128-bit hash of each word, as a row of two words."""
    for i in range(np.uintp(len(words))):
        v0, v1, v2, v3 = TOKEN
        v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, words[i], True)
        hashes[i, 0], hashes[i, 1] = finished(v0, v1, v2, v3, True)


@compiled
def hash_wide_long(
    data: NDArray[np.uint8], spans: NDArray[np.int64], long: NDArray[np.uintp], hashes: NDArray[np.uint64]
) -> None:
    """Write the 128-bit hashes of the tokens with these numbers."""
    for k in range(np.uintp(len(long))):
        i = long[k]
        pair = hash_token(data, np.uintp(spans[_TWO * i]), np.uintp(spans[_TWO * i + _ONE]))
        hashes[i, 0], hashes[i, 1] = pair
