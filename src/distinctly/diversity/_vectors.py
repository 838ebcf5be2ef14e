"""What metrics in embedding space share: the embedder, and texts that have no direction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from distinctly.metrics import VectorMetric
from distinctly.score import Score


class Summary(Protocol):
    """The attributes that the summaries of this family share."""

    @property
    def texts(self) -> int:
        """The number of all texts."""

    @property
    def zeros(self) -> int:
        """The number of texts whose vector is zero."""

    @property
    def dimensions(self) -> int:
        """The number of coordinates of the vectors."""


@dataclass(frozen=True, kw_only=True)
class VectorDiversity(VectorMetric):
    """A formula of the cosines between texts, by their vectors."""

    def scored_on(self, value: float, found: Summary, **more: int | float) -> Score:
        """Make the score, or say why there is none."""
        placed = found.texts - found.zeros
        parts: dict[str, int | float] = {
            "texts": found.texts,
            "zero_vectors": found.zeros,
            "dimensions": found.dimensions,
            **more,
        }
        notes: tuple[str, ...] = ()
        if found.zeros and placed:
            left_out = f"{found.zeros:,} of {found.texts:,} texts have a vector of zeros, so no direction"
            notes = (f"{left_out}; they are left out.",)
        if not found.texts:
            return self.scored(math.nan, parts, undefined="there are no texts.")
        if not placed:
            why = "all texts have a vector of zeros, so no direction."
            return self.scored(math.nan, parts, undefined=why)
        if placed < self.least_texts:
            one = "there is one text" if found.texts == 1 else "one text alone has a direction"
            return self.scored(math.nan, parts, notes, undefined=f"{one}, and it takes two.")
        return self.scored(value, parts, notes)
