"""`msttr`: the mean type-token ratio of a text's segments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from distinctly.diversity._richness import KYLE, LEXICALRICHNESS, WindowRichness
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.references import bibtex
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
    last
        Whether to keep or drop a full segment that ends with the text.
    shrink
        Whether a text that is shorter than a segment has the type-token ratio of all its tokens. Otherwise it
        has no value.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.measure(["a b a c c c d"], "msttr:window=3")[0].value   # aba, ccc: (2/3 + 1/3) / 2
    0.5
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "johnson1944studies",
            author="Johnson, W.",
            title="Studies in language behavior: A program of research",
            journal="Psychological Monographs",
            year=1944,
            volume=56,
            pages="1--15",
        ),
    )
    aliases: ClassVar[tuple[str, ...]] = ("mean_segmental_ttr",)
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    depends_on_length: ClassVar[bool] = False
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": {"window": 100, "last": "drop", **LEXICALRICHNESS},
        "kyle": {"window": 50, "shrink": True, **KYLE},
    }

    last: Literal["keep", "drop"] = "keep"

    @property
    def required(self) -> str:
        """At least one segment that counts."""
        if self.last == "keep" or self.shrink:
            return super().required
        return f"more than {self.window:,} tokens"

    def walk(self) -> Windows:
        """Return all segments."""
        return Windows(self.window, segments=True, drop_last=self.last == "drop", shrink=self.shrink)

    def parts(self, sums: WindowSums) -> dict[str, int | float]:
        """Return the numbers of tokens, of segments, and of types in all segments."""
        return {"C": int(sums.tokens[0]), "segments": int(sums.windows[0]), "types": int(sums.types[0])}
