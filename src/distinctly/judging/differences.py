"""Metrics of one corpus as distances: the absolute difference of the values of two corpora."""

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
    """The absolute difference of the values of a metric for the reference and the candidate."""

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
        """What the metric reads: texts, tokens or vectors."""
        return self.of.sees

    @property
    def embedder(self) -> Embedder | None:
        """The embedder of its vectors."""
        return self.of.embedder

    def bind(self: D, context: Context) -> D:
        """Bind the metric to its context."""
        return replace(self, _of=self.of.bind(context))

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the statistics that the metric needs of each corpus."""
        return self.of.statistics()

    def score(self, *summaries: Any) -> Score:
        """Measure both corpora; their summaries alternate."""
        reference, candidate = (self.of.score(*summaries[side::2]) for side in (0, 1))
        notes = tuple(note for note in (*reference.notes, *candidate.notes) if note.startswith("Undefined"))
        parts = {}
        if isinstance(self.of, UserFunction):
            parts = {
                name: abs(part - candidate.parts[name])
                for name, part in reference.parts.items()
                if name in candidate.parts
            }
        return self.scored(abs(reference.value - candidate.value), parts, notes[:1])


def measured(metric: Metric) -> Metric:
    """Return the metric, or the metric of which the difference is measured."""
    return metric.of if isinstance(metric, Difference) else metric


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
        else replace(request, metric=Difference(_of=request.metric))
        for request in parse_metrics(metrics)
    ]
