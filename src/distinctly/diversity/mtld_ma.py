"""`mtld_ma`: `mtld` averaged over all starting positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from distinctly.diversity._richness import KYLE, FactorRichness
from distinctly.diversity.base import ratio
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.references import MCCARTHY_2010, bibtex
from distinctly.statistics.ngram_counts import Reals
from distinctly.statistics.streams import FactorSums, MovingFactors


@dataclass(frozen=True, kw_only=True)
class MtldMa(FactorRichness[FactorSums]):
    """Moving-average MTLD, wrapped around (McCarthy & Jarvis, 2010; Kyle et al., 2021).

    A factor, as in `mtld`, starts at every token and continues at the beginning of the text where the text
    ends, for at most one round. The value is the mean length of a factor: tokens divided by factors. A factor
    that is incomplete after one round has all C tokens and counts as ``(1 − ttr) / (1 − threshold)``; a text
    without repetition has C. Known bias: hardly any in length. The value does not depend
    on a direction of reading.

    Attributes
    ----------
    threshold
        The ratio at which a factor ends.
    compare
        Whether the ratio must fall below the threshold (``<``) or only reach it (``<=``).
    minimum
        The smallest number of tokens of a factor.
    wrap
        How far a factor continues: ``once``, for one round at most, as above; or ``twice``, to the end of the
        text repeated once, where factors that are still incomplete are left out.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["a a b"], "mtld_ma")[0].value   # aa, aba, baa: (2 + 3 + 3) / 3
    2.6666666666666665
    """

    references: ClassVar[tuple[str, ...]] = (
        MCCARTHY_2010,
        bibtex(
            "article",
            "kyle2021assessing",
            author="Kyle, K. and Crossley, S. A. and Jarvis, S.",
            title="Assessing the validity of lexical diversity indices using direct judgements",
            journal="Language Assessment Quarterly",
            year=2021,
            volume=18,
            pages="154--170",
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    depends_on_length: ClassVar[bool] = False
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "kyle": {"compare": "<", "minimum": 10, "wrap": "twice", "short": "zero", **KYLE},
    }

    wrap: Literal["once", "twice"] = "once"

    @property
    def required(self) -> str:
        """At least one token, or a factor."""
        return "any tokens" if self.wrap == "once" else "a complete factor"

    def walk(self) -> MovingFactors:
        """Return the walk that starts a factor at every token."""
        return MovingFactors(self.threshold, self.compare == "<=", self.minimum, self.wrap == "twice")

    def formula(self, sums: FactorSums) -> Reals:
        """Return the mean length of a factor."""
        return sums.lengths() if self.wrap == "once" else ratio(sums.covered, sums.factors)

    def parts(self, sums: FactorSums) -> dict[str, int | float]:
        """Return the numbers of tokens, of tokens in all factors, and of factors."""
        covered, factors = int(sums.covered[0]), float(sums.factors[0])
        return {"C": int(sums.tokens[0]), "covered": covered, "factors": factors}
