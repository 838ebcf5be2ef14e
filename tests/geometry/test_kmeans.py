"""K-means: properties of every clustering, on all devices, with blocks and samples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from distinctly import arrays
from distinctly.geometry import kmeans
from distinctly.geometry.kmeans import Clustering, Search, k_means

Points = NDArray[np.float32]

# Few small integers, so that points repeat and tie between centres.
POINTS = st.integers(1, 3).flatmap(
    lambda size: st.lists(st.lists(st.integers(-3, 3), min_size=size, max_size=size), min_size=1, max_size=30)
)


def cloud(n: int, dimensions: int, seed: int = 0) -> Points:
    """Draw points with a variance of about 1, some of them near others."""
    draw = np.random.default_rng(seed)
    centres = draw.standard_normal((max(n // 15, 1), dimensions))
    points = centres[draw.integers(len(centres), size=n)] + 0.7 * draw.standard_normal((n, dimensions))
    found: Points = (points / np.sqrt(1.5 * dimensions)).astype(np.float32)
    return found


def all_squared(points: Points, found: Clustering) -> NDArray[np.float64]:
    """Return the squared distance of every point to every centre, by loops."""
    apart = points.astype(float)[:, None, :] - found.centres[None, :, :]
    squared: NDArray[np.float64] = (apart * apart).sum(axis=2)
    return squared


@given(rows=POINTS, count=st.integers(1, 12), seed=st.integers(0, 3))
def test_every_point_is_with_the_nearest_centre(rows: list[list[int]], count: int, seed: int) -> None:
    points = np.array(rows, np.float32)
    found = k_means(points, count, seed)
    squared = all_squared(points, found)
    own = squared[np.arange(len(points)), found.labels]
    assert own == pytest.approx(squared.min(axis=1), abs=2e-6)  # smaller differences are ties
    assert found.squared == pytest.approx(own, abs=2e-5 * (1 + float((points**2).sum(axis=1).max())))
    different = len({tuple(row) for row in rows})
    assert len(found.centres) == len(np.unique(found.labels)) <= min(count, different)


@given(rows=POINTS)
def test_one_cluster_per_distinct_point(rows: list[list[int]]) -> None:
    points = np.array(rows, np.float32)
    different = {tuple(row) for row in rows}
    found = k_means(points, len(different), seed=0)
    assert {tuple(centre) for centre in found.centres.tolist()} == different
    assert found.inertia == 0


@pytest.mark.parametrize("seed", range(3))
def test_inertia_never_rises_and_assignments_are_correct(seed: int) -> None:
    points = cloud(600, 10, seed)
    search = Search(points)
    search.start(40, np.random.default_rng(seed))
    before = search.clustering().inertia
    for _ in range(30):
        search.step()
        found = search.clustering()
        assert found.inertia <= before * (1 + 1e-6)
        before = found.inertia
        # Points that are not compared with all centres are also with the nearest.
        squared = all_squared(points, found)
        assert squared[np.arange(len(points)), found.labels] == pytest.approx(squared.min(axis=1), abs=2e-6)
    for label, centre in enumerate(found.centres):
        assert centre == pytest.approx(points[found.labels == label].mean(axis=0), abs=1e-6)


def test_an_empty_cluster_moves_to_the_farthest_point() -> None:
    # Two equal centres: the second has no points, and moves to (9, 0), the farthest from (0, 0).
    points = np.array([[0.0, 0], [0, 0.1], [9, 0]], np.float32)
    search = Search(points)
    search.place(np.zeros((2, 2)))
    while search.step():
        pass
    assert sorted(search.clustering().labels.tolist()) in ([0, 0, 1], [0, 1, 1])
    assert search.clustering().inertia == pytest.approx(2 * 0.05**2, rel=1e-4)


def test_is_as_good_as_scikit_learn() -> None:
    from sklearn.cluster import KMeans

    points = cloud(800, 20)
    peer = [KMeans(50, n_init=1, random_state=seed).fit(points).inertia_ for seed in range(8)]
    own = [k_means(points, 50, seed).inertia for seed in range(8)]
    assert np.mean(own) < np.mean(peer) + np.std(peer)


def test_clusters_depend_on_the_seed() -> None:
    points = cloud(500, 8)
    assert (k_means(points, 30, 1).labels == k_means(points, 30, 1).labels).all()
    assert (k_means(points, 30, 1).labels != k_means(points, 30, 2).labels).any()


@pytest.mark.parametrize("count", [2, 30, 150])
def test_torch_finds_the_same_clusters(count: int) -> None:
    pytest.importorskip("torch")
    points = cloud(1500, 24)
    expected = k_means(points, count, 0)
    device = arrays.Device("torch")
    found = k_means(device.put(points), count, 0, device)
    assert (found.labels == expected.labels).all()
    assert found.centres == pytest.approx(expected.centres, abs=1e-9)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    points = cloud(1500, 24)
    expected = k_means(points, 60, 0)
    monkeypatch.setattr(arrays, "CPU_BLOCK", 5000)
    assert (k_means(points, 60, 0).labels == expected.labels).all()


def test_very_many_points_use_the_centres_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    points = cloud(3000, 6)
    whole = k_means(points, 10, 0)
    monkeypatch.setattr(kmeans, "ENOUGH", 60)
    found = k_means(points, 10, 0)
    squared = all_squared(points, found)
    assert squared[np.arange(len(points)), found.labels] == pytest.approx(squared.min(axis=1), abs=2e-6)
    assert len(found.labels) == 3000
    assert found.inertia == pytest.approx(whole.inertia, rel=0.1)  # of 600 points instead of 3,000
