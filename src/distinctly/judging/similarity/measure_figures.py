"""Figures of the measures of known-similarity corpora: their means and their spread."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.judging.measures import LETTERS, Reals
from distinctly.judging.records import Key
from distinctly.judging.similarity.findings import MEASURES, OF_SIZES, Repeated, SimilarityTrial
from distinctly.judging.similarity.sheets import (
    PlottedMetric,
    grid,
    headline,
    suffixes,
    times,
    wrapped,
)
from distinctly.report.drawing import PAGE_WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TIME = "time"
# A radar chart of fewer than three measures has no area.
FEWEST = 3
# Times that differ by a larger factor are drawn on a logarithmic scale.
WIDE = 20
# Labels with a smaller sine of their angle are centred above or below the circle.
MIDDLE = 0.1
# Values are rounded, so that differences of the last bits are not outliers.
DIGITS = 12
CIRCLES = (0.25, 0.5, 0.75, 1.0)
# Inches: the diameter of a radar chart, and the space beside it, and above and below.
CIRCLE, BESIDE, ABOVE = 3.0, 1.12, 0.48
# Inches: the height of a box, and of a line of its name.
ROW, LINE = 0.24, 0.135
# Letters that fit beside boxes, and in a legend.
TICK = 18
Findings = Mapping[tuple[Key, str], Repeated]


def radar(trial: SimilarityTrial, subjects: Sequence[PlottedMetric]) -> dict[str, Figure]:
    """Draw all measures of each metric except time, which has another scale, as a polygon."""
    figures = {}
    for ending, description, findings in _by_settings(trial, subjects):
        measures = [measure for measure in _measures(findings) if measure != TIME]
        shown = [
            subject
            for subject in subjects
            if any(math.isfinite(_mean(findings, subject, measure)) for measure in measures)
        ]
        if len(measures) >= FEWEST and shown:
            figures[f"radar{ending}"] = _radar(trial, shown, measures, findings, description)
    return figures


def _radar(
    trial: SimilarityTrial,
    subjects: Sequence[PlottedMetric],
    measures: Sequence[str],
    findings: Findings,
    description: str,
) -> Figure:
    means = {
        (subject, measure): _mean(findings, subject, measure) for subject in subjects for measure in measures
    }
    figure = new_figure(PAGE_WIDTH, 1)
    # matplotlib ignores labels around a circle in its layout, so the layout is done here, in inches.
    figure.set_layout_engine("none")
    lines = headline(
        figure, " ".join([description, _repetitions(measures, findings), *_left_out(means, findings)])
    )
    height = CIRCLE + 2 * ABOVE + 0.16 * lines
    figure.set_figheight(height)
    place = (BESIDE / PAGE_WIDTH, ABOVE / height, CIRCLE / PAGE_WIDTH, CIRCLE / height)
    axis: Any = figure.add_axes(place, projection="polar")
    angles = np.linspace(0, 2 * math.pi, len(measures), endpoint=False)
    _draw_web(axis, angles, [_title(trial, measure) for measure in measures])
    for subject in subjects:
        drawn = np.maximum([means[subject, measure] for measure in measures], 0.0)
        axis.plot(
            np.append(angles, angles[0]),
            np.append(drawn, drawn[0]),
            **subject.look,
            markersize=4,
            linewidth=1.2,
            label=wrapped(subject.name, TICK),
            clip_on=False,
        )
    figure.legend(loc="center right", frameon=False, handlelength=3.5)
    return figure


def _repetitions(measures: Sequence[str], findings: Findings) -> str:
    """Return the number of repetitions as text, per measure if it differs."""
    by_count: dict[int, list[str]] = {}
    for measure in measures:
        count = max(
            len(repeated.values) for (_, of_measure), repeated in findings.items() if of_measure == measure
        )
        by_count.setdefault(count, []).append(LETTERS[measure])
    if len(by_count) == 1:
        return f"Means of {times(*by_count)}."
    description = [f"{count} for {' '.join(signs)}" for count, signs in by_count.items()]
    return f"Means of repetitions: {', '.join(description)}."


def _left_out(means: Mapping[tuple[PlottedMetric, str], float], findings: Findings) -> Iterator[str]:
    """Yield notes on values below 0 and on undefined values."""
    below = [f"{subject.name} ({LETTERS[measure]})" for (subject, measure), mean in means.items() if mean < 0]
    undefined = [
        f"{subject.name} ({LETTERS[measure]})"
        for (subject, measure), mean in means.items()
        if math.isnan(mean) and (subject.key, measure) in findings
    ]
    if below:
        yield f"Below 0, drawn at 0: {', '.join(below)}."
    if undefined:
        yield f"Undefined, left out: {', '.join(undefined)}."


def _draw_web(axis: Any, angles: Reals, titles: Sequence[str]) -> None:
    """Draw the spokes and the circles from 0 to 1, clockwise from the top."""
    axis.set_theta_zero_location("N")
    axis.set_theta_direction(-1)
    axis.set_ylim(0, 1)
    axis.set_xticks(angles, [""] * len(angles))
    axis.set_yticks(CIRCLES, [""] * len(CIRCLES))
    for circle in CIRCLES:
        # Between two spokes, on white, so that no line crosses it.
        white = {"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 0.5}
        _write(axis, angles[1] / 2, circle, f"{circle:g}", fontsize=7, color="#555555", bbox=white)
    for angle, title in zip(angles, titles):
        across = math.sin(angle)
        side = "center" if abs(across) < MIDDLE else "left" if across > 0 else "right"
        _write(axis, angle, 1.13, title.replace(" ", "\n", 1), ha=side, fontsize=8.5)


def _write(axis: Any, angle: float, radius: float, text: str, **how: Any) -> None:
    axis.text(angle, radius, text, **{"ha": "center", "va": "center", **how})


def spread(trial: SimilarityTrial, subjects: Sequence[PlottedMetric]) -> dict[str, Figure]:
    """Draw the values of all repetitions as boxes, one panel per measure."""
    figures = {}
    for ending, description, findings in _by_settings(trial, subjects):
        shown = [subject for subject in subjects if any(key == subject.key for key, _ in findings)]
        if shown:
            figures[f"spread{ending}"] = _spread(trial, shown, findings, description)
    return figures


def _spread(
    trial: SimilarityTrial, subjects: Sequence[PlottedMetric], findings: Findings, description: str
) -> Figure:
    measures = _measures(findings)
    down, across = grid(len(measures))
    names = [wrapped(subject.name, TICK) for subject in subjects]
    lines = [name.count("\n") + 1 for name in names]
    # Lines from the middle of a name to the middle of the next.
    apart = max((lines_above + lines_below) / 2 for lines_above, lines_below in zip(lines, [*lines[1:], 1]))
    height = max(ROW, LINE * (apart + 0.3)) * len(subjects) + 0.75
    figure = new_figure(PAGE_WIDTH if across > 2 else 4.5, height * down + 0.6)
    axes = figure.subplots(down, across, squeeze=False, sharey=True)
    for axis in axes.ravel()[len(measures) :]:
        axis.set_visible(False)
    for axis, measure in zip(axes.ravel(), measures):
        by_subject = [findings.get((subject.key, measure)) for subject in subjects]
        values = [
            [] if repeated is None else [round(x, DIGITS) for x in repeated.values if math.isfinite(x)]
            for repeated in by_subject
        ]
        _boxes(axis, subjects, values)
        axis.set_title(f"{_title(trial, measure)}\n{times(max(map(len, values)))}", fontsize=8.5)
        if measure == TIME:
            axis.set_xlabel("100 distances per second", fontsize=8)
            positive = [value for several in values for value in several if value > 0]
            if positive and max(positive) > WIDE * min(positive):
                _by_magnitude(axis, max(positive) / min(positive))
    axes[0, 0].set_yticks(range(len(subjects)), names)
    axes[0, 0].set_ylim(len(subjects) - 0.4, -0.6)
    headline(
        figure,
        f"{description} Boxes: the middle half; line: the mean; whiskers: up to 1.5 "
        "times the box beyond it; circles: repetitions that lie farther out.",
    )
    return figure


def _boxes(axis: Any, subjects: Sequence[PlottedMetric], values: Sequence[Sequence[float]]) -> None:
    # `orientation` exists from matplotlib 3.10 on, and replaces `vert`.
    lying: dict[str, Any] = {"orientation": "horizontal"}
    if "orientation" not in inspect.signature(axis.boxplot).parameters:
        lying = {"vert": False}
    drawn = axis.boxplot(
        values,
        positions=range(len(values)),
        widths=0.6,
        patch_artist=True,
        manage_ticks=False,
        showmeans=True,
        meanline=True,
        meanprops={"color": "black", "linestyle": "-", "linewidth": 1.2},
        medianprops={"linewidth": 0},
        boxprops={"linewidth": 0.7},
        whiskerprops={"linewidth": 0.7},
        capprops={"linewidth": 0.7},
        flierprops={"markersize": 3, "markeredgewidth": 0.7},
        **lying,
    )
    for box, subject in zip(drawn["boxes"], subjects):
        box.set_facecolor((subject.look["color"], 0.5))
    axis.tick_params(labelsize=8)


def _by_magnitude(axis: Any, ratio: float) -> None:
    """Make the scale logarithmic, with labels that fit."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_xscale("log")
    axis.xaxis.set_major_locator(LogLocator(subs=(1.0,) if ratio > 100 else (1.0, 3.0)))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.xaxis.set_minor_formatter(NullFormatter())


