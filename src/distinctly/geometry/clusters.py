"""`Clusters`: common clusters of two corpora, and the number of texts of each corpus per cluster."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import CPU, Device, Reals, threads_to_decompose
from distinctly.embedders.base import Vectors
from distinctly.geometry.kmeans import k_means
from distinctly.hashing import Hashes, hash_rows, mix
from distinctly.ragged import Integers
from distinctly.statistics.pairing import PairIndex, PairStatistic
from distinctly.statistics.pool import Pool
from distinctly.views.vectors import VectorTable, VectorView

# A variance of unit vectors below this is rounding of float32.
NO_VARIANCE = 1e-12
# The number of clusterings per value; fewer for many texts, since they differ less and take longer.
SEEDS, MANY, SEEDS_OF_MANY = 5, 10_000, 2
# The number of partitions that are kept for later pairs: permutations of a pair share one.
KEPT = 4


@dataclass(frozen=True)
class Partition:
    """Texts of a pool in clusters, once for each seed.

    Attributes
    ----------
    labels
        The clusters of the texts, one row per seed, one column per text of the pool; −1 for no cluster.
    clusters
        The number of clusters.
    squared
        The squared distance of each text of the pool to the centre of its cluster, by the first seed,
        divided by the variance of all; NaN if it is in no cluster.
    dimensions
        The number of principal components that the texts were clustered by.
    """

    labels: NDArray[np.int32]
    clusters: int
    squared: NDArray[np.float32]
    dimensions: int


@dataclass(frozen=True)
class ClusterCounts:
    """The number of texts of a reference and of a candidate per cluster, by seed.

    Attributes
    ----------
    reference, candidate
        Counts: one row per seed, one column per cluster.
    asked
        The requested number of clusters; there are fewer if there are fewer distinct vectors.
    reference_rows, candidate_rows
        The texts that are counted, by their places in the pool.
    zeros
        The number of texts of both that have a vector of zeros: they have no direction and are in no cluster.
    partition
        The clusters.
    """

    reference: Integers
    candidate: Integers
    asked: int
    reference_rows: Integers
    candidate_rows: Integers
    zeros: int
    partition: Partition

    @property
    def clusters(self) -> int:
        """The number of clusters."""
        return self.partition.clusters

    def typical(self, cluster: int, count: int) -> tuple[list[int], list[int]]:
        """Return the `count` texts of the reference, and of the candidate, that are nearest to a centre."""
        labels, squared = self.partition.labels[0], self.partition.squared
        nearest = []
        for rows in (self.reference_rows, self.candidate_rows):
            members = rows[labels[rows] == cluster]
            nearest.append(members[np.argsort(squared[members], kind="stable")[:count]].tolist())
        return nearest[0], nearest[1]


@dataclass(frozen=True)
class Clusters(PairStatistic[ClusterCounts]):
    """K-means on the principal components of the unit vectors of both corpora together.

    Attributes
    ----------
    view
        The vectors of the texts.
    explained
        The share of the variance that the principal components have to explain.
    clusters
        The number of clusters; 0 for one tenth of the texts of the smaller corpus, at least two.
    seeds, seed
        The number of clusterings, and the first seed; 0 for 5 clusterings, or 2 if the smaller corpus has
        10,000 texts or more.
    joint
        Cluster all texts of the pool together, also those of other corpora.
    """

    view: VectorView
    explained: float = 0.9
    clusters: int = 0
    seeds: int = 0
    seed: int = 0
    joint: bool = False

    def index(self, pool: Pool) -> ClusterIndex:
        """Take the vectors of the pool."""
        return ClusterIndex(self, pool.view(self.view))


class ClusterIndex(PairIndex[ClusterCounts]):
    """The vectors of a pool; pairs with the same texts share their clusters.

    Clusters depend on the texts of both corpora together, so that permutations of a pair are only counted
    again. The order of texts depends only on their contents.
    """

    def __init__(self, how: Clusters, table: VectorTable) -> None:
        self._how = how
        self._vectors, self._device = table.rows, table.device
        self._placed: NDArray[np.bool_] = np.any(table.rows != 0, axis=1)
        self._order = _by_content(table.rows, table.content_hashes)
        self._kept: dict[tuple[int, int, int, int], Partition] = {}

    def summarize(self, reference: Integers, candidate: Integers) -> ClusterCounts:
        """Cluster the texts of both, unless that is already done, and count them."""
        reference_rows, candidate_rows = (rows[self._placed[rows]] for rows in (reference, candidate))
        zeros = len(reference) + len(candidate) - len(reference_rows) - len(candidate_rows)
        smaller = min(len(reference_rows), len(candidate_rows))
        asked = self._how.clusters or max(2, round(smaller / 10))
        seeds = self._how.seeds or (SEEDS if smaller < MANY else SEEDS_OF_MANY)
        partition = self._partition(reference_rows, candidate_rows, asked, seeds)
        return ClusterCounts(
            reference=_counted(partition, reference_rows),
            candidate=_counted(partition, candidate_rows),
            asked=asked,
            reference_rows=reference_rows,
            candidate_rows=candidate_rows,
            zeros=zeros,
            partition=partition,
        )

    def _partition(self, reference: Integers, candidate: Integers, asked: int, seeds: int) -> Partition:
        """Return the clusters of these texts, or of all texts of the pool."""
        rows = np.flatnonzero(self._placed) if self._how.joint else np.concatenate([reference, candidate])
        # The same for any order of the texts.
        key = asked, seeds, len(rows), int(mix(rows.astype(np.uint64) + np.uint64(1)).sum(dtype=np.uint64))
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = self._clustered(rows, asked, seeds)
        return self._kept[key]

    def _clustered(self, rows: Integers, asked: int, seeds: int) -> Partition:
        times = np.bincount(rows, minlength=len(self._vectors))
        rows = np.repeat(self._order, times[self._order])
        labels = np.full((seeds, len(self._vectors)), -1, np.int32)
        squared = np.full(len(self._vectors), np.nan, np.float32)
        explained, device = self._how.explained, self._device
        points = principal_points(self._vectors, rows, explained, device) if len(rows) else rows[:, None]
        if not len(rows) or not points.shape[1]:
            labels[:, rows], squared[rows] = 0, 0.0
            return Partition(labels, 1, squared, 0)
        clusters = 0
        for place in range(seeds):
            clustering = k_means(points, asked, self._how.seed + place, device)
            labels[place, rows] = clustering.labels
            clusters = max(clusters, len(clustering.centres))
            if not place:
                squared[rows] = clustering.squared
        return Partition(labels, clusters, squared, points.shape[1])


def _by_content(vectors: Vectors, texts: Hashes) -> Integers:
    """Return the order of the hashes of the texts, which rounding of vectors cannot change.

    Given vectors can differ for equal texts; such texts are ordered by their vectors.
    """
    _, places, counts = np.unique(texts, return_inverse=True, return_counts=True)
    tied = counts[places] > 1
    finer = np.zeros(len(vectors), np.uint64)
    finer[tied] = hash_rows(vectors[tied])
    order: Integers = np.lexsort((finer, texts))
    return order


def _counted(partition: Partition, rows: Integers) -> Integers:
    """Count the texts of each cluster, by seed."""
    labels = partition.labels[:, rows]
    shifted = labels + partition.clusters * np.arange(len(labels))[:, None]
    counts = np.bincount(shifted.ravel(), minlength=len(labels) * partition.clusters)
    return counts.reshape(len(labels), partition.clusters)


def principal_points(vectors: Vectors, rows: Integers, explained: float, device: Device = CPU) -> Any:
    """Return the first principal components of unit vectors that explain a share of their variance.

    They are in float32, on the device, and scaled to a total variance of 1. There are no columns if all
    vectors are equal.

    Examples
    --------
    >>> principal_points(np.array([[1.0, 0], [0, 5], [2, 0], [0, 1]]), np.arange(4), 0.9).round(2).tolist()
    [[-1.0], [1.0], [-1.0], [1.0]]
    """
    xp = device.xp
    size = device.rows_per_block(vectors.shape[1], 8)
    starts = range(0, len(rows), size)

    @functools.lru_cache(maxsize=1)  # a single block of few texts is needed twice
    def units(start: int) -> Any:
        return _units(device, vectors[rows[start : start + size]])

    if len(rows) < vectors.shape[1]:
        # The products of rows have the same eigenvalues as those of columns, and there are fewer of them.
        all_units = xp.concat([units(start) for start in starts])
        centred = all_units - xp.mean(all_units, axis=0)
        variances, axes = _leading(device.take(device.products(centred, centred)) / len(rows), explained)
        return device.put((axes * np.sqrt(variances * len(rows))).astype(np.float32))
    total: Any = 0.0
    squares: Any = 0.0
    for start in starts:
        block = units(start)
        total, squares = total + xp.sum(block, axis=0), squares + device.products(block.T, block.T)
    mean = device.take(total) / len(rows)
    covariance = device.take(squares) / len(rows) - np.outer(mean, mean)
    _, axes = _leading(covariance, explained)
    axes /= np.sqrt(max(np.trace(covariance), NO_VARIANCE))
    turned, shift = device.put(axes.T), device.put(mean @ axes)
    placed = (device.products(units(start), turned) - shift for start in starts)
    return xp.concat([xp.astype(points, xp.float32) for points in placed])


def _units(device: Device, vectors: Vectors) -> Any:
    """Scale vectors to length 1, in float64 on the device."""
    xp = device.xp
    if vectors.dtype == np.float64:  # so that no square overflows or underflows
        vectors = vectors / np.abs(vectors).max(axis=1, keepdims=True)
    rows = xp.astype(device.put(vectors), xp.float64)
    rows /= xp.sqrt(xp.vecdot(rows, rows))[:, None]
    return rows


def _leading(matrix: Reals, explained: float) -> tuple[Reals, Reals]:
    """Return the leading eigenvalues of a covariance, as shares of their sum, and the eigenvectors."""
    with threads_to_decompose(len(matrix)):
        values, vectors = np.linalg.eigh(matrix)
    total = np.trace(matrix)
    if total <= NO_VARIANCE:
        return values[:0], vectors[:, :0]
    shares = np.maximum(values[::-1], 0.0) / total
    # A share that is only rounding is not a component.
    count = min(int(np.searchsorted(np.cumsum(shares), explained - 1e-9)) + 1, int((shares > 1e-12).sum()))
    return shares[:count], vectors[:, ::-1][:, :count]
