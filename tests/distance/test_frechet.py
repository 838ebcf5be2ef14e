"""`frechet`: by hand, Gaussians with known distances, and against the matrix square root."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from scipy.linalg import sqrtm
from tests.distance.vector_pairs import Rows, Table, compare, pairs, real
from tests.oracles import ibm_moments
from tests.oracles import moments as oracle

import distinctly as dy
from distinctly import hashing
from distinctly.statistics.sampling import sample_keys


def exact_sample(texts: int, mean: Table, covariance: Table, seed: int) -> Table:
    """Return vectors whose mean and unbiased covariance are these, up to rounding."""
    rows = np.random.default_rng(seed).standard_normal((texts, len(mean)))
    rows -= rows.mean(axis=0)
    white = np.linalg.qr(rows)[0] * math.sqrt(texts - 1)
    return white @ np.linalg.cholesky(covariance).T + mean


def test_by_hand() -> None:
    # Means (0, 0) and (3, 0). Deviations of the first coordinate ±1 and ±3: variances 2 and 18 (n − 1 = 1),
    # (√2 − √18)² = 8. The second coordinate is constant. 9 + 8 = 17.
    score = compare([[-1, 5], [1, 5]], [[0, 5], [6, 5]], "frechet")
    assert score.value == pytest.approx(17, rel=1e-14)
    assert score.parts["mean_term"] == pytest.approx(9, rel=1e-14)
    assert score.parts["covariance_term"] == pytest.approx(8, rel=1e-14)
    assert score.parts["dimensions"] == 2


@given(both=pairs(least=2))
def test_against_loops(both: tuple[Rows, Rows]) -> None:
    # Differences of sums of tens: cancellation leaves an error of 1e-12.
    assert compare(*both, "frechet").value == pytest.approx(oracle.frechet(*both), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("texts", [20, 300])
def test_known_answer_for_covariances_that_commute(texts: int) -> None:
    # Independent coordinates: Σ (σ₁ − σ₂)², here 1² + 0² + 2² = 5, and means at a squared distance of 4 + 9.
    one = exact_sample(texts, np.zeros(3), np.diag([1.0, 4.0, 9.0]), 1)
    other = exact_sample(texts + 7, np.array([2.0, 0.0, -3.0]), np.diag([4.0, 4.0, 1.0]), 2)
    assert compare(one, other, "frechet").value == pytest.approx(18, rel=1e-12)


def test_known_answer_for_covariances_that_do_not_commute() -> None:
    # Σ₁ = diag(1, 4), Σ₂ = ((2, 1), (1, 2)). For 2×2, tr √M = √(tr M + 2√det M): Σ₁Σ₂ = ((2, 1), (4, 8)),
    # trace 10, determinant 12: √(10 + 2√12) = 4.1145…; traces 5 + 4.
    one = exact_sample(30, np.zeros(2), np.diag([1.0, 4.0]), 3)
    other = exact_sample(40, np.zeros(2), np.array([[2.0, 1.0], [1.0, 2.0]]), 4)
    expected = 9 - 2 * math.sqrt(10 + 2 * math.sqrt(12))
    assert compare(one, other, "frechet").value == pytest.approx(expected, rel=1e-12)


def test_samples_of_gaussians_come_near_the_distance_of_the_gaussians() -> None:
    # N(0, I) and N((1, 0, 0), 4·I): 1 + 3·(1 − 2)² = 4; 20,000 texts leave a random error of about 1 %.
    draw = np.random.default_rng(5)
    one = draw.standard_normal((20_000, 3))
    other = 2 * draw.standard_normal((20_000, 3)) + np.array([1.0, 0.0, 0.0])
    assert compare(one, other, "frechet").value == pytest.approx(4, rel=0.03)


@pytest.mark.parametrize("texts", [5, 200])
def test_a_shift_is_its_squared_length(texts: int) -> None:
    rows = np.random.default_rng(6).standard_normal((texts, 16))
    shift = np.arange(16.0) / 4
    score = compare(rows, rows + shift, "frechet")
    assert score.value == pytest.approx(float(shift @ shift), rel=1e-12)
    assert score.parts["covariance_term"] == 0


@pytest.mark.parametrize("texts", [2, 50, 400])
def test_identical_corpora_are_at_zero(shared: Path, texts: int) -> None:
    rows = real(shared, "clinc150", texts)
    assert dy.compare(rows, rows[::-1], "frechet")[0].value == 0


@pytest.mark.parametrize("sizes", [(500, 500), (1000, 400), (2850, 2850)])
def test_against_the_matrix_square_root_on_real_vectors(shared: Path, sizes: tuple[int, int]) -> None:
    one, other = real(shared, "clinc150", sizes[0]), real(shared, "banking77", sizes[1])
    expected = ibm_moments.fid_distance(one.astype(float), other.astype(float))
    assert dy.compare(one, other, "frechet")[0].value == pytest.approx(
        expected, rel=1e-6
    )  # the peer's covariance is singular


def test_against_the_matrix_square_root_where_it_is_regular() -> None:
    draw = np.random.default_rng(7)
    one, other = (
        draw.standard_normal((90, 12)),
        draw.standard_normal((60, 12)) @ draw.standard_normal((12, 12)),
    )
    root = sqrtm(np.cov(one, rowvar=False) @ np.cov(other, rowvar=False))
    assert np.isrealobj(root)
    apart = one.mean(axis=0) - other.mean(axis=0)
    spreads = np.cov(one, rowvar=False).trace() + np.cov(other, rowvar=False).trace()
    expected = apart @ apart + spreads - 2 * np.trace(root)
    assert compare(one, other, "frechet").value == pytest.approx(expected, rel=1e-9)


def test_fewer_texts_than_dimensions_are_correct_and_noted() -> None:
    # All in one line of 50 dimensions: deviations √2 and √18 along it, as by hand.
    line = np.ones(50) / math.sqrt(50)
    score = compare(np.outer([-1.0, 1.0], line), np.outer([-3.0, 3.0], line), "frechet")
    assert score.value == pytest.approx(8, rel=1e-12)
    assert score.notes[0].startswith("There are fewer texts (2) than dimensions (50)")
    enough = np.random.default_rng(8).standard_normal((60, 50))
    assert not any("dimensions" in note for note in compare(enough, enough, "frechet").notes)


def test_it_falls_as_texts_are_added(shared: Path) -> None:
    # As the note and the card state; two disjoint samples of one corpus.
    found = [
        dy.compare(real(shared, "clinc150", n), real(shared, "clinc150", n, 4000), "frechet")[0].value
        for n in (50, 400, 3000)
    ]
    assert found[0] > 2 * found[1] > 4 * found[2]


def test_one_text_is_undefined() -> None:
    score = compare([[1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0]], "frechet")
    assert math.isnan(score.value)
    assert score.undefined == "the reference has 1 text; 'frechet' needs at least 2."


def test_constant_corpora() -> None:
    assert compare(np.full((5, 2), 0.1), np.full((9, 2), 0.1), "frechet").value == 0
    moved = compare(np.full((5, 2), 0.1), np.full((9, 2), 0.3), "frechet")
    assert moved.value == pytest.approx(0.08, rel=1e-12)  # 0.2² + 0.2²


def test_numbers_too_large_to_square_are_undefined() -> None:
    score = compare(np.array([[1e200], [-1e200]]), np.array([[0.0], [1.0]]), "frechet")
    assert math.isnan(score.value)
    assert score.undefined is not None


class TestExtrapolation:
    """`extrapolate=yes`: the distance of infinitely many texts, from parts of those that are there."""

    def test_by_hand(self) -> None:
        # One coordinate; 6 equal texts per corpus, so that no part has any variance, and the distance of the
        # means is 3² = 9 for all parts: a line without slope and error.
        score = compare(np.full((6, 1), 1.0), np.full((6, 1), 4.0), "frechet:extrapolate=yes")
        assert score.value == pytest.approx(9, rel=1e-12)
        assert (score.parts["all_texts"], score.parts["smallest_part"]) == (9, 2)
        assert score.parts["slope"] == pytest.approx(0, abs=1e-12)
        assert score.parts["fit_error"] == pytest.approx(0, abs=1e-12)

    def test_the_line_is_that_of_the_distances_of_parts(self) -> None:
        # Parts as documented: texts in the order of a hash of content, copy and seed, cut into equal runs.
        draw = np.random.default_rng(3)
        one, other = draw.integers(0, 9, (31, 2)) / 1.0, draw.integers(0, 7, (40, 2)) / 1.0
        means = []
        for parts in (1, 2, 3, 4):
            cuts = [_parts(rows, parts, seed=7) for rows in (one, other)]
            distances = [compare(a, b, "frechet").value for a, b in zip(*cuts)]
            means.append(sum(distances) / parts)
        score = compare(one, other, "frechet:extrapolate=yes,parts=4,seed=7")
        # Least squares by hand: x = 1 … 4 has the mean 2.5 and the sum of squares 5.
        slope = sum((x - 2.5) * y for x, y in zip((1, 2, 3, 4), means)) / 5
        intercept = sum(means) / 4 - 2.5 * slope
        residuals = [y - intercept - slope * x for x, y in zip((1, 2, 3, 4), means)]
        error = math.sqrt(sum(r * r for r in residuals) / 2 * (1 / 4 + 2.5**2 / 5))
        assert score.value == pytest.approx(max(intercept, 0), rel=1e-9)
        expected = {"all_texts": means[0], "intercept": intercept, "slope": slope, "fit_error": error}
        assert {name: score.parts[name] for name in expected} == pytest.approx(expected, rel=1e-9)

    def test_it_comes_nearer_to_the_distance_of_the_sources(self) -> None:
        # Two samples of N(0, I) in 20 dimensions, and of N((1, 0, …), I): distances of 0 and 1.
        draw = np.random.default_rng(8)
        shift = np.eye(20)[0]
        for far, expected in ((0.0, 0.0), (1.0, 1.0)):
            errors = []
            for _ in range(20):
                one, other = draw.standard_normal((150, 20)), draw.standard_normal((110, 20)) + far * shift
                plain = compare(one, other, "frechet").value
                errors.append(
                    (plain - expected, compare(one, other, "frechet:extrapolate=yes").value - expected)
                )
            plain_bias, bias = np.mean(errors, axis=0)
            # Measured: 2.05 and 2.04 without, 0.10 and 0.09 with it.
            assert plain_bias > 1.5
            assert abs(bias) < plain_bias / 8

    def test_it_is_never_below_zero(self) -> None:
        draw = np.random.default_rng(1)
        scores = [
            compare(draw.standard_normal((200, 2)), draw.standard_normal((200, 2)), "frechet:extrapolate=yes")
            for _ in range(10)
        ]
        assert any(score.parts["intercept"] < 0 for score in scores)
        assert all(score.value == max(score.parts["intercept"], 0) for score in scores)

    def test_order_and_copies(self) -> None:
        draw = np.random.default_rng(2)
        # Half of the texts are copies of one: parts have equal numbers of them.
        one = np.concatenate([draw.standard_normal((30, 3)), np.ones((30, 3))])
        other = draw.standard_normal((50, 3))
        score = compare(one, other, "frechet:extrapolate=yes")
        again = compare(one[draw.permutation(60)], other[::-1], "frechet:extrapolate=yes")
        assert again.value == pytest.approx(score.value, rel=1e-9)
        assert again.signature == score.signature
        assert score.parts["slope"] > 0

    def test_too_few_texts(self) -> None:
        score = compare(np.eye(5), np.eye(5) + 1, "frechet:extrapolate=yes")
        assert math.isnan(score.value)
        assert score.undefined == "each corpus needs at least 6 texts for 3 parts."
        assert compare(np.eye(6), np.eye(6) + 1, "frechet:extrapolate=yes").undefined is None

    def test_parts_that_are_smaller_than_the_dimensions_are_noted(self) -> None:
        few = compare(np.eye(20), np.eye(20) + 1, "frechet:extrapolate=yes")
        assert "fewer texts (6) than dimensions (20)" in str(few.notes)
        rows = np.random.default_rng(0).standard_normal((60, 20))
        assert "dimensions" not in str(compare(rows, rows + 1, "frechet:extrapolate=yes").notes)

    def test_it_needs_texts(self, tmp_path: Path) -> None:
        with pytest.raises(dy.SpecError, match="needs all texts together, so a state is not enough"):
            dy.save_state(["a", "b"], tmp_path / "x.state", "frechet:extrapolate=yes")

    def test_the_number_of_parts(self) -> None:
        with pytest.raises(dy.SpecError, match="parts"):
            compare(
                np.eye(9), np.eye(9), "frechet:extrapolate=yes,parts=2"
            )  # a line through two points has no error


def _parts(rows: Table, parts: int, seed: int) -> list[Table]:
    contents = hashing.hash_rows(rows)
    order = np.argsort(sample_keys(hashing.sequence(contents, np.arange(len(rows) + 1)), _copies(rows), seed))
    places = np.arange(len(rows)) * parts // len(rows)
    return [rows[np.sort(order[places == part])] for part in range(parts)]


def _copies(rows: Table) -> np.ndarray[Any, Any]:
    times = Counter[tuple[float, ...]]()
    numbers = []
    for row in map(tuple, rows.tolist()):
        numbers.append(times[row])
        times[row] += 1
    return np.array(numbers)
