"""Pairs of texts: all of them or a seeded sample, what two have in common, and a mean over them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.statistics.exact_sum import ExactSum
from distinctly.statistics.ngram_counts import Reals

# Pairs at once: enough for speed, little for memory.
_A_BLOCK = 1 << 17


@dataclass(frozen=True)
class Average:
    """A mean over members, or over a sample of them; the same bits in whatever order they came.

    Attributes
    ----------
    total, squares
        The sum of the values and of their squares.
    members, population
        How many values were taken, and how many there are; fewer were taken where it is a sample.

    Examples
    --------
    >>> one = Average.of(np.array([0.0, 1.0]), population=2) + Average.of(np.array([0.5]), population=1)
    >>> one.value, one.sampled
    (0.5, False)
    """

    total: ExactSum
    squares: ExactSum
    members: int
    population: int

    @classmethod
    def of(cls, values: Reals, population: int) -> Average:
        """Make the mean of some values."""
        return cls(ExactSum.of(values), ExactSum.of(values * values), len(values), population)

    def __add__(self, other: Average) -> Average:
        return Average(
            self.total + other.total,
            self.squares + other.squares,
            self.members + other.members,
            self.population + other.population,
        )

    @property
    def value(self) -> float:
        """The mean; NaN of nothing."""
        return self.total.value / self.members if self.members else math.nan

    @property
    def sampled(self) -> bool:
        """Whether not all members were taken."""
        return self.members < self.population

    @property
    def error(self) -> float:
        """The standard error of a sample's mean; 0 where all members were taken."""
        if not self.sampled:
            return 0.0
        if self.members < 2:
            return math.nan
        apart = max(self.squares.value - self.total.value * self.value, 0.0)
        return math.sqrt(apart / (self.members - 1) / self.members)


def draw_pairs(texts: int, pairs: int, seed: int) -> tuple[Integers, Integers]:
    """Return the two places of each of so many ordered pairs, drawn with replacement.

    Examples
    --------
    >>> first, second = draw_pairs(3, 4, seed=0)
    >>> bool((first != second).all()), len(first)
    (True, 4)
    """
    drawn = np.random.default_rng([seed, texts]).integers(0, texts * (texts - 1), pairs)
    first, second = drawn // (texts - 1), drawn % (texts - 1)
    return first, second + (second >= first)


class KeySets:
    """A set of keys a text, so that what two texts share can be counted.

    Examples
    --------
    >>> sets = KeySets(np.array([7, 8, 8, 9, 7], np.uint64), np.array([0, 0, 1, 1, 2], np.uint32), 3)
    >>> sets.shared(np.array([0, 1]), np.array([1, 2])).tolist(), sets.shared_by_all().tolist()
    ([1, 0], [[2, 1, 1], [1, 1, 0], [1, 0, 1]])
    """

    def __init__(self, keys: Hashes, rows: NDArray[np.uint32], texts: int) -> None:
        from scipy.sparse import csr_array

        _, codes, counts = np.unique(keys, return_inverse=True, return_counts=True)
        # A key that only one text has is shared by none.
        chosen = counts[codes] > 1
        numbers = np.cumsum(counts > 1) - 1
        ones = np.ones(int(chosen.sum()), np.int32)
        shape = (texts, max(int((counts > 1).sum()), 1))
        self._sets: Any = csr_array(
            (ones, (rows[chosen].astype(np.int64), numbers[codes[chosen]])), shape=shape
        )

    def shared(self, first: Integers, second: Integers) -> Integers:
        """Return how many keys the two texts of each pair share."""
        found = np.empty(len(first), np.int64)
        for start in range(0, len(first), _A_BLOCK):
            block = slice(start, start + _A_BLOCK)
            found[block] = self._sets[first[block]].multiply(self._sets[second[block]]).sum(axis=1)
        return found

    def shared_by_all(self) -> NDArray[np.int32]:
        """Return how many keys each two texts share, as a table (of those that another text has)."""
        table: NDArray[np.int32] = (self._sets @ self._sets.T).toarray()
        return table
