"""`hill`: the effective number of n-grams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity.base import NgramDiversity, Reads, ratio
from distinctly.metrics import Direction
from distinctly.options import option
from distinctly.references import bibtex
from distinctly.statistics.ngram_counts import Grams, Reals

# Orders as near to 1 as this, and from this on, are computed in other forms, which lose no digits.
NEAR_ONE, HIGH = 0.01, 8


@dataclass(frozen=True, kw_only=True)
class Hill(NgramDiversity):
    """Hill number: the number of equally frequent n-grams that would be as diverse (Hill, 1973).

    ``(Σ p^q)^(1/(1−q))`` with p = count / C. Order 0 is N, order 1 the exponential of the entropy,
    order 2 the inverse of Simpson's index; larger orders depend only on frequent n-grams. Known bias: low
    orders grow with the corpus, high ones hardly. ``hill:similarity=…`` is `similarity_hill`, the effective
    number of texts by their similarities.

    Attributes
    ----------
    q
        The order, from 0 to ``inf``.

    Examples
    --------
    >>> import distinctly as dy
    >>> scores = dy.measure(["a a b c"], ["hill:q=0", "hill", "hill:q=2", "hill:q=inf"])
    >>> [round(score.value, 4) for score in scores]
    [3.0, 2.8284, 2.6667, 2.0]
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "hill1973diversity",
            author="Hill, M. O.",
            title="Diversity and evenness: a unifying notation and its consequences",
            journal="Ecology",
            year=1973,
            volume=54,
            pages="427--432",
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    reads: ClassVar[Reads] = "sums"
    elsewhere: ClassVar[Mapping[str, str]] = {"similarity": "similarity_hill"}

    n: int = 1
    q: float = option(1.0, at_least=0)

    def formula(self, grams: Grams) -> Reals:
        """Return the number of order q."""
        q = float(self.q)
        if q == 0:
            number = grams.distinct.astype(np.float64)
        elif q == 1:
            number = np.exp(grams.sum(lambda counts, total: -counts / total * np.log(counts / total)))
        elif np.isinf(q):
            number = ratio(grams.total, grams.largest())
        elif abs(q - 1) < NEAR_ONE:
            # Σ p^q = 1 + Σ p (p^(q−1) − 1): near order 1, the plain sum loses the digits that matter.
            beyond = grams.sum(
                lambda counts, total: counts / total * np.expm1((q - 1) * np.log(counts / total))
            )
            number = np.exp(np.log1p(np.where(grams.total > 0, beyond, 0.0)) / (1 - q))
        elif q < HIGH:
            sums = grams.sum(lambda counts, total: (counts / total) ** q)
            number = np.power(np.where(grams.total > 0, sums, 1.0), 1 / (1 - q))
        else:
            # p^q underflows, so powers are relative to the largest p.
            sums = np.where(grams.total > 0, grams.relative_powers(q), 1.0)
            logs = np.log(np.where(grams.total > 0, ratio(grams.largest(), grams.total), 1.0))
            number = np.exp(q / (1 - q) * logs + np.log(sums) / (1 - q))
        # Rounding must not give a number below 1 or above N.
        return np.where(grams.total > 0, np.clip(number, 1.0, np.maximum(grams.distinct, 1.0)), np.nan)
