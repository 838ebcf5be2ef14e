"""`jensen_shannon`: how far apart two n-gram distributions are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from distinctly.distance.base import SumOverNgrams
from distinctly.options import option
from distinctly.references import bibtex
from distinctly.score import Score
from distinctly.statistics.token_table import TokenTable, TwoCounts


@dataclass(frozen=True, kw_only=True)
class JensenShannon(SumOverNgrams):
    """The square root of the Jensen–Shannon divergence, in bits, of two n-gram distributions.

    ``√(½ KL(p‖m) + ½ KL(q‖m))`` with m = (p + q)/2: a metric, from 0 (the same shares) to 1 (no n-gram in
    common). Known bias: it is too high in small corpora, since two samples of one source also differ.

    Attributes
    ----------
    n
        Tokens per n-gram.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.compare(["a b"], ["c d"], "jensen_shannon")[0].value
    1.0
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "lin1991divergence",
            author="Lin, J.",
            title="Divergence measures based on the {Shannon} entropy",
            journal="IEEE Transactions on Information Theory",
            year=1991,
            volume=37,
            pages="145--151",
        ),
        bibtex(
            "article",
            "endres2003new",
            author="Endres, D. M. and Schindelin, J. E.",
            title="A new metric for probability distributions",
            journal="IEEE Transactions on Information Theory",
            year=2003,
            volume=49,
            pages="1858--1860",
        ),
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    summed: ClassVar[str] = "divergence"
    symbol: ClassVar[str] = "the divergence"

    n: int = option(1, at_least=1)

    @property
    def ngram_size(self) -> int:
        """Tokens per n-gram."""
        return self.n

    def pair_statistics(self) -> tuple[TokenTable]:
        """Return the n-gram counts of both corpora."""
        return (TokenTable(self.n, view=self.view),)

    def contributions(self, counts: TwoCounts) -> tuple[TwoCounts, NDArray[np.float64]]:
        """Return all n-grams, and what each of them adds to the divergence, in bits."""
        if counts.lacking():
            return counts, np.zeros(len(counts))
        p, q = counts.reference / counts.totals[0], counts.candidate / counts.totals[1]
        mean = (p + q) / 2
        # A share of 0 adds nothing: the logarithm of 1 stands for that of 0.
        terms = [share * np.log2(np.where(share > 0, share, mean) / mean) for share in (p, q)]
        return counts, np.maximum((terms[0] + terms[1]) / 2, 0.0)

    def score(self, table: TwoCounts) -> Score:
        """Compare the shares of each n-gram with their mean."""
        totals = table.totals
        parts = {"types": len(table), "reference_total": totals[0], "candidate_total": totals[1]}
        if lacking := table.lacking():
            missing = "tokens" if self.n == 1 else f"text of at least {self.n} tokens"
            return self.scored(math.nan, parts, undefined=f"the {lacking} has no {missing}.")
        both = (table.reference > 0) & (table.candidate > 0)
        # An n-gram of only one corpus is twice the mean there, so it adds its share: exact, in integers.
        shared = int(table.reference[both].sum()), int(table.candidate[both].sum())
        alone = (totals[0] - shared[0]) / totals[0] + (totals[1] - shared[1]) / totals[1]
        p, q = table.reference[both] / totals[0], table.candidate[both] / totals[1]
        mean = (p + q) / 2
        together = float((p * np.log2(p / mean) + q * np.log2(q / mean)).sum())
        divergence = min(max((alone + together) / 2, 0.0), 1.0)
        return self.scored(
            math.sqrt(divergence), {**parts, "shared_types": int(both.sum()), "divergence": divergence}
        )
