"""`Lengths` against the plain formulas."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distinctly.statistics.lengths import Lengths
from distinctly.views.tokens import Tokens


@given(st.lists(st.integers(0, 50), min_size=1, max_size=30))
def test_variation(lengths: list[int]) -> None:
    sums = Lengths().collect(Tokens.of([["w"] * length for length in lengths]))
    assert (sums.texts, sums.tokens, sums.empty) == (len(lengths), sum(lengths), lengths.count(0))
    if sum(lengths):
        assert sums.variation == pytest.approx(
            statistics.pstdev(lengths) / statistics.mean(lengths), rel=1e-9
        )
    else:
        assert math.isnan(sums.variation)
