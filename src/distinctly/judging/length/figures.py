"""Figures of a trial of length: score against length, one panel per corpus, as in the EAD paper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.judging.figures import COLOURS, MARKERS, new_figure, panels
from distinctly.judging.length.findings import LengthTrial, Series
from distinctly.judging.length.sets import DESIGNATED
from distinctly.report.cells import clipped, printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVEL_COLOUR = "#666666"


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
    down, across = panels(len(corpora))
    figure = new_figure(max(2.6 * across, 4.2), 2.5 * down + 0.5)
    axes = figure.subplots(down, across, squeeze=False, sharey=relative and DESIGNATED not in corpora).ravel()
    for axis, corpus in zip(axes, corpora):
        for series in drawn:
            if series.corpus == corpus:
                _draw(axis, series, trial.title(series), metrics.index(trial.title(series)), relative)
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


def _draw(axis: Any, series: Series, title: str, place: int, relative: bool) -> None:
    """Draw the mean per length, the standard deviation of its sets, and the line."""
    scores, line = series.by_length, series.line
    unit = line.mean / 100 if relative else 1.0
    lengths = np.array(list(scores), np.float64)
    means = np.array(list(series.means.values())) / unit
    spread = np.array([np.std(values, ddof=1) if len(values) > 1 else 0.0 for values in scores.values()])
    colour, marker = COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)]
    axis.errorbar(
        *(lengths, means, spread / abs(unit)),
        color=colour,
        marker=marker,
        markersize=4,
        markerfacecolor="none",  # points below stay visible
        linestyle="none",
        elinewidth=0.8,
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
        title="mean of the sets, ± their standard deviation; dashed: line of least squares",
        title_fontsize=7.5,
    )
