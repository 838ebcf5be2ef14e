"""`yule`: Yule's characteristic, K."""

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
class Yule(Richness):
    """Yule's characteristic, K (Yule, 1944).

    ``10⁴ (Σ c² − C) / C²``: the probability that two tokens drawn at random are equal, times 10⁴. Less is
    more diverse. Known bias: hardly any in length, for one writer and subject.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["a a b c"], "yule")[0].value   # 10⁴ · (4 + 1 + 1 − 4) / 16
    1250.0
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "book",
            "yule1944statistical",
            author="Yule, G. U.",
            title="The statistical study of literary vocabulary",
            publisher="Cambridge University Press",
            year=1944,
        ),
    )
    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 10_000.0)
    reads: ClassVar[Reads] = "sums"
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": LEXICALRICHNESS,
    }

    def formula(self, grams: Grams) -> Reals:
        """Return the pairs of equal tokens, divided by C², times 10⁴."""
        pairs = grams.sum(lambda counts, _: counts * (counts - 1))
        return 1e4 * ratio(pairs, grams.total.astype(np.float64) ** 2)
