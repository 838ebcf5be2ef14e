"""Figures of a trial of length: score against length, one panel per corpus, as in the EAD paper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.judging.figures import look, panels
from distinctly.judging.length.findings import LengthTrial, Series
from distinctly.judging.length.sets import DESIGNATED
from distinctly.report.cells import clipped, printable
from distinctly.report.drawing import PAGE_WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVEL_COLOUR = "#666666"
# Inches: the height of a panel, and the width of a single one; at most ACROSS are beside each other.
PANEL_HEIGHT, SINGLE, ACROSS = 2.5, 4.6, 3
# Points: half the width of the cap of an error bar, if there is room for it, and if there is not. A marker is
# half as wide as the cap, so that a bar that is shorter than the marker is still visible.
WIDEST_CAP, NARROWEST_CAP = 4.0, 1.5


def figures(trial: LengthTrial) -> Mapping[str, Figure]:
    """Draw the scores, and the scores relative to their mean, which can be compared between metrics."""
    drawn = [series for series in trial.series() if not math.isnan(series.line.mean)]
    if not drawn:
        return {}
    relative = [series for series in drawn if series.line.mean]
    absolute = {"length": _figure(trial, drawn, relative=False)}
    return absolute | ({"length-relative": _figure(trial, relative, relative=True)} if relative else {})


def _figure(trial: LengthTrial, drawn: Sequence[Series], *, relative: bool) -> Figure:
    measured = {str(sets["corpus"]): sets for sets in trial.settings["measured"]}
    corpora = list(dict.fromkeys(series.corpus for series in drawn))
    metrics = list(dict.fromkeys(map(trial.title, drawn)))
    down, across = panels(len(corpora), ACROSS)
    figure = new_figure(PAGE_WIDTH if across > 1 else SINGLE, PANEL_HEIGHT * down + 0.6)
    axes = figure.subplots(down, across, squeeze=False, sharey=relative and DESIGNATED not in corpora).ravel()
    for axis, corpus in zip(axes, corpora):
        for series in drawn:
            if series.corpus == corpus:
                cap = _cap(72 * figure.get_figwidth() / across, len(series.means))
                _draw(axis, series, trial.title(series), metrics.index(trial.title(series)), cap, relative)
        if relative:
            axis.axhline(100, color=LEVEL_COLOUR, linewidth=0.8, linestyle=":")
        else:
            axis.set_ylim(bottom=min(0.0, axis.get_ylim()[0]))
        texts, sets = measured[corpus]["texts"], trial.settings["sets"]
        axis.set_title(f"{clipped(printable(corpus), 34)}\nn = {texts:,} texts × {sets} sets")
        axis.set_xlabel("length (tokens per text)")
        axis.xaxis.get_major_locator().set_params(integer=True)
    for axis in axes[::across]:
        axis.set_ylabel("score, % of its mean" if relative else "score")
    for axis in axes[len(corpora) :]:
        axis.set_axis_off()
    _legend(figure, axes, metrics)
    return figure


def _cap(width: float, lengths: int) -> float:
    """Return half the width of the caps of error bars, in points, so that those of two lengths do not touch.

    Examples
    --------
    >>> _cap(180, 8), _cap(180, 40), round(_cap(180, 20), 2)
    (4.0, 1.5, 2.7)
    """
    return min(max(0.3 * width / max(lengths, 1), NARROWEST_CAP), WIDEST_CAP)


def _draw(axis: Any, series: Series, title: str, place: int, cap: float, relative: bool) -> None:
    """Draw the mean per length, the standard deviation of its sets, and the line."""
    scores, line = series.by_length, series.line
    unit = line.mean / 100 if relative else 1.0
    lengths = np.array(list(scores), np.float64)
    means = np.array(list(series.means.values())) / unit
    spread = np.array([np.std(values, ddof=1) if len(values) > 1 else 0.0 for values in scores.values()])
    colour, marker = look(place)["color"], look(place)["marker"]
    axis.errorbar(
        *(lengths, means, spread / abs(unit)),
        color=colour,
        marker=marker,
        markersize=cap,
        markerfacecolor="none",  # points below stay visible
        markeredgewidth=0.8,
        linestyle="none",
        elinewidth=1.2,
        capsize=cap,
        capthick=1.2,
        label=title,
    )
    ends = np.array([lengths.min(), lengths.max()])
    axis.plot(
        ends,
        (line.intercept.value + line.slope.value * ends) / unit,
        color=colour,
        linestyle="--",
        linewidth=1,
    )


def _legend(figure: Figure, axes: Iterable[Any], metrics: Sequence[str]) -> None:
    handles: dict[str, Any] = {}
    for axis in axes:
        handles |= {label: handle for handle, label in zip(*axis.get_legend_handles_labels())}
    figure.legend(
        [handles[name] for name in metrics],
        metrics,
        loc="outside lower center",
        ncols=min(len(metrics), 4),
        frameon=False,
        title="mean of the sets; bars: ± their standard deviation; dashed: line of least squares",
        title_fontsize=7.5,
    )
