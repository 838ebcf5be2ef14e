"""K-means, written once for numpy and torch: the same points have the same clusters on both.

Products are computed in float32. If they cannot distinguish two centres, float64 decides. If float64 cannot
distinguish them either, the point goes to the centre that was chosen first. So rounding, which differs
between devices, does not change the search. (Only TF32 is too coarse for that: it may draw other first
centres, and then finds other clusters, as another seed does.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import CPU, Device
from distinctly.ragged import Integers

# Few first centres are drawn one by one, each the best of some trials: a badly placed one matters much, and
# a trial costs little. Many are drawn in rounds.
FEW, TRIALS, ROUNDS = 64, 4, 4
# The search ends when at most one in `SETTLED` points changes its cluster, or after `STEPS` steps.
SETTLED = 250
STEPS = 300
# The number of points per cluster that are enough to find its centre; of more points, a sample is used.
ENOUGH = 256
# Points have a spread of about 1. The error of closeness in float32 and in TF32, and the difference below
# which two centres are equally near.
DOUBT, DOUBT_TF32, TIE = 1e-5, 2e-3, 1e-6


@dataclass(frozen=True)
class Clustering:
    """Points in clusters, none of them empty.

    Attributes
    ----------
    labels
        The cluster of each point.
    centres
        One row per cluster.
    squared
        The squared distance of each point to the centre of its cluster.
    """

    labels: Integers
    centres: NDArray[np.float64]
    squared: NDArray[np.float32]

    @property
    def inertia(self) -> float:
        """The sum of the squared distances, which k-means minimises."""
        return float(self.squared.sum(dtype=np.float64))


def k_means(points: Any, count: int, seed: int, device: Device = CPU) -> Clustering:
    """Cluster points, an array in float32 on the device, around their means.

    There are fewer than `count` clusters if there are fewer distinct points. If there are very many points
    per cluster, the centres are those of a sample, and each point goes to the nearest one.

    Examples
    --------
    >>> clustering = k_means(np.array([[-1.0], [-0.9], [1.0], [1.1]], np.float32), 2, seed=0)
    >>> sorted(clustering.centres.round(2).tolist())
    [[-0.95], [1.05]]
    """
    draw = np.random.default_rng([seed, 30])
    enough = ENOUGH * count
    if len(points) <= enough:
        return _searched(points, count, draw, device).clustering()
    sample = np.sort(draw.permutation(len(points))[:enough])
    centres = _searched(points[device.put(sample)], count, draw, device).centres
    search = Search(points, device)
    search.place(centres)
    return search.clustering()


def _searched(points: Any, count: int, draw: np.random.Generator, device: Device) -> Search:
    search = Search(points, device)
    search.start(count, draw)
    for _ in range(STEPS):
        if search.step() <= len(points) // SETTLED:
            break
    return search


class Search:
    """Lloyd's search: centres go to the means of their points, and points to the nearest centre."""

    centres: Any
    # Of points: the nearest centre and how close it is. Of clusters: the sum of their points, their number,
    # and whether the centre is to move.
    _labels: Any
    _close: Any
    _sums: Any
    _sizes: Any
    _moved: Any

    def __init__(self, points: Any, device: Device = CPU) -> None:
        self._device = device
        self._xp = xp = device.xp
        self._points = points
        self._lengths = xp.sum(points * points, axis=1)
        # With a 1 appended to each point, one product gives its closeness to a centre.
        self._rows = xp.concat([points, xp.ones_like(points[:, :1])], axis=1)
        self._doubt = DOUBT_TF32 if self._device.tf32 else DOUBT
        # A squared distance that may be rounding, or is at most a tie, counts as 0.
        self._nothing = 4 * xp.where(self._lengths * self._doubt > TIE, self._lengths * self._doubt, TIE)

    def start(self, count: int, draw: np.random.Generator) -> None:
        """Choose distant points as the first centres, as in k-means++.

        The probability of a point grows with its squared distance from the centres chosen so far: every
        point has a random key, and the points with the smallest quotients of key and distance are chosen.
        """
        few = count <= FEW
        shape = TRIALS if few else 1, len(self._points)
        per_round = 1 if few else -(-count // ROUNDS)
        keys = draw.standard_exponential(shape, np.float32)
        self.centres = self._at(self._device.put(keys[0].argmin()[None]))
        self._labels, self._close = self._nearest(self._rows, self.centres)
        while left := count - self.centres.shape[0]:
            if few:
                keys = draw.standard_exponential(shape, np.float32)
            places = self._drawn(self._device.put(keys), min(per_round, left))
            if not places.shape[0]:
                break  # all remaining points coincide with centres
            self._add(self._at(places))
        self._count()

    def place(self, centres: Any) -> None:
        """Set the centres, and assign each point to the nearest one."""
        self.centres = centres
        self._labels, self._close = self._nearest(self._rows, centres)
        self._count()

    def step(self) -> int:
        """Move the centres to the means; return the number of points whose nearest centre changes."""
        xp = self._xp
        filled = self._sizes > 0
        means = self._sums / xp.where(filled, self._sizes, xp.ones_like(self._sizes))[:, None]
        self.centres = xp.where((self._moved & filled)[:, None], means, self.centres)
        reseeded = self._fill(xp.nonzero(~filled)[0])
        labels, close = self._assigned(xp.nonzero(self._moved)[0])
        changed = xp.nonzero(labels != self._labels)[0]
        self._moved = xp.zeros_like(self._moved)
        if changed.shape[0]:
            rows, places = self._rows[changed], xp.concat([self._labels[changed], labels[changed]])
            sums, sizes = self._added_up(xp.concat([-rows, rows]), places)
            self._sums, self._sizes = self._sums + sums, self._sizes + sizes
            self._moved[places] = True
        self._labels, self._close = labels, close
        return len(self._points) if reseeded else int(changed.shape[0])

    def clustering(self) -> Clustering:
        """Return the clusters that have points, from the device."""
        take = self._device.take
        used, labels = np.unique(take(self._labels), return_inverse=True)
        return Clustering(labels, take(self.centres)[used], take(self._squared()))

    def _count(self) -> None:
        """Add up the points of each cluster, and mark all centres as moved."""
        self._sums, self._sizes = self._added_up(self._rows, self._labels)
        self._moved = self._sizes >= 0

    def _at(self, places: Any) -> Any:
        """Return centres at the given points."""
        return self._xp.astype(self._points[places], self._xp.float64)

    def _squared(self) -> Any:
        """Return the squared distance of each point to its centre: |x|² − 2(xc − |c|²/2)."""
        squared = self._lengths - 2 * self._close
        return self._xp.where(squared > self._nothing, squared, self._xp.zeros_like(squared))

    def _drawn(self, keys: Any, count: int) -> Any:
        """Draw points by each row of keys, none at a centre, and return the draw with the least inertia."""
        xp = self._xp
        apart = self._squared()
        far = apart > 0
        scaled = keys / xp.where(far, apart, xp.ones_like(apart))
        scaled = xp.where(far, scaled, xp.full_like(scaled, xp.inf))
        values, places = self._device.smallest(scaled, min(count, len(self._points)))
        best = 0
        if len(keys) > 1:
            flat = xp.reshape(places, (-1,))
            centres = xp.concat([self._points[flat], self._lengths[flat, None] / -2], axis=1)
            close = xp.reshape(self._device.products(self._rows, centres), (-1, *places.shape))
            best = int(xp.argmax(xp.sum(xp.maximum(xp.max(close, axis=2), self._close[:, None]), axis=0)))
        return places[best][xp.isfinite(values[best])]

    def _add(self, centres: Any) -> None:
        """Add centres, and reassign the points that are nearer to them."""
        best, close = self._nearest(self._rows, centres)
        before = self.centres.shape[0]
        self.centres = self._xp.concat([self.centres, centres])
        self._labels, self._close = self._updated(before + best, close, self._labels < 0)

    def _fill(self, empty: Any) -> bool:
        """Move the centres of empty clusters to the points that are farthest from their centres."""
        count = min(int(empty.shape[0]), len(self._points))
        if not count:
            return False
        values, places = self._device.smallest(-self._squared()[None, :], count)
        places = places[0][values[0] < 0]
        empty = empty[: places.shape[0]]
        self.centres[empty] = self._at(places)
        self._moved[empty] = True
        return bool(places.shape[0])

    def _assigned(self, moved: Any) -> tuple[Any, Any]:
        """Assign points to the nearest centre, given the centres that moved since the last assignment."""
        if not moved.shape[0]:
            return self._labels, self._close
        if 2 * moved.shape[0] > self.centres.shape[0]:
            return self._nearest(self._rows, self.centres)
        best, close = self._nearest(self._rows, self.centres[moved])
        return self._updated(moved[best], close, self._moved[self._labels])

    def _updated(self, best: Any, close: Any, left: Any) -> tuple[Any, Any]:
        """Assign points to the nearest centre, given the nearest of the new or moved centres.

        A centre that did not move is at most as near as the nearest one was. So if a moved centre is nearer
        than that, it is the nearest. If none is, and the point's own centre did not move, nothing changes.
        Only the remaining points are compared with all centres.
        """
        xp = self._xp
        nearer = close > self._close + self._doubt
        stays = (close < self._close - self._doubt) & ~left
        labels = xp.where(nearer, best, self._labels)
        close = xp.where(nearer, close, self._close)
        rest = xp.nonzero(~(nearer | stays))[0]
        if rest.shape[0]:
            labels[rest], close[rest] = self._nearest(self._rows[rest], self.centres)
        return labels, close

    def _nearest(self, rows: Any, centres: Any) -> tuple[Any, Any]:
        """Return the nearest centre of each row, and its closeness: xc − |c|²/2, larger is nearer."""
        xp = self._xp
        exact = xp.concat([centres, xp.sum(centres * centres, axis=1, keepdims=True) / -2], axis=1)
        rounded = xp.astype(exact, xp.float32)
        if centres.shape[0] == 1:
            close = self._device.products(rows, rounded)[:, 0]
            return xp.zeros_like(close, dtype=xp.int64), close
        assigned = []
        for where in self._blocks(rows.shape[0], centres.shape[0]):
            table = self._device.products(rows[where], rounded)
            label = xp.argmax(table, axis=1)
            each = xp.arange(table.shape[0], device=table.device)
            close = table[each, label]
            table[each, label] = -xp.inf
            doubtful = xp.nonzero(xp.max(table, axis=1) > close - self._doubt)[0]
            if doubtful.shape[0]:
                table = self._device.products(xp.astype(rows[where][doubtful], xp.float64), exact)
                nearest = xp.max(table, axis=1)
                label[doubtful] = xp.argmax(xp.astype(table >= nearest[:, None] - TIE, xp.int8), axis=1)
                close[doubtful] = xp.astype(nearest, xp.float32)
            assigned.append((label, close))
        labels, closest = zip(*assigned)
        return xp.concat(labels), xp.concat(closest)

    def _added_up(self, rows: Any, labels: Any) -> tuple[Any, Any]:
        """Return the sum of the points of each cluster, and their number."""
        count = self.centres.shape[0]
        blocks = self._blocks(rows.shape[0], 2 * rows.shape[1])
        sums = sum(self._device.sums_by_label(rows[where], labels[where], count) for where in blocks)
        return sums[:, :-1], sums[:, -1]

    def _blocks(self, rows: int, columns: int) -> list[slice]:
        size = self._device.rows_per_block(columns)
        return [slice(start, start + size) for start in range(0, rows, size)]
