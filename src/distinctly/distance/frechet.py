"""The Fréchet distance (FID) of the vectors of two corpora, modelled as Gaussians."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.distance.base import VectorDistance
from distinctly.geometry.moments import Moment, Moments
from distinctly.references import bibtex
from distinctly.score import Note, Score

# Smaller relative differences of covariances are rounding errors; measured in 384 dimensions: 2e-15.
ROUNDING = 1e-13


@dataclass(frozen=True, kw_only=True)
class Frechet(VectorDistance):
    """The (squared) Fréchet distance of two Gaussians with the means and covariances of two corpora.

    ``‖μ₁ − μ₂‖² + tr Σ₁ + tr Σ₂ − 2 tr √(Σ₁Σ₂)``, covariances unbiased (Dowson & Landau, 1982; FID: Heusel
    et al., 2017). It measures differences in location and in spread. Known bias: it falls as texts are
    added, since the covariance of few texts is not that of their source: compare only distances at equal
    numbers of texts.

    Examples
    --------
    >>> import distinctly as dy
    >>> reference, candidate = np.array([[-1.0], [1.0]]), np.array([[0.0], [6.0]])
    >>> score = dy.compare(reference, candidate, "frechet")[0]  # means 0 and 3; deviations √2 and √18
    >>> round(score.value, 12), round(score.parts["mean_term"], 12), round(score.parts["covariance_term"], 12)
    (17.0, 9.0, 8.0)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "dowson1982frechet",
            author="Dowson, D. C. and Landau, B. V.",
            title=r"The {Fr\'echet} distance between multivariate normal distributions",
            journal="Journal of Multivariate Analysis",
            year=1982,
            volume=12,
            pages="450--455",
        ),
        bibtex(
            "inproceedings",
            "heusel2017gans",
            author="Heusel, M. and Ramsauer, H. and Unterthiner, T. and Nessler, B. and Hochreiter, S.",
            title="{GANs} trained by a two time-scale update rule converge to a local {Nash} equilibrium",
            booktitle="NeurIPS",
            year=2017,
        ),
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    least_texts: ClassVar[int] = 2

    def statistics(self) -> tuple[Moments]:
        """Return the means and covariances."""
        return (Moments(self.view),)

    def score(self, reference: Moment, candidate: Moment) -> Score:
        """Return the sum of the distance of the means and that of the covariances."""
        with np.errstate(over="ignore", invalid="ignore"):
            means = float(((reference.mean - candidate.mean) ** 2).sum())
            variances = reference.variance + candidate.variance
        if not math.isfinite(means + variances):
            return self.scored(math.nan, {}, undefined="the squares of the vectors overflow: rescale them.")
        covariances = variances - 2 * _trace_of_root(reference, candidate)
        if covariances < ROUNDING * variances:
            covariances = 0.0
        parts: dict[str, int | float] = {"mean_term": means, "covariance_term": covariances}
        notes = _few(min(reference.texts, candidate.texts), reference.dimensions)
        return self.scored(means + covariances, {**parts, "dimensions": reference.dimensions}, notes)


def _trace_of_root(reference: Moment, candidate: Moment) -> float:
    """Return ``tr √(Σ₁Σ₂)``.

    With ``Σ = RᵀR/(n−1)``, the eigenvalues of Σ₁Σ₂ are the squares of the singular values of R₁R₂ᵀ, whose sum
    (nuclear norm) is never complex. It is also correct where a covariance is singular: with fewer texts than
    dimensions, and with embedders that have constant coordinates, such as MiniLM.
    """
    device = reference.device
    product = device.products(device.put(reference.root), device.put(candidate.root))
    # Roots of the eigenvalues of the product with its transpose would take half the time (7 of 12 ms in 384
    # dimensions), but turn a singular value of 0 into 1e-8 of the largest.
    values = device.take(device.xp.linalg.svdvals(product))
    return math.fsum(values.tolist()) / math.sqrt((reference.texts - 1) * (candidate.texts - 1))


def _few(texts: int, dimensions: int) -> tuple[str, ...]:
    if texts >= dimensions:
        return ()
    advice = (
        "so the distance is too large and falls as texts are added. Compare it only with distances at the "
        "same number of texts."
    )
    few = f"There are fewer texts ({texts:,}) than dimensions ({dimensions:,}), {advice}"
    return (Note(few, "warning", general=f"There are fewer texts than dimensions, {advice}"),)
