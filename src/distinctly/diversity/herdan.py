"""`herdan`: the logarithm of the number of types, divided by that of the tokens."""

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
class Herdan(Richness):
    """Herdan's C, or log TTR (Herdan, 1960).

    ``log N / log C``; the base does not matter. Known bias: it falls as texts grow longer, but more
    slowly than `ttr`.

    Examples
    --------
    >>> import distinctly as dy
    >>> round(dy.measure(["a a b b c c d d"], "herdan")[0].value, 4)   # log 4 / log 8
    0.6667
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "book",
            "herdan1960type",
            author="Herdan, G.",
            title="Type-token mathematics",
            publisher="Mouton",
            year=1960,
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    reads: ClassVar[Reads] = "sizes"
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": LEXICALRICHNESS,
        "kyle": {"short": "zero", **KYLE},
    }

    @property
    def required(self) -> str:
        """Two tokens: the logarithm of 1 is 0."""
        return "at least 2 tokens"

    def formula(self, grams: Grams) -> Reals:
        """Return log N / log C."""
        return ratio(np.log(np.maximum(grams.distinct, 1)), np.log(np.maximum(grams.total, 1)))
