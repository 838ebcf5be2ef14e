"""`jensen_shannon`: how far apart two n-gram distributions are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from distinctly.distance._divergence import divergence, divergence_terms
from distinctly.distance.base import SumOverNgrams
from distinctly.options import option
from distinctly.references import ENDRES_2003, bibtex
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
        ENDRES_2003,
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
        return counts, divergence_terms(counts)

    def score(self, table: TwoCounts) -> Score:
        """Compare the shares of each n-gram with their mean."""
        totals = table.totals
        parts = {"types": len(table), "reference_total": totals[0], "candidate_total": totals[1]}
        if lacking := table.lacking():
            missing = "tokens" if self.n == 1 else f"text of at least {self.n} tokens"
            return self.scored(math.nan, parts, undefined=f"the {lacking} has no {missing}.")
        bits, shared = divergence(table)
        return self.scored(math.sqrt(bits), {**parts, "shared_types": shared, "divergence": bits})