def _by_settings(
    trial: SimilarityTrial, subjects: Sequence[PlottedMetric]
) -> list[tuple[str, str, Findings]]:
    """Return the suffix, the description and the findings of each figure.

    There is one figure if every measure has one finding per metric, and otherwise one per n and k. The
    measures of size have neither, so they are on all figures.
    """
    keys = {subject.key for subject in subjects}
    findings = [
        repeated
        for repeated in trial.repeated
        if repeated.finding.measure in MEASURES and repeated.finding.key in keys
    ]
    of_sizes = [repeated for repeated in findings if repeated.finding.measure in OF_SIZES]
    by_mixtures: dict[tuple[int, int], list[Repeated]] = {}
    for repeated in findings:
        if repeated.finding.measure not in OF_SIZES:
            n, k = (int(str(repeated.finding.settings[name])) for name in ("n", "k"))
            by_mixtures.setdefault((n, k), []).append(repeated)
    a, b = (corpus["name"] for corpus in trial.settings["corpora"])
    descriptions = {(n, k): f"n = {n:,} texts per mixture, k = {k} mixtures" for n, k in by_mixtures}
    if len(_indexed(findings)) == len(findings):
        if len(descriptions) > 1:
            for mixtures, group in by_mixtures.items():
                signs = dict.fromkeys(LETTERS[repeated.finding.measure] for repeated in group)
                descriptions[mixtures] += f" ({', '.join(signs)})"
        return (
            [("", f"{'; '.join([f'{a} and {b}', *descriptions.values()])}.", _indexed(findings))]
            if findings
            else []
        )
    endings = suffixes([{"n": n, "k": k} for n, k in by_mixtures])
    return [
        (ending, f"{a} and {b}; {descriptions[mixtures]}.", _indexed([*group, *of_sizes]))
        for ending, (mixtures, group) in zip(endings, by_mixtures.items())
    ]


def _indexed(findings: Sequence[Repeated]) -> Findings:
    return {(repeated.finding.key, repeated.finding.measure): repeated for repeated in findings}


def _measures(findings: Findings) -> list[str]:
    known = {measure for _, measure in findings}
    return [measure for measure in MEASURES if measure in known]


def _mean(findings: Findings, subject: PlottedMetric, measure: str) -> float:
    repeated = findings.get((subject.key, measure))
    return math.nan if repeated is None else repeated.finding.mean


def _title(trial: SimilarityTrial, measure: str) -> str:
    sign = LETTERS[measure]
    if measure == "linearity":
        sign = f"{sign} ({'r' if trial.paper else 'R²'})"
    return f"{measure.replace('_', ' ')} {sign}"
