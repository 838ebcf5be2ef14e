"""Plots by matplotlib: curves or points of corpora, one plot or several panels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from distinctly.report.captions import place_captions
from distinctly.report.cells import clipped
from distinctly.report.drawing import COLOURS, DASHES, MARKERS, PAGE_WIDTH
from distinctly.report.figures.drawn import SMALL, Drawn, few_ticks
from distinctly.report.figures.lettering import Lettering
from distinctly.report.page import Plot, Series

# Inches: the height of a single plot and of one of several panels, what is beside and below the axes, and a
# line of the legend.
HEIGHT, PANEL_HEIGHT, BESIDE, BELOW, LEGEND_LINE = 4.6, 2.7, 0.7, 0.9, 0.2
# Characters of a name in the legend and beside a point, and names per line of the legend.
LONGEST_NAME, LONGEST_CAPTION, NAMES_PER_LINE = 30, 24, 3
# The number of steps along an interval that captions keep clear of.
STEPS = 12
# Pixels of a caption per inch: what `place_captions` takes as the size of letters, at 8 points.
PIXELS = 100
# The points of a plot with more of a corpus are drawn small, and so that those below show through.
MANY = 30


@dataclass(frozen=True)
class DrawnPlots(Drawn):
    """Plots, the fonts of their texts, and the number of plots beside each other."""

    plots: Sequence[Plot]
    letters: Lettering
    across: int

    @property
    def height(self) -> float:
        """The height in inches, without the notes."""
        legend = LEGEND_LINE * -(-len(self._names) // NAMES_PER_LINE) + 0.1 if self._legend else 0.0
        return self._panel_height * self._down + legend

    @property
    def _down(self) -> int:
        return -(-len(self.plots) // self.across)

    @property
    def _panel_height(self) -> float:
        return HEIGHT if self.across == 1 else PANEL_HEIGHT

    @cached_property
    def _names(self) -> dict[str, str]:
        """What the corpora are called."""
        corpora = dict.fromkeys(series.corpus for plot in self.plots for series in plot.series)
        return self.letters.names(list(corpora), LONGEST_NAME)

    @property
    def _legend(self) -> bool:
        return len(self._names) > 1

    @property
    def notes(self) -> list[str]:
        """What is written below the chart."""
        meanings = dict.fromkeys(self.letters.write(plot.meaning) for plot in self.plots)
        return [*meanings, *self.letters.notes]

    def draw(self, place: Any) -> None:
        """Draw the panels, with one legend below them."""
        axes = place.subplots(self._down, self.across, squeeze=False).ravel()
        size = PAGE_WIDTH / self.across - BESIDE, self._panel_height - BELOW
        corpora = list(self._names)
        for axis, plot in zip(axes, self.plots):
            for series in plot.series:
                _draw_series(axis, series, self._names[series.corpus], corpora.index(series.corpus), plot)
            axis.margins(0.08)
            if plot.curves:
                axis.set_xlim(left=0)
            self._write_titles(axis, plot)
            few_ticks(axis.xaxis, 5)
            few_ticks(axis.yaxis, 5)
            _write_captions(axis, plot.series, size, self.letters)
        for axis in axes[len(self.plots) :]:
            axis.set_axis_off()
        if self._legend:
            handles: dict[str, Any] = {}
            for axis in axes:
                handles |= {name: handle for handle, name in zip(*axis.get_legend_handles_labels())}
            place.legend(
                handles.values(),
                handles.keys(),
                loc="outside lower center",
                ncols=NAMES_PER_LINE,
                frameon=False,
            )

    def _write_titles(self, axis: Any, plot: Plot) -> None:
        """Write what the axes are; above panels, the title says what y is."""
        title, x, y = (self.letters.write(text) for text in (plot.title, plot.x_title, plot.y_title))
        if self.across > 1:
            y = ""
            axis.set_title(clipped(title, 56), fontsize=SMALL, loc="left")
        elif title != y:
            axis.set_title(clipped(title, 90), fontsize=SMALL + 1)
        axis.set_xlabel(clipped(x, 110 // self.across))
        axis.set_ylabel(clipped(y, 70))


def _draw_series(axis: Any, series: Series, name: str, place: int, plot: Plot) -> None:
    """Draw a curve with its band, or points with their intervals."""
    again, within = divmod(place, len(COLOURS))
    colour = COLOURS[within]
    marker = MARKERS[(within + again) % len(MARKERS)]
    if plot.curves:
        if series.low:
            axis.fill_between(series.x, series.low, series.high, color=colour, alpha=0.18, linewidth=0)
        dash = DASHES[(within + 2 * again) % len(DASHES)]
        axis.plot(
            series.x,
            series.y,
            color=colour,
            linestyle=dash,
            marker=marker,
            markersize=3.5,
            linewidth=1.4,
            label=name,
        )
        return
    if series.low:
        axis.vlines(series.x, series.low, series.high, color=colour, linewidth=1.2)
    many = any(len(each.x) > MANY for each in plot.series)
    axis.scatter(
        series.x,
        series.y,
        s=14 if many else 30,
        color=colour,
        marker=marker,
        alpha=0.7 if many else 1.0,
        linewidths=0,
        label=name,
    )


def _write_captions(
    axis: Any, all_series: Sequence[Series], size: tuple[float, float], letters: Lettering
) -> None:
    """Write captions beside points where there is room; the axes are as large as `size`, in inches."""
    captions = [caption for series in all_series for caption in series.captions or [""] * len(series.x)]
    if not any(captions):
        return
    names = letters.names(list(dict.fromkeys(series.corpus for series in all_series)), LONGEST_CAPTION)
    written = [names[caption] if caption in names else letters.write(caption) for caption in captions]
    x = [value for series in all_series for value in series.x]
    y = [value for series in all_series for value in series.y]
    (left, right), (bottom, top) = axis.get_xlim(), axis.get_ylim()
    axis.set(xlim=(left, right), ylim=(bottom, top))
    width, height = PIXELS * size[0], PIXELS * size[1]
    across, up = width / (right - left), height / (top - bottom)
    # Captions keep clear of intervals, too: of points without a caption along them.
    steps = [
        (a, low + (high - low) * step / STEPS)
        for series in all_series
        for a, low, high in zip(series.x, series.low, series.high)
        for step in range(STEPS + 1)
    ]
    points = [((a - left) * across, (b - bottom) * up) for a, b in [*zip(x, y), *steps]]
    texts = [*written, *[""] * len(steps)]
    for placed in place_captions(points, texts, (width, height)):
        at = x[placed.place] + placed.dx / across, y[placed.place] + placed.dy / up
        axis.text(*at, texts[placed.place], ha=placed.align, va="center", fontsize=SMALL - 0.5, clip_on=True)
