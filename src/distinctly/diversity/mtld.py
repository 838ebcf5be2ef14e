"""`mtld`: the mean number of tokens until the type-token ratio has fallen to a threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from distinctly.diversity._richness import FactorRichness
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.statistics.ngram_counts import Reals
from distinctly.statistics.streams import Both, Factors


@dataclass(frozen=True, kw_only=True)
class Mtld(FactorRichness[Both]):
    """Measure of textual lexical diversity (McCarthy & Jarvis, 2010).

    The text is cut into factors; a factor ends where its type-token ratio falls below the threshold. The
    value is the number of tokens per factor, averaged over reading forward and backward. The last, incomplete
    factor counts as ``(1 − ttr) / (1 − threshold)``. A text without repetition has C, its number of tokens.
    Known bias: hardly any in length from about 100 tokens on; shorter texts are mostly incomplete factors.

    Attributes
    ----------
    threshold
        The ratio at which a factor ends.
    compare
        Whether the ratio must fall below the threshold (``<``) or only reach it (``<=``).
    minimum
        The smallest number of tokens of a factor.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["a b a b b a c"], "mtld")[0].value   # forward aba|bb|ac: 7/2; backward cabba|ba: 7
    5.25
    """

    aliases: ClassVar[tuple[str, ...]] = ("measure_of_textual_lexical_diversity",)
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    depends_on_length: ClassVar[bool] = False
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": {"compare": "<=", "minimum": 0},
        "kyle": {"compare": "<", "minimum": 10},
    }

    def walk(self) -> Factors:
        """Return the walk that cuts the text into factors."""
        return Factors(self.threshold, self.compare == "<=", self.minimum)

    def formula(self, sums: Both) -> Reals:
        """Return the mean length of a factor, averaged over both directions."""
        return (sums.forward.lengths() + sums.backward.lengths()) / 2

    def parts(self, sums: Both) -> dict[str, int | float]:
        """Return the number of tokens and the value of each direction."""
        return {
            "C": int(sums.forward.tokens[0]),
            "forward": float(sums.forward.lengths()[0]),
            "backward": float(sums.backward.lengths()[0]),
        }
