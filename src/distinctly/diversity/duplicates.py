"""`duplicates`: the share of texts that repeat an earlier one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.metrics import Direction, Sizable, Sized
from distinctly.options import option
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.repeats import Repeated, Repeats


@dataclass(frozen=True, kw_only=True)
class Duplicates(Sizable):
    """Share of texts that repeat an earlier one, token for token.

    ``(texts − distinct texts) / texts``, of the texts that have tokens. The part `near` also counts
    near-duplicates of an earlier text: their n-grams have a high Jaccard similarity, found by MinHash
    (Broder, 1997) and checked exactly. Known bias: it grows with the number of texts.

    Attributes
    ----------
    threshold
        The smallest Jaccard similarity of near-duplicates.
    n
        Tokens per n-gram, for `near`; a text with fewer tokens is one n-gram.
    permutations
        The number of MinHash hashes; more hashes find slightly more near-duplicates.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["a b c d e f g h i j k l", "a b c d e f g h i j k l", "a b c d e f g h i j k l m", "x"]
    >>> score = dy.measure(texts, "duplicates")[0]
    >>> score.value, score.parts["near"]
    (0.25, 0.5)
    """

    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    threshold: float = option(0.8, above=0, at_most=1)
    n: int = option(3, at_least=1)
    permutations: int = option(128, at_least=1)

    @property
    def ngram_size(self) -> int:
        """Tokens per n-gram."""
        return self.n

    @property
    def sized(self) -> Sized:
        """The number of texts."""
        return "texts"

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the repeated texts and the lengths."""
        repeats = Repeats(self.n, float(self.threshold), self.permutations, view=self.view)
        return repeats, Lengths(view=self.view)

    def score(self, *summaries: Any) -> Score:
        """Return the share of repeated texts."""
        repeated: Repeated
        lengths: LengthSums
        repeated, lengths = summaries
        parts: dict[str, int | float] = {
            "texts": lengths.texts,
            "skipped_texts": lengths.empty,
            "repeated": repeated.exact,
            "near": repeated.near / repeated.texts if repeated.texts else math.nan,
        }
        if not repeated.texts:
            why = "no text has any tokens." if lengths.texts else "there are no texts."
            return self.scored(math.nan, parts, undefined=why)
        return self.scored(repeated.exact / repeated.texts, parts)
