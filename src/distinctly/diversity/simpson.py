"""`simpson`: the probability that two tokens drawn at random are equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity._richness import LEXICALRICHNESS, Richness
from distinctly.diversity.base import Reads, ratio
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Simpson(Richness):
    """Simpson's D (Simpson, 1949).

    ``Σ c(c−1) / (C(C−1))``: the probability that two tokens, drawn without replacement, are equal. Less
    is more diverse. Known bias: none in length for tokens drawn at random.

    Examples
    --------
    >>> import distinctly as dy
    >>> round(dy.measure(["a a b c"], "simpson")[0].value, 4)   # 2 / (4·3)
    0.1667
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "simpson1949measurement",
            author="Simpson, E. H.",
            title="Measurement of diversity",
            journal="Nature",
            year=1949,
            volume=163,
            pages="688",
        ),
    )
    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    reads: ClassVar[Reads] = "sums"
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": LEXICALRICHNESS,
    }

    @property
    def required(self) -> str:
        """Two tokens, which make a pair."""
        return "at least 2 tokens"

    def formula(self, grams: Grams) -> Reals:
        """Return the pairs of equal tokens, divided by all pairs."""
        pairs = grams.sum(lambda counts, _: counts * (counts - 1))
        total = grams.total.astype(np.float64)
        return ratio(pairs, total * (total - 1))
