"""`mtld`: the mean number of tokens until the type-token ratio has fallen to a threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from distinctly.diversity._richness import KYLE, LEXICALRICHNESS, FactorRichness
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.references import MCCARTHY_2010
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
    last
        How a factor counts that ends with the last token: as one, ``whole``; or, as if it were incomplete,
        as the ``fraction`` ``(1 − ttr) / (1 − threshold)``, which is 1 or more.
    unrepeated
        The value of a text without a repeated token: its number of tokens (``length``), or none (``nan``).

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["a b a b b a c"], "mtld")[0].value   # forward aba|bb|ac: 7/2; backward cabba|ba: 7
    5.25
    """

    references: ClassVar[tuple[str, ...]] = (MCCARTHY_2010,)
    aliases: ClassVar[tuple[str, ...]] = ("measure_of_textual_lexical_diversity",)
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    depends_on_length: ClassVar[bool] = False
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": {"compare": "<=", "minimum": 0, **LEXICALRICHNESS},
        "kyle": {
            "compare": "<",
            "minimum": 10,
            "last": "fraction",
            "unrepeated": "nan",
            "short": "zero",
            **KYLE,
        },
    }

    last: Literal["whole", "fraction"] = "whole"
    unrepeated: Literal["length", "nan"] = "length"

    @property
    def required(self) -> str:
        """At least one token, or a repeated one."""
        return "any tokens" if self.unrepeated == "length" else "a repeated token"

    def walk(self) -> Factors:
        """Return the walk that cuts the text into factors."""
        return Factors(self.threshold, self.compare == "<=", self.minimum, self.last == "fraction")

    def formula(self, sums: Both) -> Reals:
        """Return the mean length of a factor, averaged over both directions."""
        values = (sums.forward.lengths() + sums.backward.lengths()) / 2
        if self.unrepeated == "nan":
            values[sums.forward.factors == 0] = np.nan
        return values

    def parts(self, sums: Both) -> dict[str, int | float]:
        """Return the number of tokens and the value of each direction."""
        return {
            "C": int(sums.forward.tokens[0]),
            "forward": float(sums.forward.lengths()[0]),
            "backward": float(sums.backward.lengths()[0]),
        }
