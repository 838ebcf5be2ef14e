"""Energy distance: how much farther texts are from those of the other corpus than from their own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from distinctly.distance._paired import paired_notes, undefined_pairs
from distinctly.distance.base import VectorDistance
from distinctly.geometry.gram import PairSums, Sums
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class Energy(VectorDistance):
    """The energy distance of two corpora's vectors (Székely & Rizzo, 2013).

    ``√(2·E d(x, y) − E d(x, x') − E d(y, y'))``: how much farther apart two texts of different corpora
    are than two texts of one corpus. Before the root, its mean is 0 for two samples of one distribution; a
    value below 0 counts as 0, with a note.

    Attributes
    ----------
    metric
        ``angular``: d is the angle as a share of half a turn, arccos(cos)/π. ``euclidean``: the length of
        the difference.
    unbiased
        Leave out the pairs of a text with itself, whose distance is always 0.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> reference, candidate = np.array([[0.0], [2.0]]), np.array([[5.0], [7.0]])
    >>> dy.compare(reference, candidate, "energy:metric=euclidean")[0].parts["squared"]  # 2·5 − 2 − 2
    6.0
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "szekely2013energy",
            author=r"Sz\'ekely, G. J. and Rizzo, M. L.",
            title="Energy statistics: A class of statistics based on distances",
            journal="Journal of Statistical Planning and Inference",
            year=2013,
            volume=143,
            number=8,
        ),
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    # The formula of the package that goes with the paper, written after its release 1.0.6.
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"paper": {"metric": "angular", "unbiased": False}}

    metric: Literal["angular", "euclidean"] = "angular"
    unbiased: bool = True

    def pair_statistics(self) -> tuple[PairSums]:
        """Return the sums of distances."""
        return (PairSums(self.view, self.metric),)

    def score(self, sums: Sums) -> Score:
        """Compare the mean distance between the corpora with those within each."""
        why = undefined_pairs(sums, least=2 if self.unbiased else 1)
        if why:
            return self.scored(math.nan, {}, undefined=why)
        between = sums.mean_between()
        within = [sums.mean_within(side, unbiased=self.unbiased) for side in (0, 1)]
        squared = 2 * between - within[0] - within[1]
        notes = paired_notes(sums)
        if squared < 0:
            below = (
                f"The squared distance is below 0 ({squared:.2g}), which happens by chance if nothing differs"
            )
            notes = (f"{below}; it counts as 0.", *notes)
        parts = {
            "between": between,
            "within_reference": within[0],
            "within_candidate": within[1],
            "squared": squared,
            "coefficient": max(squared, 0.0) / (2 * between) if between else 0.0,
        }
        return self.scored(math.sqrt(max(squared, 0.0)), parts, notes)
