"""Figures of agreement with people: values against scores, and correlations with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from distinctly.judging.figures import look, panels
from distinctly.judging.people.agreement import Judged
from distinctly.judging.people.page import Findings, by_key, is_partial, mean_spearman, ranking
from distinctly.judging.records import Key
from distinctly.report.cells import clipped
from distinctly.report.drawing import COLOURS, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from distinctly.judging.people.findings import PeopleTrial

# More panels than this are too small to read: on a figure; beside each other, of values and of correlations.
MOST_PANELS, VALUES_ACROSS, CORRELATIONS_ACROSS = 12, 3, 5
LONGEST = 31


def figures(trial: PeopleTrial) -> Mapping[str, Figure]:
    """Draw values against human scores, and all correlations."""
    findings, names = by_key(trial), trial.names
    ranked = ranking(findings, trial.subsets)
    if not ranked:
        return {}
    return {
        "people-scatter": _scatter(trial, findings, ranked[:MOST_PANELS], names, len(ranked)),
        "people-correlations": _correlations(trial, findings, ranked, names),
    }


def _scatter(
    trial: PeopleTrial, findings: Findings, shown: Sequence[Key], names: Mapping[Key, str], of: int
) -> Figure:
    rows, columns = panels(len(shown), VALUES_ACROSS)
    figure = new_figure(max(2.4 * columns, 4.5), 2.3 * rows + 0.9)
    axes = figure.subplots(rows, columns, sharey=True, squeeze=False).flatten()
    for axis in axes[len(shown) :]:
        axis.set_visible(False)
    several = len(trial.subsets) > 1
    for place, (axis, key) in enumerate(zip(axes, shown)):
        by_subset = [
            next(judged for judged in trial.judged[subset] if judged.key == key) for subset in trial.subsets
        ]
        for number, (subset, judged) in enumerate(zip(trial.subsets, by_subset)):
            _points(axis, judged, number, subset)
        axis.set_title(f"{clipped(names[key], LONGEST)}\n{_describe(trial, findings, key)}")
        less = by_subset[0].sign < 0
        axis.set_xlabel("value (less is more diverse)" if less else "value")
        if less:
            axis.invert_xaxis()
        if place % columns == 0:
            axis.set_ylabel(trial.column or f"people ({trial.settings['human']})")
    chosen = f"the {len(shown)} best of {of} metrics" if len(shown) < of else "metrics"
    title = f"Value of {chosen} and {trial.column or 'human score'}: one point per {trial.unit}"
    figure.suptitle(title, fontsize=10)
    if several:
        handles, labels = axes[0].get_legend_handles_labels()
        # The number of columns that fit, with an estimated width per letter.
        room = int(figure.get_figwidth() / (0.6 + 0.062 * max(map(len, labels))))
        figure.legend(
            handles, labels, loc="outside lower center", ncols=max(room, 1), frameon=False, markerscale=1.5
        )
    return figure


def _points(axis: Any, judged: Judged, place: int, subset: str) -> None:
    known = judged.known
    few = len(judged.values) <= 50
    axis.scatter(
        judged.values[known],
        judged.human[known],
        s=24 if few else 7,
        alpha=0.9 if few else 0.45,
        linewidths=0,
        rasterized=not few,  # thousands of vector points would make a large file
        color=look(place)["color"],
        marker=look(place)["marker"],
        label=f"{subset} (n = {len(judged.values):,})",
    )


def _describe(trial: PeopleTrial, findings: Findings, key: Key) -> str:
    correlations = [findings["spearman", subset][key] for subset in trial.subsets]
    n = sum(int(finding.parts["n"]) for finding in correlations)
    if len(correlations) == 1:
        return f"ρ = {correlations[0].mean:.2f}, n = {n:,}"
    mean = mean_spearman(findings, trial.subsets, key)
    described = "ρ is undefined in places" if math.isnan(mean) else f"mean ρ = {mean:.2f}"
    return f"{described}, n = {n:,}"


def _correlations(
    trial: PeopleTrial, findings: Findings, ranked: Sequence[Key], names: Mapping[Key, str]
) -> Figure:
    subsets = trial.subsets
    rows, columns = panels(len(subsets), CORRELATIONS_ACROSS)
    wide = 1.25 if columns > 4 else 2.2
    figure = new_figure(2.6 + wide * columns, rows * (0.165 * len(ranked) + 0.9) + 0.5)
    axes = figure.subplots(rows, columns, sharey=True, sharex=True, squeeze=False).flatten()
    for axis in axes[len(subsets) :]:
        axis.set_visible(False)
    for axis, subset in zip(axes, subsets):
        for place, key in enumerate(ranked):
            finding = findings["spearman", subset][key]
            if math.isnan(finding.mean):
                continue
            inside = "white" if is_partial(finding) else COLOURS[0]
            if finding.low is not None and finding.high is not None:
                axis.plot([finding.low, finding.high], [place, place], color=COLOURS[0], linewidth=1)
            axis.plot([finding.mean], [place], "o", markersize=3.5, color=COLOURS[0], markerfacecolor=inside)
        axis.axvline(0, color="#888888", linewidth=0.8)
        sets = int(trial.settings["subsets"][subset])
        name = subset.replace(" ", "\n")
        axis.set_title(f"{name}\nn = {sets:,}" if name else f"n = {sets:,}", fontsize=8)
        axis.set_xlabel("ρ")
    axes[0].set_yticks(range(len(ranked)), [clipped(names[key], LONGEST) for key in ranked])
    axes[0].set_ylim(len(ranked) - 0.5, -0.5)
    for axis in axes:  # each row of panels has its own numbers
        axis.tick_params(axis="y", labelsize=7)
        axis.tick_params(axis="x", labelsize=8, labelbottom=True)
    hollow = any(
        is_partial(finding) for subset in subsets for finding in findings["spearman", subset].values()
    )
    title = "Spearman's ρ with people, with 95 % intervals"
    figure.suptitle(f"{title}; hollow: defined for few of the sets" if hollow else title, fontsize=10)
    return figure
