"""Pairs of texts: random samples of pairs, keys that two texts share, and means over pairs."""

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

# Enough pairs for speed, few enough to need little memory.
_PAIRS_PER_BLOCK = 1 << 17


@dataclass(frozen=True)
class Average:
    """A mean over members, or over a sample of them; the same bits for any order.

    Attributes
    ----------
    total, squares
        The sum of the values and of their squares.
    members, population
        The number of values in the mean, and of all values; they differ for a sample.

    Examples
    --------
    >>> mean = Average.of(np.array([0.0, 1.0]), population=2) + Average.of(np.array([0.5]), population=1)
    >>> mean.value, mean.sampled
    (0.5, False)
    """

    total: ExactSum
    squares: ExactSum
    members: int
    population: int

    @classmethod
    def of(cls, values: Reals, population: int) -> Average:
        """Return the mean of these values."""
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
        """The mean; NaN without values."""
        return self.total.value / self.members if self.members else math.nan

    @property
    def sampled(self) -> bool:
        """Whether the mean is over a sample of the members."""
        return self.members < self.population

    @property
    def error(self) -> float:
        """The standard error of the mean; 0 if it is over all members."""
        if not self.sampled:
            return 0.0
        if self.members < 2:
            return math.nan
        deviations = max(self.squares.value - self.total.value * self.value, 0.0)
        return math.sqrt(deviations / (self.members - 1) / self.members)


def draw_pairs(texts: int, pairs: int, seed: int) -> tuple[Integers, Integers]:
    """Return the first and second rows of `pairs` random ordered pairs, drawn with replacement.

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
    """One set of keys per text, for counting the keys that two texts share.

    Examples
    --------
    >>> sets = KeySets(np.array([7, 8, 8, 9, 7], np.uint64), np.array([0, 0, 1, 1, 2], np.uint32), 3)
    >>> sets.shared(np.array([0, 1]), np.array([1, 2])).tolist(), sets.shared_by_all().tolist()
    ([1, 0], [[2, 1, 1], [1, 1, 0], [1, 0, 1]])
    """

    def __init__(self, keys: Hashes, rows: NDArray[np.uint32], texts: int) -> None:
        from scipy.sparse import csr_array

        _, codes, counts = np.unique(keys, return_inverse=True, return_counts=True)
        # A key that only one text has is never shared.
        kept = counts[codes] > 1
        numbers = np.cumsum(counts > 1) - 1
        ones = np.ones(int(kept.sum()), np.int32)
        shape = (texts, max(int((counts > 1).sum()), 1))
        self._sets: Any = csr_array((ones, (rows[kept].astype(np.int64), numbers[codes[kept]])), shape=shape)

    def shared(self, first: Integers, second: Integers) -> Integers:
        """Return the number of keys that the two texts of each pair share."""
        shared = np.empty(len(first), np.int64)
        for start in range(0, len(first), _PAIRS_PER_BLOCK):
            block = slice(start, start + _PAIRS_PER_BLOCK)
            shared[block] = self._sets[first[block]].multiply(self._sets[second[block]]).sum(axis=1)
        return shared

    def shared_by_all(self) -> NDArray[np.int32]:
        """Return a table of the number of keys that every two texts share.

        The diagonal counts the keys of a text that any other text has.
        """
        table: NDArray[np.int32] = (self._sets @ self._sets.T).toarray()
        return table
