"""Information-retrieval precision and recall: distances to the nearest text of the other corpus."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from distinctly.distance._neighbours import notes_on_zeros, why_undefined
from distinctly.distance.base import VectorDistance, f1
from distinctly.geometry.nearest_across import BothWays, NearestAcross
from distinctly.options import Value
from distinctly.references import KOUR_2022
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class RetrievalPrecisionRecall(VectorDistance):
    """The harmonic mean of the two mean angular distances to the nearest text of the other corpus.

    An angle is a share of half a turn, ``arccos(cos)/π``. Each mean is over the texts of that corpus; the
    value is 0 if both means are 0. Known bias: it falls with size, since the nearest of more texts is nearer.

    Attributes
    ----------
    divisor
        The divisor of the sum of a corpus: its ``own`` number of texts, or that of the ``other`` corpus, as
        in the released code of the paper.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> score = dy.compare(np.array([[1.0, 0.0]]), np.array([[0.0, 2.0], [3.0, 0.0]]), "irpr")[0]
    >>> score.parts["precision"], score.parts["recall"], score.value
    (0.0, 0.25, 0.0)
    """

    references: ClassVar[tuple[str, ...]] = (KOUR_2022,)
    aliases: ClassVar[tuple[str, ...]] = ("retrieval_precision_recall",)
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"paper": {"divisor": "other"}}

    divisor: Literal["own", "other"] = "own"

    def pair_statistics(self) -> tuple[NearestAcross]:
        """Return the nearest texts in both directions."""
        return (NearestAcross(self.view, "angular"),)

    def score(self, nearest: BothWays) -> Score:
        """Return the harmonic mean of the two means."""
        if why := why_undefined(nearest.numbers):
            return self.scored(math.nan, {}, undefined=why)
        precision, recall = nearest.reference.mean, nearest.candidate.mean
        if self.divisor == "other":
            ratio = nearest.reference.crowd.texts / nearest.candidate.crowd.texts
            precision, recall = precision * ratio, recall / ratio
        parts = {"precision": precision, "recall": recall}
        return self.scored(f1(precision, recall), parts, notes_on_zeros(nearest.numbers))
