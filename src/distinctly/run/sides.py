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


def side_scores(
    requests: Sequence[Request], reference: Summaries, candidate: Summaries, tokens: TokenView
) -> list[Score]:
    """Score distances from the summaries of both sides."""
    sizes = reference[Contents(view=tokens)].texts, candidate[Contents(view=tokens)].texts
    scores = []
    for metric in (request.metric for request in requests):
        if isinstance(metric, Distance):
            summaries: dict[PairStatistic[Any], Any] = {
                pair: pair.combine(reference[pair.side()], candidate[pair.side()]) for pair in _pairs(metric)
            }
            scores.append(metric.score_sides((reference, candidate), sizes, summaries))
    return scores


def _pairs(metric: Distance) -> list[MergeablePair[Any]]:
    return [statistic for statistic in metric.pair_statistics() if isinstance(statistic, MergeablePair)]
