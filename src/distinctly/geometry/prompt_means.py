"""`PromptMeans`: the mean vector of a system's answers to each prompt; `Pairing`: those of two systems.

The mean of the products over all pairs of an answer of one system and an answer of another is the product of
the mean vectors. So all pairs of answers, to the same prompt and to different prompts, are averaged in linear
time, and so are those without each prompt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import Reals
from distinctly.geometry.scaling import each_near_one
from distinctly.ragged import Integers

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    Vectors: TypeAlias = Reals | csr_matrix


@dataclass(frozen=True)
class PromptMeans:
    """The mean of the unit vectors of one system's answers to each prompt.

    Attributes
    ----------
    means
        One row per prompt, dense or sparse; a row of zeros for a prompt without an answer.
    counts
        The number of answers to each prompt.
    """

    means: Vectors
    counts: Integers

    @classmethod
    def of(cls, units: Vectors, prompts: Integers, count: int) -> PromptMeans:
        """Return the means of unit vectors by the number of their prompt, of `count` prompts.

        Examples
        --------
        >>> answers = PromptMeans.of(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), np.array([2, 2, 0]), 3)
        >>> answers.means.tolist(), answers.counts.tolist()
        ([[0.0, 1.0], [0.0, 0.0], [0.5, 0.5]], [1, 0, 2])
        """
        from scipy.sparse import csr_matrix

        counts = np.bincount(prompts, minlength=count)
        shares = csr_matrix((1 / counts[prompts], (prompts, np.arange(len(prompts)))), (count, len(prompts)))
        return cls(shares @ units, counts)


@dataclass(frozen=True)
class Pairing:
    """The answers of two systems to the prompts that both have; of one system, if both are the same object.

    Attributes
    ----------
    first, second
        The mean vectors of both systems, by the same numbers of prompts.

    Examples
    --------
    >>> first = PromptMeans.of(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0, 1]), 2)
    >>> second = PromptMeans.of(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0, 1]), 2)
    >>> Pairing(first, second).similarity, Pairing(first, second).floor  # 1 and 0; 1 and 0
    (0.5, 0.5)
    >>> Pairing(first, first).paired  # no prompt has two answers
    0
    """

    first: PromptMeans
    second: PromptMeans

    @cached_property
    def _shared(self) -> NDArray[np.bool_]:
        shared: NDArray[np.bool_] = (self.first.counts > 0) & (self.second.counts > 0)
        return shared

    @property
    def prompts(self) -> int:
        """The number of prompts that both systems have."""
        return int(self._shared.sum())

    @cached_property
    def _means(self) -> tuple[Vectors, Vectors]:
        shared = self._shared
        if shared.all():
            return self.first.means, self.second.means
        return self.first.means[shared], self.second.means[shared]

    @cached_property
    def _products(self) -> Reals:
        """The product of the two mean vectors of each shared prompt."""
        return _row_products(*self._means)

    @cached_property
    def _has_pair(self) -> NDArray[np.bool_]:
        """Whether each shared prompt has a pair of different answers."""
        if self.first is not self.second:
            return np.ones(self.prompts, np.bool_)
        paired: NDArray[np.bool_] = self.first.counts[self._shared] > 1
        return paired

    @property
    def paired(self) -> int:
        """The number of shared prompts that have a pair of different answers."""
        return int(self._has_pair.sum())

    @cached_property
    def _similarities(self) -> Reals:
        """The mean over the pairs of answers to each shared prompt; 0 for a prompt without a pair."""
        if self.first is not self.second:
            return self._products
        counts = self.first.counts[self._shared]
        # k²·‖m‖² is the sum over all ordered pairs; those of an answer with itself add up to k.
        means = (counts * self._products - 1) / np.maximum(counts - 1, 1)
        return np.where(self._has_pair, means, 0.0)

    @cached_property
    def similarity(self) -> float:
        """The mean over prompts of the mean over pairs of answers to one prompt; NaN if there is no pair."""
        return _clipped(self._similarities.sum() / self.paired) if self.paired else math.nan

    @cached_property
    def _different(self) -> float:
        """The sum of the products over all ordered pairs of different prompts."""
        first, second = self._totals
        return float(first @ second - self._products.sum())

    @cached_property
    def _totals(self) -> tuple[Reals, Reals]:
        first, second = (np.asarray(means.sum(axis=0), np.float64).ravel() for means in self._means)
        return first, second

    @cached_property
    def floor(self) -> float:
        """The mean over ordered pairs of different prompts; NaN if there are fewer than two prompts."""
        count = self.prompts
        return _clipped(self._different / (count * (count - 1))) if count > 1 else math.nan

    @cached_property
    def similarities_left_out(self) -> Reals:
        """The similarity without each shared prompt; NaN if no pair is left."""
        left = self.paired - self._has_pair.astype(np.int64)
        sums = self._similarities.sum() - self._similarities
        return np.where(left > 0, sums / np.maximum(left, 1), np.nan)

    @cached_property
    def floors_left_out(self) -> Reals:
        """The floor without each shared prompt; NaN if fewer than two prompts are left."""
        count = self.prompts
        if count < 3:
            return np.full(count, np.nan)
        (first, second), (of_first, of_second) = self._means, self._totals
        # The pairs of a prompt with itself are in neither sum, and are subtracted with both.
        with_each = first @ of_second + second @ of_first - 2 * self._products
        floors: Reals = (self._different - with_each) / ((count - 1) * (count - 2))
        return floors


def unit_rows(vectors: NDArray[np.floating]) -> Reals:
    """Return vectors, none of them zero, scaled to length 1, in float64.

    Examples
    --------
    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 1e300]])).tolist()
    [[0.6, 0.8], [0.0, 1.0]]
    """
    rows = each_near_one(vectors.astype(np.float64))
    units: Reals = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units


def _row_products(first: Vectors, second: Vectors) -> Reals:
    """Return the product of each row of one table with that of the other."""
    if isinstance(first, np.ndarray):
        products: Reals = np.einsum("ij,ij->i", first, second)
        return products
    return np.asarray(first.multiply(second).sum(axis=1), np.float64).ravel()


def _clipped(value: float) -> float:
    """Return a mean of products of unit vectors; rounding must not make it larger than 1."""
    return float(min(max(value, -1.0), 1.0))
