"""The 64-bit hash of tokens, n-grams and texts: version 1.

N-grams are counted by their hashes, and a signature contains the hash of the texts. A change here
therefore changes which states can be merged, and every signature: raise the version, and update the
regression values in the tests.

A token of `L` bytes (UTF-8, zero-padded to 8-byte little-endian words ``w_0, w_1, …``) hashes to
``mix((L+1)·LENGTH + Σ_i mix(w_i + (i+1)·STEP))``. The sum can be evaluated in any order, so numpy
computes it for a whole vocabulary at once, and a compiled loop without waiting for earlier steps.
The hash of an n-gram or a text is computed from the hashes of its tokens, by `extend` and `sequence`.

All arithmetic is modulo 2**64. Two n-grams collide with probability 2**-64; among a billion distinct
n-grams, the probability of any collision is about 3 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers, bounds_of

VERSION = 1

Hashes = NDArray[np.uint64]

STEP = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, odd
LENGTH = np.uint64(0xD6E8FEB86659FD93)
CHAIN = np.uint64(0xA0761D6478BD642F)

_BLOCK = 512  # rows that are hashed together; few enough to stay in the cache


@runtime_checkable
class Encoded(Protocol):
    """Strings that are already bytes of UTF-8."""

    def encoded(self) -> list[bytes]:
        """Return the bytes of each string."""


def mix(values: Hashes) -> Hashes:
    """Scramble each value: a bijection in which every input bit reaches every output bit.

    The constants are David Stafford's variant 13 of MurmurHash3's finaliser.
    """
    x: Hashes = values ^ (values >> np.uint64(30))
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x


def hash_strings(strings: Iterable[str]) -> Hashes:
    """Hash each string.

    Examples
    --------
    >>> [f"{h:016x}" for h in hash_strings(["cat", ""])]
    ['dc0568c3d3e1754f', 'b55a8fa067537a73']
    """
    # Lone surrogates have no UTF-8 form, but must still be distinguished.
    if isinstance(strings, Encoded):
        encoded = strings.encoded()
    else:
        encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    padded = b"".join([string + bytes(-len(string) % 8) for string in encoded])
    words = np.frombuffer(padded, np.dtype("<u8")).astype(np.uint64, copy=False)
    return sequence(words, bounds_of(-(-lengths // 8)), lengths)


def hash_words(words: Sequence[str]) -> Hashes:
    """Hash each word, with a cache of words from earlier calls: those of small inputs often recur.

    Examples
    --------
    >>> hash_words(["cat", ""]).tolist() == hash_strings(["cat", ""]).tolist()
    True
    """
    if len(words) > _MOST_CACHED_AT_ONCE:
        return hash_strings(words)
    try:
        return np.fromiter(map(_cached.__getitem__, words), np.uint64, len(words))
    except KeyError:
        hashes = hash_strings(words)
    if len(_cached) > _MOST_CACHED:
        _cached.clear()
    _cached.update(zip(words, hashes.tolist()))
    return hashes


_MOST_CACHED_AT_ONCE, _MOST_CACHED = 5_000, 50_000
_cached: dict[str, int] = {}


def sequence(items: Hashes, bounds: Integers, lengths: Integers | None = None) -> Hashes:
    """Hash each sequence of items between two bounds, including their order and number."""
    sizes = np.diff(bounds)
    place = np.arange(1, len(items) + 1, dtype=np.uint64) - np.repeat(bounds[:-1], sizes).astype(np.uint64)
    running = np.zeros(len(items) + 1, np.uint64)
    np.cumsum(mix(items + place * STEP), out=running[1:])
    within = running[bounds[1:]] - running[bounds[:-1]]
    size = (sizes if lengths is None else lengths) + 1  # so that an empty sequence does not hash to 0
    return mix(within + size.astype(np.uint64) * LENGTH)


def extend(grams: Hashes, tokens: Hashes) -> Hashes:
    """Return the hashes of n-grams, given those of their first n−1 tokens and of their last token."""
    return mix(grams * CHAIN + tokens)


def hash_rows(rows: NDArray[np.floating[Any]]) -> Hashes:
    """Hash each row of a table of floats by its bits; 0 and −0 are equal.

    Examples
    --------
    >>> first, second, third = hash_rows(np.array([[0.0, 1.0], [1.0, 0.0], [-0.0, 1.0]])).tolist()
    >>> first == third, first == second
    (True, False)
    """
    totals = np.empty(len(rows), np.uint64)
    odd = rows.shape[1] * rows.itemsize % 8 // rows.itemsize
    place = np.arange(1, -(-rows.shape[1] * rows.itemsize // 8) + 1, dtype=np.uint64) * STEP
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK] + rows.dtype.type(0)
        padded = np.pad(block, ((0, 0), (0, odd))) if odd else block
        words = np.ascontiguousarray(padded).view(np.uint64)
        totals[start : start + _BLOCK] = mix(words + place).sum(axis=1, dtype=np.uint64)
    return mix(totals + np.array([rows.shape[1] + 1], np.uint64) * LENGTH)
