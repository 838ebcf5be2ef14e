"""Base class of the metrics on similarities between texts, and the effective number that they have."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from distinctly.arrays import Reals
from distinctly.diversity._vectors import VectorDiversity
from distinctly.errors import SpecError
from distinctly.metrics import Sizable, Sized
from distinctly.score import Score
from distinctly.statistics.lengths import LengthSums
from distinctly.views.base import ViewKind
from distinctly.views.tokens import WORDS

# Orders as near to 1 as this are computed in another form, which loses no digits.
NEAR_ONE = 0.01


@dataclass(frozen=True, kw_only=True)
class SimilarityDiversity(Sizable, VectorDiversity):
    """A formula on the similarities between texts, by their vectors or by their n-grams."""

    compares_texts: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.context is not None and self.by_ngrams:
            raise SpecError(
                f"`context` is for vectors, and '{self.metric_name()}' by n-grams has none. Remove one."
            )

    @property
    def by_ngrams(self) -> bool:
        """Whether texts are compared by their n-grams, so that no vectors are needed."""
        return False

    @property
    def sees(self) -> ViewKind:
        """The vector of a text, or its tokens."""
        return "tokens" if self.by_ngrams else "vectors"

    @property
    def view(self) -> Any:
        """The view of the vectors, or of the tokens."""
        if not self.by_ngrams:
            return super().view
        return WORDS if self._view is None else self._view

    @property
    def sized(self) -> Sized:
        """The number of texts."""
        return "texts"

    def scored_by_ngrams(self, value: float, lengths: LengthSums, why: str | None = None) -> Score:
        """Return the score of similarities by n-grams; `why` is why there is none though there are tokens."""
        parts: dict[str, int | float] = {"texts": lengths.texts, "skipped_texts": lengths.empty}
        if not lengths.texts:
            why = "there are no texts."
        elif not lengths.tokens:
            why = "no text has any tokens."
        if why is not None:
            return self.scored(math.nan, parts, undefined=why)
        notes = (f"{lengths.empty:,} texts have no tokens; they are left out.",) if lengths.empty else ()
        return self.scored(value, parts, notes)


def effective_number(shares: Reals, ordinariness: Reals, q: float) -> float:
    """Return ``(Σ p z^(q−1))^(1/(1−q))``, p the shares and z the ordinariness; NaN without shares.

    With z = p it is the Hill number of order q.

    Examples
    --------
    >>> shares = np.array([0.5, 0.25, 0.25])
    >>> [round(effective_number(shares, shares, q), 4) for q in (0, 1, 2, math.inf)]
    [3.0, 2.8284, 2.6667, 2.0]
    """
    if not len(shares):
        return math.nan
    largest = float(ordinariness.max())
    if math.isinf(q):
        number = 1 / largest
    elif q == 1:
        number = math.exp(-(shares * np.log(ordinariness)).sum())
    elif abs(q - 1) < NEAR_ONE:
        # Σ p z^(q−1) = 1 + Σ p (z^(q−1) − 1): near order 1, the plain sum loses the digits that matter.
        beyond = (shares * np.expm1((q - 1) * np.log(ordinariness))).sum()
        number = math.exp(math.log1p(beyond) / (1 - q))
    else:
        # Relative to the largest value, so that the powers do not all underflow.
        mean = float((shares * (ordinariness / largest) ** (q - 1)).sum())
        number = mean ** (1 / (1 - q)) / largest
    # Rounding must not give a number below 1 or above the number of shares.
    return float(min(max(number, 1.0), len(shares)))
