"""`sliced_wasserstein`: by hand, in one dimension exactly, and direction by direction."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.distance.vector_pairs import Rows, compare, pairs, real
from tests.oracles import moments as oracle

import distinctly as dy
from distinctly.geometry.projections import quantile_steps

NUMBERS = st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=8)


def test_by_hand() -> None:
    # In one dimension every direction is the line itself. 0, 1 against 3, 5, 5: pieces of ⅓, ⅙, ⅙, ⅓ move
    # by 3, 5, 4, 4: (9·2 + 25 + 16 + 16·2)/6 = 91/6.
    score = compare([[0], [1]], [[3], [5], [5]], "sliced_wasserstein")
    assert score.value == pytest.approx(math.sqrt(91 / 6), rel=1e-14)
    assert score.parts["standard_error"] == pytest.approx(0, abs=1e-12)
    assert score.parts["dimensions"] == 1


@given(one=NUMBERS, other=NUMBERS)
def test_one_dimension_against_repeating_to_the_same_length(one: list[float], other: list[float]) -> None:
    value = compare(np.array([one]).T, np.array([other]).T, "sliced_wasserstein:directions=2").value
    assert value == pytest.approx(oracle.wasserstein(one, other), rel=1e-9, abs=1e-12)


@given(both=pairs(), seed=st.integers(0, 3))
def test_direction_by_direction(both: tuple[Rows, Rows], seed: int) -> None:
    one, other = (np.array(rows, float) for rows in both)
    drawn = np.random.default_rng(seed).standard_normal((5, one.shape[1]))
    axes = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    squares = [oracle.wasserstein((one @ axis).tolist(), (other @ axis).tolist()) ** 2 for axis in axes]
    value = compare(one, other, f"sliced_wasserstein:directions=5,seed={seed}").value
    # For equal corpora, the root of a rounding error (1e-16) is at most 1e-8.
    assert value == pytest.approx(math.sqrt(sum(squares) / 5), rel=1e-9, abs=1e-8)


def test_unequal_sizes_on_real_vectors(shared: Path) -> None:
    one, other = (real(shared, name, n).astype(float) for name, n in (("clinc150", 50), ("banking77", 75)))
    drawn = np.random.default_rng(0).standard_normal((20, 384))
    axes = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    squares = [oracle.wasserstein((one @ axis).tolist(), (other @ axis).tolist()) ** 2 for axis in axes]
    value = compare(one, other, "sliced_wasserstein:directions=20").value
    assert value == pytest.approx(math.sqrt(np.mean(squares)), rel=1e-9)


def test_a_copy_of_every_text_changes_nothing(shared: Path) -> None:
    one, other = real(shared, "clinc150", 60), real(shared, "banking77", 40)
    twice = np.concatenate([other, other])
    once = dy.compare(one, other, "sliced_wasserstein")[0].value
    assert dy.compare(one, twice, "sliced_wasserstein")[0].value == pytest.approx(once, rel=1e-9)


def test_a_shift_costs_its_length_along_each_direction() -> None:
    # All texts move by v: W₂² = (θ·v)², with a mean of |v|²/d over all directions: 4 here, within 4 standard
    # errors.
    rows = np.random.default_rng(1).standard_normal((30, 9))
    score = compare(rows, rows + 2.0, "sliced_wasserstein")
    assert score.value == pytest.approx(2, abs=4 * score.parts["standard_error"])


def test_the_standard_error_is_the_spread_over_seeds(shared: Path) -> None:
    one, other = real(shared, "clinc150", 100), real(shared, "banking77", 100)
    found = [dy.compare(one, other, f"sliced_wasserstein:seed={seed}")[0] for seed in range(20)]
    spread = np.std([score.value for score in found], ddof=1)
    # A standard deviation estimated from 20 values has an error of 16 %; three times that is half.
    assert spread == pytest.approx(found[0].parts["standard_error"], rel=0.5)


@given(one=st.integers(1, 40), other=st.integers(1, 40))
def test_pieces_cover_everything_once(one: int, other: int) -> None:
    widths, places = quantile_steps(one, other)
    for size, at in zip((one, other), places):
        covered = np.bincount(at, weights=widths, minlength=size)
        assert covered == pytest.approx(np.full(size, 1 / size), rel=1e-12)


def test_any_scale_will_do() -> None:
    for scale in (2.0**-900, 2.0**900):
        score = compare([[0.0], [scale]], [[3 * scale], [5 * scale]], "sliced_wasserstein")
        assert score.value == pytest.approx(math.sqrt(12.5) * scale, rel=1e-12)


@pytest.mark.parametrize("option", ["directions=0", "seed=-1", "directions=many"])
def test_bad_options(option: str) -> None:
    with pytest.raises(dy.SpecError, match=option.partition("=")[0]):
        compare([[1.0]], [[2.0]], f"sliced_wasserstein:{option}")
