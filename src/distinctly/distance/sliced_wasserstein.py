"""The Wasserstein distance of the vectors of two corpora, along random directions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.distance.base import VectorDistance
from distinctly.geometry.projections import Costs, Projections
from distinctly.options import option
from distinctly.references import bibtex
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class SlicedWasserstein(VectorDistance):
    """The sliced Wasserstein distance with p = 2 (Rabin et al., 2012).

    ``√(mean over directions θ of W₂²)``, W₂² the mean squared difference of the quantiles of the texts'
    vectors projected on θ: exact along each direction, also for corpora of unequal size. Known bias: it
    falls as texts are added, since small samples of one source differ more.

    Attributes
    ----------
    directions
        The number of random directions.
    seed
        The seed of the directions.

    Examples
    --------
    >>> import distinctly as dy
    >>> reference, candidate = np.array([[0.0], [1.0]]), np.array([[3.0], [5.0]])  # 0 moves to 3, 1 to 5
    >>> round(dy.compare(reference, candidate, "sliced_wasserstein")[0].value ** 2, 12)
    12.5
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "rabin2012wasserstein",
            author=r"Rabin, J. and Peyr\'e, G. and Delon, J. and Bernot, M.",
            title="Wasserstein barycenter and its application to texture mixing",
            booktitle="Scale Space and Variational Methods in Computer Vision",
            year=2012,
        ),
        bibtex(
            "article",
            "bonneel2015sliced",
            author=r"Bonneel, N. and Rabin, J. and Peyr\'e, G. and Pfister, H.",
            title="Sliced and {Radon} {Wasserstein} barycenters of measures",
            journal="Journal of Mathematical Imaging and Vision",
            year=2015,
            volume=51,
            pages="22--45",
        ),
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    directions: int = option(200, at_least=1)
    seed: int = option(0, at_least=0)

    def pair_statistics(self) -> tuple[Projections]:
        """Return the cost along each direction."""
        return (Projections(self.view, self.directions, self.seed),)

    def score(self, costs: Costs) -> Score:
        """Return the root of the mean squared cost."""
        value = math.sqrt(math.fsum(costs.squared.tolist()) / len(costs.squared))
        # The error due to the choice of directions: a root has half the relative error of its square.
        error = float(np.std(costs.squared)) / math.sqrt(len(costs.squared)) / (2 * value) if value else 0.0
        return self.scored(
            value * costs.unit, {"standard_error": error * costs.unit, "dimensions": costs.dimensions}
        )
