"""Many pairs of selections of one pool: lists of near points, computed once and used for every pair."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from distinctly.arrays import Reals
from distinctly.geometry.neighbour_lists import Near
from distinctly.geometry.points import Bools, PlacedPoints
from distinctly.geometry.screening import Crowd
from distinctly.ragged import Integers

# Lists cost about as much as this many comparisons of all points.
PAYS = 4
# The largest number of entries of all lists together.
MOST_ENTRIES = 60_000_000
# If a larger share of the lists is too short, a pair is compared without them.
MOST_SHORT = 0.02
# Points whose lists are too short for one pair are so for most: this many distances to all points are kept.
MOST_KEPT = 8_000_000
# From this number of entries on, the compiled walk is faster, including compilation.
WORTH_COMPILING = 60_000_000


@dataclass(frozen=True)
class Lists:
    """The nearest other points of each point, in order.

    Attributes
    ----------
    crowd
        The points.
    nearest
        The places of the nearest other points of each point, nearest first.
    squares
        The squared distances to them.
    lengths
        The number of certain entries per list: all other points are at least as far as the last of them.
    points
        The vectors, for distances to points that are not in a list.
    """

    crowd: Crowd
    nearest: Integers
    squares: Reals
    lengths: Integers
    points: PlacedPoints
    _kept: dict[int, tuple[Reals, Integers]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, points: PlacedPoints, crowd: Crowd, depth: int) -> Lists:
        """Return lists of `depth` entries, or of fewer if there are fewer points."""
        squares, places, lengths = Near.of(points, crowd, depth).sorted()
        take = points.device.take
        return cls(crowd, take(places), take(squares), take(lengths), points)

    def __len__(self) -> int:
        return len(self.crowd)

    def counts(self, crowd: Crowd) -> Integers:
        """Return the number of texts of a crowd at each point."""
        counts = np.zeros(len(self), np.int64)
        counts[self.places(crowd)] = crowd.counts
        return counts

    def places(self, crowd: Crowd) -> Integers:
        """Return the places of the points of a crowd among these points."""
        return np.searchsorted(self.crowd.numbers, crowd.numbers)

    def serves(self, crowd: Crowd) -> bool:
        """Return whether these points are all points of a crowd, and few others."""
        places = np.minimum(self.places(crowd), len(self) - 1)
        return len(self) <= 1.2 * len(crowd) and bool((self.crowd.numbers[places] == crowd.numbers).all())

    def in_full(self, place: int) -> tuple[Reals, Integers]:
        """Return the squared distances of one point to all points, infinite to itself, and their order."""
        if place in self._kept:
            return self._kept[place]
        device = self.points.device
        numbers = device.put(self.crowd.numbers)
        repeated = device.put(np.full(len(self), self.crowd.numbers[place]))
        squares: Reals = device.take(self.points.squares(repeated, numbers)).copy()
        squares[place] = np.inf
        measured = squares, np.argsort(squares, kind="stable")
        if len(self._kept) * len(self) < MOST_KEPT:
            self._kept[place] = measured
        return measured


def depth_for(k: int, share: float) -> int:
    """Return the length of lists that contain the k-th text of a side with this share of the pool.

    The number of texts of the side among m texts of a shuffled pool is about binomial.
    """
    return round((k + 5 * sqrt(k) + 6) / share)


def lists_for(
    points: PlacedPoints, pairs: Sequence[tuple[Crowd, Crowd]], k: int, existing: Lists | None
) -> Lists | None:
    """Return lists for these pairs, the existing ones if they suffice; None if lists are more work."""
    smallest = min((crowd.texts for pair in pairs for crowd in pair), default=0)
    numbers = np.unique(np.concatenate([np.zeros(0, np.int64), *(c.numbers for pair in pairs for c in pair)]))
    union = Crowd(numbers, np.ones(len(numbers), np.int64))
    one_by_one = sum((len(left) + len(right)) ** 2 for left, right in pairs)
    texts = max((left.texts + right.texts for left, right in pairs), default=0)
    if smallest <= k or one_by_one < PAYS * len(union) ** 2:
        return None
    depth = min(depth_for(k, smallest / max(texts, len(union))), len(union) - 1)
    if depth * len(union) > MOST_ENTRIES:
        return None
    if existing is not None and existing.serves(union) and existing.nearest.shape[1] >= depth:
        return existing
    return Lists.of(points, union, depth)


@dataclass(frozen=True)
class Visits:
    """The points in the balls of the points of the other side.

    Attributes
    ----------
    reached
        For each point of the own side, whether one of the other side is in its ball.
    entered
        For each point of the other side, whether it is in such a ball.
    hits
        The number of pairs of texts of which the second is in the ball of the first.
    empty
        The number of texts whose ball has a radius of 0.
    is_short
        For each point, whether its list ended before its ball did.
    """

    reached: Bools
    entered: Bools
    hits: int
    empty: int
    is_short: Bools


def visits(lists: Lists, own: Integers, other: Integers, k: int, *, compiled: bool) -> Visits | None:
    """Find the points of the other side in the balls of the own side, by walking through the lists.

    A point whose list is too short is compared with all points; return None if there are too many.
    """
    seen = _compiled(lists, own, other, k) if compiled else _plain(lists, own, other, k)
    if np.count_nonzero(seen.is_short) > max(MOST_SHORT * len(lists), 8):
        return None
    hits, empty = seen.hits, seen.empty
    for place in np.flatnonzero(seen.is_short).tolist():
        squares, order = lists.in_full(place)
        radius = squares[order[np.searchsorted(own[place] - 1 + np.cumsum(own[order]), k)]]
        inside = squares < radius
        inside[place] = radius > 0
        inside &= other > 0
        seen.reached[place] = inside.any()
        seen.entered[inside] = True
        hits += int(own[place]) * int(other[inside].sum())
        empty += int(own[place]) if radius == 0 else 0
    return Visits(seen.reached, seen.entered, hits, empty, seen.is_short)


def _plain(lists: Lists, own: Integers, other: Integers, k: int) -> Visits:
    depth = lists.nearest.shape[1]
    running = (own - 1)[:, None] + np.cumsum(own[lists.nearest], axis=1)
    at = (running < k).sum(axis=1)
    needs = (own > 0) & (own <= k)
    is_short = needs & (at >= lists.lengths)
    nearest_at = np.minimum(at, depth - 1)[:, None] if depth else at[:, None]
    radii = np.take_along_axis(lists.squares, nearest_at, 1)[:, 0] if depth else np.zeros(len(lists))
    radii = np.where(needs & ~is_short, radii, 0.0)
    inside = lists.squares < radii[:, None]
    inside &= (other > 0)[lists.nearest]
    shared = (radii > 0) & (other > 0)
    entered = shared.copy()
    entered[lists.nearest[inside]] = True
    within = np.where(inside, other[lists.nearest], 0).sum(axis=1) + np.where(shared, other, 0)
    empty = int(own[(own > 0) & (radii == 0) & ~is_short].sum())
    return Visits(shared | inside.any(axis=1), entered, int((own * within).sum()), empty, is_short)


def _compiled(lists: Lists, own: Integers, other: Integers, k: int) -> Visits:
    from distinctly.kernels.walking import walk

    reached, entered, is_short = (np.zeros(len(lists), np.bool_) for _ in range(3))
    hits, empty = walk(lists.nearest, lists.squares, lists.lengths, own, other, k, reached, entered, is_short)
    return Visits(reached, entered, hits, empty, is_short)


def is_worth_compiling(entries: int) -> bool:
    """Return whether to use the compiled walk: for much work, or if the compiler is already loaded."""
    return entries >= WORTH_COMPILING or "numba" in sys.modules
