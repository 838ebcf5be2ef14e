"""The Fréchet distance (FID) of the vectors of two corpora, modelled as Gaussians."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.distance.base import VectorDistance
from distinctly.geometry.moments import TOO_LARGE, Moment, Moments
from distinctly.geometry.part_moments import Divisions, PartMoments
from distinctly.options import option
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
    numbers of texts, or extrapolate.

    Attributes
    ----------
    extrapolate
        The distance that infinitely many texts would have (FID∞), from a line through those of all texts, of
        halves, of thirds … of both corpora.
    parts
        The largest number of parts that each corpus is divided into.
    seed
        The seed of the division.

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
        bibtex(
            "inproceedings",
            "chong2020effectively",
            author="Chong, M. J. and Forsyth, D.",
            title="Effectively unbiased {FID} and {Inception Score} and where to find them",
            booktitle="CVPR",
            year=2020,
        ),
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    least_texts: ClassVar[int] = 2

    extrapolate: bool = False
    parts: int = option(3, only={"extrapolate": (True,)}, at_least=3, at_most=100)
    seed: int = option(0, only={"extrapolate": (True,)}, at_least=0)

    @property
    def texts_can_be_left_out(self) -> bool:
        """Whether a change without one text is due to it: not if the others are divided anew."""
        return not self.extrapolate

    def statistics(self) -> tuple[Moments | PartMoments]:
        """Return the means and covariances, also those of parts to extrapolate from."""
        return (PartMoments(self.view, self.parts, self.seed) if self.extrapolate else Moments(self.view),)

    def score(self, reference: Moment | Divisions, candidate: Moment | Divisions) -> Score:
        """Return the distance of all texts, or the one that is extrapolated from parts of them."""
        if isinstance(reference, Moment) and isinstance(candidate, Moment):
            return self._of_all(reference, candidate)
        if isinstance(reference, Moment) or isinstance(candidate, Moment):
            raise TypeError("moments of one corpus, and moments of parts of the other")
        return self._extrapolated(reference, candidate)

    def _of_all(self, reference: Moment, candidate: Moment) -> Score:
        terms = distance_terms(reference, candidate)
        if terms is None:
            return self.scored(math.nan, {}, undefined=TOO_LARGE)
        parts: dict[str, int | float] = {"mean_term": terms[0], "covariance_term": terms[1]}
        notes = _few(min(reference.texts, candidate.texts), reference.dimensions)
        return self.scored(sum(terms), {**parts, "dimensions": reference.dimensions}, notes)

    def _extrapolated(self, reference: Divisions, candidate: Divisions) -> Score:
        """Return where the line through the mean distances of 1, 2, 3 … parts crosses 0 parts.

        The bias of a distance is inversely proportional to the number of texts, so to first order it grows
        with the number of parts by the same amount.
        """
        smallest = min(part.texts for side in (reference, candidate) for part in side[-1])
        if smallest < self.least_texts:
            why = f"each corpus needs at least {self.least_texts * self.parts} texts for {self.parts} parts."
            return self.scored(math.nan, {"smallest_part": smallest}, undefined=why)
        distances = []
        for divisions in zip(reference, candidate):
            terms = [distance_terms(*pair) for pair in zip(*divisions)]
            known = [sum(each) for each in terms if each is not None]
            if len(known) < len(terms):
                return self.scored(math.nan, {"smallest_part": smallest}, undefined=TOO_LARGE)
            distances.append(math.fsum(known) / len(known))
        (slope, intercept), covariance = np.polyfit(np.arange(1, self.parts + 1), distances, 1, cov=True)
        parts: dict[str, int | float] = {
            "all_texts": distances[0],
            "intercept": float(intercept),
            "fit_error": math.sqrt(covariance[1, 1]),
            "slope": float(slope),
            "smallest_part": smallest,
            "dimensions": reference[0][0].dimensions,
        }
        notes = _few_in_parts(smallest, reference[0][0].dimensions)
        return self.scored(max(float(intercept), 0.0), parts, notes)


def distance_terms(reference: Moment, candidate: Moment) -> tuple[float, float] | None:
    """Return the distance of the means, and that of the covariances; None if squares overflow."""
    with np.errstate(over="ignore", invalid="ignore"):
        means = float(((reference.mean - candidate.mean) ** 2).sum())
        variances = reference.variance + candidate.variance
    if not math.isfinite(means + variances):
        return None
    covariances = variances - 2 * _trace_of_root(reference, candidate)
    return means, 0.0 if covariances < ROUNDING * variances else covariances


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
    values = device.take(device.singular_values(product))
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


def _few_in_parts(texts: int, dimensions: int) -> tuple[str, ...]:
    if texts >= dimensions:
        return ()
    advice = (
        "so the distances are not on a line: the value is too large, or too small if the corpora differ much "
        "in size. Give more texts, or vectors of fewer dimensions."
    )
    few = f"The smallest parts have fewer texts ({texts:,}) than dimensions ({dimensions:,}), {advice}"
    return (Note(few, "warning", general=f"The smallest parts have fewer texts than dimensions, {advice}"),)
