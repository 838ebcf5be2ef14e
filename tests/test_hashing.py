"""The hash of version 2: frozen values, the published values of SipHash, an oracle, and known collisions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import hashing as oracle
from tests.strategies import TEXTS, TOKEN_LISTS

from distinctly import hashing
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.hashing import Bits, Hashes
from distinctly.ragged import bounds_of
from distinctly.views.tokens import WORDS, Tokens

BITS: list[Bits] = [64, 128]


def digests(hashes: Hashes) -> list[bytes]:
    """Return each hash as bytes, 8 or 16 of them."""
    return [row.astype("<u8").tobytes() for row in hashes]


def test_version_2_is_frozen() -> None:
    # Computed by tests/oracles/hashing.py when version 2 was fixed. If one changes, so do signatures
    # and states: raise hashing.VERSION, and note it in the change log.
    assert hashing.VERSION == 2
    words = ["", "a", "cat", "eight by", "nine byte", "知道", "\x00", "a\x00", "long " * 60]
    assert [digest.hex() for digest in digests(hashing.hash_strings(words, 128))] == FROZEN_WORDS
    view = Tokens.of([["the", "cat", "sat"]])
    assert [view.grams(n)[0].tobytes().hex() for n in (1, 2, 3)] == FROZEN_NGRAMS
    assert view.text_hashes[0].tobytes().hex() == FROZEN_TEXT
    assert hashing.hash_contents(["the cat sat"])[0].tobytes().hex() == FROZEN_CONTENT


FROZEN_WORDS = [
    "5c51daab171fac4c2540e53e7451806c",
    "e559981119ef7006aa781ea80831ff8a",
    "0da7addfaff909a59e20a6c70e83ce3c",
    "87892bb8ad8584c8db188fd6762d8333",
    "a098d2bafe3382549994684de98eac70",
    "8f8f864ea044fb387264037fec13eb56",
    "5586a21da9343c31200a184f7310950e",
    "f963cd33f312c110f670a61787d9d017",
    "63ab4b6bb277018217eec78340cd8339",
]
FROZEN_NGRAMS = ["3f5e53944ce2d46d", "02d1d39c345aa6c4", "566da7bb6e75e411"]
FROZEN_TEXT = "f128c4551fddabb2"
FROZEN_CONTENT = "ed8bb1786a7c3383"


@pytest.mark.parametrize(
    ("length", "short", "wide"),
    [
        # From vectors.h of the reference implementation of SipHash-2-4: the key is 00 01 … 0f, and the
        # input 00 01 02 … of this length.
        (0, "310e0edd47db6f72", "a3817f04ba25a8e66df67214c7550293"),
        (1, "fd67dc93c539f874", "da87c1d86b99af44347659119b22fc45"),
        (8, "6224939a79f5f593", None),
        (63, "724506eb4c328a95", None),
    ],
)
def test_the_oracle_is_siphash(length: int, short: str, wide: str | None) -> None:
    key, data = bytes(range(16)), bytes(range(length))
    assert oracle.siphash(key, data, 2, 4, 8).hex() == short
    assert wide is None or oracle.siphash(key, data, 2, 4, 16).hex() == wide


def test_words_that_swapped_parts_of_version_1() -> None:
    # Version 1 added up mix(w0 + STEP) and mix(w1 + 2 STEP), so these pairs of words of 16 bytes collided.
    step = int(hashing.STEP)
    for w0, w1 in [(0x6161616161616161, 0x6262626262626262), (1, 2), (2**63, 12345)]:
        swapped = (w1 + step) % 2**64, (w0 - step) % 2**64
        words = np.array([w0, w1, *swapped], np.uint64)
        # As a text of two tokens with these hashes, and as the bytes of a token.
        first, second = hashing.sequence(words, np.array([0, 2, 4]))
        assert first != second
        data = [words[:2].tobytes(), words[2:].tobytes()]
        first, second = hashing._hash_bytes(
            data, hashing.KEYS["token"], hashing.BYTE_ROUNDS, 64, piece_bits=128
        )
        assert first != second


def test_real_words_that_collide_in_version_1() -> None:
    # Two different words of 16 bytes of valid UTF-8, made by swapping parts as above.
    first, second = COLLIDING_IN_VERSION_1
    assert first != second
    assert len(first.encode()) == len(second.encode()) == 16
    assert oracle_of_version_1(first) == oracle_of_version_1(second)
    for bits in BITS:
        hashes = digests(hashing.hash_strings([first, second], bits))
        assert hashes[0] != hashes[1]


COLLIDING_IN_VERSION_1 = ("\x7f\U0010ffe89\u07ffj\u07e4@\uffe7!", "\x7f[\uffe89\u07ffjxE@\uffe7!")


def oracle_of_version_1(word: str) -> int:
    """Return the sum over the words of 8 bytes that version 1 scrambled once more."""
    data, mask = word.encode(), 2**64 - 1

    def mix(x: int) -> int:
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & mask
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB & mask
        return x ^ (x >> 31)

    words = [int.from_bytes(data[start : start + 8], "little") for start in range(0, len(data), 8)]
    return sum(mix((word + (i + 1) * int(hashing.STEP)) & mask) for i, word in enumerate(words)) & mask


def test_ngrams_whose_parts_add_up_alike() -> None:
    # Version 1 scrambled g·CHAIN + t, so that another pair with the same sum collided.
    chain = 0xA0761D6478BD642F
    grams = np.array([5, 6], np.uint64)
    tokens = np.array([chain + 7, 7], np.uint64)
    first, second = hashing.extend(grams, tokens)
    assert first != second


@pytest.mark.parametrize("bits", BITS)
@given(st.lists(TEXTS, max_size=20))
def test_tokens_against_the_oracle(bits: Bits, words: list[str]) -> None:
    assert digests(hashing.hash_strings(words, bits)) == [oracle.token(word, bits) for word in words]


@pytest.mark.parametrize("bits", BITS)
@given(texts=TOKEN_LISTS, n=st.integers(2, 5))
def test_ngrams_and_texts_against_the_oracle(bits: Bits, texts: list[list[str]], n: int) -> None:
    tokens = hashing.hash_strings(itertools.chain.from_iterable(texts), bits)
    hashes = hashing.sequence(tokens, bounds_of([len(text) for text in texts]))
    assert digests(hashes) == [oracle.text(text, bits) for text in texts]
    words = list(itertools.chain.from_iterable(texts))
    grams = tokens
    for size in range(2, min(n, len(words)) + 1):
        grams = hashing.extend(grams[:-1], tokens[size - 1 :])
    size = min(n, len(words))
    expected = [oracle.ngram(words[i : i + size], bits) for i in range(len(words) - size + 1)] if size else []
    assert digests(grams) == expected


@pytest.mark.parametrize("bits", BITS)
def test_inputs_of_several_pieces(bits: Bits) -> None:
    # 64 bytes are one piece; the hashes of more than 4 pieces (8, of a text with 64 bits) are cut again.
    words = ["x" * length for length in (63, 64, 65, 256, 257, 511, 512, 513, 4096, 4097, 70_000)]
    assert digests(hashing.hash_strings(words, bits)) == [oracle.token(word, bits) for word in words]
    texts = [[f"w{i}" for i in range(size)] for size in (0, 4, 5, 8, 9, 16, 17, 64, 65, 512, 513, 9000)]
    tokens = hashing.hash_strings(itertools.chain.from_iterable(texts), bits)
    hashes = hashing.sequence(tokens, bounds_of([len(text) for text in texts]))
    assert digests(hashes) == [oracle.text(text, bits) for text in texts]


@pytest.mark.parametrize("width", [1, 2])
@given(st.lists(st.one_of(st.integers(0, 10), st.integers(0, 150)), max_size=8), st.integers(0, 2**32))
def test_sequences_of_any_lengths_side_by_side(width: int, sizes: list[int], seed: int) -> None:
    items = np.random.default_rng(seed).integers(0, 2**64, (sum(sizes), width), np.uint64)
    bounds = bounds_of(sizes)
    hashes = hashing.sequence(items[:, 0] if width == 1 else items, bounds)
    bits = 64 * width
    expected = [
        oracle.digest("text", items[start:end].astype("<u8").tobytes(), 1, 3, bits, bits)
        for start, end in itertools.pairwise(bounds)
    ]
    assert digests(hashes) == expected


def test_compiled_loops_give_the_same_hashes() -> None:
    words = ["x" * length for length in (1, 7, 8, 9, 63, 64, 65, 257, 513, 4097, 70_000)]
    texts = [" ".join(words[i % len(words)] for i in range(size)) for size in (0, 1, 8, 9, 64, 65, 600)]
    for batch in (Batch.of(texts), Batch.of(texts[::-1])):
        fast, plain = (WORDS.make(batch, RunConfig(compiled=compiled)) for compiled in (True, False))
        assert fast.hashes.tolist() == plain.hashes.tolist()
        assert fast.text_hashes.tolist() == plain.text_hashes.tolist()
        assert fast.grams(4).tolist() == plain.grams(4).tolist()


def test_a_short_hash_is_the_first_half_of_a_long_one() -> None:
    words = ["cat", "x" * 1000]
    assert hashing.hash_strings(words, 128)[:, 0].tolist() == hashing.hash_strings(words).tolist()


def test_trigrams_that_another_database_confuses() -> None:
    # DuckDB's hash() gives the two lines of each pair the same value.
    one, other = ("' 0x0079: 0x0079,", "' 0x007a: 0x007a,")
    assert Tokens.of([one.split()]).grams(3)[0] != Tokens.of([other.split()]).grams(3)[0]
    lines = [f"' 0x{i:04x}: 0x{i:04x},".split() for i in range(0x10000)]
    assert len(np.unique(Tokens.of(lines).grams(3))) == 0x10000


def test_no_collisions_among_a_million_similar_words() -> None:
    words = [f"{a}{i}" for i in range(250_000) for a in ("w", "x", "word-", "0x000000000000")]
    hashes = hashing.hash_strings(words, 128)
    assert len(np.unique(hashes[:, 0])) == len(np.unique(hashes[:, 1])) == len(words)


@pytest.mark.parametrize("half", [0, 1])
def test_bits_are_even(half: int) -> None:
    # Each bit of the hashes of 100,000 numbers is set in half of them: s.d. 158, so within 5 s.d.
    hashes = hashing.hash_strings(map(str, range(100_000)), 128)[:, half]
    for bit in range(64):
        ones = int(((hashes >> np.uint64(bit)) & np.uint64(1)).sum())
        assert abs(ones - 50_000) < 800
