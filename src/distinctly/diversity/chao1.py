"""`chao1`: how many distinct n-grams there would be if the corpus went on for ever."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity.base import NgramDiversity, Reads
from distinctly.metrics import Direction
from distinctly.references import bibtex
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Chao1(NgramDiversity):
    """Estimated number of n-grams, seen and unseen (Chao, 1984; bias-corrected).

    ``N + f₁(f₁−1) / (2(f₂+1))``: f₁ n-grams occur once, f₂ twice. Known bias: it is a lower bound that
    grows with the corpus as long as most n-grams occur once.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["a a b c"], "chao1")[0].value   # N = 3, f₁ = 2, f₂ = 1: 3 + 2·1 / (2·2)
    3.5
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "chao1984nonparametric",
            author="Chao, A.",
            title="Nonparametric estimation of the number of classes in a population",
            journal="Scandinavian Journal of Statistics",
            year=1984,
            volume=11,
            pages="265--270",
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    reads: ClassVar[Reads] = "sums"

    n: int = 1

    def formula(self, grams: Grams) -> Reals:
        """Return N plus the estimated number of unseen n-grams."""
        return np.where(grams.total > 0, grams.chao1(), np.nan)

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return N, C, the texts, and the numbers of n-grams that occur once and twice."""
        return {**super().parts(grams), "f1": float(grams.seen(1)[0]), "f2": float(grams.seen(2)[0])}
