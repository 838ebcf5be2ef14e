"""The cosine distance of two vectors of medians."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from distinctly.distance._cosine import cosine_distance
from distinctly.distance.base import VectorDistance
from distinctly.geometry.medians import Medians, TwoMedians
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class Median(VectorDistance):
    """The cosine distance of the coordinate-wise medians of the vectors of two corpora.

    As `medoid`, but a few outlying texts do not move it. It depends on the axes: turning all vectors
    alike changes it. Known bias: it falls as texts are added.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> reference = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 99.0]])  # medians 2 and 0
    >>> dy.compare(reference, np.array([[0.0, 1.0]]), "median")[0].value
    1.0
    """

    bounds: ClassVar[tuple[float, float]] = (0.0, 2.0)

    def pair_statistics(self) -> tuple[Medians]:
        """Return the medians."""
        return (Medians(self.view),)

    def score(self, medians: TwoMedians) -> Score:
        """Compare the directions of the medians."""
        value = cosine_distance(medians.reference, medians.candidate)
        parts = {"zero_vectors": medians.zeros, "dimensions": len(medians.reference)}
        why = "the medians of all coordinates are zero in one, so have no direction."
        notes = []
        if medians.zeros:
            some = f"{medians.zeros:,} of {medians.texts:,} texts"
            notes.append(f"{some} have a vector of zeros, so no direction; they are left out.")
        return self.scored(value, parts, tuple(notes), undefined=why if math.isnan(value) else None)
