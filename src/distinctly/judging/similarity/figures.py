"""Figures of known-similarity corpora: distances by level, size and imbalance, and their time.

As figures 2, 4 and 6 of Kour et al. (2022). Those of the measures are in `measure_figures`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.judging.lines import fit_line
from distinctly.judging.measures import Reals
from distinctly.judging.records import Key, Record, number
from distinctly.judging.similarity.findings import NEGATIVE, SimilarityTrial
from distinctly.judging.similarity.growth import FITTED_FROM
from distinctly.judging.similarity.measure_figures import radar, spread
from distinctly.judging.similarity.sheets import (
    PlottedMetric,
    grid,
    headline,
    sheets,
    suffixes,
    times,
    wrapped,
)
from distinctly.judging.trial import Finding
from distinctly.report.drawing import COLOURS, DOTS, PAGE_WIDTH, REFERENCE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Inches: the height of a panel.
PANEL_HEIGHT = 1.9
LEVELS_LINE = COLOURS[0]
# Letters that fit above a panel, and in a legend.
TITLE, LEGEND = 20, 26


def figures(trial: SimilarityTrial) -> Mapping[str, Figure]:
    """Draw all figures for which there are records; more than eight metrics are on several figures."""
    drawn: dict[str, Figure] = {}
    shared = sheets(trial.names)
    for sheet, ending in zip(shared, suffixes([{"": place + 1} for place in range(len(shared))])):
        drawn |= {f"{name}{ending}": figure for name, figure in _sheet(trial, sheet).items()}
    return drawn


def _sheet(trial: SimilarityTrial, subjects: Sequence[PlottedMetric]) -> dict[str, Figure]:
    of_kind: dict[str, dict[Key, list[Record]]] = {}
    for key, records in trial.by_subject.items():
        for record in records:
            of_kind.setdefault(str(record["kind"]), {}).setdefault(key, []).append(record)

    def having(kind: str) -> list[PlottedMetric]:
        return [subject for subject in subjects if subject.key in of_kind.get(kind, {})]

    drawn: dict[str, Figure] = {}
    if metrics := having("distance"):
        mixtures = sorted(
            {(number(record, "n"), number(record, "k")) for record in trial.records if record.get("k")}
        )
        endings = suffixes([{"n": int(n), "k": int(k)} for n, k in mixtures])
        for (n, k), ending in zip(mixtures, endings):
            drawn[f"distance-by-level{ending}"] = _levels(trial, metrics, of_kind["distance"], int(n), int(k))
    for kind in ("size", "imbalance"):
        if metrics := having(kind):
            drawn[kind] = _sizes(trial, metrics, of_kind, kind)
    drawn |= radar(trial, subjects) | spread(trial, subjects)
    if metrics := having("growth"):
        drawn["growth"] = _growth(trial, metrics, of_kind["growth"])
    return drawn


def _levels(
    trial: SimilarityTrial,
    subjects: Sequence[PlottedMetric],
    records: Mapping[Key, Sequence[Record]],
    n: int,
    k: int,
) -> Figure:
    """Draw the distances of all pairs of mixtures by level."""
    figure, axes = _panels(len(subjects))
    repetitions = 0
    for axis, subject in zip(axes, subjects):
        selected = [record for record in records[subject.key] if (record["n"], record["k"]) == (n, k)]
        repetitions = max(repetitions, len({record["repetition"] for record in selected}))
        levels = np.array([number(record, "j") - number(record, "i") for record in selected])
        values = np.array([number(record, "value") for record in selected])
        known = np.isfinite(values)
        _scatter_and_line(axis, levels[known], values[known])
        labels = [f"{len(selected) - known.sum():,} undefined"] if not known.all() else []
        _entitle(axis, subject, [*_correlations(trial, subject.key, n, k), *labels])
        axis.set(xlim=(0.4, k - 0.4), xticks=range(1, k, -(-(k - 1) // 6)))
    _label(axes, len(subjects), "level ℓ = j − i", "distance")
    a, b = _corpora(trial)
    headline(
        figure,
        f"Distance of mixtures i and j of {a} and {b}. n = {n:,} texts per mixture, k = {k} mixtures: "
        f"{k * (k - 1) // 2:,} pairs, {times(repetitions)}. Line of least squares, and its 95 % "
        "confidence band, as if all pairs were independent.",
    )
    return figure


def _correlations(trial: SimilarityTrial, key: Key, n: int, k: int) -> list[str]:
    """Return the correlations of distance and level, if they were requested."""
    labels = []
    for measure, sign in (("monotonicity", "ρ"), ("linearity", "r" if trial.paper else "R²")):
        finding = _find(trial, key, measure, {"n": n, "k": k})
        if finding is not None and not math.isnan(finding.mean):
            labels.append(f"{sign} = {finding.mean:.2f}" + (" (of −d)" if NEGATIVE in finding.notes else ""))
    return labels


def _scatter_and_line(axis: Any, levels: Reals, values: Reals) -> None:
    draw = np.random.default_rng(0)
    jitter = draw.uniform(-0.18, 0.18, len(levels))
    # Thousands of dots are drawn as an image to keep an SVG file small.
    axis.scatter(levels + jitter, values, s=5, color=DOTS, alpha=0.5, linewidths=0, rasterized=True)
    if len(values) < 3 or len(set(levels)) < 2:
        return
    at = np.linspace(levels.min(), levels.max(), 50)
    line = fit_line(levels, values)
    middle, half = line.at(at), line.half_band(at)
    axis.fill_between(at, middle - half, middle + half, color=LEVELS_LINE, alpha=0.35, linewidth=0)
    axis.plot(at, middle, color=LEVELS_LINE, linewidth=1)


def _sizes(
    trial: SimilarityTrial,
    subjects: Sequence[PlottedMetric],
    of_kind: Mapping[str, Mapping[Key, Sequence[Record]]],
    kind: str,
) -> Figure:
    """Draw the distance of A and B by size, and its asymptote."""
    figure, axes = _panels(len(subjects))
    measure, sign = ("size_robustness", "S") if kind == "size" else ("imbalance_robustness", "I")
    repetitions = 0
    for axis, subject in zip(axes, subjects):
        selected = of_kind[kind][subject.key]
        repetitions = max(repetitions, len({record["repetition"] for record in selected}))
        by_size: dict[float, list[float]] = {}
        for record in selected:
            if math.isfinite(value := number(record, "value")):
                by_size.setdefault(number(record, "size"), []).append(value)
        for size, values in by_size.items():
            axis.scatter([size] * len(values), values, s=10, color=DOTS, alpha=0.8, linewidths=0)
        means = {size: math.fsum(values) / len(values) for size, values in sorted(by_size.items())}
        axis.plot(list(means), list(means.values()), color=LEVELS_LINE, linewidth=1.2)
        tends_to = [number(record, "value") for record in of_kind.get("asymptote", {}).get(subject.key, [])]
        asymptote = math.fsum(tends_to) / len(tends_to) if tends_to else math.nan
        labels = []
        if math.isfinite(asymptote):
            axis.axhline(asymptote, color=REFERENCE, linewidth=1.2, linestyle="--")
            labels.append(f"D = {asymptote:.3g}")
        finding = _find(trial, subject.key, measure)
        if finding is not None and not math.isnan(finding.mean):
            labels.append(f"{sign} = {finding.mean:.2f}")
        undefined = len(selected) - sum(map(len, by_size.values()))
        _entitle(axis, subject, [*labels, *([f"{undefined:,} undefined"] if undefined else [])])
        axis.set_xlim(left=0)
    sizes = trial.settings["sizes"]
    a, b = _corpora(trial)
    if kind == "size":
        _label(axes, len(subjects), "texts s of each", "distance")
        described = f"Distance of s texts of {a} and s texts of {b}"
    else:
        _label(axes, len(subjects), "texts s of A", "distance")
        described = f"Distance of s texts of A, {a}, and N − s texts of B, {b}; N = {sizes['together']:,}"
    headline(
        figure,
        f"{described}: {times(repetitions)}, one dot each, and their mean. "
        f"Green: D, the mean distance at {sizes['largest']:,} texts of each.",
    )
    return figure


def _growth(
    trial: SimilarityTrial, subjects: Sequence[PlottedMetric], records: Mapping[Key, Sequence[Record]]
) -> Figure:
    """Draw the time of one distance by size of the corpora."""
    figure = new_figure(PAGE_WIDTH, 3.4)
    axis = figure.subplots()
    for subject in subjects:
        seconds = {number(record, "size"): number(record, "value") for record in records[subject.key]}
        known = {size: time for size, time in sorted(seconds.items()) if time > 0}
        finding = _find(trial, subject.key, "growth")
        exponent = math.nan if finding is None else finding.mean
        labels = "" if math.isnan(exponent) else f"  b = {exponent:.2f}"
        label = wrapped(subject.name, LEGEND) + labels
        axis.plot(list(known), list(known.values()), **subject.look, markersize=4, linewidth=1.2, label=label)
    axis.set(xscale="log", yscale="log", xlabel="texts s of each corpus", ylabel="seconds for one distance")
    axis.xaxis.set_major_formatter("{x:,.0f}")
    figure.legend(loc="outside right center", frameon=False, handlelength=3)
    a, b = _corpora(trial)
    headline(
        figure,
        f"Time of one distance of s texts of {a} and of {b}, tokens and vectors made beforehand. "
        f"b: the exponent of seconds = a · sᵇ, from {FITTED_FROM:,} texts on.",
    )
    return figure


def _panels(count: int) -> tuple[Figure, Any]:
    down, across = grid(count)
    figure = new_figure(*((PAGE_WIDTH, PANEL_HEIGHT * down + 0.6) if across > 2 else (4.5, 3.2)))
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for axis in axes[count:]:
        axis.set_visible(False)
    return figure, axes


def _entitle(axis: Any, subject: PlottedMetric, labels: Sequence[str]) -> None:
    """Write the name and the values of a metric above a panel."""
    values = ", ".join(labels) if len(", ".join(labels)) <= TITLE else "\n".join(labels)
    axis.set_title("\n".join(filter(None, [wrapped(subject.name, TITLE), values])), fontsize=8.5)
    axis.locator_params(nbins=4)
    axis.ticklabel_format(axis="y", scilimits=(-2, 4), useMathText=True)
    axis.tick_params(labelsize=8)


def _label(axes: Any, count: int, across: str, up: str) -> None:
    columns = grid(count)[1]
    for place in range(count):
        if place + columns >= count:
            axes[place].set_xlabel(across)
        if place % columns == 0:
            axes[place].set_ylabel(up)


def _find(
    trial: SimilarityTrial, key: Key, measure: str, settings: Mapping[str, int] | None = None
) -> Finding | None:
    for finding in trial.findings:
        if finding.key == key and finding.measure == measure and finding.settings == (settings or {}):
            return finding
    return None


def _corpora(trial: SimilarityTrial) -> tuple[str, str]:
    a, b = (str(corpus["name"]) for corpus in trial.settings["corpora"])
    return a, b
