"""`Repeats`: how many texts repeat another one, word for word or nearly. Linear in the tokens."""

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
from distinctly.views.tokens import Tokens
from distinctly.views.words import WORDS

# How surely two texts at the threshold have a band in common, and are compared.
_SURE = 0.999


@dataclass(frozen=True)
class Repeated:
    """How many texts have tokens, and how many of those repeat an earlier one exactly, or nearly."""

    texts: int
    exact: int
    near: int


@dataclass(frozen=True)
class Repeats(NeedsRows[Repeated]):
    """Repeated texts; those without tokens are left out.

    Near is a Jaccard similarity of `threshold` or more between the sets of shingles: n-grams, or the
    whole text where it has fewer than n tokens. Texts that have the same minima in one of the bands
    of a MinHash are compared, exactly: each with the first text of its bucket and with the one
    before it, so that the work is linear. Earlier is by a hash of the content, not by place.

    Examples
    --------
    >>> texts = [list("abcdefghijklm"), list("abcdefghijklm"), list("abcdefghijklmn"), list("xyz")]
    >>> Repeats(3, 0.8, 128).summarize(Tokens.of(texts))
    Repeated(texts=4, exact=1, near=2)
    """

    n: int
    threshold: float
    permutations: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, view: Tokens) -> Repeated:
        """Count the distinct texts, and among them those that are nearly another."""
        filled = np.flatnonzero(view.lengths > 0)
        _, first = np.unique(view.text_hashes[filled], return_index=True)
        exact = len(filled) - len(first)
        near = self.near(view.select(filled[first])) if len(first) > 1 else np.zeros(0, np.bool_)
        return Repeated(len(filled), exact, exact + int(near.sum()))

    def near(self, view: Tokens) -> NDArray[np.bool_]:
        """Say of each text, all different and none empty, whether it is nearly an earlier one."""
        keys, rows = _shingles(view, self.n)
        sizes = np.bincount(rows, minlength=len(view))
        bounds = bounds_of(sizes)
        found = np.zeros(len(view), np.bool_)
        compared = np.zeros(0, np.int64)
        sets: KeySets | None = None
        width = rows_a_band(self.threshold, self.permutations)
        for start in range(0, self.permutations - width + 1, width):
            pairs = _candidates(_band(view, keys, bounds, start, width))
            pairs = pairs[~found[pairs // len(view)]]
            pairs = np.setdiff1d(pairs, compared)
            if not len(pairs):
                continue
            sets = sets or KeySets(keys, rows, len(view))
            one, other = pairs // len(view), pairs % len(view)
            shared = sets.shared(one, other)
            alike = shared >= self.threshold * (sizes[one] + sizes[other] - shared)
            found[one[alike]] = True
            compared = np.union1d(compared, pairs)
        return found


def rows_a_band(threshold: float, permutations: int) -> int:
    """Return how many permutations make a band: as many as still find nearly all texts alike.

    With b bands of r permutations, texts of the similarity s share one with a chance of
    ``1 − (1 − s^r)^b``.

    Examples
    --------
    >>> [rows_a_band(threshold, 128) for threshold in (0.5, 0.8, 0.9, 1.0)]
    [2, 5, 8, 128]
    """
    sure = [
        rows
        for rows in range(1, permutations + 1)
        if 1 - (1 - threshold**rows) ** (permutations // rows) >= _SURE
    ]
    return max(sure, default=1)


def _shingles(view: Tokens, n: int) -> tuple[Hashes, RowNumbers]:
    """Return the distinct n-grams of each text, or the text itself where it has fewer tokens."""
    keys, rows = occurrences(view, n, again=False)
    parts = [(keys, rows)]
    for size in np.unique(view.lengths[view.lengths < n]).tolist():
        short = np.flatnonzero(view.lengths == size)
        parts.append((view.windows(size)[view.bounds[short]], short.astype(np.uint32)))
    keys, rows = (np.concatenate(column) for column in zip(*parts))
    order = np.argsort(rows, kind="stable")
    return keys[order], rows[order]


def _band(view: Tokens, shingles: Hashes, bounds: Integers, first: int, size: int) -> Hashes:
    """Return a hash of each text's minima under the permutations of a band."""
    if view.compiled:
        from distinctly.kernels.minhash import band

        return band(shingles, bounds, first, size)
    found = np.zeros(len(bounds) - 1, np.uint64)
    for k in range(first + 1, first + size + 1):
        permuted = hashing.mix(shingles + np.uint64(k * int(hashing.STEP) % 2**64))
        found = hashing.extend(found, np.minimum.reduceat(permuted, bounds[:-1]))
    return found


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
