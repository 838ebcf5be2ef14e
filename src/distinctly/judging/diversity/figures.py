"""Figures of known-diversity corpora: values against levels, and the ranking of the metrics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.judging.diversity.findings import DiversityTrial
from distinctly.judging.diversity.ordering import Ordering
from distinctly.judging.diversity.page import CHANCE, MEANINGS, drawn, grows, levels
from distinctly.judging.figures import panels
from distinctly.judging.lines import fit_line
from distinctly.judging.measures import LETTERS, Reals, standardized
from distinctly.judging.records import mean_of
from distinctly.judging.trial import Finding
from distinctly.ragged import Integers
from distinctly.report.drawing import COLOURS, DOTS, REFERENCE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# More panels than this beside each other are wider than a page.
ACROSS = 4


def figures(trial: DiversityTrial) -> dict[str, Figure]:
    """Draw the values and the ranking."""
    known = [(trial.names[ordering.key], ordering) for ordering in trial.ranked if _known(ordering)]
    if not known:
        return {}
    return {"diversity-values": _values(trial, known), "diversity-ranking": _ranking(trial, known)}


def _known(ordering: Ordering) -> bool:
    return not math.isnan(mean_of(ordering.measured("monotonicity")))


def _values(trial: DiversityTrial, known: list[tuple[str, Ordering]]) -> Figure:
    """Draw one panel per metric, the best first."""
    down, across = panels(len(known), ACROSS)
    figure = new_figure(max(1.75 * across, 5.2), 1.45 * down + 1.2)
    axes = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    for panel, (name, ordering) in zip(axes.flat, known):
        mean = mean_of(ordering.measured(trial.measures[0]))
        panel.set_title(f"{name}\n{LETTERS[trial.measures[0]]} = {mean:.3f}", fontsize=7)
        _draw(panel, *_pooled(ordering))
    places = range(len(trial.settings["levels"]))
    for panel in axes.flat:
        panel.set_xticks(places, levels(trial), rotation=90, fontsize=6)
        panel.tick_params(axis="y", labelsize=6)
    for panel in axes.flat[len(known) :]:
        panel.set_visible(False)
    for column in range(across):  # the last panel of each column has the levels below it
        last = [panel for panel in axes[:, column] if panel.get_visible()][-1]
        last.tick_params(labelbottom=True)
    figure.supxlabel(
        f"level: {grows(trial)}\n{drawn(trial)};\n"
        "mean and standard deviation of corpora, line with 95 % band",
        fontsize=8,
    )
    figure.supylabel("standardised value\n(up is more diverse)", fontsize=8)
    return figure


def _pooled(ordering: Ordering) -> tuple[Integers, Reals]:
    """Return the levels and the standardized values of all repetitions."""
    both = [
        (places, standardized(values))
        for places, values in zip(ordering.levels, ordering.values)
        if np.isfinite(values).all() and (values != values[0]).any()
    ]
    return np.concatenate([places for places, _ in both]), np.concatenate([values for _, values in both])


def _draw(panel: Any, places: Integers, values: Reals) -> None:
    at = np.unique(places)
    groups = [values[places == place] for place in at]
    panel.errorbar(
        at,
        [group.mean() for group in groups],
        [group.std() for group in groups],
        fmt="o",
        markersize=3,
        linewidth=1,
        capsize=2.5,
        color=COLOURS[0],
    )
    fitted = fit_line(places.astype(np.float64), values)
    line, half = fitted.at(at.astype(np.float64)), fitted.half_band(at.astype(np.float64))
    panel.plot(at, line, color=COLOURS[1], linewidth=1)
    panel.fill_between(at, line - half, line + half, color=COLOURS[1], alpha=0.25, linewidth=0)


def _ranking(trial: DiversityTrial, known: list[tuple[str, Ordering]]) -> Figure:
    """Draw the first measure of each metric per repetition, with the interval of its mean."""
    measure = trial.measures[0]
    figure = new_figure(6.4, 0.19 * len(known) + 1.2)
    axis = figure.subplots()
    for place, (_, ordering) in enumerate(known):
        values = ordering.measured(measure)
        finding = Finding.over(values, metric=ordering.metric, measure=measure)
        axis.plot(values, [place] * len(values), "o", markersize=3, color=DOTS, zorder=2)
        low, high = (finding.mean if edge is None else edge for edge in (finding.low, finding.high))
        axis.plot([low, high], [place, place], color=COLOURS[0], linewidth=2, zorder=3)
        axis.plot([finding.mean], [place], "D", markersize=4, color=COLOURS[0], zorder=4)
    chance = ""
    if measure in ("accuracy", "weighted_accuracy"):
        chance = f"; chance is {CHANCE}"
        if axis.get_xlim()[0] < CHANCE:
            axis.axvline(CHANCE, color=REFERENCE, linestyle="--", linewidth=1)
            chance += " (dashed)"
    axis.set_yticks(range(len(known)), [name for name, _ in known], fontsize=7)
    axis.set_ylim(len(known) - 0.5, -0.5)
    axis.set_xlabel(f"{LETTERS[measure]}: {MEANINGS[measure]}{chance}")
    figure.suptitle(
        f"Levels: {grows(trial)}. {drawn(trial)}.\n"
        "Small dots: repetitions. Diamonds: their mean, with its 95 % interval.",
        fontsize=8,
    )
    return figure
