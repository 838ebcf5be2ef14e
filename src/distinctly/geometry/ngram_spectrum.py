"""`NgramSpectrum`: the eigenvalues of the similarities of texts by their n-grams."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from distinctly.arrays import CPU
from distinctly.geometry.ngram_similarities import different_texts, ngram_profiles
from distinctly.geometry.spectrum import Eigenvalues
from distinctly.statistics.base import NeedsRows
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

# The largest number of different texts: their matrix takes 800 MB, and its eigenvalues some minutes.
MOST_TEXTS = 10_000


@dataclass(frozen=True)
class NgramSpectrum(NeedsRows[Eigenvalues | None]):
    """The eigenvalues of K/n, K the similarities of texts by `ngram_profiles`.

    Texts without tokens are left out. The summary is None if there are more than `MOST_TEXTS` distinct texts,
    since K has one row and one column per distinct text.

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
        texts, counts = different_texts(tokens)
        if len(texts) > MOST_TEXTS:
            return None
        profiles = ngram_profiles(texts, self.max_n)
        kernel = np.asarray((profiles @ profiles.T).toarray(), np.float64)
        weights = np.sqrt(counts / max(counts.sum(), 1))
        kernel *= weights[:, None]
        kernel *= weights
        return Eigenvalues.of(kernel, CPU, len(tokens), len(tokens) - int(counts.sum()))
