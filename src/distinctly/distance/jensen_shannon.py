"""`jensen_shannon`: how far apart two n-gram distributions are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.distance.base import Distance
from distinctly.options import option
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

    n: int = option(1, at_least=1)

    @property
    def ngram_size(self) -> int:
        """Tokens per n-gram."""
        return self.n

    def pair_statistics(self) -> tuple[TokenTable]:
        """Return the counts of both."""
        return (TokenTable(self.n, view=self.view),)

    def score(self, table: TwoCounts) -> Score:
        """Compare the shares of each n-gram with their mean."""
        totals = table.totals
        parts = {"types": len(table), "reference_total": totals[0], "candidate_total": totals[1]}
        if lacking := table.lacking():
            what = "tokens" if self.n == 1 else f"text of {self.n} tokens or more"
            return self.scored(math.nan, parts, undefined=f"the {lacking} has no {what}.")
        both = (table.reference > 0) & (table.candidate > 0)
        # What one corpus alone has is twice its mean, so adds its share: as whole numbers, without rounding.
        shared = int(table.reference[both].sum()), int(table.candidate[both].sum())
        alone = (totals[0] - shared[0]) / totals[0] + (totals[1] - shared[1]) / totals[1]
        one, other = table.reference[both] / totals[0], table.candidate[both] / totals[1]
        middle = (one + other) / 2
        together = float((one * np.log2(one / middle) + other * np.log2(other / middle)).sum())
        divergence = min(max((alone + together) / 2, 0.0), 1.0)
        return self.scored(
            math.sqrt(divergence), {**parts, "shared_types": int(both.sum()), "divergence": divergence}
        )
