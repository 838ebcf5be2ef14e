"""The figure of a training run: value against step, with its line and the floor (Figure 5 of the paper)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.judging.figures import panels
from distinctly.judging.progress.curves import Curve
from distinctly.judging.progress.page import heading
from distinctly.judging.trial import Trial
from distinctly.report.drawing import COLOURS, REFERENCE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWS, LINE = COLOURS[1], COLOURS[0]
# What the line of the reference is, for values that are all of one kind, or of several.
_FLOORS = {
    "distance": "floor: the reference against itself",
    "diversity": "the reference itself",
    "": "the reference: against itself, or by itself",
}


def figures(trial: Trial) -> dict[str, Figure]:
    """Draw one panel per metric."""
    from distinctly.judging.progress.findings import ProgressTrial

    if not isinstance(trial, ProgressTrial):
        raise TypeError(f"expected a trial of {ProgressTrial.kind}, got one of {trial.kind}")
    pairs = [(curve, trial.names[curve.key]) for curve in trial.curves if curve.defined]
    if not pairs:
        return {}
    rows, columns = panels(len(pairs), 3)
    figure = new_figure(max(2.6 * columns, 4.6), 2.2 * rows + 0.9)
    axes: Any = figure.subplots(rows, columns, squeeze=False)
    for place, (curve, name) in enumerate(pairs):
        _draw(axes.flat[place], curve, name)
    for empty in axes.flat[len(pairs) :]:
        empty.set_visible(False)
    for column in range(columns):
        lowest = max(place for place in range(len(pairs)) if place % columns == column)
        axes.flat[lowest].set_xlabel("step")
    figure.suptitle(heading(trial), fontsize=9)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    kinds = {curve.kind for curve, _ in pairs}
    labels = [
        _FLOORS[min(kinds) if len(kinds) == 1 else ""] if label == "floor" else label for label in labels
    ]
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    return {"progress": figure}


def _draw(axes: Any, curve: Curve, name: str) -> None:
    everything = [(point.step, value) for point in curve.defined for value in point.known]
    axes.scatter(*zip(*everything), s=6, color=DRAWS, alpha=0.25, linewidths=0, label="a draw")
    axes.scatter(curve.steps, curve.means, s=16, color=DRAWS, linewidths=0, label="mean over draws", zorder=3)
    if not math.isnan(curve.trend.slope.value):
        steps = np.linspace(curve.steps.min(), curve.steps.max(), 100)
        line, half = curve.trend.at(steps), curve.trend.half_band(steps)
        axes.plot(steps, line, color=LINE, linewidth=1.4, label="regression line")
        axes.fill_between(
            steps, line - half, line + half, color=LINE, alpha=0.2, linewidth=0, label="its 95 % band"
        )
    if curve.floor.known:
        floor, spread = curve.floor.mean, np.nan_to_num(curve.floor_spread)
        axes.axhline(floor, color=REFERENCE, linewidth=1.4, linestyle="--", label="floor")
        axes.axhspan(
            floor - spread,
            floor + spread,
            color=REFERENCE,
            alpha=0.15,
            linewidth=0,
            label="its spread (95 %)",
        )
    if curve.kind == "distance" and min(value for _, value in everything) >= 0:
        # The line and the spread may extend below the smallest possible distance.
        low, high = axes.get_ylim()
        axes.set_ylim(bottom=max(low, -0.02 * high))
    axes.set_title(name)
    axes.set_ylabel(curve.kind)
    if curve.steps.size < 2:
        axes.set_xticks(curve.steps)
