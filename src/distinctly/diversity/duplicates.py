"""`duplicates`: the share of texts that repeat an earlier one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from distinctly.metrics import Approximable, Direction, Family, Sizable, Sized
from distinctly.options import option
from distinctly.references import bibtex
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.contents import Copies, TextCounts
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.repeats import Repeated, Repeats

if TYPE_CHECKING:
    from distinctly.statistics.approximate_counts import DistinctTexts


@dataclass(frozen=True, kw_only=True)
class Duplicates(Sizable, Approximable):
    """Share of texts that repeat an earlier one, token for token.

    ``(texts − distinct texts) / texts``, of the texts that have tokens. With ``near=yes``, near-duplicates of
    an earlier text count too: their n-grams have a high Jaccard similarity, found by MinHash (Broder, 1997)
    and checked exactly. Known bias: it grows with the number of texts.

    Attributes
    ----------
    near
        Whether near-duplicates count, too; all texts then have to be in memory.
    threshold
        The smallest Jaccard similarity of near-duplicates.
    n
        Tokens per n-gram of near-duplicates; a text with fewer tokens is one n-gram.
    permutations
        The number of MinHash hashes; more hashes find slightly more near-duplicates.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["a b c d e f g h i j k l", "a b c d e f g h i j k l", "a b c d e f g h i j k l m", "x"]
    >>> dy.measure(texts, "duplicates")[0].value, dy.measure(texts, "duplicates:near=yes")[0].value
    (0.25, 0.5)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "broder1997resemblance",
            author="Broder, A.",
            title="On the resemblance and containment of documents",
            booktitle="Compression and Complexity of Sequences",
            year=1997,
        ),
    )
    family: ClassVar[Family] = "repetition"
    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    compares_texts: ClassVar[bool] = True
    depends_on_length: ClassVar[bool] = False

    near: bool = False
    threshold: float = option(0.8, only={"near": (True,)}, above=0, at_most=1)
    n: int = option(3, only={"near": (True,)}, at_least=1)
    permutations: int = option(128, only={"near": (True,)}, at_least=1)

    @property
    def sized(self) -> Sized:
        """The number of texts."""
        return "texts"

    @property
    def why_exact(self) -> str | None:
        """Why the value cannot be computed from an estimate of the number of different texts."""
        if self.near:
            return "near-duplicates are found by comparing texts"
        return None if self.at is None else "its value at a size is a mean over draws of texts"

    def approximated(self) -> Duplicates:
        """Return the metric with an estimate of the number of different texts."""
        return replace(self, approximate=True)

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the counts of texts, or the near-duplicates, and the lengths."""
        lengths = Lengths(view=self.view)
        if self.approximate:
            from distinctly.statistics.approximate_counts import ApproximateTexts

            return ApproximateTexts(view=self.view), lengths
        if not self.near:
            return TextCounts(view=self.view), lengths
        return Repeats(self.n, float(self.threshold), self.permutations, view=self.view), lengths

    def score(self, *summaries: Any) -> Score:
        """Return the share of repeated texts."""
        repeats: Copies | Repeated | DistinctTexts
        lengths: LengthSums
        repeats, lengths = summaries
        parts: dict[str, int | float] = {
            "texts": lengths.texts,
            "skipped_texts": lengths.empty,
            "repeated": repeats.repeated,
        }
        count = repeats.repeated
        if isinstance(repeats, Repeated):
            parts["near"] = count = repeats.near
        if not repeats.texts:
            why = "no text has any tokens." if lengths.texts else "there are no texts."
            return self.scored(math.nan, parts, undefined=why)
        score = self.scored(count / repeats.texts, parts)
        if isinstance(repeats, Copies | Repeated):
            return score
        from distinctly.statistics.sketches import ESTIMATED, estimated_within

        fewest, most = estimated_within(repeats.distinct, repeats.texts)
        shares = (repeats.texts - most) / repeats.texts, (repeats.texts - fewest) / repeats.texts
        return replace(score, low=shares[0], high=shares[1], notes=(*score.notes, ESTIMATED))
