"""`summer`: the iterated logarithm of the number of types, divided by that of the tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity._richness import LEXICALRICHNESS, Richness
from distinctly.diversity.base import Reads
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Summer(Richness):
    """Summer's index, S (Summer, 1966).

    ``log log N / log log C``, natural logarithms. For a text with two distinct tokens it is negative, or 1
    if the text has no others. Known bias: it falls as texts grow longer, but more slowly than `herdan`.

    Examples
    --------
    >>> import distinctly as dy
    >>> round(dy.measure(["a a b b c c d d"], "summer")[0].value, 4)
    0.4462
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "incollection",
            "summer1966statistical",
            author="Summer, H. H.",
            title="Statistical methods in literary analysis",
            booktitle="The computer and literary style",
            editor="Leed, J.",
            publisher="Kent State University Press",
            year=1966,
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (float("-inf"), 1.0)
    reads: ClassVar[Reads] = "sizes"
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": LEXICALRICHNESS,
    }

    @property
    def required(self) -> str:
        """Two distinct tokens: log log 1 is infinite."""
        return "at least 2 distinct tokens"

    def formula(self, grams: Grams) -> Reals:
        """Return log log N / log log C."""
        values = np.full(len(grams.total), np.nan)
        defined = grams.distinct > 1
        values[defined] = np.log(np.log(grams.distinct[defined])) / np.log(np.log(grams.total[defined]))
        return values
