"""Jensen–Shannon distance: how far apart two n-gram distributions are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.distance.base import Distance
from distinctly.score import Score
from distinctly.statistics.token_table import TokenTable, TwoCounts


@dataclass(frozen=True, kw_only=True)
class JensenShannon(Distance):
    """The square root of the Jensen–Shannon divergence, in bits, of two n-gram distributions.

    ``√(½ KL(p‖m) + ½ KL(q‖m))`` with m = (p + q)/2: a metric, from 0 (the same shares) to 1 (no n-gram in
    common). It is biased upwards in small corpora: two samples of one source differ, too.

    Attributes
    ----------
    n
        Tokens an n-gram.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.compare(["a b"], ["c d"], "jensen_shannon")[0].value
    1.0
    """

    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    n: int = 1

    def pair_statistics(self) -> tuple[TokenTable]:
        """Return the counts of both."""
        return (TokenTable(self.n),)

    def score(self, table: TwoCounts) -> Score:
        """Compare the shares of each n-gram with their mean."""
        totals = int(table.reference.sum()), int(table.candidate.sum())
        parts = {"types": len(table), "reference_total": totals[0], "candidate_total": totals[1]}
        if not min(totals):
            which = "reference" if not totals[0] else "candidate"
            return self.scored(
                math.nan, parts, (f"Undefined: the {which} has no text of {self.n} tokens or more.",)
            )
        one, other = table.reference / totals[0], table.candidate / totals[1]
        middle = (one + other) / 2
        terms = [share[share > 0] * np.log2(share[share > 0] / middle[share > 0]) for share in (one, other)]
        divergence = math.fsum(np.concatenate(terms)) / 2
        value = math.sqrt(min(max(divergence, 0.0), 1.0))
        return self.scored(value, {**parts, "divergence": value**2})
