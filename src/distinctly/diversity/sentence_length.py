"""`sentence_length`: the mean length of sentences in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from distinctly.errors import SpecError
from distinctly.metrics import NEITHER, Direction, Metric
from distinctly.references import bibtex
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.sentence_lengths import SentenceLengths, SentenceSums
from distinctly.tokenizers.words import Words
from distinctly.views.base import View
from distinctly.views.sentences import SentenceView
from distinctly.views.tags import TagView
from distinctly.views.tokens import TokenView

M = TypeVar("M", bound="SentenceLength")


@dataclass(frozen=True, kw_only=True)
class SentenceLength(Metric):
    """Mean number of words per sentence, over all sentences of the corpus.

    ``words / sentences``. A sentence ends at a line end, at ``。 ！ ？``, and at ``. ! ? …`` before white
    space, except after an abbreviation. Sentences without words are left out. Known bias: none in the number
    of texts; texts that are cut off have a last sentence that is too short.

    Examples
    --------
    >>> import distinctly as dy
    >>> score = dy.measure(["Dr. Lee came at 3.30. He left.", "Why?"], "sentence_length")[0]
    >>> score.value, score.parts["sentences"]   # 5, 2 and 1 words
    (2.6666666666666665, 3)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "yule1939sentence",
            author="Yule, G. U.",
            title="On sentence-length as a statistical characteristic of style in prose",
            journal="Biometrika",
            year=1939,
            volume=30,
            pages="363--390",
        ),
    )
    more_is: ClassVar[Direction] = NEITHER
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    depends_on_length: ClassVar[bool] = False
    default_view: ClassVar[str] = "words(punct=no)"

    @property
    def view(self) -> SentenceView:
        """The sentences of the texts."""
        if isinstance(self._view, SentenceView):
            return self._view
        return SentenceView(TokenView(Words(punct=False)))

    def reading(self: M, view: View[Any]) -> M:
        """Return the metric with the tokens of this view, in sentences."""
        if isinstance(view, TagView):
            raise SpecError("'sentence_length' counts words, so `of=tags` has no effect. Remove it.")
        return super().reading(SentenceView(view) if isinstance(view, TokenView) else view)

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the lengths of sentences."""
        return (SentenceLengths(view=self.view),)

    def score(self, *summaries: Any) -> Score:
        """Divide the number of words by the number of sentences."""
        sums: SentenceSums = summaries[0]
        count, words = sums.sentences, sums.words
        parts: dict[str, int | float] = {
            "texts": sums.texts,
            "skipped_texts": sums.empty,
            "sentences": count,
            "words": words,
        }
        if not count:
            why = "no text has a sentence with words." if sums.texts else "there are no texts."
            return self.scored(math.nan, parts, undefined=why)
        # Integer arithmetic, so that the result is exactly 0 if all sentences are equally long.
        parts["standard_deviation"] = math.sqrt(count * sums.squares - words**2) / count
        return self.scored(words / count, parts)
