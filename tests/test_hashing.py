"""The hash of version 1: frozen values, an oracle, and pairs for which another hash collides."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import hashing as oracle
from tests.strategies import TEXTS, TOKEN_LISTS

from distinctly import hashing
from distinctly.views.tokens import Tokens


def test_version_1_is_frozen() -> None:
    # Computed by tests/oracles/hashing.py when version 1 was fixed. If one changes, so do signatures
    # and states: raise hashing.VERSION, and note it in the change log.
    assert hashing.VERSION == 1
    words = ["", "a", "cat", "eight by", "nine byte", "知道", "\x00", "a\x00"]
    assert [f"{h:016x}" for h in hashing.hash_strings(words)] == FROZEN_WORDS
    view = Tokens.of([["the", "cat", "sat"]])
    assert [f"{view.grams(n)[0]:016x}" for n in (1, 2, 3)] == FROZEN_NGRAMS
    assert f"{view.text_hashes[0]:016x}" == FROZEN_TEXT


FROZEN_WORDS = [
    "b55a8fa067537a73",
    "3b9f89aaebc76c6d",
    "dc0568c3d3e1754f",
    "a7d27a632776d3c4",
    "7600b08906eaff6d",
    "accf6eb2cd1b3dc7",
    "1ff9fd993eb4f973",
    "ea7c0be76a82c405",
]
FROZEN_NGRAMS = ["f0591a5e47fd1441", "f4c5cae1656d42fc", "af7ac9a75262e04d"]
FROZEN_TEXT = "01ee8c654aaf04c3"


def test_trigrams_that_another_database_confuses() -> None:
    # DuckDB's hash() gives the two lines of each pair the same value.
    one, other = ("' 0x0079: 0x0079,", "' 0x007a: 0x007a,")
    assert Tokens.of([one.split()]).grams(3)[0] != Tokens.of([other.split()]).grams(3)[0]
    lines = [f"' 0x{i:04x}: 0x{i:04x},".split() for i in range(0x10000)]
    assert len(np.unique(Tokens.of(lines).grams(3))) == 0x10000


@given(st.lists(TEXTS, max_size=20))
def test_tokens_against_the_oracle(words: list[str]) -> None:
    assert hashing.hash_strings(words).tolist() == [oracle.token(word) for word in words]


@given(texts=TOKEN_LISTS, n=st.integers(1, 5))
def test_ngrams_and_texts_against_the_oracle(texts: list[list[str]], n: int) -> None:
    view = Tokens.of(texts)
    expected = [oracle.ngram(text[i : i + n]) for text in texts for i in range(len(text) - n + 1)]
    assert view.grams(n).tolist() == expected
    assert view.text_hashes.tolist() == [oracle.text(text) for text in texts]


def test_no_collisions_among_millions_of_similar_words() -> None:
    words = [f"{a}{i}" for i in range(250_000) for a in ("w", "x", "word-", "0x000000000000")]
    assert len(np.unique(hashing.hash_strings(words))) == len(words)


def test_bits_are_even() -> None:
    # Each bit of the hashes of 100,000 numbers is set in half of them: s.d. 158, so within 5 s.d.
    hashes = hashing.hash_strings(map(str, range(100_000)))
    for bit in range(64):
        ones = int(((hashes >> np.uint64(bit)) & np.uint64(1)).sum())
        assert abs(ones - 50_000) < 800
