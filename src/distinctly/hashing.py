"""The hash of tokens, n-grams and texts: version 2, of 64 or 128 bits.

N-grams are counted by their hashes, and a signature contains the hash of the texts. A change here
therefore changes which states can be merged, and every signature: raise the version, and update the
regression values in the tests. `docs/hashing.md` says what is promised.

Everything is SipHash with 128 bits of output, under one public key per kind of input:

- a token: SipHash-2-4 of its UTF-8 bytes;
- an n-gram: SipHash-1-3 of the hash of its first n−1 tokens, followed by that of its last token;
- a text: SipHash-1-3 of the hashes of its tokens, one after another.

An input of more than 64 bytes is shortened first: while it is longer, it is replaced by the hashes of its
pieces of 64 bytes; then its number of bytes is appended. So a long text is not hashed one token after
another, but many pieces at a time. A 64-bit hash is the first half of the output; the pieces of texts have
hashes of the same width as the text, those of tokens always 128 bits.

Texts that are not cut into tokens, and vectors, are hashed by BLAKE2b.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers, bounds_of

VERSION = 2

# 64-bit hashes have one dimension; 128-bit hashes are rows of two words.
Hashes = NDArray[np.uint64]
Bits = Literal[64, 128]
# Hashes to sort and to count by: numbers, or strings of 16 bytes.
Keys = NDArray[Any]
Key = tuple[int, int]

STEP = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, odd
MASK = 2**64 - 1
# The longest input that is hashed directly, in bytes and in words.
PIECE, PIECE_WORDS = 64, 8
# The number of rounds per word, and at the end: of bytes that anybody can choose, and of hashes.
BYTE_ROUNDS, HASH_ROUNDS = (2, 4), (1, 3)

_CONSTANTS = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
_BLOCK = 4096  # inputs that are hashed together; few enough to stay in the cache


def _key(kind: str) -> Key:
    name = f"distinctly {kind}".encode().ljust(16, b"\0")
    return int.from_bytes(name[:8], "little"), int.from_bytes(name[8:], "little")


# The key of each kind of input; `piece` is for the pieces of a long one.
KEYS = {kind: _key(kind) for kind in ("token", "ngram", "text", "piece")}


def long_key(key: Key) -> Key:
    """Return the key for an input that was shortened, so that no short input is hashed alike."""
    return key[0], key[1] ^ MASK


@runtime_checkable
class Encoded(Protocol):
    """Strings that are already bytes of UTF-8."""

    def encoded(self) -> list[bytes]:
        """Return the bytes of each string."""


def mix(values: Hashes) -> Hashes:
    """Scramble each value: a bijection in which every input bit reaches every output bit.

    It puts hashes into a random order; it is not the hash. The constants are David Stafford's variant 13
    of MurmurHash3's finaliser.
    """
    x: Hashes = values ^ (values >> np.uint64(30))
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x


def copy_numbers(hashes: Hashes) -> NDArray[np.int64]:
    """Return the number of each item among its copies, from 0 on, given the hashes of all items.

    Examples
    --------
    >>> copy_numbers(np.array([7, 5, 7, 7], np.uint64)).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(hashes, kind="stable")
    in_order = hashes[order]
    numbers = np.empty(len(hashes), np.int64)
    numbers[order] = np.arange(len(hashes)) - np.searchsorted(in_order, in_order, "left")
    return numbers


def block_labels(keys: Hashes, blocks: int) -> Integers:
    """Return the block of each unit; sizes of blocks differ by at most one, and fewer units are one each.

    Units are put in the order of their keys, so that the blocks depend only on the contents.

    Examples
    --------
    >>> block_labels(np.array([9, 7, 8, 1, 5], np.uint64), 2).tolist()
    [1, 0, 1, 0, 0]
    """
    labels = np.empty(len(keys), np.int64)
    count = min(blocks, len(keys))
    labels[np.argsort(keys, kind="stable")] = np.arange(len(keys)) * count // max(len(keys), 1)
    return labels


def hash_strings(strings: Iterable[str], bits: Bits = 64) -> Hashes:
    """Hash each string as a token.

    Examples
    --------
    >>> [f"{h:016x}" for h in hash_strings(["cat", ""])]
    ['a509f9afdfada70d', '4cac1f17abda515c']
    """
    return _hash_bytes(encoded(strings), KEYS["token"], BYTE_ROUNDS, bits, piece_bits=128)


def encoded(strings: Iterable[str]) -> list[bytes]:
    """Return strings as UTF-8; lone surrogates have no UTF-8 form, but must still be distinguished."""
    if isinstance(strings, Encoded):
        return strings.encoded()
    return [string.encode("utf-8", "surrogatepass") for string in strings]


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


def sequence(items: Hashes, bounds: Integers) -> Hashes:
    """Hash each sequence of hashes between two bounds: the text of these tokens."""
    width = 1 if items.ndim == 1 else 2
    bits: Bits = 64 if width == 1 else 128
    words, bounds = items.reshape(-1), bounds * width
    sizes = np.diff(bounds)
    is_long = sizes > PIECE_WORDS
    if not is_long.any():
        return _hash_words(words, bounds, KEYS["text"], bits)
    return _hash_words(*_shortened_words(words, sizes, bits), KEYS["text"], bits, is_long)


