"""`vendi`: the effective number of dissimilar texts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from distinctly.arrays import Reals
from distinctly.diversity._vectors import VectorDiversity
from distinctly.errors import SpecError
from distinctly.geometry.ngram_spectrum import MOST_TEXTS, NgramSpectrum
from distinctly.geometry.spectrum import CosineSpectrum, Eigenvalues
from distinctly.metrics import Direction, Sizable, Sized
from distinctly.options import option
from distinctly.references import bibtex
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.views.base import ViewKind
from distinctly.views.tokens import WORDS

# Orders as near to 1 as this are computed in another form, which loses no digits.
NEAR_ONE = 0.01


@dataclass(frozen=True, kw_only=True)
class Vendi(Sizable, VectorDiversity):
    """Vendi Score: the effective number of texts with nothing in common (Friedman & Dieng, 2023).

    ``exp H_q(λ)``: H_q the Rényi entropy of order q, λ the eigenvalues of K/n, and K the similarities between
    the n texts. From 1 (all texts equal) to n (nothing in common). More is more diverse. Known bias: it grows
    with the number of texts, and cannot exceed the dimension of the vectors: compare only corpora with the
    same number of texts, by the same embedder.

    Attributes
    ----------
    q
        The order, from 0 to ``inf`` (Pasarkar & Dieng, 2024): small orders count rare kinds of texts, large
        ones only common kinds.
    kernel
        ``cosine``: the cosine of the vectors of texts. ``ngram``: the cosine of their n-gram counts,
        averaged over n = 1 to `max_n`; it needs no vectors.
    max_n
        The largest n, for ``kernel=ngram``.
    context
        ``prompt``: the direction of the prompt is taken out of each vector.

    Examples
    --------
    >>> import distinctly as dy
    >>> vectors = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 2.0], [3.0, 0.0]])
    >>> round(dy.measure(vectors, "vendi")[0].value, 12)  # two kinds, equally frequent
    2.0
    >>> texts = ["the cat sat", "the cat ran", "a dog slept"]
    >>> round(dy.measure(texts, "vendi:kernel=ngram,max_n=1")[0].value, 4)
    2.552
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "friedman2023vendi",
            author="Friedman, D. and Dieng, A. B.",
            title="The {Vendi} {Score}: A diversity evaluation metric for machine learning",
            journal="TMLR",
            year=2023,
        ),
        bibtex(
            "inproceedings",
            "pasarkar2024cousins",
            author="Pasarkar, A. P. and Dieng, A. B.",
            title=(
                "Cousins of the {Vendi} {Score}: A family of similarity-based diversity metrics for "
                "science and machine learning"
            ),
            booktitle="AISTATS",
            year=2024,
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (1.0, float("inf"))
    compares_texts: ClassVar[bool] = True

    q: float = option(1.0, at_least=0)
    kernel: Literal["cosine", "ngram"] = "cosine"
    max_n: int = option(4, only={"kernel": ("ngram",)}, at_least=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.context is not None and self.kernel == "ngram":
            raise SpecError("`context` is for vectors, and kernel=ngram has none. Remove one of them.")

    @property
    def sees(self) -> ViewKind:
        """The vector of a text, or its tokens."""
        return "vectors" if self.kernel == "cosine" else "tokens"

    @property
    def view(self) -> Any:
        """The view of the vectors, or of the tokens."""
        if self.kernel == "cosine":
            return super().view
        return WORDS if self._view is None else self._view

    @property
    def sized(self) -> Sized:
        """The number of texts."""
        return "texts"

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the eigenvalues."""
        if self.kernel == "ngram":
            return NgramSpectrum(self.max_n, view=self.view), Lengths(view=self.view)
        return (CosineSpectrum(self.view),)

    def score(self, *summaries: Any) -> Score:
        """Return the effective number of texts."""
        if self.kernel == "ngram":
            return self._score_ngrams(*summaries)
        spectrum: Eigenvalues = summaries[0]
        value = _effective(spectrum.values, float(self.q)) if len(spectrum.values) else math.nan
        return self.scored_on(value, spectrum)

    def _score_ngrams(self, spectrum: Eigenvalues | None, lengths: LengthSums) -> Score:
        parts: dict[str, int | float] = {"texts": lengths.texts, "skipped_texts": lengths.empty}
        if not lengths.texts:
            return self.scored(math.nan, parts, undefined="there are no texts.")
        if spectrum is None:
            why = f"more than {MOST_TEXTS:,} texts are distinct, too many for kernel=ngram: measure a sample."
            return self.scored(math.nan, parts, undefined=why)
        if not len(spectrum.values):
            return self.scored(math.nan, parts, undefined="no text has any tokens.")
        notes = (f"{lengths.empty:,} texts have no tokens; they are left out.",) if lengths.empty else ()
        return self.scored(_effective(spectrum.values, float(self.q)), parts, notes)


def _effective(values: Reals, q: float) -> float:
    """Return the exponential of the Rényi entropy of order q; probabilities are in descending order."""
    if q == 0:
        return float(len(values))
    if math.isinf(q):
        number = 1 / values[0]
    elif q == 1:
        number = np.exp(-(values * np.log(values)).sum())
    elif abs(q - 1) < NEAR_ONE:
        # Σ λ^q = 1 + Σ λ (λ^(q−1) − 1): near order 1, the plain sum loses the digits that matter.
        number = np.exp(np.log1p((values * np.expm1((q - 1) * np.log(values))).sum()) / (1 - q))
    else:
        # Relative to the largest value, so that no power underflows.
        sums = ((values / values[0]) ** q).sum()
        number = np.exp(q / (1 - q) * np.log(values[0]) + np.log(sums) / (1 - q))
    # Rounding must not give a number below 1 or above the number of values.
    return float(min(max(number, 1.0), len(values)))
