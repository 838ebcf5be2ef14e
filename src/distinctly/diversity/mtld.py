"""`mtld`: how many tokens a text goes on before its type-token ratio has fallen to a threshold."""

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

    The text is cut into factors: one ends where its type-token ratio falls below the threshold. The value
    is tokens over factors, the last one counted in part, ``(1 − ttr) / (1 − threshold)``; the mean of
    reading forward and backward. A text without any repetition has its number of tokens C. Known bias:
    hardly any in length, from about 100 tokens on; shorter texts are mostly parts of factors.

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
    >>> dy.measure(["a b a b b a c"], "mtld")[0].value   # forward aba|bb|ac: 7/2; backward cabba|ba: 7
    5.25
    """

    aliases: ClassVar[tuple[str, ...]] = ("measure_of_textual_lexical_diversity",)
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": {"compare": "<=", "minimum": 0},
        "kyle": {"compare": "<", "minimum": 10},
    }

    def walk(self) -> Factors:
        """Return the cutting into factors."""
        return Factors(self.threshold, self.compare == "<=", self.minimum)

    def formula(self, found: Both) -> Reals:
        """The mean of the mean lengths of a factor, forward and backward."""
        return (found.forward.lengths() + found.backward.lengths()) / 2

    def parts(self, found: Both) -> dict[str, int | float]:
        """Return the tokens, and the value of either direction."""
        return {
            "C": int(found.forward.tokens[0]),
            "forward": float(found.forward.lengths()[0]),
            "backward": float(found.backward.lengths()[0]),
        }