def _hash_words(
    words: Hashes, bounds: Integers, key: Key, bits: Bits, was_long: NDArray[np.bool_] | None = None
) -> Hashes:
    """Hash sequences of words of at most one piece, of which some were shortened."""
    lengths = (8 * np.diff(bounds)).astype(np.uint64) << np.uint64(56)
    blocks = np.insert(words, bounds[1:], lengths)
    return _sip(blocks, bounds + np.arange(len(bounds)), key, HASH_ROUNDS, bits, was_long)


def _shortened_words(words: Hashes, sizes: Integers, bits: Bits) -> tuple[Hashes, Integers]:
    """Shorten long sequences of words, as `_shortened` does byte strings; return the words and the bounds."""
    shortened, reduced = sizes > PIECE_WORDS, sizes.copy()
    while (is_long := reduced > PIECE_WORDS).any():
        in_long, counts = np.repeat(is_long, reduced), -(-reduced[is_long] // PIECE_WORDS)
        piece_sizes = np.full(int(counts.sum()), PIECE_WORDS)
        piece_sizes[np.cumsum(counts) - 1] = (reduced[is_long] - 1) % PIECE_WORDS + 1
        pieces = _hash_words(words[in_long], bounds_of(piece_sizes), KEYS["piece"], bits)
        kept = words[~in_long]
        reduced[is_long] = counts * (bits // 64)
        in_long = np.repeat(is_long, reduced)
        words = np.empty(len(in_long), np.uint64)
        words[in_long], words[~in_long] = pieces.reshape(-1), kept
    ends = bounds_of(reduced)[1:][shortened]
    lengths = (8 * sizes[shortened]).astype(np.uint64)
    return np.insert(words, ends, lengths), bounds_of(reduced + shortened)


def extend(grams: Hashes, tokens: Hashes) -> Hashes:
    """Return the hashes of n-grams, given those of their first n−1 tokens and of their last token."""
    width = 1 if tokens.ndim == 1 else 2
    words = [*grams.reshape(-1, width).T, *tokens.reshape(-1, width).T]
    extended = np.empty((width, len(tokens)), np.uint64)
    for start in range(0, len(tokens), _BLOCK):
        block = slice(start, start + _BLOCK)
        count = len(tokens[block])
        state, last = _State(KEYS["ngram"], count), np.full(count, 16 * width << 56, np.uint64)
        for word in [*(column[block] for column in words), last]:
            state.absorb(word, HASH_ROUNDS[0])
        for half in range(width):
            extended[half, block] = state.finish(half, HASH_ROUNDS[1])
    return extended[0] if width == 1 else np.ascontiguousarray(extended.T)


def keys_of(hashes: Hashes) -> Keys:
    """Return hashes as values that can be sorted and compared: 128-bit ones as strings of 16 bytes."""
    return hashes if hashes.ndim == 1 else np.ascontiguousarray(hashes).view("S16").reshape(-1)


def hash_contents(strings: Iterable[str]) -> Hashes:
    """Hash each string as a text that is not cut into tokens.

    Examples
    --------
    >>> [f"{h:016x}" for h in hash_contents(["A text.", ""])]
    ['4bee3184964f68d2', '5a2a54044b78b29a']
    """
    return _blake(encoded(strings))


def hash_rows(rows: NDArray[np.floating[Any]]) -> Hashes:
    """Hash each row of a table of floats by its bits; 0 and −0 are equal.

    Examples
    --------
    >>> first, second, third = hash_rows(np.array([[0.0, 1.0], [1.0, 0.0], [-0.0, 1.0]])).tolist()
    >>> first == third, first == second
    (True, False)
    """
    table = np.ascontiguousarray(rows + rows.dtype.type(0))
    width = table.dtype.itemsize * table.shape[1]
    data = table.reshape(-1).view(np.uint8).data
    return _blake(data[row * width : (row + 1) * width] for row in range(len(table)))


def _blake(items: Iterable[Any]) -> Hashes:
    digests = []
    for item in items:
        state = _BLAKE.copy()  # faster than a new one with the same parameters
        state.update(item)
        digests.append(state.digest())
    return np.frombuffer(b"".join(digests), np.dtype("<u8")).astype(np.uint64)


_BLAKE = blake2b(digest_size=8, person=b"distinctly")


def _hash_bytes(
    inputs: Sequence[bytes], key: Key, rounds: tuple[int, int], bits: int, *, piece_bits: int
) -> Hashes:
    """Hash byte strings of any length."""
    if max(map(len, inputs), default=0) <= PIECE:
        return _sip(*_blocks(inputs), key, rounds, bits)
    is_long = np.array([len(data) > PIECE for data in inputs])
    return _sip(*_blocks(_shortened(inputs, rounds, piece_bits)), key, rounds, bits, is_long)


def _shortened(inputs: Sequence[bytes], rounds: tuple[int, int], bits: int) -> list[bytes]:
    """Replace long byte strings by the hashes of their pieces, until these are short, and their lengths.

    Short ones are returned as they are.
    """
    reduced = list(inputs)
    while long := [place for place, data in enumerate(reduced) if len(data) > PIECE]:
        pieces = [
            reduced[place][start : start + PIECE]
            for place in long
            for start in range(0, len(reduced[place]), PIECE)
        ]
        hashes = _sip(*_blocks(pieces), KEYS["piece"], rounds, bits).astype("<u8").tobytes()
        start = 0
        for place in long:
            end = start - bits // 8 * (-len(reduced[place]) // PIECE)
            reduced[place] = hashes[start:end]
            start = end
    return [
        data if data is whole else data + len(whole).to_bytes(8, "little")
        for data, whole in zip(reduced, inputs)
    ]


def _blocks(inputs: Sequence[bytes]) -> tuple[Hashes, Integers]:
    """Return the words that SipHash absorbs: those of the bytes, the last one with their number."""
    lengths = np.fromiter(map(len, inputs), np.int64, len(inputs))
    padded = b"".join([data + bytes(7 - len(data) % 8) + bytes((len(data) & 255,)) for data in inputs])
    words = np.frombuffer(padded, np.dtype("<u8")).astype(np.uint64, copy=False)
    return words, bounds_of(lengths // 8 + 1)


def _sip(
    words: Hashes,
    bounds: Integers,
    key: Key,
    rounds: tuple[int, int],
    bits: int,
    was_long: NDArray[np.bool_] | None = None,
) -> Hashes:
    """Hash the words between each two bounds; inputs that were shortened get `long_key` of the key."""
    sizes = np.diff(bounds)
    # Of inputs in descending order of length, those that have an i-th word are the first ones.
    order = np.argsort(-sizes, kind="stable")
    hashes = np.empty((bits // 64, len(sizes)), np.uint64)
    for start in range(0, len(order), _BLOCK):
        rows = order[start : start + _BLOCK]
        starts, longest_first = bounds[rows], sizes[rows]
        state = _State(key, len(rows), None if was_long is None else was_long[rows])
        for place in range(int(longest_first[0])):
            count = int(np.searchsorted(-longest_first, -place, "left"))
            state.absorb(words[starts[:count] + place], rounds[0])
        for half in range(bits // 64):
            hashes[half, rows] = state.finish(half, rounds[1])
    return hashes[0] if bits == 64 else np.ascontiguousarray(hashes.T)


class _State:
    """The state v0, v1, v2, v3 of SipHash for many inputs: v0 and v2 in one table, v1 and v3 in another."""

    def __init__(self, key: Key, count: int, was_long: NDArray[np.bool_] | None = None) -> None:
        v0, v1, v2, v3 = (k ^ constant for k, constant in zip((*key, *key), _CONSTANTS))
        self._even, self._odd, self._spare = np.empty((3, 2, count), np.uint64)
        self._even[:] = np.array([[v0], [v2]], np.uint64)
        self._odd[:] = np.array([[v1 ^ 0xEE], [v3]], np.uint64)
        if was_long is not None:
            self._odd[:, was_long] ^= np.uint64(MASK)  # as `long_key`: both have the second half of the key

    def absorb(self, word: Hashes, rounds: int) -> None:
        """Absorb a word of each of the first inputs."""
        count = len(word)
        self._odd[1, :count] ^= word
        self._mix(count, rounds)
        self._even[0, :count] ^= word

    def finish(self, half: int, rounds: int) -> Hashes:
        """Return one half of the hash of each input; the first has to be requested first."""
        if half == 0:
            self._even[1] ^= np.uint64(0xEE)
        else:
            self._odd[0] ^= np.uint64(0xDD)
        self._mix(self._odd.shape[1], rounds)
        hashes: Hashes = np.bitwise_xor.reduce([*self._even, *self._odd])
        return hashes

    def _mix(self, count: int, rounds: int) -> None:
        even, odd, spare = self._even[:, :count], self._odd[:, :count], self._spare[:, :count]
        crossed = even[::-1]
        for _ in range(rounds):
            for added, left, right in ((even, *_FIRST_TURNS), (crossed, *_SECOND_TURNS)):
                np.add(added, odd, out=added)
                np.right_shift(odd, right, out=spare)
                odd <<= left
                odd |= spare
                odd ^= added
                turned, rest = added[0], spare[0]
                np.right_shift(turned, _HALF, out=rest)
                turned <<= _HALF
                turned |= rest


def _turns(*bits: int) -> tuple[Hashes, Hashes]:
    """Return the shifts to the left and to the right that rotate v1 and v3."""
    left = np.array(bits, np.uint64)[:, None]
    return left, np.uint64(64) - left


_FIRST_TURNS, _SECOND_TURNS, _HALF = _turns(13, 16), _turns(17, 21), np.uint64(32)
