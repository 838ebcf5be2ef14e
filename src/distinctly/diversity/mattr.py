"""`mattr`: the mean type-token ratio of all windows of a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from distinctly.diversity._richness import KYLE, LEXICALRICHNESS, WindowRichness
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.statistics.streams import Windows, WindowSums


@dataclass(frozen=True, kw_only=True)
class Mattr(WindowRichness):
    """Moving-average type-token ratio (Covington & McFall, 2010).

    The mean type-token ratio of tokens 1 to w, 2 to w + 1, and so on to the end. Known bias: none in
    length, from w tokens on.

    Attributes
    ----------
    window
        w, the number of tokens per window.
    shrink
        Whether a text that is shorter than the window has the type-token ratio of all its tokens. Otherwise
        it has no value.

    Examples
    --------
    >>> import distinctly as dy
    >>> round(dy.measure(["a b a c c"], "mattr:window=3")[0].value, 4)   # aba, bac, acc: (2 + 3 + 2) / 9
    0.7778
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "covington2010cutting",
            author="Covington, M. A. and McFall, J. D.",
            title="Cutting the {Gordian} knot: The moving-average type-token ratio ({MATTR})",
            journal="Journal of Quantitative Linguistics",
            year=2010,
            volume=17,
            pages="94--100",
        ),
    )
    aliases: ClassVar[tuple[str, ...]] = ("moving_average_ttr",)
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    depends_on_length: ClassVar[bool] = False
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": {"window": 100, **LEXICALRICHNESS},
        "kyle": {"window": 50, "shrink": True, **KYLE},
    }

    def walk(self) -> Windows:
        """Return all windows."""
        return Windows(self.window, shrink=self.shrink)

    def parts(self, sums: WindowSums) -> dict[str, int | float]:
        """Return the numbers of tokens, of windows, and of types in all windows."""
        return {"C": int(sums.tokens[0]), "windows": int(sums.windows[0]), "types": int(sums.types[0])}
