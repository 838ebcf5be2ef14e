"""Metrics of repetition from end to end: the plain and the compiled path return the same bits."""

from __future__ import annotations

import numpy as np
import pytest
from tests.contract.cases import same

import distinctly as dy

SPECS = [
    "self_bleu",
    "self_bleu:smoothing=exp,max_n=5",
    "self_bleu:mode=pairwise,pairs=500",
    "self_repetition:n=2",
    "homogenization:pairs=500",
    "compression:algorithm=zstd",
    "duplicates:near=yes,threshold=0.5",
]


@pytest.mark.parametrize("batch_size", [None, 7])
def test_plain_and_compiled_paths_agree(batch_size: int | None) -> None:
    draw = np.random.default_rng(0)
    lengths = draw.integers(0, 12, 120)
    texts = [" ".join(f"w{w}" for w in draw.integers(0, 6, size)) for size in lengths]
    plain = dy.measure(texts, SPECS, compiled=False)
    assert same(dy.measure(texts, SPECS, compiled=True, batch_size=batch_size), plain)
    parts = plain["duplicates:near=yes,threshold=0.5"].parts
    assert parts["near"] > parts["repeated"] > 0
