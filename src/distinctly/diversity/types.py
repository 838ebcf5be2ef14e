"""`types`: the number of distinct n-grams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity.base import NgramDiversity, Reads
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Types(NgramDiversity):
    """Number of distinct n-grams: Distinct-n without the division.

    ``N``. Known bias: it grows with the size of the corpus.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["the cat sat", "the cat ran"], metrics=["types:n=1"])["types:n=1"].value
    4.0
    """

    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    reads: ClassVar[Reads] = "sizes"
    expands: ClassVar[Mapping[str, tuple[Value, ...]]] = {"n": (1, 2, 3, 4)}

    def formula(self, grams: Grams) -> Reals:
        """Return N."""
        return np.where(grams.total > 0, grams.distinct.astype(np.float64), np.nan)
