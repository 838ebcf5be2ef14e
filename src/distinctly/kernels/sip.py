"""SipHash in compiled loops: of tokens from bytes, of n-grams and texts from the hashes of their tokens.

The definitions are those of `hashing.py`. A hash is a pair of words; the first one is the 64-bit hash, and
the compiler leaves out the other one where it is not used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import KEYS, PIECE, long_key
from distinctly.kernels.compiling import compiled, inlined
from distinctly.kernels.words8 import load8

State = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
Pair = tuple[np.uint64, np.uint64]


def _start(key: tuple[int, int]) -> State:
    """Return the state that a key gives."""
    k0, k1 = key
    return (
        np.uint64(k0 ^ 0x736F6D6570736575),
        np.uint64(k1 ^ 0x646F72616E646F6D ^ 0xEE),
        np.uint64(k0 ^ 0x6C7967656E657261),
        np.uint64(k1 ^ 0x7465646279746573),
    )


TOKEN, NGRAM, TEXT, PIECES = (_start(KEYS[kind]) for kind in ("token", "ngram", "text", "piece"))
LONG_TOKEN, LONG_TEXT = _start(long_key(KEYS["token"])), _start(long_key(KEYS["text"]))

_ZERO, _ONE, _TWO, _EIGHT = np.uintp(0), np.uintp(1), np.uintp(2), np.uintp(8)
_PIECE_BYTES, _PIECE_WORDS = np.uintp(PIECE), np.uintp(PIECE // 8)


@inlined
def mix(x: np.uint64) -> np.uint64:
    """Scramble 64 bits, to put hashes into an order; same as `hashing.mix`."""
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x


@inlined
def mixed(v0: np.uint64, v1: np.uint64, v2: np.uint64, v3: np.uint64) -> State:
    """Return the state after one round."""
    v0 += v1
    v1 = ((v1 << np.uint64(13)) | (v1 >> np.uint64(51))) ^ v0
    v0 = (v0 << np.uint64(32)) | (v0 >> np.uint64(32))
    v2 += v3
    v3 = ((v3 << np.uint64(16)) | (v3 >> np.uint64(48))) ^ v2
    v0 += v3
    v3 = ((v3 << np.uint64(21)) | (v3 >> np.uint64(43))) ^ v0
    v2 += v1
    v1 = ((v1 << np.uint64(17)) | (v1 >> np.uint64(47))) ^ v2
    v2 = (v2 << np.uint64(32)) | (v2 >> np.uint64(32))
    return v0, v1, v2, v3


@inlined
def absorbed(
    v0: np.uint64, v1: np.uint64, v2: np.uint64, v3: np.uint64, word: np.uint64, of_bytes: bool
) -> State:
    """Return the state after a word, with two rounds for bytes and one for hashes."""
    v0, v1, v2, v3 = mixed(v0, v1, v2, v3 ^ word)
    if of_bytes:
        v0, v1, v2, v3 = mixed(v0, v1, v2, v3)
    return v0 ^ word, v1, v2, v3


@inlined
def finished(v0: np.uint64, v1: np.uint64, v2: np.uint64, v3: np.uint64, of_bytes: bool) -> Pair:
    """Return the hash, with four rounds per half for bytes and three for hashes."""
    v0, v1, v2, v3 = mixed(v0, v1, v2 ^ np.uint64(0xEE), v3)
    v0, v1, v2, v3 = mixed(v0, v1, v2, v3)
    v0, v1, v2, v3 = mixed(v0, v1, v2, v3)
    if of_bytes:
        v0, v1, v2, v3 = mixed(v0, v1, v2, v3)
    first = v0 ^ v1 ^ v2 ^ v3
    v0, v1, v2, v3 = mixed(v0, v1 ^ np.uint64(0xDD), v2, v3)
    v0, v1, v2, v3 = mixed(v0, v1, v2, v3)
    v0, v1, v2, v3 = mixed(v0, v1, v2, v3)
    if of_bytes:
        v0, v1, v2, v3 = mixed(v0, v1, v2, v3)
    return first, v0 ^ v1 ^ v2 ^ v3


@inlined
def hash_piece(data: NDArray[np.uint8], start: np.uintp, end: np.uintp, state: State) -> Pair:
    """Hash bytes directly."""
    v0, v1, v2, v3 = state
    place = start
    while place + _EIGHT <= end:
        v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, load8(data, place), True)
        place += _EIGHT
    rest = end - place
    if place + _EIGHT <= np.uintp(len(data)):
        word = load8(data, place) & ((np.uint64(1) << np.uint64(_EIGHT * rest)) - np.uint64(1))
    else:  # fewer than eight bytes are left in the buffer
        word = np.uint64(0)
        for i in range(rest):
            word |= np.uint64(data[place + i]) << np.uint64(_EIGHT * i)
    word |= np.uint64(end - start) << np.uint64(56)
    v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, word, True)
    return finished(v0, v1, v2, v3, True)


@inlined
def hash_words(
    words: NDArray[np.uint64], start: np.uintp, end: np.uintp, state: State, of_bytes: bool
) -> Pair:
    """Hash words directly."""
    v0, v1, v2, v3 = state
    for i in range(start, end):
        v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, words[i], of_bytes)
    v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, np.uint64(end - start) << np.uint64(59), of_bytes)
    return finished(v0, v1, v2, v3, of_bytes)


@inlined
def put_hash(words: NDArray[np.uint64], place: np.uintp, pair: Pair, wide: bool) -> np.uintp:
    """Write a hash of 128 bits (`wide`) or 64 bits at a place, and return the place after it."""
    words[place] = pair[0]
    place += _ONE
    if wide:
        words[place] = pair[1]
        place += _ONE
    return place


@inlined
def _shortened(
    words: NDArray[np.uint64], count: np.uintp, length: np.uint64, of_bytes: bool, wide: bool
) -> np.uintp:
    """Replace words by the hashes of their pieces, in place, until these are short; append the length."""
    while count > _PIECE_WORDS:
        place = start = _ZERO
        while start < count:
            end = min(start + _PIECE_WORDS, count)
            place = put_hash(words, place, hash_words(words, start, end, PIECES, of_bytes), wide)
            start = end
        count = place
    words[count] = length
    count += _ONE
    return count


@compiled
def hash_long_token(data: NDArray[np.uint8], start: np.uintp, end: np.uintp) -> Pair:
    """Hash a token of more than one piece."""
    words = np.empty(_TWO * ((end - start) // _PIECE_BYTES + _TWO), np.uint64)
    place, first = _ZERO, start
    while first < end:
        last = min(first + _PIECE_BYTES, end)
        place = put_hash(words, place, hash_piece(data, first, last, PIECES), True)
        first = last
    count = _shortened(words, place, np.uint64(end - start), True, True)
    return hash_words(words, _ZERO, count, LONG_TOKEN, True)


@inlined
def hash_token(data: NDArray[np.uint8], start: np.uintp, end: np.uintp) -> Pair:
    """Hash a token; same as `hashing.hash_strings`."""
    if end - start > _PIECE_BYTES:
        return hash_long_token(data, start, end)
    return hash_piece(data, start, end, TOKEN)


@inlined
def hash_text(
    words: NDArray[np.uint64], start: np.uintp, end: np.uintp, spare: NDArray[np.uint64], wide: bool
) -> Pair:
    """Hash a text, given the words of the hashes of its tokens; same as `hashing.sequence`.

    `spare` has room for the hashes of the pieces of the text, and for its length.
    """
    if end - start <= _PIECE_WORDS:
        return hash_words(words, start, end, TEXT, False)
    place, first = _ZERO, start
    while first < end:
        last = min(first + _PIECE_WORDS, end)
        place = put_hash(spare, place, hash_words(words, first, last, PIECES, False), wide)
        first = last
    count = _shortened(spare, place, np.uint64(end - start) * np.uint64(8), False, wide)
    return hash_words(spare, _ZERO, count, LONG_TEXT, False)


@inlined
def hash_ngram(gram: np.uint64, token: np.uint64) -> np.uint64:
    """Return the 64-bit hash of an n-gram, given those of its first n−1 tokens and of its last token."""
    v0, v1, v2, v3 = NGRAM
    v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, gram, False)
    v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, token, False)
    v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, np.uint64(16 << 56), False)
    return finished(v0, v1, v2, v3, False)[0]


@inlined
def hash_wide_ngram(gram0: np.uint64, gram1: np.uint64, token0: np.uint64, token1: np.uint64) -> Pair:
    """Return the 128-bit hash of an n-gram, given those of its first n−1 tokens and of its last token."""
    v0, v1, v2, v3 = NGRAM
    v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, gram0, False)
    v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, gram1, False)
    v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, token0, False)
    v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, token1, False)
    v0, v1, v2, v3 = absorbed(v0, v1, v2, v3, np.uint64(32 << 56), False)
    return finished(v0, v1, v2, v3, False)
