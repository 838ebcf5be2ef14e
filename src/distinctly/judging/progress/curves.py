"""The values of a metric by training step, and their trend."""

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
from distinctly.judging.records import Key, Record, mean_of, number
from distinctly.judging.trial import Finding
from distinctly.run.resampling import Z


@dataclass(frozen=True)
class Point:
    """The values of a metric for one checkpoint, one per draw, and notes on missing ones."""

    step: Step
    corpus: str
    values: Sequence[float]
    notes: tuple[str, ...] = ()

    @property
    def known(self) -> list[float]:
        """The values that are defined."""
        return [value for value in self.values if not math.isnan(value)]

    @property
    def mean(self) -> float:
        """The mean over draws."""
        return mean_of(self.values)

    @property
    def std(self) -> float:
        """The standard deviation over draws; NaN for a single draw."""
        return float(np.std(self.known, ddof=1)) if len(self.known) > 1 else math.nan


NO_FLOOR = Point(0, "", ())


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The values of one metric.

    Attributes
    ----------
    metric, embedder, part
        As in a `Finding`.
    kind
        ``distance`` from the reference, or ``diversity`` of the checkpoint.
    points
        One point per checkpoint, by step.
    floor
        The values of the reference: the distance between two of its samples, or its diversity.
    """

    metric: str
    embedder: str
    part: str
    kind: str
    points: Sequence[Point]
    floor: Point

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
        """The mean values of these steps."""
        return np.array([point.mean for point in self.defined], np.float64)

    @cached_property
    def trend(self) -> Line:
        """The line through the means; draws of one checkpoint are not separate points."""
        return fit_line(self.steps, self.means)

    @cached_property
    def correlation(self) -> tuple[float, float]:
        """The rank correlation of step and mean, and its p-value."""
        return rank_trend(self.steps, self.means)

    @property
    def floor_spread(self) -> float:
        """Half the 95 % interval of a draw of the reference: 1.96 standard deviations."""
        return Z * self.floor.std

    @property
    def best(self) -> Point | None:
        """The point nearest to the reference."""
        return min(self.defined, key=self._apart) if self.defined else None

    @property
    def reached(self) -> Step | None:
        """The first step from which all values are within the spread of the floor; None if there is none."""
        first = None
        for point in reversed(self.defined):
            if not self._apart(point) <= self.floor_spread:
                break
            first = point.step
        return first

    def _apart(self, point: Point) -> float:
        difference = point.mean - self.floor.mean
        # A distance below the floor has also reached it.
        return difference if self.kind == "distance" else abs(difference)


def curves_of(by_subject: Mapping[Key, Sequence[Record]]) -> list[Curve]:
    """Group the records of each metric by step."""
    curves = []
    for (metric, embedder, part), records in by_subject.items():
        by_step: dict[tuple[Any, str], list[Record]] = {}
        for record in records:
            by_step.setdefault((record["step"], str(record["corpus"])), []).append(record)
        points = [_point(step, name, draws) for (step, name), draws in by_step.items() if step is not None]
        floor = next((_point(0, "", draws) for (step, _), draws in by_step.items() if step is None), NO_FLOOR)
        points.sort(key=lambda point: point.step)
        kind = str(records[0]["kind"])
        curves.append(
            Curve(metric=metric, embedder=embedder, part=part, kind=kind, points=points, floor=floor)
        )
    return curves


def _point(step: Step, corpus: str, records: Sequence[Record]) -> Point:
    notes = dict.fromkeys(str(record["note"]) for record in records if record["note"])
    return Point(step, corpus, [number(record, "value") for record in records], tuple(notes))


def findings_of(curve: Curve) -> list[Finding]:
    """Summarize a curve: the value of each step, the floor and the trend."""
    of: dict[str, Any] = {"metric": curve.metric, "embedder": curve.embedder, "part": curve.part}
    tied = len({point.step for point in curve.points}) < len(curve.points)
    findings = [
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
    findings.append(Finding.over(curve.floor.values, measure=measure, notes=curve.floor.notes, **of))
    missing = len(curve.points) - len(curve.defined)
    left_out = (f"{missing} of {len(curve.points)} checkpoints have no value; they are left out.",) * bool(
        missing
    )
    trend, (rho, p) = curve.trend, curve.correlation
    few = "Undefined: a trend needs two steps with a value."
    findings.append(
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
    findings.append(
        Finding(
            measure="spearman", mean=rho, parts={"p": p, "steps": trend.points}, notes=(*why, *left_out), **of
        )
    )
    return [*findings, *_against_floor(curve, of)]


def _against_floor(curve: Curve, of: dict[str, Any]) -> list[Finding]:
    last, best = curve.defined[-1:], curve.best
    step, mean = (last[0].step, last[0].mean) if last else (math.nan, math.nan)
    ratio = mean / curve.floor.mean if curve.floor.mean else math.nan
    reached = curve.reached
    if reached is not None:
        why: tuple[str, ...] = ()
    elif math.isnan(curve.floor_spread):
        why = ("Undefined: the spread of the floor needs two draws (repetitions).",)
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
