"""`mtld_ma`: how many tokens from any place of a text its type-token ratio takes to fall to a threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from distinctly.diversity._richness import FactorRichness
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.statistics.ngram_counts import Reals
from distinctly.statistics.streams import FactorSums, MovingFactors


@dataclass(frozen=True, kw_only=True)
class MtldMa(FactorRichness[FactorSums]):
    """Moving-average MTLD, wrapped around (McCarthy & Jarvis, 2010; Kyle et al., 2021).

    From every token a factor is begun, as in `mtld`, going on at the beginning where the text ends, for one
    round at most. The value is the tokens of the factors over their number: the mean length of a factor.
    One that is not finished after a round has all C tokens and counts in part,
    ``(1 − ttr) / (1 − threshold)``; a text without any repetition has C. Known bias: hardly any in length;
    no last part of a factor, and no direction.

    Attributes
    ----------
    threshold
        The ratio at which a factor ends.
    compare
        Whether the ratio must fall below it (``<``), or reaching it is enough (``<=``).
    minimum
        Tokens that a factor has at least.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["a a b"], "mtld_ma")[0].value   # aa, aba, baa: (2 + 3 + 3) / 3
    2.6666666666666665
    """

    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "kyle": {"compare": "<", "minimum": 10},
    }

    def walk(self) -> MovingFactors:
        """Return a factor from every token on."""
        return MovingFactors(self.threshold, self.compare == "<=", self.minimum)

    def formula(self, found: FactorSums) -> Reals:
        """The mean length of a factor."""
        return found.lengths()

    def parts(self, found: FactorSums) -> dict[str, int | float]:
        """Return the tokens, and how many factors there are."""
        return {"C": int(found.tokens[0]), "factors": float(found.factors[0])}
