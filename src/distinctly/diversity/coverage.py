"""`coverage`: how much of what the writer would go on to write has been seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity.base import NgramDiversity, ratio
from distinctly.metrics import Direction
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Coverage(NgramDiversity):
    """Share of future n-grams that have been seen already (Good, 1953).

    ``1 − f₁/C``: f₁ of the C n-grams were seen once. Low coverage says that the corpus is too small
    to know its own variety; at equal size, less of it is more varied. Known bias: grows with the corpus.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["a a b c"], "coverage")[0].value   # two of four tokens were seen once
    0.5
    """

    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    n: int = 1

    def formula(self, grams: Grams) -> Reals:
        """Good and Turing's estimate."""
        return np.maximum(1 - ratio(grams.seen(1), grams.total), 0.0)  # expected counts are rounded

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return N, C, the texts, and how many n-grams were seen once."""
        return {**super().parts(grams), "f1": float(grams.seen(1)[0])}
