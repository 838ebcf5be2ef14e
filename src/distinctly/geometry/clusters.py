"""`Clusters`: the texts of two corpora in common clusters, and the number of texts of each per cluster."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import CPU, Device, Reals
from distinctly.embedders.base import Vectors
from distinctly.geometry.kmeans import k_means
from distinctly.hashing import Hashes, hash_rows, mix
from distinctly.ragged import Integers
from distinctly.statistics.pairing import PairIndex, PairStatistic
from distinctly.statistics.pool import Pool
from distinctly.views.vectors import VectorTable, VectorView

# Variance of unit vectors under which it is rounding of float32.
NO_VARIANCE = 1e-12
# Clusterings that make one value; of many texts fewer, since they differ less and take longer.
SEEDS, MANY, SEEDS_OF_MANY = 5, 10_000, 2
# The number of partitions that are kept for later pairs: permutations of a pair have the same.
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
        divided by the variance of all; NaN where it is in no cluster.
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
        The number of clusters asked for; there are fewer where fewer vectors differ.
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
        """Return the texts of the reference, and of the candidate, that are nearest to a centre."""
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
        The number of clusters; 0 for a tenth of the texts of the smaller corpus, and two at least.
    seeds, seed
        The number of clusterings, and the first seed; 0 for 5 clusterings, or 2 where the smaller corpus
        has 10,000 texts or more.
    joint
        Cluster all texts of the pool together, whichever two corpora are compared.
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
    """The vectors of a pool; texts that are clustered together stay so for all pairs that they make.

    Clusters know the texts of both corpora, not which text is whose: permutations of a pair are only
    counted again. Their order depends on their contents alone.
    """

    def __init__(self, how: Clusters, table: VectorTable) -> None:
        self._how = how
        self._vectors, self._device = table.rows, table.device
        self._placed: NDArray[np.bool_] = np.any(table.rows != 0, axis=1)
        self._order = _by_content(table.rows, table.content_hashes)
        self._kept: dict[tuple[int, int, int, int], Partition] = {}

    def summarize(self, reference: Integers, candidate: Integers) -> ClusterCounts:
        """Cluster the texts of both, where that is not done yet, and count them."""
        one, other = (rows[self._placed[rows]] for rows in (reference, candidate))
        zeros = len(reference) + len(candidate) - len(one) - len(other)
        smaller = min(len(one), len(other))
        asked = self._how.clusters or max(2, round(smaller / 10))
        seeds = self._how.seeds or (SEEDS if smaller < MANY else SEEDS_OF_MANY)
        partition = self._partition(one, other, asked, seeds)
        return ClusterCounts(
            reference=_counted(partition, one),
            candidate=_counted(partition, other),
            asked=asked,
            reference_rows=one,
            candidate_rows=other,
            zeros=zeros,
            partition=partition,
        )

    def _partition(self, one: Integers, other: Integers, asked: int, seeds: int) -> Partition:
        """Cluster these texts; or all of the pool."""
        rows = np.flatnonzero(self._placed) if self._how.joint else np.concatenate([one, other])
        # The texts, whatever their order.
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
    """Return an order by the hashes of the texts, so that no rounding of a vector changes it.

    Texts can be equal and their vectors not, where the vectors are given: those go by their vectors.
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
    """Return the principal components of unit vectors, as many as explain a share of their variance.

    They come in float32, on the device, and scaled so that the variance of all is 1; with no
    column where the vectors do not differ.

    Examples
    --------
    >>> principal_points(np.array([[1.0, 0], [0, 5], [2, 0], [0, 1]]), np.arange(4), 0.9).round(2).tolist()
    [[-1.0], [1.0], [-1.0], [1.0]]
    """
    xp = device.xp
    size = device.rows_per_block(vectors.shape[1], 8)
    starts = range(0, len(rows), size)

    @functools.lru_cache(maxsize=1)  # one block, of few texts, is needed twice and made once
    def units(start: int) -> Any:
        return _units(device, vectors[rows[start : start + size]])

    if len(rows) < vectors.shape[1]:
        # The products of the rows have the same eigenvalues as those of the columns, and are fewer.
        all_units = xp.concat([units(start) for start in starts])
        centred = all_units - xp.mean(all_units, axis=0)
        variances, axes = _leading(device.take(centred @ centred.T) / len(rows), explained)
        return device.put((axes * np.sqrt(variances * len(rows))).astype(np.float32))
    total: Any = 0.0
    squares: Any = 0.0
    for start in starts:
        block = units(start)
        total, squares = total + xp.sum(block, axis=0), squares + block.T @ block
    mean = device.take(total) / len(rows)
    covariance = device.take(squares) / len(rows) - np.outer(mean, mean)
    _, axes = _leading(covariance, explained)
    axes /= np.sqrt(max(np.trace(covariance), NO_VARIANCE))
    turned, shift = device.put(axes), device.put(mean @ axes)
    return xp.concat([xp.astype(units(start) @ turned - shift, xp.float32) for start in starts])


def _units(device: Device, vectors: Vectors) -> Any:
    """Scale vectors to length 1, in float64 on the device."""
    xp = device.xp
    if vectors.dtype == np.float64:  # so that no square is too large or too small
        vectors = vectors / np.abs(vectors).max(axis=1, keepdims=True)
    rows = xp.astype(device.put(vectors), xp.float64)
    rows /= xp.sqrt(xp.vecdot(rows, rows))[:, None]
    return rows


def _leading(matrix: Reals, explained: float) -> tuple[Reals, Reals]:
    """Return the leading eigenvalues of a covariance, as shares of their sum, and the eigenvectors."""
    values, vectors = np.linalg.eigh(matrix)
    total = np.trace(matrix)
    if total <= NO_VARIANCE:
        return values[:0], vectors[:, :0]
    shares = np.maximum(values[::-1], 0.0) / total
    # Shares that are rounding are no axis.
    count = min(int(np.searchsorted(np.cumsum(shares), explained - 1e-9)) + 1, int((shares > 1e-12).sum()))
    return shares[:count], vectors[:, ::-1][:, :count]
