"""`corrected_ttr`: types over the square root of twice the tokens."""

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
class CorrectedTtr(Richness):
    """Corrected TTR (Carroll, 1964): `root_ttr` divided by √2.

    ``N / √(2C)``. Known bias: as `root_ttr`.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["the cat sat on the mat by the door"], "corrected_ttr")[0].value   # 7 / √18
    1.649915822768611
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "book",
            "carroll1964language",
            author="Carroll, J. B.",
            title="Language and thought",
            publisher="Prentice-Hall",
            year=1964,
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    reads: ClassVar[Reads] = "sizes"
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": LEXICALRICHNESS,
    }

    def formula(self, grams: Grams) -> Reals:
        """Return N / √(2C)."""
        return ratio(grams.distinct, np.sqrt(2.0 * grams.total))
