"""The cosine distance of two mean vectors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.distance.base import VectorDistance
from distinctly.embedders.base import Vectors
from distinctly.score import Score
from distinctly.statistics.embeddings import Embeddings


@dataclass(frozen=True, kw_only=True)
class Medoid(VectorDistance):
    """The cosine distance of the means of the vectors of two corpora.

    Called so by the package that brought it; the mean is a centroid, no medoid. It sees whether the
    corpora lie in the same place, not how they are spread.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> dy.compare(np.array([[2.0, 0.0]]), np.array([[0.0, 1.0], [0.0, 3.0]]), "medoid")[0].value
    1.0
    """

    bounds: ClassVar[tuple[float, float]] = (0.0, 2.0)

    def statistics(self) -> tuple[Embeddings]:
        """Return the vectors."""
        return (Embeddings(self.embedder),)

    def score(self, reference: Vectors, candidate: Vectors) -> Score:
        """Compare the directions of the means."""
        one, other = (rows.mean(axis=0, dtype=np.float64) for rows in (reference, candidate))
        lengths = float(np.linalg.norm(one)), float(np.linalg.norm(other))
        if not min(lengths):
            return self.scored(math.nan, {}, ("Undefined: a mean vector is zero, so has no direction.",))
        cosine = float(one @ other) / lengths[0] / lengths[1]
        return self.scored(1 - min(max(cosine, -1.0), 1.0), {})
