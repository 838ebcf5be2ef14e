"""`dugast`: Dugast's uber index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity._richness import Richness
from distinctly.diversity.base import ratio
from distinctly.metrics import Direction
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Dugast(Richness):
    """Uber index, U (Dugast, 1978): the inverse of `maas`.

    ``(log C)² / (log C − log N)``, natural logarithms. Known bias: a text in which no token comes again
    would be infinitely rich. It is left out of a mean over texts (a note says how many are), so that
    such a mean is too low where texts are short; `maas` has them as 0.

    Examples
    --------
    >>> import distinctly as dy
    >>> round(dy.measure(["a a b b c c d d"], "dugast")[0].value, 4)   # (log 8)² / log 2
    6.2383
    """

    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))

    @property
    def takes(self) -> str:
        """A token that comes again: otherwise the index is infinite."""
        return "a token that comes twice or more"

    def formula(self, grams: Grams) -> Reals:
        """The square of log C, over how far log N is from it."""
        log_total = np.log(np.maximum(grams.total, 1))
        missing = log_total - np.log(np.maximum(grams.distinct, 1))
        # Counts that are expected in a sample may pass C by a rounding.
        return ratio(log_total**2, np.maximum(missing, 0))
