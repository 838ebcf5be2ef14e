"""A metric of one corpus as a distance: by how much its values of two corpora differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from distinctly.distance.base import Distance
from distinctly.metrics import Context, Metric
from distinctly.options import hidden
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.pairing import PairStatistic
from distinctly.statistics.pool import Pair
from distinctly.views.base import View, ViewKind

D = TypeVar("D", bound="Difference")


@dataclass(frozen=True, kw_only=True)
class Difference(Distance):
    """The absolute difference of the values that a metric gives the reference and the candidate.

    Where a number of n-grams is given, both are measured at that sample.
    """

    name: ClassVar[str] = "difference"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    _metric: Metric | None = hidden(None)
    _sample: int | None = hidden(None)

    @classmethod
    def of_metric(cls, metric: Metric, sample: int | None = None) -> Difference:
        """Make the difference of a metric."""
        return cls(_metric=metric, _sample=sample)

    @property
    def metric(self) -> Metric:
        """The metric of one corpus."""
        if self._metric is None:
            raise TypeError("a difference has not been given its metric")
        return self._metric

    @property
    def sees(self) -> ViewKind:
        """What of a text the metric sees."""
        return self.metric.sees

    @property
    def view(self) -> View[Any]:
        """What the metric reads of the texts."""
        return self.metric.view

    def bind(self: D, context: Context) -> D:
        """Fill in what the metric needs to know."""
        return replace(self, _metric=self.metric.bind(context))

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return what the metric reads of each corpus."""
        return self.metric.statistics()

    def score_pair(self, pair: Pair, summaries: Mapping[PairStatistic[Any], Any]) -> Score:
        """Measure both corpora."""
        if self._sample is None:
            return super().score_pair(pair, summaries)
        return self._scored(*(self.metric.score_from(side, self._sample) for side in pair))

    def score(self, *summaries: Any) -> Score:
        """Measure both; summaries of the two come in turn."""
        return self._scored(*(self.metric.score(*summaries[side::2]) for side in (0, 1)))

    def _scored(self, reference: Score, candidate: Score) -> Score:
        parts = {}
        if self.metric.gives_several:
            parts = {
                name: abs(reference.parts[name] - candidate.parts[name])
                for name in reference.parts
                if name in candidate.parts
            }
        undefined = reference.undefined or candidate.undefined
        return self.scored(abs(reference.value - candidate.value), parts, undefined=undefined)


def measured(metric: Metric) -> Metric:
    """Return the metric itself, also where it is its difference that is measured."""
    return metric.metric if isinstance(metric, Difference) else metric
