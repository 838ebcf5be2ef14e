"""`vendi`: the effective number of dissimilar texts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from distinctly.diversity._similarity import SimilarityDiversity, effective_number
from distinctly.geometry import gaussian_spectrum, ngram_spectrum
from distinctly.geometry.gaussian_spectrum import GaussianSpectrum, GaussianSquaredNorm
from distinctly.geometry.ngram_similarities import NgramSquaredNorm
from distinctly.geometry.ngram_spectrum import NgramSpectrum
from distinctly.geometry.spectrum import CosineSpectrum, CosineSquaredNorm, Eigenvalues, SquaredNorm
from distinctly.metrics import Direction
from distinctly.options import Value, option
from distinctly.references import bibtex
from distinctly.score import Note, Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.lengths import Lengths


def _has_features(metric: Vendi) -> bool:
    return metric.kernel == "rbf" and not metric.squares_suffice


def _draws_at_random(metric: Vendi) -> bool:
    return metric.drawn or _has_features(metric)


@dataclass(frozen=True, kw_only=True)
class Vendi(SimilarityDiversity):
    """Vendi Score: the effective number of texts with nothing in common (Friedman & Dieng, 2023).

    ``exp H_q(λ)``: H_q the Rényi entropy of order q, λ the eigenvalues of K/n, and K the similarities between
    the n texts. From 1 (all texts equal) to n (nothing in common). More is more diverse. Known bias: it grows
    with the number of texts, and with cosines it cannot exceed the dimension of the vectors: compare only
    corpora with the same number of texts, by the same embedder. The preset ``rke`` is the RKE score of Jalali
    et al. (2023).

    Attributes
    ----------
    q
        The order, from 0 to ``inf`` (Pasarkar & Dieng, 2024): small orders count rare kinds of texts, large
        ones only common kinds.
    kernel
        ``cosine``: the cosine of the vectors of texts. ``ngram``: the cosine of their n-gram counts,
        averaged over n = 1 to `max_n`; it needs no vectors. ``rbf``: exp(−‖x−y‖²/2σ²) of the vectors as they
        are.
    max_n
        The largest n, for ``kernel=ngram``.
    context
        ``prompt``: the direction of the prompt is taken out of each vector.
    sigma
        The bandwidth σ, for ``kernel=rbf``.
    features
        The number of random Fourier features, each a cosine and a sine, that approximate ``kernel=rbf``
        beyond 20,000 different texts (Ospanov et al., 2024); order 2 is always exact.
    seed
        The seed of the features, and of the draws at a size.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
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
        bibtex(
            "inproceedings",
            "jalali2023information",
            author="Jalali, M. and Li, C. T. and Farnia, F.",
            title=(
                "An information-theoretic evaluation of generative models in learning multi-modal "
                "distributions"
            ),
            booktitle="NeurIPS",
            year=2023,
        ),
        bibtex(
            "inproceedings",
            "ospanov2024towards",
            author="Ospanov, A. and Zhang, J. and Jalali, M. and Cao, X. and Bogdanov, A. and Farnia, F.",
            title="Towards a scalable reference-free evaluation of generative models",
            booktitle="NeurIPS",
            year=2024,
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (1.0, float("inf"))
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"rke": {"q": 2.0, "kernel": "rbf"}}

    q: float = option(1.0, at_least=0)
    kernel: Literal["cosine", "ngram", "rbf"] = "cosine"
    max_n: int = option(4, only={"kernel": ("ngram",)}, at_least=1)
    sigma: float = option(0.7, only={"kernel": ("rbf",)}, above=0, below=math.inf)
    features: int = option(4096, only=_has_features, at_least=1)
    seed: int = option(0, only=_draws_at_random, at_least=0, last=True)

    @property
    def by_ngrams(self) -> bool:
        """Whether texts are compared by their n-grams."""
        return self.kernel == "ngram"

    @property
    def squares_suffice(self) -> bool:
        """Whether the value is a function of Σλ², which is the sum of the squared entries of K/n."""
        return self.q == 2

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the eigenvalues, or the sum of their squares."""
        if self.kernel == "ngram":
            of_ngrams = NgramSquaredNorm if self.squares_suffice else NgramSpectrum
            return of_ngrams(self.max_n, view=self.view), Lengths(view=self.view)
        if self.kernel == "cosine":
            return ((CosineSquaredNorm if self.squares_suffice else CosineSpectrum)(self.view),)
        sigma = float(self.sigma)
        if self.squares_suffice:
            return (GaussianSquaredNorm(self.view, sigma),)
        return (GaussianSpectrum(self.view, sigma, self.features, self.seed),)

    def score(self, *summaries: Any) -> Score:
        """Return the effective number of texts."""
        if summaries[0] is None:
            why = f"more than {ngram_spectrum.MOST_TEXTS:,} texts are distinct, too many for kernel=ngram"
            return self.scored_by_ngrams(math.nan, summaries[1], f"{why}: measure a sample, or take q=2.")
        spectrum: Eigenvalues | SquaredNorm = summaries[0]
        if self.by_ngrams:
            return self.scored_by_ngrams(self._number(spectrum), summaries[1])
        score = self.scored_on(self._number(spectrum), spectrum)
        return replace(score, notes=(*score.notes, *self._notes(spectrum)))

    def _number(self, spectrum: Eigenvalues | SquaredNorm) -> float:
        if isinstance(spectrum, Eigenvalues):
            return effective_number(spectrum.values, spectrum.values, float(self.q))
        if not spectrum.different:
            return math.nan
        # Rounding must not give a number below 1 or above the number of different texts.
        return float(min(max(1 / spectrum.value, 1.0), spectrum.different))

    def _notes(self, spectrum: Eigenvalues | SquaredNorm) -> tuple[Note, ...]:
        if not isinstance(spectrum, Eigenvalues) or not spectrum.features:
            return ()
        approximate = (
            f"The value is approximate: more than {gaussian_spectrum.EXACT_UP_TO:,} texts are distinct, so "
            f"the kernel is that of {spectrum.features:,} random Fourier features (seed={self.seed})."
        )
        if self.q < 2:
            approximate += " It is too low: take q=2, which is exact, or fewer texts, as in at=1000texts."
        return (Note(approximate, "warning" if self.q < 2 else "info"),)
