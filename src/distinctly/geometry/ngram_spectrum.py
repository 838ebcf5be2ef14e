"""`NgramSpectrum`: the eigenvalues of the similarities of texts by their n-grams."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from distinctly.arrays import CPU, Reals
from distinctly.geometry.spectrum import Eigenvalues
from distinctly.statistics.base import NeedsRows
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

# The largest number of different texts: their matrix takes 800 MB, and its eigenvalues some minutes.
MOST_TEXTS = 10_000


@dataclass(frozen=True)
class NgramSpectrum(NeedsRows[Eigenvalues | None]):
    """The eigenvalues of K/n, K the mean over n of the cosines of n-gram counts.

    K is scaled to have ones on its diagonal: otherwise a text without n-grams of some n would be
    dissimilar to itself. Texts without tokens are left out. The summary is None if there are more than
    `MOST_TEXTS` distinct texts, since K has one row and one column per distinct text.

    Attributes
    ----------
    max_n
        The largest n, from 1 on.

    Examples
    --------
    >>> spectrum = NgramSpectrum(1).summarize(Tokens.of([["a"], ["b"], ["b"]]))
    >>> spectrum.values.round(4).tolist()
    [0.6667, 0.3333]
    """

    max_n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, tokens: Tokens) -> Eigenvalues | None:
        """Compute the matrix of the distinct texts, each weighted by its count."""
        filled = np.flatnonzero(tokens.lengths)
        _, first, counts = np.unique(tokens.text_hashes[filled], return_index=True, return_counts=True)
        if len(first) > MOST_TEXTS:
            return None
        texts = tokens.select(filled[first])
        kernel = np.zeros((len(texts), len(texts)))
        for n in range(1, self.max_n + 1):
            kernel += _cosines(texts, n)
        weights = np.sqrt(counts / max(counts.sum(), 1) / kernel.diagonal())
        kernel *= weights[:, None]
        kernel *= weights
        return Eigenvalues.of(kernel, CPU, len(tokens), len(tokens) - len(filled))


def _cosines(tokens: Tokens, n: int) -> Reals:
    """Return the cosines between the n-gram counts of texts; 0 if a text has no n-grams."""
    from scipy.sparse import csr_matrix

    _, columns = np.unique(tokens.grams(n), return_inverse=True)
    shape = len(tokens), int(columns.max(initial=-1)) + 1
    counts = csr_matrix((np.ones(len(columns)), columns, tokens.gram_bounds(n)), shape)
    counts.sum_duplicates()
    lengths = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1))).ravel()
    scale = np.repeat(np.where(lengths > 0, 1 / np.where(lengths > 0, lengths, 1), 0), np.diff(counts.indptr))
    counts.data *= scale
    return np.asarray((counts @ counts.T).toarray(), np.float64)
