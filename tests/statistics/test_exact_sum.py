"""`ExactSum` against Python's fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from distinctly.statistics.exact_sum import ExactSum

FLOATS = st.lists(
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300), max_size=30
)


@given(FLOATS, FLOATS)
def test_is_exact_for_any_order_and_split(first: list[float], second: list[float]) -> None:
    total = ExactSum.of(np.array(first)) + ExactSum.of(np.array(second))
    assert total == ExactSum.of(np.array([*second, *first][::-1]))
    assert Fraction(total.units, 2**1074) == sum(map(Fraction, [*first, *second]), Fraction(0))


def test_the_smallest_floats_count() -> None:
    assert ExactSum.of(np.array([5e-324] * 3)).value == 1.5e-323


def test_sums_of_mantissas_beyond_64_bits() -> None:
    # 2²⁰ values with all 53 bits set: their mantissas add up to 2⁷³, past 64 bits.
    value = float(np.nextafter(1.0, 0.0))
    assert ExactSum.of(np.full(2**20, value)).units == 2**20 * int(Fraction(value) * 2**1074)
