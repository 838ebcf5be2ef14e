"""How many pairs of corpora are in the order of their levels: loops only."""

from __future__ import annotations


def ordered(levels: list[int], values: list[float]) -> dict[str, float]:
    right = weighted = strict = strict_weighted = ties = pairs = weights = 0.0
    for i in range(len(levels)):
        for j in range(len(levels)):
            if levels[i] < levels[j]:
                weight = 1 / (levels[j] - levels[i])
                pairs += 1
                weights += weight
                right += values[i] <= values[j]
                weighted += weight * (values[i] <= values[j])
                strict += values[i] < values[j]
                strict_weighted += weight * (values[i] < values[j])
                ties += values[i] == values[j]
    return {
        "plain": right / pairs,
        "weighted": weighted / weights,
        "strict": strict / pairs,
        "strict_weighted": strict_weighted / weights,
        "ties": ties / pairs,
    }
