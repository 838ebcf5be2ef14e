"""`dcscore`: how well texts are told apart when each is classified as one of all texts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.diversity._similarity import SimilarityDiversity
from distinctly.geometry.pair_functions import CosineDecay
from distinctly.geometry.similarities import Similarities, SimilaritySums
from distinctly.metrics import Direction
from distinctly.options import option
from distinctly.references import bibtex
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class Dcscore(SimilarityDiversity):
    """DCScore: the expected number of texts that a softmax over similarities recognizes (Zhu et al., 2025).

    ``Σ_i exp(K_ii/τ) / Σ_j exp(K_ij/τ)``, K the cosines of the vectors of texts. From 1 (all texts equal) to
    n. More is more diverse. Known bias: it grows with the number of texts, and with τ = 1 it cannot exceed
    e² ≈ 7.4, since cosines are at least −1: compare only corpora with the same number of texts, by the same
    embedder, at the same temperature.

    Attributes
    ----------
    temperature
        τ: the smaller it is, the more similar two texts may be without being confused.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> vectors = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 2.0]])
    >>> round(dy.measure(vectors, "dcscore")[0].value, 4)  # e/(e + 2) + 2·e/(2e + 1)
    1.4208
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "zhu2025measuring",
            author=(
                "Zhu, Y. and Zhang, H. and Wu, B. and Li, J. and Zheng, Z. and Zhao, P. and Chen, L. "
                "and Bian, Y."
            ),
            title="Measuring diversity in synthetic datasets",
            booktitle="ICML",
            year=2025,
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (1.0, float("inf"))

    temperature: float = option(1.0, above=0, below=math.inf, aliases=("tau",))

    def statistics(self) -> tuple[SimilaritySums]:
        """Return the sums of exp((K_ij − K_ii)/τ) over the rows."""
        return (SimilaritySums(self.view, CosineDecay(1 / float(self.temperature))),)

    def score(self, *summaries: Any) -> Score:
        """Add up the probabilities of the texts themselves."""
        similarities: Similarities = summaries[0]
        compared = similarities.texts - similarities.zeros
        value = float((similarities.counts / similarities.sums).sum())
        # Rounding must not give a number below 1 or above the number of texts.
        return self.scored_on(min(max(value, 1.0), float(compared)), similarities)
