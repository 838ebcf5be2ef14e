"""What distances made of all pairs of texts say of corpora of which too little is left to pair."""

from __future__ import annotations

import math

from distinctly.distance.base import left_out
from distinctly.geometry.gram import Sums


def undefined_pairs(sums: Sums, least: int) -> str:
    """Say why there is no value; nothing where there is one."""
    for name, texts, zeros in zip(("reference", "candidate"), sums.texts, sums.zeros):
        if zeros and not texts:
            return f"all texts of the {name} have a vector of zeros, so no direction."
        if texts < least:
            left = " with a direction" if zeros else ""
            return f"the {name} has 1 text{left}, and it takes {least} to make a pair."
    if not all(map(math.isfinite, (sums.between, *sums.within))):
        return "the vectors are so long, or so uneven, that a sum over pairs is beyond a float."
    return ""


def paired_notes(sums: Sums) -> tuple[str, ...]:
    """Say how many texts are left out, where some are."""
    return left_out(sums.zeros, [paired + zeros for paired, zeros in zip(sums.texts, sums.zeros)])
