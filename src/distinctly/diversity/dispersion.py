"""`dispersion`: the mean distance between two texts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.diversity._vectors import VectorDiversity
from distinctly.geometry.resultant import Resultant, UnitSum
from distinctly.metrics import Direction
from distinctly.references import bibtex
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class Dispersion(VectorDiversity):
    """Mean cosine distance between two different texts (in Tevet & Berant, 2021, with a minus sign).

    ``1 − (‖Σx‖² − n) / (n(n−1))`` on unit vectors x: the exact mean over all pairs of different texts, in
    linear time. More is more diverse. Known bias: none in size; but many small clusters and one wide
    cluster can have the same mean.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> vectors = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 2.0]])  # distances 1, 1 and 0
    >>> round(dy.measure(vectors, "dispersion")[0].value, 12)
    0.666666666667
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "tevet2021evaluating",
            author="Tevet, G. and Berant, J.",
            title="Evaluating the evaluation of diversity in natural language generation",
            booktitle="EACL",
            year=2021,
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 2.0)
    least_texts: ClassVar[int] = 2

    def statistics(self) -> tuple[UnitSum]:
        """Return the sum of the unit vectors."""
        return (UnitSum(self.view),)

    def score(self, *summaries: Any) -> Score:
        """Turn the length of the sum into the mean distance."""
        resultant: Resultant = summaries[0]
        n = resultant.texts - resultant.zeros
        value = math.nan
        if n > 1:
            mean = 1 - (resultant.squared - n) / (n * (n - 1))
            # Rounding must not give copies of one vector a distance.
            value = min(max(mean, 0.0), 2.0) if resultant.different > 1 else 0.0
        return self.scored_on(value, resultant)
