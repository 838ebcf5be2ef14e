"""`Neighbours` and `NearestAcross`: many pairs equal single pairs, for all blocks and devices."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.distance.neighbour_corpora import real
from tests.oracles import neighbours as oracle

import distinctly as dy
from distinctly import arrays
from distinctly.arrays import CPU, Device
from distinctly.geometry import neighbour_walks
from distinctly.geometry.balls import Balls, NeighbourIndex
from distinctly.geometry.nearest_across import BothWays, NearestIndex
from distinctly.geometry.neighbour_lists import Near
from distinctly.geometry.neighbour_walks import Lists, visits
from distinctly.geometry.points import PAIRS, Points, Space, tree_sum
from distinctly.geometry.screening import Crowd, Screen
from distinctly.views.vectors import VectorTable

Rows = tuple[Any, Any]
SPACES: list[Space] = ["euclidean", "angular"]


def points_of(vectors: np.ndarray[Any, Any], space: Space, device: Device = CPU) -> Points:
    return Points.of(VectorTable(vectors, device), space)


def values_of(balls: Balls) -> tuple[object, ...]:
    """Return all values of a summary."""
    marks = (balls.covered.tolist(), balls.recalled.tolist(), balls.inside.tolist())
    return (*marks, balls.hits, balls.empty, balls.reference.texts, balls.candidate.texts)


def distances(found: BothWays) -> list[list[float]]:
    return [found.reference.distances.tolist(), found.candidate.distances.tolist()]


def halves(pool: int, many: int, seed: int, share: float = 1.0) -> list[Rows]:
    """Split a pool in two at random, several times; with a share below 1, the rest is left out."""
    draw = np.random.default_rng(seed)
    orders = [draw.permutation(pool)[: round(pool * share)] for _ in range(many)]
    return [(order[: len(order) // 2], order[len(order) // 2 :]) for order in orders]


# Vectors with repetitions, ties and zeros, at random places.
POOLS = st.tuples(st.integers(12, 40), st.integers(1, 4), st.integers(0, 10_000))


def pool_of(size: int, dimensions: int, seed: int, space: Space) -> np.ndarray[Any, Any]:
    draw = np.random.default_rng(seed)
    # Powers of 2 keep directions exact, so that they tie as distances do.
    whole = draw.integers(-1, 2, (size, dimensions)) * 2.0 ** draw.integers(0, 3, (size, 1))
    return whole if space == "euclidean" else np.where(np.abs(whole) > 1, whole, np.sign(whole))


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("share", [1.0, 0.7])
@settings(max_examples=25)
@given(shape=POOLS, k=st.integers(1, 3))
def test_many_pairs_equal_single_pairs(
    shape: tuple[int, int, int], k: int, share: float, space: Space
) -> None:
    points = points_of(pool_of(*shape, space), space)
    pairs = halves(shape[0], 10, shape[2], share)
    balls, nearest = NeighbourIndex(points, k), NearestIndex(points)
    assert [values_of(summary) for summary in balls.each(pairs)] == [
        values_of(balls.summarize(*pair)) for pair in pairs
    ]
    for one, pair in zip(nearest.each(pairs), pairs):
        assert distances(one) == distances(nearest.summarize(*pair))


@pytest.mark.parametrize("space", SPACES)
@settings(max_examples=25)
@given(shape=POOLS, sides=st.integers(2, 10))
def test_pairs_that_lack_few_texts_equal_single_pairs(
    shape: tuple[int, int, int], sides: int, space: Space
) -> None:
    points = points_of(pool_of(*shape, space), space)
    reference, candidate = np.split(np.arange(shape[0]), [shape[0] * sides // 12])
    pairs = [(np.delete(reference, place), candidate) for place in range(len(reference))]
    pairs += [(reference, np.delete(candidate, place)) for place in range(len(candidate))]
    for one, pair in zip(NearestIndex(points).each(pairs), pairs, strict=True):
        alone = NearestIndex(points).summarize(*pair)
        assert distances(one) == distances(alone)
        assert one.reference.crowd.counts.tolist() == alone.reference.crowd.counts.tolist()
        assert one.text_distances(1).tolist() == pytest.approx(alone.text_distances(1).tolist(), nan_ok=True)


def test_real_permutations_equal_single_pairs(shared: Path) -> None:
    points = points_of(
        np.concatenate([real(shared, "clinc150", 150), real(shared, "banking77", 150)]), "euclidean"
    )
    pairs = [(np.arange(150), np.arange(150, 300)), *halves(300, 20, 0)]
    balls, nearest = NeighbourIndex(points, 5), NearestIndex(points)
    assert [values_of(summary) for summary in balls.each(pairs)] == [
        values_of(balls.summarize(*pair)) for pair in pairs
    ]
    for one, pair in zip(nearest.each(pairs), pairs):
        assert distances(one) == distances(nearest.summarize(*pair))


def test_lists_are_kept_for_the_next_pairs() -> None:
    points = points_of(np.random.default_rng(0).normal(size=(60, 3)), "euclidean")
    index = NeighbourIndex(points, 2)
    list(index.each(halves(60, 9, 0)))
    first = index._lists
    list(index.each(halves(60, 9, 1)))
    assert first is not None
    assert index._lists is first


def test_few_pairs_and_small_sides_are_compared_one_by_one() -> None:
    points = points_of(np.random.default_rng(0).normal(size=(60, 3)), "euclidean")
    index = NeighbourIndex(points, 2)
    for pairs in (halves(60, 1, 0), [(np.arange(2), np.arange(2, 60))] * 9):
        assert [values_of(summary) for summary in index.each(pairs)] == [
            values_of(index.summarize(*pair)) for pair in pairs
        ]
        assert index._lists is None


@given(shape=POOLS, k=st.integers(1, 4), depth=st.integers(1, 12))
def test_compiled_walk_equals_the_plain_one(shape: tuple[int, int, int], k: int, depth: int) -> None:
    points = points_of(pool_of(*shape, "euclidean"), "euclidean")
    everyone = Crowd.of(points.numbers)
    if len(everyone) <= depth:
        return
    lists = Lists.of(points.placed(), everyone, depth)
    one, other = (lists.counts(Crowd.of(points.numbers[rows])) for rows in halves(shape[0], 1, 0)[0])
    plain, compiled = (
        neighbour_walks._plain(lists, one, other, k),
        neighbour_walks._compiled(lists, one, other, k),
    )
    for name in ("reached", "entered", "hits", "empty", "is_short"):
        assert np.array_equal(getattr(plain, name), getattr(compiled, name)), name


def test_points_with_short_lists_are_compared_with_all() -> None:
    draw = np.random.default_rng(0)
    points = points_of(draw.normal(size=(300, 3)), "euclidean")
    lists = Lists.of(points.placed(), Crowd.of(points.numbers), 9)
    rows = halves(300, 1, 0)[0]
    one, other = (lists.counts(Crowd.of(points.numbers[own])) for own in rows)
    found = visits(lists, one, other, 2, compiled=False)
    assert found is not None
    assert 0 < found.is_short.sum() <= 8
    expected = NeighbourIndex(points, 2).summarize(*rows)
    assert found.hits == expected.hits
    assert np.array_equal(found.reached[one > 0], expected.covered)
    # If lists are far too short, they are not used.
    assert visits(lists, one, other, 8, compiled=False) is None


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("name", ["cpu", "torch"])
def test_blocks_and_devices_change_nothing(
    monkeypatch: pytest.MonkeyPatch, shared: Path, name: str, space: Space
) -> None:
    if name == "torch":
        pytest.importorskip("torch")
    vectors = np.concatenate([real(shared, "clinc150", 130), real(shared, "banking77", 90)])
    points = points_of(vectors, space)
    rows = np.arange(130), np.arange(130, 220)
    expected = values_of(NeighbourIndex(points, 5).summarize(*rows))
    expected_distances = distances(NearestIndex(points).summarize(*rows))
    pairs = [rows, *halves(220, 6, 0)]
    permuted = [values_of(summary) for summary in NeighbourIndex(points, 5).each(pairs)]
    # Blocks of at most 37 rows and columns, of numbers of 4 bytes.
    monkeypatch.setattr(arrays, "CPU_BLOCK", 37**2 * 4)
    points = points_of(vectors, space, Device(name))
    assert values_of(NeighbourIndex(points, 5).summarize(*rows)) == expected
    found = distances(NearestIndex(points).summarize(*rows))
    assert [values_of(summary) for summary in NeighbourIndex(points, 5).each(pairs)] == permuted
    for one, other in zip(found, expected_distances):
        assert one == pytest.approx(other, rel=1e-15)


@pytest.mark.parametrize("spec", ["pr", "dc", "irpr", "hausdorff", "hausdorff:mode=max,metric=euclidean"])
def test_torch_gives_the_same_scores(shared: Path, spec: str) -> None:
    pytest.importorskip("torch")
    one, other = real(shared, "clinc150", 130), real(shared, "banking77", 90)
    expected = dy.compare(one, other, spec, permutations=20)[0]
    found = dy.compare(one, other, spec, permutations=20, device="torch")[0]
    assert found.value == pytest.approx(expected.value, rel=1e-12)
    assert found.parts == pytest.approx(expected.parts, rel=1e-12)


def test_in_tf32_nothing_is_measured_again(monkeypatch: pytest.MonkeyPatch, shared: Path) -> None:
    # As on a GPU in TF32, but in single precision: bounds are used as distances.
    device = Device()
    object.__setattr__(device, "tf32", True)
    vectors = np.concatenate([real(shared, "clinc150", 200), real(shared, "banking77", 200)])
    points, in_tf32 = points_of(vectors, "euclidean"), points_of(vectors, "euclidean", device)
    rows = np.arange(200), np.arange(200, 400)
    monkeypatch.setattr(Device, "products", lambda self, one, other: one @ other.T)
    pairs = halves(400, 5, 0)
    rough = NeighbourIndex(in_tf32, 5).summarize(*rows), NearestIndex(in_tf32).summarize(*rows)
    walked = [one.coverage for one in NeighbourIndex(in_tf32, 5).each(pairs)]
    assert walked == pytest.approx([one.coverage for one in NeighbourIndex(points, 5).each(pairs)], abs=0.01)
    exact = NeighbourIndex(points, 5).summarize(*rows), NearestIndex(points).summarize(*rows)
    assert rough[0].precision == pytest.approx(exact[0].precision, abs=0.01)
    assert rough[0].density == pytest.approx(exact[0].density, abs=0.01)
    for one, other in zip(distances(rough[1]), distances(exact[1])):
        assert one == pytest.approx(other, rel=1e-5)  # single precision


@given(seed=st.integers(0, 1000), offset=st.sampled_from([0.0, 10.0, 1e4]))
def test_bounds_are_below_distances_and_near(seed: int, offset: float) -> None:
    draw = np.random.default_rng(seed)
    rows = (draw.normal(size=(30, 50)) * draw.lognormal(size=(30, 1)) + offset).astype(np.float32)
    points = points_of(rows, "euclidean").placed()
    one, other = Crowd.of(np.arange(12)), Crowd.of(np.arange(12, 30))
    screen = Screen(points, one, other)
    ((_, _, table),) = screen.blocks()
    exact = np.square(points.rows[:12, None].astype(float) - points.rows[None, 12:]).sum(axis=2) / 2
    widths = screen.slack * (screen.squares[0][:, None] + screen.squares[1])
    assert (table <= exact).all()
    assert (exact <= table + widths).all()


def test_tight_groups_far_apart_use_double_precision() -> None:
    # Two groups a million spreads apart in each corpus: single precision cannot distinguish their points.
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(200, 4)) + np.where(np.arange(200)[:, None] % 2, 1e6, 0)
    points = points_of(rows, "euclidean")
    one, other = np.arange(100), np.arange(100, 200)
    expected = oracle.prdc(rows[:100].tolist(), rows[100:].tolist(), 3, oracle.squared)
    found = NeighbourIndex(points, 3).summarize(one, other)
    assert (found.precision, found.recall, found.coverage) == (expected[0], expected[1], expected[3])
    assert Near.of(points.placed(), Crowd.of(one), 3).screen.is_double
    nearest = NearestIndex(points).summarize(one, other)
    # Points are in the order of their rows.
    apart = [min(math.dist(row, to) for to in rows[100:].tolist()) for row in rows[:100].tolist()]
    assert nearest.reference.distances == pytest.approx(apart, rel=1e-9)


def test_ties_at_the_end_of_a_list_are_compared_with_all() -> None:
    # One-hot vectors are all equally far from each other, so no list is long enough.
    points = points_of(np.eye(30), "euclidean")
    found = NeighbourIndex(points, 3).summarize(np.arange(15), np.arange(15, 30))
    assert (found.precision, found.recall, found.hits) == (0, 0, 0)


@given(width=st.integers(1, 200), count=st.integers(1, 6), seed=st.integers(0, 100))
@pytest.mark.parametrize("name", ["cpu", "torch"])
@pytest.mark.parametrize("turned", [False, True])
def test_the_smallest_of_a_row(name: str, turned: bool, width: int, count: int, seed: int) -> None:
    if name == "torch":
        pytest.importorskip("torch")
    if count > width:
        return
    device = Device(name)
    table = np.random.default_rng(seed).integers(0, 50, (7, width)).astype(np.float32)
    given_table = device.put(np.ascontiguousarray(table.T)).T if turned else device.put(table)
    values, places = map(device.take, device.smallest(given_table, count))
    assert values.tolist() == np.sort(table, axis=1)[:, :count].tolist()
    assert np.take_along_axis(table, places, 1).tolist() == values.tolist()
    assert all(len(set(row)) == count for row in places.tolist())


def test_the_smallest_of_many_equal_entries() -> None:
    # No entry is above the smallest minimum of a group, so grouping does not make the table smaller.
    values, places = CPU.smallest(np.zeros((2, 5000)), 3)
    assert values.tolist() == [[0.0] * 3] * 2
    assert all(len(set(row)) == 3 for row in places.tolist())


@given(width=st.integers(1, 40), seed=st.integers(0, 100))
def test_sums_do_not_depend_on_other_rows(width: int, seed: int) -> None:
    table = np.random.default_rng(seed).normal(size=(PAIRS + 1, width))
    whole = tree_sum(table.copy())
    assert whole.tolist() == [float(tree_sum(row[None].copy())[0]) for row in table]
    assert whole == pytest.approx(table.sum(axis=1), rel=1e-12, abs=1e-12)


def test_explanations_of_a_distance() -> None:
    # On a line, k = 1: reference 0, 1, 3, 3 (one point twice: its ball is empty), candidate 0.5, 9, 9.
    points = points_of(np.array([[0.0], [1], [3], [3], [0.5], [9], [9]]), "euclidean")
    rows = np.array([0, 1, 2, 3]), np.array([6, 5, 4])
    balls = NeighbourIndex(points, 1).summarize(*rows)
    assert balls.uncovered_references().tolist() == [2, 3]
    assert balls.outside_candidates().tolist() == [0, 1]
    reference, candidate, apart = NearestIndex(points).summarize(*rows).pairs()
    assert reference.tolist() == [0, 1, 2, 3]
    assert candidate.tolist() == [2, 2, 2, 2]
    assert apart.tolist() == [0.5, 0.5, 2.5, 2.5]
