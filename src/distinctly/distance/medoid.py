"""The cosine distance of two mean vectors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.arrays import Reals
from distinctly.distance._cosine import cosine_distance
from distinctly.distance.base import VectorDistance
from distinctly.geometry.moments import TOO_LARGE
from distinctly.geometry.spreads import Spread, Spreads, TwoSpreads
from distinctly.references import KOUR_2022
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class Medoid(VectorDistance):
    """The cosine distance of the mean vectors of two corpora.

    The name is that of the package that introduced it; the mean is a centroid, not a medoid. It measures
    whether the corpora lie in the same direction, not how they are spread. Known bias: it falls as texts are
    added, since means of few texts differ by chance.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> dy.compare(np.array([[2.0, 0.0]]), np.array([[0.0, 1.0], [0.0, 3.0]]), "medoid")[0].value
    1.0
    """

    references: ClassVar[tuple[str, ...]] = (KOUR_2022,)
    bounds: ClassVar[tuple[float, float]] = (0.0, 2.0)

    def pair_statistics(self) -> tuple[Spreads]:
        """Return the means."""
        return (Spreads(self.view),)

    def score(self, spreads: TwoSpreads) -> Score:
        """Compare the directions of the means."""
        parts = {"dimensions": len(spreads[0].mean)}
        if any(spread.overflows for spread in spreads):
            return self.scored(math.nan, parts, undefined=TOO_LARGE)
        value = cosine_distance(*map(_mean, spreads))
        if math.isnan(value):
            return self.scored(
                value, parts, undefined="the mean vector of a corpus is zero, which has no direction."
            )
        return self.scored(value, parts)


def _mean(spread: Spread) -> Reals:
    """Return the mean; zero if it is only the rounding error of vectors that cancel."""
    rounding = np.finfo(np.float64).eps * math.sqrt(spread.texts * float(spread.squares.sum()))
    return spread.mean if float(np.linalg.norm(spread.mean)) > rounding else np.zeros_like(spread.mean)
