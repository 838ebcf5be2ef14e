"""`similarity_hill`: the effective number of dissimilar texts, by the mean similarity of each to all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from distinctly.diversity._similarity import SimilarityDiversity, effective_number
from distinctly.geometry.ngram_similarities import NgramSimilaritySums
from distinctly.geometry.pair_functions import PositiveCosine
from distinctly.geometry.similarities import Similarities, SimilaritySums
from distinctly.metrics import Direction
from distinctly.options import option
from distinctly.references import bibtex
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.lengths import Lengths, LengthSums


@dataclass(frozen=True, kw_only=True)
class SimilarityHill(SimilarityDiversity):
    """Hill number of texts that takes their similarities into account (Leinster & Cobbold, 2012).

    ``(Σ_i p_i (Zp)_i^(q−1))^(1/(1−q))``: p the shares of the different texts, Z their similarities from 0 to
    1, and (Zp)_i the mean similarity of text i to all texts. From 1 (all texts equal) to the number of
    different texts (nothing in common), where it is the Hill number of the shares. More is more diverse. Also
    written ``hill:similarity=…``. Known bias: it grows with the number of texts, and on vectors of texts it
    is close to 1 over their mean similarity: compare only corpora with the same number of texts, by the same
    embedder.

    Attributes
    ----------
    similarity
        ``vectors``: the cosine of the vectors of texts; negative cosines count as 0. ``ngrams``: the cosine
        of their n-gram counts, averaged over n = 1 to `max_n`; it needs no vectors.
    q
        The order, from 0 to ``inf``: small orders count rare kinds of texts, large ones only common kinds.
    max_n
        The largest n, for ``similarity=ngrams``.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["the cat sat", "the cat ran", "a dog slept", "a dog slept"]
    >>> # p = ¼, ¼, ½; the first two have the cosine ⅔, so Zp = 5/12, 5/12, ½, and ½·12/5 + ½·2 = 2.2
    >>> round(dy.measure(texts, "hill:similarity=ngrams,max_n=1,q=0")[0].value, 12)
    2.2
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "leinster2012measuring",
            author="Leinster, T. and Cobbold, C. A.",
            title="Measuring diversity: the importance of species similarity",
            journal="Ecology",
            year=2012,
            volume=93,
            pages="477--489",
        ),
    )
    aliases: ClassVar[tuple[str, ...]] = ("leinster_cobbold",)
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (1.0, float("inf"))

    similarity: Literal["vectors", "ngrams"] = "vectors"
    q: float = option(1.0, at_least=0)
    max_n: int = option(4, only={"similarity": ("ngrams",)}, at_least=1)

    @property
    def by_ngrams(self) -> bool:
        """Whether texts are compared by their n-grams."""
        return self.similarity == "ngrams"

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the similarities of each text to all texts."""
        if self.by_ngrams:
            return NgramSimilaritySums(self.max_n, view=self.view), Lengths(view=self.view)
        return (SimilaritySums(self.view, PositiveCosine()),)

    def score(self, *summaries: Any) -> Score:
        """Return the effective number of texts."""
        similarities: Similarities = summaries[0]
        value = effective_number(similarities.shares, similarities.ordinariness, float(self.q))
        if self.by_ngrams:
            lengths: LengthSums = summaries[1]
            return self.scored_by_ngrams(value, lengths)
        return self.scored_on(value, similarities)
