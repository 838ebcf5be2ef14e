"""`root_ttr`: the number of types, divided by the square root of the number of tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity._richness import KYLE, LEXICALRICHNESS, Richness
from distinctly.diversity.base import Reads, ratio
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class RootTtr(Richness):
    """Root TTR, or Guiraud's R (Guiraud, 1954).

    ``N / √C``. Known bias: it first grows with the length of a text and then falls, less steeply than `ttr`.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["the cat sat on the mat and then the cat sat down on a mat there"], "root_ttr")[0].value
    2.5
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "book",
            "guiraud1954caracteres",
            author="Guiraud, P.",
            title=r"Les caract\`eres statistiques du vocabulaire",
            publisher="Presses universitaires de France",
            year=1954,
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    reads: ClassVar[Reads] = "sizes"
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": LEXICALRICHNESS,
        "kyle": KYLE,
    }

    def formula(self, grams: Grams) -> Reals:
        """Return N / √C."""
        return ratio(grams.distinct, np.sqrt(grams.total))
