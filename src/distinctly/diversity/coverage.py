"""`coverage`: the estimated share of future n-grams that have been seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity.base import NgramDiversity, Reads, ratio
from distinctly.metrics import Direction
from distinctly.references import bibtex
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Coverage(NgramDiversity):
    """Share of future n-grams that have been seen already (Good, 1953).

    ``1 − f₁/C``: f₁ of the C n-grams occur once. Low coverage means that the corpus is too small to show its
    whole variety; at equal size, less is more diverse. Known bias: it grows with the corpus.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["a a b c"], "coverage")[0].value   # two of four tokens occur once
    0.5
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "good1953population",
            author="Good, I. J.",
            title="The population frequencies of species and the estimation of population parameters",
            journal="Biometrika",
            year=1953,
            volume=40,
            pages="237--264",
        ),
    )
    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    reads: ClassVar[Reads] = "sums"

    n: int = 1

    def formula(self, grams: Grams) -> Reals:
        """Return the Good–Turing estimate."""
        return np.maximum(1 - ratio(grams.seen(1), grams.total), 0.0)  # expected counts are rounded

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return N, C, the texts, and the number of n-grams that occur once."""
        return {**super().parts(grams), "f1": float(grams.seen(1)[0])}
