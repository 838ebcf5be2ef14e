"""`Repeats`: the number of texts that repeat another one, exactly or nearly. Linear in the tokens."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from distinctly import hashing
from distinctly.hashing import Hashes
from distinctly.ragged import Integers, bounds_of
from distinctly.statistics.base import NeedsRows
from distinctly.statistics.pairs import KeySets
from distinctly.statistics.recurrence import RowNumbers, occurrences
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

# The probability that two texts at the threshold share a band, so that they are compared.
_RECALL = 0.999


@dataclass(frozen=True)
class Repeated:
    """The number of texts with tokens, and of those that repeat an earlier one exactly or nearly.

    `near` includes the exact repetitions.
    """

    texts: int
    repeated: int
    near: int


@dataclass(frozen=True)
class Repeats(NeedsRows[Repeated]):
    """Repeated texts; texts without tokens are left out.

    Two texts are nearly equal if the Jaccard similarity of their sets of shingles is at least
    `threshold`. Shingles are n-grams, or the whole text if it has fewer than n tokens. Texts with equal
    minima in a band of a MinHash are compared exactly: each with the first text of its bucket and with
    the text before it, so that the work is linear. The order of texts is that of their content hashes.

    Examples
    --------
    >>> texts = [list("abcdefghijklm"), list("abcdefghijklm"), list("abcdefghijklmn"), list("xyz")]
    >>> Repeats(3, 0.8, 128).summarize(Tokens.of(texts))
    Repeated(texts=4, repeated=1, near=2)
    """

    n: int
    threshold: float
    permutations: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, tokens: Tokens) -> Repeated:
        """Count the distinct texts, and those among them that nearly equal another."""
        filled = np.flatnonzero(tokens.lengths > 0)
        _, first = np.unique(tokens.text_hashes[filled], return_index=True)
        exact = len(filled) - len(first)
        near = self.near(tokens.select(filled[first])) if len(first) > 1 else np.zeros(0, np.bool_)
        return Repeated(len(filled), exact, exact + int(near.sum()))

    def near(self, tokens: Tokens) -> NDArray[np.bool_]:
        """Return whether each text nearly equals an earlier one; all texts differ and none is empty."""
        keys, rows = _shingles(tokens, self.n)
        sizes = np.bincount(rows, minlength=len(tokens))
        bounds = bounds_of(sizes)
        is_near = np.zeros(len(tokens), np.bool_)
        compared = np.zeros(0, np.int64)
        sets: KeySets | None = None
        width = rows_per_band(self.threshold, self.permutations)
        for start in range(0, self.permutations - width + 1, width):
            pairs = _candidates(_band(tokens, keys, bounds, start, width))
            pairs = pairs[~is_near[pairs // len(tokens)]]
            pairs = np.setdiff1d(pairs, compared)
            if not len(pairs):
                continue
            sets = sets or KeySets(keys, rows, len(tokens))
            later, earlier = pairs // len(tokens), pairs % len(tokens)
            shared = sets.shared(later, earlier)
            similar = shared >= self.threshold * (sizes[later] + sizes[earlier] - shared)
            is_near[later[similar]] = True
            compared = np.union1d(compared, pairs)
        return is_near


def rows_per_band(threshold: float, permutations: int) -> int:
    """Return the number of permutations per band: the largest that still finds nearly all similar texts.

    With b bands of r permutations, two texts of similarity s share a band with probability
    ``1 − (1 − s^r)^b``.

    Examples
    --------
    >>> [rows_per_band(threshold, 128) for threshold in (0.5, 0.8, 0.9, 1.0)]
    [2, 5, 8, 128]
    """
    sufficient = [
        rows
        for rows in range(1, permutations + 1)
        if 1 - (1 - threshold**rows) ** (permutations // rows) >= _RECALL
    ]
    return max(sufficient, default=1)


def _shingles(tokens: Tokens, n: int) -> tuple[Hashes, RowNumbers]:
    """Return the distinct n-grams of each text, or the whole text if it has fewer than n tokens."""
    keys, rows = occurrences(tokens, n, again=False)
    parts = [(keys, rows)]
    for size in np.unique(tokens.lengths[tokens.lengths < n]).tolist():
        short = np.flatnonzero(tokens.lengths == size)
        parts.append((tokens.windows(size)[tokens.bounds[short]], short.astype(np.uint32)))
    keys, rows = (np.concatenate(column) for column in zip(*parts))
    order = np.argsort(rows, kind="stable")
    return keys[order], rows[order]


def _band(tokens: Tokens, shingles: Hashes, bounds: Integers, first: int, size: int) -> Hashes:
    """Return, for each text, a hash of its minima under the permutations of a band."""
    if tokens.compiled:
        from distinctly.kernels.minhash import band

        return band(shingles, bounds, first, size)
    keys = np.zeros(len(bounds) - 1, np.uint64)
    for k in range(first + 1, first + size + 1):
        permuted = hashing.mix(shingles + np.uint64(k * int(hashing.STEP) % 2**64))
        keys = hashing.extend(keys, np.minimum.reduceat(permuted, bounds[:-1]))
    return keys


def _candidates(band: Hashes) -> Integers:
    """Return the pairs to compare, each as ``later · texts + earlier``."""
    order = np.argsort(band, kind="stable")
    new = np.ones(len(band), np.bool_)
    new[1:] = band[order][1:] != band[order][:-1]
    firsts = order[np.flatnonzero(new)[np.cumsum(new) - 1]]
    later = np.flatnonzero(~new)
    pairs = np.concatenate(
        [order[later] * len(band) + firsts[later], order[later] * len(band) + order[later - 1]]
    )
    return np.unique(pairs)
