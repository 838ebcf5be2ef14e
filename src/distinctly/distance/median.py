"""The cosine distance of two coordinate-wise median vectors."""

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

    Unlike `medoid`, it is robust to a few outlying texts. It depends on the axes: rotating all vectors
    changes it. Known bias: it falls as texts are added.

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
        why = "the median vector of a corpus is zero, which has no direction."
        notes = []
        if medians.zeros:
            zeros = f"{medians.zeros:,} of {medians.texts:,} texts have a zero vector"
            notes.append(f"{zeros}, which has no direction; they are left out.")
        return self.scored(value, parts, tuple(notes), undefined=why if math.isnan(value) else None)
