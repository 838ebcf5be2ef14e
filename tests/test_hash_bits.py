"""Counting by hashes of 128 bits: the same values, another hash of the texts."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import distinctly as dy
from distinctly.hashing import hash_strings
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.views.tokens import Tokens

TEXTS = [f"text number {i % 70} has {i % 13} words, or 知道 {i % 5} of them" for i in range(200)]
METRICS = ["distinct", "ead", "entropy", "chao1", "duplicates", "distinct:n=2,at=500", "rarefied:sample=100"]
# Two words of 16 bytes, of which version 1 of the hash counted one: see test_hashing.py.
COLLIDING = ("\x7f\U0010ffe89\u07ffj\u07e4@\uffe7!", "\x7f[\uffe89\u07ffjxE@\uffe7!")


@pytest.mark.parametrize("compiled", [False, True])
def test_values_are_those_of_64_bits(compiled: bool) -> None:
    options = {"compiled": compiled, "interval": True}
    narrow, wide = (dy.measure(TEXTS, METRICS, hash_bits=bits, **options) for bits in (64, 128))
    assert [(s.value, s.low, s.high) for s in wide] == [(s.value, s.low, s.high) for s in narrow]


@pytest.mark.parametrize("compiled", [False, True])
def test_the_most_frequent_ngrams_are_those_of_64_bits(compiled: bool) -> None:
    narrow, wide = (
        dy.measure(TEXTS, "distinct:n=2", top=5, compiled=compiled, hash_bits=bits) for bits in (64, 128)
    )
    assert wide.corpora[0]["top"] == narrow.corpora[0]["top"]


def test_counts_that_spill_are_the_same(tmp_path: Path) -> None:
    # 3 million n-grams of 24 bytes each are more than the smallest memory, so they are spilled in runs.
    path = tmp_path / "numbers.txt"
    path.write_text("\n".join(f"{i} {i * 7919 % 100_003} {i % 17}" for i in range(1_000_000)))
    narrow, wide = (dy.measure(path, "distinct:n=1", memory="10MB", hash_bits=bits) for bits in (64, 128))
    # 1,000,000 numbers, among them all others.
    assert wide[0].parts["N"] == narrow[0].parts["N"] == 1_000_000


def test_tokens_that_are_left_out_are_the_same() -> None:
    narrow, wide = (dy.measure(TEXTS, "mtld", compiled=True, hash_bits=bits)[0] for bits in (64, 128))
    assert wide.value == narrow.value


def test_the_hash_of_texts_has_128_bits_in_every_order_and_batch() -> None:
    (score,) = dy.measure(TEXTS, "distinct:n=1", hash_bits=128)
    (other,) = dy.measure(TEXTS[::-1], "distinct:n=1", hash_bits=128, batch_size=7, compiled=True)
    assert len(score.signature.split("#")[1].split("|")[0]) == 32
    assert score.signature == other.signature


def test_a_signature_chooses_the_width() -> None:
    (score,) = dy.measure(TEXTS, "distinct:n=1", hash_bits=128)
    (again,) = dy.measure(TEXTS, signature=score.signature)
    assert again.signature == score.signature


@pytest.mark.parametrize("bits", [64, 128])
@pytest.mark.parametrize("compiled", [False, True])
def test_words_that_used_to_collide_are_two(bits: int, compiled: bool) -> None:
    options = {"tokenizer": "whitespace", "hash_bits": bits, "compiled": compiled}
    (score,) = dy.measure([" ".join(COLLIDING)], "distinct:n=1", **options)
    assert score.parts["N"] == 2
    first, second = (dy.measure([word], "distinct:n=1", **options)[0].signature for word in COLLIDING)
    assert first != second


def test_a_collision_in_the_first_64_bits_is_no_collision() -> None:
    # No two words are known to collide in 64 bits, so the first words are made equal here.
    wide = hash_strings(["a", "b", "a"], 128)
    wide[:, 0] = wide[0, 0]
    tokens = Tokens.of([["a", "b", "a"]])
    doubled = Tokens(wide[:, 0].copy(), tokens.bounds, tokens.spelling, wide=wide)
    counts = NgramCounts(1)
    assert counts.summarize(counts.collect(doubled)).distinct.tolist() == [2]
    assert len(np.unique(doubled.hashes)) == 1


def test_states_of_different_widths_are_not_merged() -> None:
    first = dy.Accumulator("distinct:n=1")
    first.update(TEXTS)
    second = dy.Accumulator("distinct:n=1", config=dy.RunConfig(hash_bits=128))
    second.update(TEXTS)
    with pytest.raises(dy.SpecError, match="hash_bits=128"):
        first.merge(pickle.loads(pickle.dumps(second)))
