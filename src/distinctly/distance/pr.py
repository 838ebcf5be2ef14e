"""Precision and recall of a candidate by balls of nearest neighbours."""

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
class PrecisionRecall(VectorDistance):
    """One minus the F1 of improved precision and recall (Kynkäänniemi et al., 2019).

    The (open) ball of a text reaches to its k-th nearest neighbour in its own corpus. Precision is the share
    of candidate texts in any ball of the reference, recall the share of reference texts in any ball of the
    candidate. Known bias: one outlier with a large ball can raise either, and balls are larger where there
    are fewer texts.

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
    >>> score = dy.compare(reference, candidate, "pr:k=1")[0]
    >>> score.parts["precision"], score.parts["recall"], round(score.value, 4)
    (0.5, 1.0, 0.3333)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "kynkaanniemi2019improved",
            author=r"Kynk{\"a}{\"a}nniemi, T. and Karras, T. and Laine, S. and Lehtinen, J. and Aila, T.",
            title="Improved precision and recall metric for assessing generative models",
            booktitle="NeurIPS",
            year=2019,
        ),
    )
    aliases: ClassVar[tuple[str, ...]] = ("precision_recall",)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    k: int = option(5, at_least=1)
    metric: Space = "euclidean"

    def pair_statistics(self) -> tuple[Neighbours]:
        """Return the balls and the texts in them."""
        return (Neighbours(self.view, self.k, self.metric),)

    def score(self, balls: Balls) -> Score:
        """Return 1 − F1 of precision and recall."""
        crowds = (("reference", balls.reference), ("candidate", balls.candidate))
        if why := why_undefined(balls.numbers) or too_few(crowds, self.k):
            return self.scored(math.nan, {"k": self.k}, undefined=why)
        parts = {"precision": balls.precision, "recall": balls.recall, "k": self.k}
        value = 1 - f1(balls.precision, balls.recall)
        return self.scored(value, parts, tuple(notes_on_balls(balls, both=True)))
