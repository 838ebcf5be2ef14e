"""`magnitude`: the effective number of points of the space that texts form."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.diversity._similarity import SimilarityDiversity
from distinctly.geometry import magnitudes
from distinctly.geometry.magnitudes import DistanceName, MagnitudeOfPoints, PointMagnitude
from distinctly.metrics import Direction
from distinctly.options import option
from distinctly.references import bibtex
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class Magnitude(SimilarityDiversity):
    """Magnitude of a metric space: its effective number of points at a scale (Leinster, 2013).

    ``Σ_ij (Z⁻¹)_ij``, Z = exp(−t·d) and d the distances between the different texts; copies of a text count
    once. From 1 (all texts equal, or t near 0) towards the number of different texts (t large). More is more
    diverse. Known bias: it grows with the number of texts: compare only corpora with the same number of
    texts, by the same embedder, at the same scale.

    Attributes
    ----------
    distance
        ``cosine``: 1 − cosine of the vectors of texts. ``euclidean``: the distance of the vectors as they
        are.
    scale
        t: the larger it is, the nearer two texts may be and still count as two.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> vectors = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])  # two points at the distance 1
    >>> round(dy.measure(vectors, "magnitude")[0].value, 6)  # 2 / (1 + 1/e)
    1.462117
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "leinster2013magnitude",
            author="Leinster, T.",
            title="The magnitude of metric spaces",
            journal="Documenta Mathematica",
            year=2013,
            volume=18,
            pages="857--905",
        ),
        bibtex(
            "inproceedings",
            "limbeck2024metric",
            author="Limbeck, K. and Andreeva, R. and Sarkar, R. and Rieck, B.",
            title="Metric space magnitude for evaluating the diversity of latent representations",
            booktitle="NeurIPS",
            year=2024,
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (1.0, float("inf"))

    distance: DistanceName = "cosine"
    scale: float = option(1.0, above=0, below=math.inf)

    def statistics(self) -> tuple[MagnitudeOfPoints]:
        """Return the magnitude of the different vectors."""
        return (MagnitudeOfPoints(self.view, self.distance, float(self.scale)),)

    def score(self, *summaries: Any) -> Score:
        """Return the magnitude, unless there are too many points."""
        space: PointMagnitude = summaries[0]
        # Rounding must not give a number below 1.
        score = self.scored_on(max(space.value, 1.0), space, points=space.points)
        if space.points <= magnitudes.MOST_TEXTS:
            return score
        why = (
            f"more than {magnitudes.MOST_TEXTS:,} texts are distinct, too many for a matrix of all pairs: "
            "measure a sample, or fewer texts, as in at=1000texts."
        )
        return self.scored(math.nan, score.parts, score.notes, undefined=why)
