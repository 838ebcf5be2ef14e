"""Compiled angles against numpy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distinctly.kernels.angles import sum_angles


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=50))
def test_angles_against_numpy(values: list[float]) -> None:
    cosines = np.array([values])
    weights = np.arange(1.0, len(values) + 1)
    sums, doubtful = sum_angles(cosines, weights, 1.0)
    # The error of the polynomial is below 4e-12 where it is doubled, for angles up to π.
    assert sums[0] == pytest.approx(
        (np.arccos(cosines[0]) * weights).sum(), rel=1e-11, abs=1e-11 * weights.sum()
    )
    assert doubtful[0] == 0


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_all_angles_and_doubtful_ones(kind: type[np.floating]) -> None:
    cosines = np.linspace(-1, 1, 20_001).astype(kind).reshape(3, -1)
    sums, doubtful = sum_angles(cosines, np.ones(cosines.shape[1]), 0.9)
    known = np.abs(cosines) <= 0.9
    assert doubtful.tolist() == (~known).sum(axis=1).tolist()
    assert sums == pytest.approx(np.where(known, np.arccos(cosines.astype(float)), 0).sum(axis=1), rel=1e-11)
    # Rounding can make a cosine larger than 1: it counts as doubtful, not as NaN.
    assert sum_angles(np.array([[1.0000001, -1.0000001, 0]]), np.ones(3), 0.99)[0][0] == np.pi / 2
