"""The page of a training run: a line a checkpoint, and a line a metric."""

from __future__ import annotations

import math
from collections.abc import Sequence

from distinctly.judging.page import Page
from distinctly.judging.progress.checkpoints import Step
from distinctly.judging.progress.curves import Curve, Point
from distinctly.judging.trial import Trial
from distinctly.report.cells import BEST, Grid, clipped, printable, rounded
from distinctly.run.contrasts import FEW_TEXTS

SIGNIFICANT = 0.05
# No name of a checkpoint is wider than this, and there is no value at all.
WIDEST, NOTHING = 24, "–"
# Between two columns.
GAP = 3


def page(trial: Trial, width: int) -> Page:
    """Lay a trial out."""
    from distinctly.judging.progress.findings import ProgressTrial

    if not isinstance(trial, ProgressTrial):
        raise TypeError(f"expected a trial of {ProgressTrial.kind}, got one of {trial.kind}")
    curves = trial.curves
    names = titles(curves)
    return Page(
        head=[heading(trial)],
        grids=[*_by_step(curves, names, width), *_trends(curves, names)],
        sentences=_sentences(curves, names),
        notes=[*trial.notes, *_notes(trial, curves, names)],
    )


def heading(trial: Trial) -> str:
    """Say what was compared, at which size, and how often."""
    reference = trial.settings["corpora"][0]
    checkpoints = {str(one["corpus"]) for one in trial.records if one["step"] is not None}
    draws = len({one["repetition"] for one in trial.records})
    return (
        f"{printable(reference['name'])} ({reference['texts']:,} texts) and "
        f"{_count(len(checkpoints), 'checkpoint')}: {trial.settings['n']:,} random texts a side, "
        f"{_count(draws, 'draw')}"
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def titles(curves: Sequence[Curve]) -> list[str]:
    """Name the curves; by their embedder, too, where there are several."""
    names = [curve.name for curve in curves]
    return [
        f"{name} {curve.embedder}" if names.count(name) > 1 else name for name, curve in zip(names, curves)
    ]


def _by_step(curves: Sequence[Curve], names: Sequence[str], width: int) -> list[Grid]:
    """Return a row a checkpoint and a column a metric, in as many tables as the width takes."""
    points = sorted({(point.step, point.corpus) for curve in curves for point in curve.points})
    # A name that has its step in it tells nothing more.
    with_names = any(written(step) not in corpus for step, corpus in points)
    last = "floor" if all(curve.kind == "distance" for curve in curves) else "reference"
    leading = [
        [written(step), *([clipped(printable(corpus), WIDEST)] if with_names else [])]
        for step, corpus in points
    ]
    columns = [_column(curve, points) for curve in curves]
    header = ["step", *(["checkpoint"] if with_names else [])]
    used = sum(max(map(len, column)) + GAP for column in zip(*leading, header, [last, ""]))
    grids = []
    start = 0
    while start < len(curves):
        end, room = start, width - used
        while end < len(curves) and (end == start or room >= _wide(names[end], columns[end])):
            room -= _wide(names[end], columns[end])
            end += 1
        shown = columns[start:end]
        rows = [[*lead, *cells] for lead, cells in zip(leading, zip(*shown))]
        rows.append(
            [last, *([""] if with_names else []), *(_cell(curve.floor) for curve in curves[start:end])]
        )
        grids.append(Grid("", [*header, *names[start:end]], rows))
        start = end
    return grids


def _wide(name: str, column: Sequence[str]) -> int:
    return max(*map(len, name.split()), *map(len, column)) + GAP


def _column(curve: Curve, points: Sequence[tuple[Step, str]]) -> list[str]:
    own = {(point.step, point.corpus): point for point in curve.points}
    best = curve.best if len(curve.defined) > 1 else None
    return [_cell(own[key]) + BEST * (own[key] is best) if key in own else NOTHING for key in points] or [
        NOTHING
    ]


def _cell(point: Point) -> str:
    if not point.known:
        return "undefined" if point.values else NOTHING
    if not point.std > 0:
        return rounded(point.mean)
    return f"{rounded(point.mean)} ±{point.std:{'.1g' if point.std < 0.0005 else '.3f'}}"


def written(step: Step) -> str:
    """Write a step as people do: 100 and not 100.0."""
    return str(int(step)) if float(step).is_integer() else str(step)


def _trends(curves: Sequence[Curve], names: Sequence[str]) -> list[Grid]:
    header = ["metric", "slope a step (95 %)", "ρ with step (p)", "last/floor", "at floor from"]
    rows = []
    for curve, name in zip(curves, names):
        rho, p = curve.correlation
        last = curve.defined[-1].mean if curve.defined else math.nan
        ratio = last / curve.floor.mean if curve.floor.mean else math.nan
        rows.append(
            [
                name,
                _slope(curve),
                NOTHING if math.isnan(rho) else f"{rho:+.2f} ({_p(p)})",
                NOTHING if math.isnan(ratio) else f"{ratio:{'.2f' if ratio < 1000 else '.1e'}}",
                NOTHING if curve.reached is None else f"step {written(curve.reached)}",
            ]
        )
    return [Grid("Trends", header, rows)] if rows else []


def _slope(curve: Curve) -> str:
    slope = curve.trend.slope
    if math.isnan(slope.value):
        return NOTHING
    within = "" if math.isnan(slope.low) else f" [{slope.low:+.2g}, {slope.high:+.2g}]"
    return f"{slope.value:+.2g}{within}"


def _p(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _sentences(curves: Sequence[Curve], names: Sequence[str]) -> list[str]:
    """Say which metrics see the training, and whether the last checkpoint is at the floor."""
    trends: dict[str, list[str]] = {}
    for curve, name in zip(curves, names):
        rho, p = curve.correlation
        if not math.isnan(rho):
            way = (
                "No trend"
                if p >= SIGNIFICANT
                else "Falls with the step"
                if rho < 0
                else "Rises with the step"
            )
            trends.setdefault(way, []).append(name)
    lines = [
        f"{BEST} nearest to the reference." for _ in curves[:1] if any(len(c.defined) > 1 for c in curves)
    ]
    order = ("Falls with the step", "Rises with the step", "No trend")
    lines += [
        f"{way} (p {'≥' if way == 'No trend' else '<'} {SIGNIFICANT}): {', '.join(trends[way])}."
        for way in order
        if way in trends
    ]
    known = [(c, name) for c, name in zip(curves, names) if c.defined and not math.isnan(c.floor_spread)]
    near = [name for curve, name in known if curve.reached is not None]
    far = [name for curve, name in known if curve.reached is None]
    if near:
        lines.append(f"The last checkpoint is within the spread of the floor: {', '.join(near)}.")
    if far:
        lines.append(f"The last checkpoint is outside the spread of the floor: {', '.join(far)}.")
    return lines


def _notes(trial: Trial, curves: Sequence[Curve], names: Sequence[str]) -> list[str]:
    found = []
    if trial.settings["n"] < FEW_TEXTS:
        few = f"Few texts a side ({trial.settings['n']:,}; {FEW_TEXTS:,} are safe)"
        found.append(f"{few}: compare only with values at this size.")
    for curve, name in zip(curves, names):
        told = dict.fromkeys(note for point in [*curve.points, curve.floor] for note in point.notes)
        found += [f"{name}: {note}" for note in told]
    if all(len(curve.points) == 1 for curve in curves):
        found.append("There is no trend of one checkpoint.")
    return found
