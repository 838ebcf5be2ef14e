"""The compiled registers against the definition and the plain ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import sketches as oracle

from distinctly.hashing import hash_words
from distinctly.kernels.hll import update
from distinctly.statistics.sketches import INDEX_BITS, REGISTERS, HyperLogLog

# Any hashes, and some with few or no ones among the bits that the rank is read from.
HASHES = st.lists(
    st.integers(0, 2**64 - 1) | st.integers(0, 2**16) | st.builds(lambda bit: 1 << bit, st.integers(0, 63)),
    max_size=50,
)


def compiled(hashes: list[int], known: HyperLogLog | None = None) -> list[int]:
    registers = np.zeros(REGISTERS, np.uint8) if known is None else known.registers.copy()
    update(registers, np.array(hashes, np.uint64), np.array([0, len(hashes)]), 1, INDEX_BITS)
    largest: list[int] = registers.tolist()
    return largest


@given(HASHES)
def test_registers_have_the_largest_ranks(hashes: list[int]) -> None:
    expected = oracle.registers(hashes)
    assert compiled(hashes) == expected
    assert HyperLogLog.of(np.array(hashes, np.uint64)).registers.tolist() == expected


@given(HASHES, HASHES)
def test_registers_may_begin_with_those_of_other_hashes(hashes: list[int], others: list[int]) -> None:
    known = HyperLogLog.of(np.array(others, np.uint64))
    assert compiled(hashes, known) == oracle.registers([*hashes, *others])


def test_windows_that_cross_texts_are_left_out() -> None:
    windows = np.arange(1, 8, dtype=np.uint64)
    registers = np.zeros(REGISTERS, np.uint8)
    # Texts of 3, 0, 1 and 3 tokens, whose 2-grams begin at the positions 0, 1, 4 and 5.
    update(registers, windows, np.array([0, 3, 3, 4, 7]), 2, INDEX_BITS)
    assert np.flatnonzero(registers).tolist() == [1, 2, 5, 6]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_bits_of_ngram_hashes_are_uniform(n: int) -> None:
    from distinctly.kernels.ngrams import lengthen

    # All ordered n-grams of a few words, whose hashes are made from the same few numbers.
    words = hash_words([f"w{i}" for i in range({1: 400_000, 2: 640, 3: 74}[n])])
    grams = words
    for _ in range(1, n):
        firsts, lasts = np.repeat(grams, len(words)), np.tile(words, len(grams))
        lengthen(firsts, lasts)
        grams = firsts
    # χ² of the 16,384 places and of the ranks 1 to 10, in standard deviations from its expectation.
    places = np.bincount((grams & np.uint64(REGISTERS - 1)).astype(np.int64), minlength=REGISTERS)
    expected = len(grams) / REGISTERS
    chi = float(((places - expected) ** 2 / expected).sum())
    assert abs(chi - (REGISTERS - 1)) < 4 * (2 * (REGISTERS - 1)) ** 0.5
    ranks = np.bincount(64 - np.frexp((grams >> np.uint64(14)).astype(np.float64))[1] - 13, minlength=52)
    shares = len(grams) * 0.5 ** np.arange(1, 11)
    assert (np.abs(ranks[1:11] - shares) < 4 * np.sqrt(shares)).all()
