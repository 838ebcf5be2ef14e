"""Metrics of one corpus as distances: by how much the values of two corpora differ."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from distinctly.distance.base import Distance
from distinctly.embedders.base import Embedder
from distinctly.functions import UserFunction
from distinctly.metric import Context, Metric, Sees
from distinctly.options import hidden
from distinctly.score import Score
from distinctly.spec import AnyMetrics, Request, parse_metrics
from distinctly.statistics.derived import AnyStatistic

D = TypeVar("D", bound="Difference")


@dataclass(frozen=True, kw_only=True)
class Difference(Distance):
    """The absolute difference of what a metric gives the reference and the candidate."""

    name: ClassVar[str] = "difference"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    _of: Metric | None = hidden(None)

    @property
    def of(self) -> Metric:
        """The metric of one corpus."""
        if self._of is None:
            raise TypeError("a difference of nothing")
        return self._of

    @property
    def sees(self) -> Sees:
        """What of a text the metric sees."""
        return self.of.sees

    @property
    def embedder(self) -> Embedder | None:
        """What makes the vectors that it sees."""
        return self.of.embedder

    def bind(self: D, context: Context) -> D:
        """Fill in what the metric needs to know."""
        return replace(self, _of=self.of.bind(context))

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return what the metric reads of each corpus."""
        return self.of.statistics()

    def score(self, *summaries: Any) -> Score:
        """Measure both; summaries of the two come in turn."""
        one, other = (self.of.score(*summaries[side::2]) for side in (0, 1))
        parts = {}
        if isinstance(self.of, UserFunction):
            parts = {
                name: abs(one.parts[name] - other.parts[name]) for name in one.parts if name in other.parts
            }
        return self.scored(abs(one.value - other.value), parts, undefined=one.undefined or other.undefined)


def measured(metric: Metric) -> Metric:
    """Return the metric itself, also where it is its difference that is measured."""
    return metric.of if isinstance(metric, Difference) else metric


def as_distances(metrics: AnyMetrics) -> list[Request]:
    """Read the metrics of a trial that compares corpora; those of one corpus stand for their difference.

    Examples
    --------
    >>> [type(request.metric).__name__ for request in as_distances(["chi", "ead"])]
    ['Chi', 'Difference']
    """
    return [
        one if isinstance(one.metric, Distance) else replace(one, metric=Difference(_of=one.metric))
        for one in parse_metrics(metrics)
    ]
