"""Notes and reasons that the distances over all pairs of texts share."""

from __future__ import annotations

import math

from distinctly.distance.base import left_out
from distinctly.geometry.gram import Sums


def undefined_pairs(sums: Sums, least: int) -> str:
    """Return why there is no value; empty if there is one."""
    for name, texts, zeros in zip(("reference", "candidate"), sums.texts, sums.zeros):
        if zeros and not texts:
            return f"all texts of the {name} have a zero vector, which has no direction."
        if texts < least:
            nonzero = " with a nonzero vector" if zeros else ""
            return f"the {name} has 1 text{nonzero}; at least {least} are needed."
    if not all(map(math.isfinite, (sums.between, *sums.within))):
        return "a sum over pairs overflows, since the vectors are too long: rescale them."
    return ""


def paired_notes(sums: Sums) -> tuple[str, ...]:
    """Return notes on the texts that are left out since their vector is zero."""
    return left_out(sums.zeros, [texts + zeros for texts, zeros in zip(sums.texts, sums.zeros)])
