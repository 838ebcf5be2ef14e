"""Hausdorff distance: the mean or largest distance to the nearest text of the other corpus."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from distinctly.distance._neighbours import notes_on_zeros, why_undefined
from distinctly.distance.base import VectorDistance
from distinctly.geometry.nearest_across import BothWays, NearestAcross
from distinctly.geometry.points import Space
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class Hausdorff(VectorDistance):
    """The mean, or the largest, distance of a text to the nearest text of the other corpus.

    Attributes
    ----------
    mode
        ``mean``: the mean of the two mean distances. ``max``: the largest distance of any text to its nearest
        one, the Hausdorff distance of mathematics. A single outlier determines it.
    metric
        ``angular``: the angle as a share of half a turn. ``euclidean``: the length of the difference.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> reference, candidate = np.array([[0.0], [1.0]]), np.array([[1.0], [5.0]])
    >>> specs = ["hausdorff:metric=euclidean", "hausdorff:metric=euclidean,mode=max"]
    >>> [score.value for score in dy.compare(reference, candidate, specs)]
    [1.25, 4.0]
    """

    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    mode: Literal["mean", "max"] = "mean"
    metric: Space = "angular"

    def pair_statistics(self) -> tuple[NearestAcross]:
        """Return the nearest texts in both directions."""
        return (NearestAcross(self.view, self.metric),)

    def score(self, nearest: BothWays) -> Score:
        """Return the mean or the maximum of the two directions."""
        if why := why_undefined(nearest.numbers):
            return self.scored(math.nan, {}, undefined=why)
        directions = nearest.reference, nearest.candidate
        reference, candidate = (side.mean if self.mode == "mean" else side.largest for side in directions)
        value = reference / 2 + candidate / 2 if self.mode == "mean" else max(reference, candidate)
        parts = {"from_reference": reference, "from_candidate": candidate}
        return self.scored(value, parts, notes_on_zeros(nearest.numbers))
