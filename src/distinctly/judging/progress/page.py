"""The page of a training run: one row per checkpoint, and one row per metric."""

from __future__ import annotations

import math
from collections.abc import Sequence

from distinctly.judging.page import lay_out, meaning_of_best, whole_notes
from distinctly.judging.progress.checkpoints import Step
from distinctly.judging.progress.curves import Curve, Point
from distinctly.judging.trial import Trial
from distinctly.report.cells import EMPTY, clipped, printable, rounded, words
from distinctly.report.page import Block, Cell, Column, OwnedNote, Table
from distinctly.run.contrasts import FEW_TEXTS
from distinctly.score import Note

SIGNIFICANT = 0.05
# The largest width of the name of a checkpoint.
WIDEST = 24
NOTHING = Cell("–", missing=True)


def blocks(trial: Trial) -> list[Block]:
    """Lay a trial out."""
    from distinctly.judging.progress.findings import ProgressTrial

    if not isinstance(trial, ProgressTrial):
        raise TypeError(f"expected a trial of {ProgressTrial.kind}, got one of {trial.kind}")
    curves = trial.curves
    names = [trial.names[curve.key] for curve in curves]
    return lay_out(
        [heading(trial)],
        [_by_step(curves, names), *_trends(curves, names)],
        [*whole_notes(trial.notes), *_notes(trial, curves, names)],
        legend=[meaning_of_best("nearest to the reference.")]
        if any(len(curve.defined) > 1 for curve in curves)
        else [],
        verdicts=_verdicts(curves, names),
    )


def heading(trial: Trial) -> str:
    """Return the corpora, the number of texts compared, and the number of draws, as text."""
    reference = trial.settings["corpora"][0]
    checkpoints = {str(record["corpus"]) for record in trial.records if record["step"] is not None}
    draws = len({record["repetition"] for record in trial.records})
    return (
        f"{printable(reference['name'])} ({reference['texts']:,} texts) and "
        f"{_count(len(checkpoints), 'checkpoint')}: {trial.settings['n']:,} random texts per side, "
        f"{_count(draws, 'draw')}"
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _by_step(curves: Sequence[Curve], names: Sequence[str]) -> Table:
    """Return one row per checkpoint and one column per metric; the last row is the floor."""
    points = sorted({(point.step, point.corpus) for curve in curves for point in curve.points})
    # Names that contain their step are redundant.
    with_names = any(written(step) not in corpus for step, corpus in points)
    last = "floor" if all(curve.kind == "distance" for curve in curves) else "reference"
    columns = [_column(curve, points) for curve in curves]
    rows = []
    for place, (step, corpus) in enumerate(points):
        checkpoint = [words(clipped(printable(corpus), WIDEST))] if with_names else []
        rows.append([words(written(step)), *checkpoint, *(column[place] for column in columns)])
    rows.append([words(last), *([EMPTY] if with_names else []), *(_cell(curve.floor) for curve in curves)])
    leading = [Column("step", "name"), *([Column("checkpoint", "name")] if with_names else [])]
    return Table([*leading, *(Column(name) for name in names)], rows)


def _column(curve: Curve, points: Sequence[tuple[Step, str]]) -> list[Cell]:
    by_step = {(point.step, point.corpus): point for point in curve.points}
    best = curve.best if len(curve.defined) > 1 else None
    return [_cell(by_step[key], best=by_step[key] is best) if key in by_step else NOTHING for key in points]


def _cell(point: Point, *, best: bool = False) -> Cell:
    if not point.known:
        return Cell("undefined", value=math.nan, missing=True) if point.values else NOTHING
    spread = f" ±{point.std:{'.1g' if point.std < 0.0005 else '.3f'}}" if point.std > 0 else ""
    return Cell(rounded(point.mean) + spread, value=point.mean, best=best)


def written(step: Step) -> str:
    """Write a step without needless decimals: 100, not 100.0."""
    return str(int(step)) if float(step).is_integer() else str(step)


def _trends(curves: Sequence[Curve], names: Sequence[str]) -> list[Table]:
    titles = ("slope per step (95 %)", "ρ with step (p)", "last/floor", "at floor from")
    rows = []
    for curve, name in zip(curves, names):
        rho, p = curve.correlation
        last = curve.defined[-1].mean if curve.defined else math.nan
        ratio = last / curve.floor.mean if curve.floor.mean else math.nan
        shown = f"{ratio:{'.2f' if ratio < 1000 else '.1e'}}"
        reached = curve.reached
        rows.append(
            [
                words(name),
                _slope(curve),
                NOTHING if math.isnan(rho) else Cell(f"{rho:+.2f} ({_p(p)})", value=rho),
                NOTHING if math.isnan(ratio) else Cell(shown, value=ratio),
                NOTHING if reached is None else Cell(f"step {written(reached)}", value=float(reached)),
            ]
        )
    columns = [Column("metric", "name"), *(Column(title) for title in titles)]
    return [Table(columns, rows, "Trends")] if rows else []


def _slope(curve: Curve) -> Cell:
    slope = curve.trend.slope
    if math.isnan(slope.value):
        return NOTHING
    known = not math.isnan(slope.low)
    within = f" [{slope.low:+.2g}, {slope.high:+.2g}]" if known else ""
    return Cell(
        f"{slope.value:+.2g}{within}",
        value=slope.value,
        low=slope.low if known else None,
        high=slope.high if known else None,
    )


def _p(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _verdicts(curves: Sequence[Curve], names: Sequence[str]) -> list[str]:
    """Return which metrics have a trend, and for which the last checkpoint is at the floor."""
    trends: dict[str, list[str]] = {}
    for curve, name in zip(curves, names):
        rho, p = curve.correlation
        if not math.isnan(rho):
            trend = "Falls with the step" if rho < 0 else "Rises with the step"
            trends.setdefault("No trend" if p >= SIGNIFICANT else trend, []).append(name)
    order = ("Falls with the step", "Rises with the step", "No trend")
    lines = [
        f"{trend} (p {'≥' if trend == 'No trend' else '<'} {SIGNIFICANT}): {', '.join(trends[trend])}."
        for trend in order
        if trend in trends
    ]
    known = [
        (curve, name)
        for curve, name in zip(curves, names)
        if curve.defined and not math.isnan(curve.floor_spread)
    ]
    near = [name for curve, name in known if curve.reached is not None]
    far = [name for curve, name in known if curve.reached is None]
    if near:
        lines.append(f"The last checkpoint is within the spread of the floor: {', '.join(near)}.")
    if far:
        lines.append(f"The last checkpoint is outside the spread of the floor: {', '.join(far)}.")
    return lines


def _notes(trial: Trial, curves: Sequence[Curve], names: Sequence[str]) -> list[OwnedNote]:
    notes = []
    if trial.settings["n"] < FEW_TEXTS:
        few = f"Few texts per side ({trial.settings['n']:,}; {FEW_TEXTS:,} are safe)"
        text = f"{few}: compare only with values at this size."
        notes.append(OwnedNote(Note(text, "warning", "run")))
    for curve, name in zip(curves, names):
        texts = dict.fromkeys(note for point in [*curve.points, curve.floor] for note in point.notes)
        notes += [OwnedNote(Note(text), specs=[name]) for text in texts]
    if all(len(curve.points) == 1 for curve in curves):
        notes.append(OwnedNote(Note("One checkpoint has no trend.", scope="run")))
    return notes
