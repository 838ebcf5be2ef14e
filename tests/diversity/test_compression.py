"""`compression`: against the compressors themselves, and where the `diversity` package is wrong."""

from __future__ import annotations

import gzip
import itertools
import lzma
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import peers

import distinctly as dy
from distinctly.statistics.compressed import Compressed
from distinctly.strings import Strings

TEXTS = ["the cat sat on the mat", "the dog ran", "", "知之为知之", "the cat sat on the mat"]


def test_one_compression_of_the_joined_texts() -> None:
    joined = "\n".join(TEXTS).encode()
    for spec, size in (
        ("gzip", len(gzip.compress(joined, 9, mtime=0))),
        ("xz", len(lzma.compress(joined))),
    ):
        score = dy.measure(TEXTS, f"compression:algorithm={spec},shuffles=0")[0]
        assert score.value == len(joined) / size
        assert (score.parts["bytes"], score.parts["compressed"]) == (len(joined), size)
        assert "spread" not in score.parts


def test_zstd_is_a_zstandard_frame_of_level_3() -> None:
    pa = pytest.importorskip("pyarrow")
    joined = "\n".join(TEXTS).encode()
    made = pa.Codec("zstd", compression_level=3).compress(joined, asbytes=True)
    assert pa.decompress(made, len(joined), "zstd", asbytes=True) == joined
    assert dy.measure(TEXTS, "compression:algorithm=zstd,shuffles=0")[0].parts["compressed"] == len(made)


def test_not_compressed_twice_as_the_diversity_package_does() -> None:
    # `diversity` 0.3.0 writes gzip.compress(data) into a GzipFile: the compressed form of long repeats is
    # itself repetitive, and is compressed again. Its compression_ratio([text]) of this text is 233.01 (with
    # zlib 1.2), while 24,000 bytes divided by the 119 of one gzip at level 9 are 201.7.
    text = "the cat sat on the mat. "
    data = (text * 1000).encode()
    once, twice = len(gzip.compress(data, 9, mtime=0)), len(gzip.compress(gzip.compress(data)))
    score = dy.measure([text * 1000], "compression:shuffles=0")[0]
    assert score.value == 24_000 / once
    assert 24_000 / twice > 1.1 * score.value


def test_the_order_matters_and_is_in_the_signature_only_as_given() -> None:
    # Two kinds of lines, too long for gzip's window of 32 KB to hold both; sorting puts equal ones side by
    # side.
    draw = np.random.default_rng(0)
    kinds = ["".join(map(chr, draw.integers(33, 127, 20_000))) for _ in range(2)]
    apart, mixed = [kinds[0]] * 3 + [kinds[1]] * 3, kinds * 3
    as_given = [dy.measure(texts, "compression:shuffles=0")[0] for texts in (apart, mixed)]
    shuffled = [dy.measure(texts, "compression")[0] for texts in (apart, mixed)]
    assert as_given[0].value > 2 * as_given[1].value
    assert "|order:" in as_given[0].signature
    assert shuffled[0].value == shuffled[1].value
    assert shuffled[0].signature == shuffled[1].signature
    assert "|order:" not in shuffled[0].signature
    assert shuffled[0].parts["spread"] > 0
    assert dy.measure(apart, "compression:seed=1")[0].value != shuffled[0].value


@given(texts=st.lists(st.text("ab \n知", max_size=6), min_size=1, max_size=8), batch=st.integers(1, 3))
def test_batches_change_nothing_in_the_given_order(texts: list[str], batch: int) -> None:
    whole = dy.measure(texts, "compression:shuffles=0")[0]
    assert dy.measure(texts, "compression:shuffles=0", batch_size=batch)[0].to_dict() == whole.to_dict()


def test_undefined_without_a_character() -> None:
    for texts in ([""], ["", ""]):
        score = dy.measure(texts, "compression")[0]
        assert math.isnan(score.value)
        assert score.undefined == "no text has any characters."


def test_bad_options() -> None:
    with pytest.raises(dy.SpecError, match="`shuffles` of 'compression' to be at least 0, got -1"):
        dy.measure(["a"], "compression:shuffles=-1")


def test_real_text(shared: Path) -> None:
    texts = peers.read_texts(shared / "dailydialog-valid-test.jsonl.gz", 2000)
    data = "\n".join(texts).encode()
    assert dy.measure(texts, "compression:shuffles=0")[0].value == len(data) / len(gzip.compress(data, 9))


def test_texts_that_stay_keep_their_order_without_the_others() -> None:
    """Differences between a corpus and a part of it are thus due to the texts, not to another order."""
    texts = [f"text {number}" for number in range(40)]
    whole, part = (_joined_orders(some) for some in (texts, texts[:30]))
    for order, shorter in zip(whole, part):
        assert [text for text in order if text in texts[:30]] == shorter


def test_copies_are_apart() -> None:
    """A compressor sees only so far back, so that copies in a row would be compressed too well."""
    order = _joined_orders(["copy"] * 50 + [f"text {number}" for number in range(50)])[0]
    # Of 99 pairs of neighbours, about 50 · 49 / 99 = 24.7 are two copies in a random order.
    assert 12 < sum(first == second for first, second in itertools.pairwise(order)) < 38


def _joined_orders(texts: list[str]) -> list[list[str]]:
    orders = Compressed("gzip", shuffles=3, seed=0)._orders(Strings.encode(texts))
    return [joined.decode().split("\n") for joined in orders]


def test_intervals_hold_what_they_promise() -> None:
    """One order per block is enough: 95 % intervals of 200 samples contain the mean of all samples."""
    stream = np.random.default_rng(0)
    words = np.array([f"word{number}" for number in range(300)])
    weights = 1 / np.arange(1, 301)
    texts = [
        " ".join(stream.choice(words, 8, p=weights / weights.sum())) * int(stream.integers(1, 3))
        for _ in range(3000)
    ]
    scores = [
        dy.measure(
            [texts[row] for row in stream.choice(3000, 60, replace=False)], "compression", interval=True
        )[0]
        for _ in range(200)
    ]
    mean = np.mean([score.value for score in scores])
    covered = np.mean([score.low <= mean <= score.high for score in scores])
    # Measured: 0.955. The binomial error is 0.015; errors of half or twice the size would be outside.
    assert 0.91 <= covered <= 0.99
