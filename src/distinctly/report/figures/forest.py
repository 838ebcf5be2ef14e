"""Forests by matplotlib: one panel per metric, one row per corpus, values with their intervals."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from distinctly.report.cells import Rounding
from distinctly.report.drawing import COLOURS, REFERENCE
from distinctly.report.figures.drawn import GREY, SMALL, Drawn, few_ticks
from distinctly.report.figures.lettering import Lettering
from distinctly.report.page import Cell, Estimate, Forest

# Panels beside each other, and characters of the name of a corpus and of a line of a title.
ACROSS, LONGEST_NAME, TITLE_WIDTH = 3, 26, 30
# Inches: a row, a line of the title of a panel, and its axis.
ROW, TITLE_LINE, AXIS = 0.2, 0.16, 0.5
UNDEFINED = "undefined"


@dataclass(frozen=True)
class DrawnForest(Drawn):
    """A forest, and the fonts of its texts."""

    forest: Forest
    letters: Lettering

    @property
    def height(self) -> float:
        """The height in inches, without the notes."""
        return sum(self._heights)

    @cached_property
    def _corpora(self) -> list[str]:
        """The corpora in the order of the rows."""
        estimates = (estimate for panel in self.forest.panels.values() for estimate in panel)
        return list(dict.fromkeys(estimate.corpus for estimate in estimates))

    @cached_property
    def _titles(self) -> list[str]:
        return [titled(self.letters.write(title)) for title in self.forest.panels]

    @property
    def _across(self) -> int:
        return min(ACROSS, len(self.forest.panels))

    @property
    def _heights(self) -> list[float]:
        """The height of each row of panels."""
        starts = range(0, len(self._titles), self._across)
        lines = (
            max(title.count("\n") + 1 for title in self._titles[start : start + self._across])
            for start in starts
        )
        return [ROW * len(self._corpora) + TITLE_LINE * count + AXIS for count in lines]

    @property
    def notes(self) -> list[str]:
        """What is written below the chart."""
        return [self.letters.write(self.forest.meaning), *self.letters.notes]

    def draw(self, place: Any) -> None:
        """Draw the panels; names are beside the first of each row of panels."""
        down = len(self._heights)
        axes = place.subplots(down, self._across, squeeze=False, height_ratios=self._heights).ravel()
        names = self.letters.names(self._corpora, LONGEST_NAME)
        rows = {corpus: row for row, corpus in enumerate(self._corpora)}
        for number, (axis, title, panel) in enumerate(zip(axes, self._titles, self.forest.panels.values())):
            axis.set_title(title, fontsize=SMALL, loc="left")
            axis.set_yticks(range(len(rows)), [names[corpus] for corpus in rows])
            axis.set_ylim(len(rows) - 0.4, -0.6)
            axis.tick_params(axis="y", length=0, labelleft=number % self._across == 0)
            axis.tick_params(axis="x", labelsize=SMALL)
            axis.spines["left"].set_visible(False)
            axis.grid(visible=False, axis="y")
            _draw_panel(axis, panel, rows)
        for axis in axes[len(self._titles) :]:
            axis.set_axis_off()


def titled(spec: str) -> str:
    r"""Break the title of a panel into lines, after commas where there are some.

    Examples
    --------
    >>> titled("distinct:n=2,at=222,unit=text,denominator=tokens")
    'distinct:n=2,at=222,\nunit=text,denominator=tokens'
    """
    spaced = spec.replace(",", ", ")
    lines = textwrap.wrap(spaced, TITLE_WIDTH, break_on_hyphens=False)
    return "\n".join(line.replace(", ", ",") for line in lines)


def _draw_panel(axis: Any, panel: Sequence[Estimate], rows: dict[str, int]) -> None:
    """Draw the estimates of one metric, with their numbers at the right."""
    known = [estimate for estimate in panel if math.isfinite(estimate.value)]
    rounding = Rounding.of(
        [estimate.value for estimate in known],
        [
            (estimate.high - estimate.low) / 2
            for estimate in known
            if estimate.low is not None and estimate.high is not None
        ],
    )
    for estimate in panel:
        row = rows[estimate.corpus]
        if math.isfinite(estimate.value):
            text = rounding.write(estimate.value) + Cell("", best=estimate.best, mark=estimate.mark).marks
            _draw_estimate(axis, estimate, row)
        else:
            text = UNDEFINED
        axis.annotate(
            text,
            (1, row),
            (3, 0),
            xycoords=axis.get_yaxis_transform(),
            textcoords="offset points",
            va="center",
            fontsize=SMALL - 1,
            color="black" if estimate.best else GREY,
        )
    if known:
        axis.margins(x=0.08)
        if len({*axis.dataLim.intervalx}) < 2:
            # One number alone is shown from 0 on.
            value = known[0].value
            axis.set_xlim(min(0.0, 1.2 * value), max(0.0, 1.2 * value) or 1.0)
        few_ticks(axis.xaxis, 3)
    else:
        axis.set_xticks([])


def _draw_estimate(axis: Any, estimate: Estimate, row: int) -> None:
    """Draw a value, its interval, and its noise floor with the distance at the size of the floor."""
    low, high = estimate.low, estimate.high
    if low is not None and high is not None and math.isfinite(low) and math.isfinite(high):
        axis.plot([low, high], [row, row], color=COLOURS[0], linewidth=1.4, label="interval")
    axis.plot(
        [estimate.value],
        [row],
        "D" if estimate.best else "o",
        color=COLOURS[0],
        markersize=5,
        linestyle="none",
        label="value",
    )
    floor = estimate.floor
    if floor is None or not math.isfinite(floor.mean):
        return
    axis.plot(
        [floor.mean, floor.mean],
        [row - 0.45, row + 0.45],
        color=REFERENCE,
        linewidth=1.4,
        linestyle="--",
        label="floor",
    )
    if math.isfinite(floor.distance_at_size):
        axis.plot(
            [floor.distance_at_size],
            [row],
            "o",
            markersize=5,
            markerfacecolor="none",
            color=COLOURS[1],
            label="at size",
        )
