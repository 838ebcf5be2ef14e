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

    The text is cut into segments of ``window`` tokens, and the value is the mean of their type-token ratios;
    tokens after the last full segment are ignored. Known bias: none in length; unlike `mattr`, it depends
    on where the cuts fall.

    Attributes
    ----------
    window
        Tokens per segment.

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
        """Return all segments."""
        return Windows(self.window, segments=True)

    def parts(self, sums: WindowSums) -> dict[str, int | float]:
        """Return the numbers of tokens, of segments, and of types in all segments."""
        return {"C": int(sums.tokens[0]), "segments": int(sums.windows[0]), "types": int(sums.types[0])}
