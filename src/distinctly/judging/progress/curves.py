"""The values of a metric by training step, and what they come to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from distinctly.judging.lines import Line, fit_line
from distinctly.judging.measures import Reals
from distinctly.judging.progress.checkpoints import Step
from distinctly.judging.progress.trends import rank_trend
from distinctly.judging.records import Key, Record, mean_of, name_of, number
from distinctly.judging.trial import Finding
from distinctly.run.resampling import Z


@dataclass(frozen=True)
class Point:
    """A checkpoint as a metric sees it: a value a draw, and why one is missing."""

    step: Step
    corpus: str
    values: Sequence[float]
    notes: tuple[str, ...] = ()

    @property
    def known(self) -> list[float]:
        """The values that there are."""
        return [value for value in self.values if not math.isnan(value)]

    @property
    def mean(self) -> float:
        """The mean over draws."""
        return mean_of(self.values)

    @property
    def std(self) -> float:
        """The standard deviation over draws; NaN of one."""
        return float(np.std(self.known, ddof=1)) if len(self.known) > 1 else math.nan


NO_FLOOR = Point(0, "", ())


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The values of one metric.

    Attributes
    ----------
    metric, embedder, part
        Which.
    kind
        ``distance`` from the reference, or ``diversity`` of a checkpoint by itself.
    points
        One a checkpoint, by step.
    floor
        The values of the reference: its distance from itself, or its own diversity.
    """

    metric: str
    embedder: str
    part: str
    kind: str
    points: Sequence[Point]
    floor: Point

    @property
    def name(self) -> str:
        """The name of the metric, with its part and without its embedder."""
        return name_of(self.metric, part=self.part)

    @property
    def key(self) -> Key:
        """The metric, its embedder and its part."""
        return self.metric, self.embedder, self.part

    @cached_property
    def defined(self) -> list[Point]:
        """The points that have a value."""
        return [point for point in self.points if point.known]

    @property
    def steps(self) -> Reals:
        """The steps that have a value."""
        return np.array([point.step for point in self.defined], np.float64)

    @property
    def means(self) -> Reals:
        """The mean value of each of these steps."""
        return np.array([point.mean for point in self.defined], np.float64)

    @cached_property
    def trend(self) -> Line:
        """The line through the means: draws of one checkpoint are no points of their own."""
        return fit_line(self.steps, self.means)

    @cached_property
    def correlation(self) -> tuple[float, float]:
        """The rank correlation of step and mean, and its p-value."""
        return rank_trend(self.steps, self.means)

    @property
    def floor_spread(self) -> float:
        """By how much a draw of the reference may be off its mean: 1.96 standard deviations."""
        return Z * self.floor.std

    @property
    def best(self) -> Point | None:
        """The point that is nearest to the reference."""
        return min(self.defined, key=self._apart) if self.defined else None

    @property
    def reached(self) -> Step | None:
        """The step from which on every value is within the floor's spread; None where the last one is not."""
        found = None
        for point in reversed(self.defined):
            if not self._apart(point) <= self.floor_spread:
                break
            found = point.step
        return found

    def _apart(self, point: Point) -> float:
        apart = point.mean - self.floor.mean
        # A distance is at the floor where it is below it, too.
        return apart if self.kind == "distance" else abs(apart)


def curves_of(by_subject: Mapping[Key, Sequence[Record]]) -> list[Curve]:
    """Sort the records of each metric by step."""
    curves = []
    for (metric, embedder, part), records in by_subject.items():
        by_step: dict[tuple[Any, str], list[Record]] = {}
        for one in records:
            by_step.setdefault((one["step"], str(one["corpus"])), []).append(one)
        points = [_point(step, corpus, own) for (step, corpus), own in by_step.items() if step is not None]
        floor = next((_point(0, "", own) for (step, _), own in by_step.items() if step is None), NO_FLOOR)
        points.sort(key=lambda point: point.step)
        kind = str(records[0]["kind"])
        curves.append(
            Curve(metric=metric, embedder=embedder, part=part, kind=kind, points=points, floor=floor)
        )
    return curves


def _point(step: Step, corpus: str, records: Sequence[Record]) -> Point:
    values = [number(one, "value") for one in records]
    return Point(
        step, corpus, values, tuple(dict.fromkeys(str(one["note"]) for one in records if one["note"]))
    )


def findings_of(curve: Curve) -> list[Finding]:
    """Say what a curve comes to: the value of each step, the floor, the trend."""
    of: dict[str, Any] = {"metric": curve.metric, "embedder": curve.embedder, "part": curve.part}
    tied = len({point.step for point in curve.points}) < len(curve.points)
    found = [
        Finding.over(
            point.values,
            measure=curve.kind,
            settings={"step": point.step, **({"corpus": point.corpus} if tied else {})},
            notes=point.notes,
            **of,
        )
        for point in curve.points
    ]
    measure = "floor" if curve.kind == "distance" else "reference"
    found.append(Finding.over(curve.floor.values, measure=measure, notes=curve.floor.notes, **of))
    missing = len(curve.points) - len(curve.defined)
    left_out = (f"{missing} of {len(curve.points)} checkpoints have no value; they are left out.",) * bool(
        missing
    )
    trend, (rho, p) = curve.trend, curve.correlation
    few = "Undefined: it takes two steps that have a value."
    found.append(
        Finding(
            measure="slope",
            mean=trend.slope.value,
            low=trend.slope.low,
            high=trend.slope.high,
            parts={"intercept": trend.intercept.value, "steps": trend.points},
            notes=(few, *left_out) if math.isnan(trend.slope.value) else left_out,
            **of,
        )
    )
    level = "Undefined: all steps have the same value."
    why = (few if math.isnan(trend.slope.value) else level,) if math.isnan(rho) else ()
    found.append(
        Finding(
            measure="spearman", mean=rho, parts={"p": p, "steps": trend.points}, notes=(*why, *left_out), **of
        )
    )
    return [*found, *_against_floor(curve, of)]


def _against_floor(curve: Curve, of: dict[str, Any]) -> list[Finding]:
    last, best = curve.defined[-1:], curve.best
    step, mean = (last[0].step, last[0].mean) if last else (math.nan, math.nan)
    ratio = mean / curve.floor.mean if curve.floor.mean else math.nan
    reached = curve.reached
    if reached is not None:
        why: tuple[str, ...] = ()
    elif math.isnan(curve.floor_spread):
        why = ("Undefined: the spread of the floor takes two draws (repetitions).",)
    else:
        why = ("Undefined: the last checkpoint is not within the spread of the floor.",)
    nearest = {"step": best.step, "value": best.mean} if best else {"step": math.nan, "value": math.nan}
    return [
        Finding.over(last[0].values if last else [], measure="last", parts={"step": step}, **of),
        Finding(
            measure="last_to_floor",
            mean=ratio,
            notes=("Undefined: the floor is 0, or has no value.",) if math.isnan(ratio) else (),
            **of,
        ),
        Finding(measure="best", mean=nearest["value"], parts={"step": nearest["step"]}, **of),
        Finding(measure="floor_reached", mean=math.nan if reached is None else reached, notes=why, **of),
    ]
