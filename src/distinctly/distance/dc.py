"""Density and coverage of a reference by balls of nearest neighbours."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from distinctly.distance._neighbours import notes_on_balls, too_few, why_undefined
from distinctly.distance.base import VectorDistance, f1
from distinctly.geometry.balls import Balls, Neighbours
from distinctly.geometry.points import Space
from distinctly.options import option
from distinctly.references import bibtex
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class DensityCoverage(VectorDistance):
    """One minus the F1 of density (at most 1) and coverage (Naeem et al., 2020).

    The (open) ball of a reference text reaches to its k-th nearest neighbour in the reference. Density is the
    mean number of balls that contain a candidate text, divided by k; coverage is the share of balls that
    contain a candidate text. Known bias: balls are larger where there are fewer texts.

    Attributes
    ----------
    k
        The number of neighbours that a ball reaches to.
    metric
        Distances between vectors as they are (``euclidean``), or between their directions (``angular``).

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> reference, candidate = np.array([[0.0], [1.0], [2.0]]), np.array([[0.5], [9.0]])
    >>> score = dy.compare(reference, candidate, "dc:k=1")[0]
    >>> score.parts["density"], round(score.parts["coverage"], 4), round(score.value, 4)
    (1.0, 0.6667, 0.2)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "naeem2020reliable",
            author="Naeem, M. F. and Oh, S. J. and Uh, Y. and Choi, Y. and Yoo, J.",
            title="Reliable fidelity and diversity metrics for generative models",
            booktitle="ICML",
            year=2020,
        ),
    )
    aliases: ClassVar[tuple[str, ...]] = ("density_coverage",)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    symmetric: ClassVar[bool] = False

    k: int = option(5, at_least=1)
    metric: Space = "euclidean"

    def pair_statistics(self) -> tuple[Neighbours]:
        """Return the balls and the texts in them."""
        return (Neighbours(self.view, self.k, self.metric, both=False),)

    def score(self, balls: Balls) -> Score:
        """Count the candidates in the balls of the reference."""
        if why := why_undefined(balls.numbers) or too_few((("reference", balls.reference),), self.k):
            return self.scored(math.nan, {"k": self.k}, undefined=why)
        parts = {"density": balls.density, "coverage": balls.coverage, "k": self.k}
        value = 1 - f1(min(balls.density, 1.0), balls.coverage)
        return self.scored(value, parts, tuple(notes_on_balls(balls, both=False)))
