"""`summer`: the logarithm of the logarithm of the types, over that of the tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity._richness import Richness
from distinctly.metrics import Direction
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Summer(Richness):
    """Summer's index, S (Summer, 1966).

    ``log log N / log log C``, natural logarithms. Of texts with two different tokens it is negative or,
    where these are all, 1. Known bias: it falls as texts grow longer, more slowly than `herdan`.

    Examples
    --------
    >>> import distinctly as dy
    >>> round(dy.measure(["a a b b c c d d"], "summer")[0].value, 4)
    0.4462
    """

    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (float("-inf"), 1.0)

    @property
    def takes(self) -> str:
        """Two different tokens: the logarithm of the logarithm of one is infinite."""
        return "2 different tokens or more"

    def formula(self, grams: Grams) -> Reals:
        """Log log N over log log C."""
        value = np.full(len(grams.total), np.nan)
        known = grams.distinct > 1
        value[known] = np.log(np.log(grams.distinct[known])) / np.log(np.log(grams.total[known]))
        return value
