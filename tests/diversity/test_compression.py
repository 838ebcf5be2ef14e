"""`compression`: against the compressors themselves, and where the `diversity` package is wrong."""

from __future__ import annotations

import gzip
import lzma
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import peers

import distinctly as dy

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
