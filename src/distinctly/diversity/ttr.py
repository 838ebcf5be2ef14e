"""`ttr`: the type-token ratio of a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from distinctly.diversity._richness import KYLE, LEXICALRICHNESS, Richness
from distinctly.diversity.base import Reads, ratio
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Ttr(Richness):
    """Type-token ratio: the share of distinct tokens of a text (Templin, 1957).

    ``N / C``. It is `distinct` with n = 1, as a mean over texts. Known bias: it falls as texts grow
    longer, whoever wrote them; `mattr`, `hdd` and `mtld` hardly depend on length.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["the cat sat on the mat", "a dog"], "ttr")[0].value   # (5/6 + 2/2) / 2
    0.9166666666666667
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "book",
            "templin1957certain",
            author="Templin, M.",
            title="Certain language skills in children",
            publisher="University of Minnesota Press",
            year=1957,
        ),
    )
    aliases: ClassVar[tuple[str, ...]] = ("type_token_ratio",)
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    reads: ClassVar[Reads] = "sizes"
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": LEXICALRICHNESS,
        "kyle": KYLE,
    }

    def formula(self, grams: Grams) -> Reals:
        """Return N / C."""
        return ratio(grams.distinct, grams.total)
