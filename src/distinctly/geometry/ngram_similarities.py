"""Similarities of texts by their n-grams: cosines of n-gram counts, averaged over n."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from distinctly.geometry.similarities import Similarities
from distinctly.geometry.spectrum import SquaredNorm
from distinctly.ragged import Integers
from distinctly.statistics.base import NeedsRows
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# The number of pairs of texts whose similarities are computed at once.
PAIRS_AT_ONCE = 10_000_000


def different_texts(tokens: Tokens) -> tuple[Tokens, Integers]:
    """Return the distinct texts that have tokens, in the order of their hashes, and their counts."""
    filled = np.flatnonzero(tokens.lengths)
    _, first, counts = np.unique(tokens.text_hashes[filled], return_index=True, return_counts=True)
    return tokens.select(filled[first]), counts


def ngram_profiles(texts: Tokens, max_n: int) -> csr_matrix:
    """Return one vector of length 1 per text, whose products are the similarities of the texts.

    The similarity is the mean over n of the cosines of n-gram counts, scaled to be 1 for a text with itself:
    otherwise a text without n-grams of some n would be dissimilar to itself.

    Examples
    --------
    >>> profiles = ngram_profiles(Tokens.of([["a", "b"], ["a", "c"]]), 2)  # cosines ½ and 0
    >>> (profiles @ profiles.T).toarray().round(12).tolist()
    [[1.0, 0.25], [0.25, 1.0]]
    """
    from scipy.sparse import csr_matrix, diags, hstack

    lengths_with_ngrams = np.zeros(len(texts))
    units = []
    for n in range(1, max_n + 1):
        counts = _ngram_counts(texts, n)
        lengths = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1))).ravel()
        units.append(diags(1 / np.where(lengths > 0, lengths, 1)) @ counts)
        lengths_with_ngrams += lengths > 0
    return csr_matrix(diags(1 / np.sqrt(lengths_with_ngrams)) @ hstack(units))


def ngram_sets(texts: Tokens, n: int) -> csr_matrix:
    """Return one vector of length 1 per text: its distinct n-grams; zero for a text without n-grams.

    The product of two is the number of n-grams that both texts have, divided by the root of the product of
    the numbers that each has (Ochiai).

    Examples
    --------
    >>> sets = ngram_sets(Tokens.of([["a", "b", "a"], ["a", "c"], []]), 1)
    >>> (sets @ sets.T).toarray().round(12).tolist()  # one of two tokens
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    sets = _ngram_counts(texts, n)
    sizes = np.diff(sets.indptr)
    sets.data = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes)
    return sets


def _ngram_counts(texts: Tokens, n: int) -> csr_matrix:
    """Return the number of times that each n-gram (column) occurs in each text."""
    from scipy.sparse import csr_matrix

    _, columns = np.unique(texts.grams(n), return_inverse=True)
    shape = len(texts), int(columns.max(initial=-1)) + 1
    counts = csr_matrix((np.ones(len(columns)), columns, texts.gram_bounds(n)), shape)
    counts.sum_duplicates()
    return counts


@dataclass(frozen=True)
class NgramSimilaritySums(NeedsRows[Similarities]):
    """The sums of the similarities of each text to all texts, in linear time.

    With one row of `ngram_profiles` per text, the similarities are the product of the profiles with their
    transpose, so that the profiles are multiplied with the sum of all of them. Texts without tokens are left
    out.

    Attributes
    ----------
    max_n
        The largest n, from 1 on.

    Examples
    --------
    >>> texts = Tokens.of([["a", "b"], ["a", "c"], ["a", "c"]])
    >>> NgramSimilaritySums(1).summarize(texts).sums.round(9)  # in the order of the hashes
    array([2.5, 2. ])
    """

    max_n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, tokens: Tokens) -> Similarities:
        """Multiply the profiles with their sum."""
        texts, counts = different_texts(tokens)
        profiles = ngram_profiles(texts, self.max_n)
        sums = np.asarray(profiles @ (profiles.T @ counts), np.float64)
        return Similarities(counts, sums, len(tokens), len(tokens) - int(counts.sum()))


@dataclass(frozen=True)
class NgramSquaredNorm(NeedsRows[SquaredNorm]):
    """The squared Frobenius norm of K/n, K the similarities of n texts, without the matrix K.

    Examples
    --------
    >>> NgramSquaredNorm(1).summarize(Tokens.of([["a"], ["b"], ["b"]])).value  # (1 + 4) / 9
    0.5555555555555556
    """

    max_n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, tokens: Tokens) -> SquaredNorm:
        """Add up the squared similarities of some texts to all texts, weighted by the counts, at a time."""
        texts, counts = different_texts(tokens)
        profiles = ngram_profiles(texts, self.max_n)
        total, step = 0.0, max(PAIRS_AT_ONCE // max(len(texts), 1), 1)
        for start in range(0, len(texts), step):
            similarities = profiles[start : start + step] @ profiles.T
            similarities.data **= 2
            total += float(counts[start : start + step] @ (similarities @ counts))
        compared = int(counts.sum())
        value = total / max(compared, 1) ** 2
        return SquaredNorm(value, len(texts), len(tokens), len(tokens) - compared)
