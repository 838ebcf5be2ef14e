"""The metrics of a trial that compares corpora."""

from __future__ import annotations

from dataclasses import replace

from distinctly.distance._difference import Difference
from distinctly.distance.base import Distance
from distinctly.spec import AnyMetrics, Request, parse_metrics


def as_distances(metrics: AnyMetrics) -> list[Request]:
    """Parse the metrics of a trial that compares corpora; a metric of one corpus becomes its difference.

    Examples
    --------
    >>> [type(request.metric).__name__ for request in as_distances(["chi", "ead"])]
    ['Chi', 'Difference']
    """
    return [
        request
        if isinstance(request.metric, Distance)
        else replace(request, metric=Difference.of_metric(request.metric))
        for request in parse_metrics(metrics)
    ]
