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
    """The mean of the two mean distances to the nearest text of the other corpus, or the largest of all.

    Attributes
    ----------
    mode
        ``mean``: of the two means; ``max``: the largest distance of any text to its nearest one, which is
        what mathematics calls the Hausdorff distance. A single outlier decides it.
    metric
        Angles as parts of a half turn (``angular``), or distances between vectors as they are
        (``euclidean``).

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> one, other = np.array([[0.0], [1.0]]), np.array([[1.0], [5.0]])
    >>> [dy.compare(one, other, f"hausdorff:mode={m},metric=euclidean")[0].value for m in ("mean", "max")]
    [1.25, 4.0]
    """

    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    mode: Literal["mean", "max"] = "mean"
    metric: Space = "angular"

    def pair_statistics(self) -> tuple[NearestAcross]:
        """Return the nearest texts both ways."""
        return (NearestAcross(self.view, self.metric),)

    def score(self, nearest: BothWays) -> Score:
        """Join the two directions."""
        if why := why_undefined(nearest.numbers):
            return self.scored(math.nan, {}, undefined=why)
        ways = nearest.reference, nearest.candidate
        one, other = (way.mean if self.mode == "mean" else way.largest for way in ways)
        value = (one + other) / 2 if self.mode == "mean" else max(one, other)
        parts = {"from_reference": one, "from_candidate": other}
        return self.scored(value, parts, notes_on_zeros(nearest.numbers))
