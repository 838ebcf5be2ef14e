"""`homogenization`: the mean overlap in wording between two texts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.metrics import Direction, Family, Metric
from distinctly.options import option
from distinctly.references import bibtex
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.overlaps import Overlaps
from distinctly.statistics.pairs import Average


@dataclass(frozen=True, kw_only=True)
class Homogenization(Metric):
    """Mean ROUGE-L F1 over all pairs of texts (Padmakumar & He, 2024).

    ``2·LCS(a, b) / (|a| + |b|)``, LCS the longest common subsequence of tokens. The value is 0 for
    texts without a common token and for empty texts, and 1 for identical texts. Known bias: long texts share
    more by chance, since frequent words are in most of them.

    Attributes
    ----------
    pairs
        The largest number of pairs. If there are more, this number is drawn at random, and the part
        `standard_error` gives the error of the estimate.
    seed
        The seed of the draw.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["the cat sat", "the cat ran", "no idea"]
    >>> round(dy.measure(texts, "homogenization")[0].value, 4)  # (2·2/6 + 0 + 0) / 3
    0.2222
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "padmakumar2024does",
            author="Padmakumar, V. and He, H.",
            title="Does writing with language models reduce content diversity?",
            booktitle="ICLR",
            year=2024,
        ),
        bibtex(
            "misc",
            "lin2004rouge",
            author="Lin, C.-Y.",
            title="{ROUGE}: A package for automatic evaluation of summaries",
            year=2004,
        ),
    )
    family: ClassVar[Family] = "repetition"
    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    least_texts: ClassVar[int] = 2

    pairs: int = option(2_000_000, at_least=1)
    seed: int = option(0, at_least=0)

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the mean over pairs and the lengths."""
        return Overlaps(self.pairs, self.seed, view=self.view), Lengths(view=self.view)

    def score(self, *summaries: Any) -> Score:
        """Return the mean."""
        average: Average
        lengths: LengthSums
        average, lengths = summaries
        parts: dict[str, int | float] = {
            "texts": lengths.texts,
            "pairs": average.members,
            "standard_error": average.error,
        }
        why = ""
        if not lengths.texts:
            why = "there are no texts."
        elif lengths.texts < self.least_texts:
            why = "there is only one text; at least two are needed."
        elif not lengths.tokens:
            why = "no text has any tokens."
        if why:
            return self.scored(math.nan, parts | {"standard_error": math.nan}, undefined=why)
        notes: tuple[str, ...] = ()
        if average.sampled:
            notes = (
                f"The value is estimated from {average.members:,} of {average.population:,} pairs "
                f"(seed={self.seed}); its standard error is {average.error:.2g}.",
            )
        return self.scored(average.value, parts, notes)
