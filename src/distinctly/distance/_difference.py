"""The difference between two values of a diversity metric, as a distance."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from distinctly.distance.base import Distance
from distinctly.errors import SpecError
from distinctly.metrics import Context, Metric, Sizable
from distinctly.options import hidden
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.views.base import View, ViewKind

D = TypeVar("D", bound="Difference")


@dataclass(frozen=True, kw_only=True)
class Difference(Distance):
    """The absolute difference between the values of a metric on the reference and the candidate."""

    name: ClassVar[str] = "difference"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    _metric: Metric | None = hidden(None)

    @classmethod
    def of_metric(cls, metric: Metric) -> Difference:
        """Return the difference in a metric; raise if it is a mean over draws of texts."""
        if isinstance(metric, Sizable) and metric.drawn:
            raise SpecError(
                f"'{metric.metric_name()}' with `at` is a mean over random draws of texts, so it cannot be "
                "used as a distance. Remove `at`: the corpora of a trial have the same size."
            )
        return cls(_metric=metric)

    @property
    def metric(self) -> Metric:
        """The metric whose values are subtracted."""
        if self._metric is None:
            raise TypeError("`Difference` has no metric: make it by `Difference.of_metric`")
        return self._metric

    @property
    def sees(self) -> ViewKind:
        """What the metric sees of a text."""
        return self.metric.sees

    @property
    def view(self) -> View[Any]:
        """The view of the metric."""
        return self.metric.view

    def bind(self: D, context: Context) -> D:
        """Bind the metric."""
        return replace(self, _metric=self.metric.bind(context))

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the statistics of the metric."""
        return self.metric.statistics()

    def score(self, *summaries: Any) -> Score:
        """Measure both corpora; their summaries alternate."""
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
    """Return the metric whose difference is measured, or the metric itself."""
    return metric.metric if isinstance(metric, Difference) else metric
