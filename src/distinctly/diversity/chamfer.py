"""`chamfer`: the mean distance to the nearest other text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.diversity._vectors import VectorDiversity
from distinctly.geometry.nearest_other import NearestOther, NearestSum
from distinctly.metrics import Direction, Sizable, Sized
from distinctly.references import bibtex
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class Chamfer(Sizable, VectorDiversity):
    """Mean cosine distance of a text to the nearest other text (Cox et al., 2021).

    ``(1/n) Σ_i min_{j≠i} (1 − cos(x_i, x_j))``. More is more diverse; a repeated text has
    distance 0. Known bias: it falls as texts are added, since the nearest of more texts is nearer: compare
    only corpora with the same number of texts.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> vectors = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 2.0]])  # distances: 1, 0 and 0
    >>> dy.measure(vectors, "chamfer")[0].value
    0.3333333333333333
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "cox2021directed",
            author="Cox, S. R. and Wang, Y. and Abdul, A. and von der Weth, C. and Lim, B. Y.",
            title=(
                "Directed diversity: Leveraging language embedding distances for collective "
                "creativity in crowd ideation"
            ),
            booktitle="CHI",
            year=2021,
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 2.0)
    least_texts: ClassVar[int] = 2

    @property
    def sized(self) -> Sized:
        """The number of texts."""
        return "texts"

    def statistics(self) -> tuple[NearestOther]:
        """Return the distances to the nearest other text."""
        return (NearestOther(self.view),)

    def score(self, *summaries: Any) -> Score:
        """Return the mean."""
        nearest: NearestSum = summaries[0]
        n = nearest.texts - nearest.zeros
        value = nearest.total / n if n > 1 else math.nan
        return self.scored_on(value, nearest, repeated=nearest.repeated)
