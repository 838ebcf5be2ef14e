"""Distances between summaries of two corpora, each read once, without holding their texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from distinctly.distance.base import Distance
from distinctly.run.plan import Plan, description, needs_rows, signed_by
from distinctly.score import Score
from distinctly.spec import Request
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.contents import Contents
from distinctly.statistics.pairing import MergeablePair, PairStatistic
from distinctly.statistics.pool import Summaries
from distinctly.views.tokens import TokenView


def side_statistics(plan: Plan) -> list[AnyStatistic]:
    """Return the statistics of each side, for distances that need no texts in memory and all signatures."""
    needed: list[AnyStatistic] = [*description(plan.views.tokens)]
    for metric in (request.metric for request in plan.requests):
        needed += signed_by(metric)
        if isinstance(metric, Distance) and not needs_rows(metric):
            needed += [*metric.statistics(), *(pair.side() for pair in _pairs(metric))]
    return list(dict.fromkeys(needed))


class SidePair(dict[PairStatistic[Any], Any]):
    """The summaries of two corpora together, each combined once from those of both sides.

    Attributes
    ----------
    reference, candidate
        The summaries of each side.
    """

    def __init__(self, reference: Summaries, candidate: Summaries) -> None:
        super().__init__()
        self.reference, self.candidate = reference, candidate

    def __missing__(self, statistic: MergeablePair[Any]) -> Any:
        side = statistic.side()
        self[statistic] = statistic.combine(self.reference[side], self.candidate[side])
        return self[statistic]


def side_scores(requests: Sequence[Request], pair: SidePair, tokens: TokenView) -> list[Score]:
    """Score distances from the summaries of both sides."""
    sides = pair.reference, pair.candidate
    sizes = sides[0][Contents(view=tokens)].texts, sides[1][Contents(view=tokens)].texts
    distances = (request.metric for request in requests if isinstance(request.metric, Distance))
    return [metric.score_sides(sides, sizes, pair) for metric in distances]


def _pairs(metric: Distance) -> list[MergeablePair[Any]]:
    return [statistic for statistic in metric.pair_statistics() if isinstance(statistic, MergeablePair)]
