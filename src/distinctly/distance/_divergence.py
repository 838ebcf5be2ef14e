"""The Jensen–Shannon divergence of two tables of counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.statistics.token_table import TwoCounts


def divergence_terms(counts: TwoCounts) -> NDArray[np.float64]:
    """Return what each entry adds to the divergence, in bits; 0 if a corpus has no counts."""
    if counts.lacking():
        return np.zeros(len(counts))
    p, q = counts.reference / counts.totals[0], counts.candidate / counts.totals[1]
    mean = (p + q) / 2
    # A share of 0 adds nothing: the logarithm of 1 stands for that of 0.
    terms = [share * np.log2(np.where(share > 0, share, mean) / mean) for share in (p, q)]
    return np.maximum((terms[0] + terms[1]) / 2, 0.0)


def divergence(table: TwoCounts) -> tuple[float, int]:
    """Return the divergence in bits, and the number of entries that occur in both corpora."""
    totals = table.totals
    both = (table.reference > 0) & (table.candidate > 0)
    # An entry of only one corpus is twice the mean there, so it adds its share: exact, in integers.
    shared = int(table.reference[both].sum()), int(table.candidate[both].sum())
    alone = (totals[0] - shared[0]) / totals[0] + (totals[1] - shared[1]) / totals[1]
    p, q = table.reference[both] / totals[0], table.candidate[both] / totals[1]
    mean = (p + q) / 2
    together = float((p * np.log2(p / mean) + q * np.log2(q / mean)).sum())
    return min(max((alone + together) / 2, 0.0), 1.0), int(both.sum())
