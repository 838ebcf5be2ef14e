"""`msttr`: the mean type-token ratio of a text's segments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from distinctly.diversity._richness import WindowRichness
from distinctly.metrics import Direction
from distinctly.statistics.streams import Windows, WindowSums


@dataclass(frozen=True, kw_only=True)
class Msttr(WindowRichness):
    """Mean segmental type-token ratio (Johnson, 1944).

    The text is cut into segments of ``window`` tokens, and the mean of their type-token ratios taken; what
    is left at the end is left out. Known bias: none in length; it depends on where the cuts fall, as
    `mattr` does not.

    Attributes
    ----------
    window
        Tokens a segment.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["a b a c c c d"], "msttr:window=3")[0].value   # aba, ccc: (2/3 + 1/3) / 2
    0.5
    """

    aliases: ClassVar[tuple[str, ...]] = ("mean_segmental_ttr",)
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def walk(self) -> Windows:
        """Return segments."""
        return Windows(self.window, segments=True)

    def parts(self, found: WindowSums) -> dict[str, int | float]:
        """Return the tokens and the segments."""
        return {"C": int(found.tokens[0]), "segments": int(found.windows[0])}
