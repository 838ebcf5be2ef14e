"""`dugast`: Dugast's uber index."""

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
class Dugast(Richness):
    """Uber index, U (Dugast, 1978): the inverse of `maas`.

    ``(log C)² / (log C − log N)``, natural logarithms. Known bias: a text without a repeated token would be
    infinitely rich. Such texts are left out of a mean over texts, and a note gives their number. The mean is
    therefore too low for short texts; `maas` counts them as 0.

    Examples
    --------
    >>> import distinctly as dy
    >>> round(dy.measure(["a a b b c c d d"], "dugast")[0].value, 4)   # (log 8)² / log 2
    6.2383
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "dugast1978sur",
            author="Dugast, D.",
            title=r"Sur quoi se fonde la notion d'\'etendue th\'eorique du vocabulaire?",
            journal=r"Le fran\c{c}ais moderne",
            year=1978,
            volume=46,
            pages="25--32",
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    reads: ClassVar[Reads] = "sizes"
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": LEXICALRICHNESS,
    }

    @property
    def required(self) -> str:
        """A repeated token: otherwise the index is infinite."""
        return "a repeated token"

    def formula(self, grams: Grams) -> Reals:
        """Return (log C)² / (log C − log N)."""
        log_total = np.log(np.maximum(grams.total, 1))
        missing = log_total - np.log(np.maximum(grams.distinct, 1))
        # The expected N of a sample may exceed C by a rounding error.
        return ratio(log_total**2, np.maximum(missing, 0))
