"""Heat maps by matplotlib: numbers as colours, beside the dendrogram of the rows."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.report.drawing import PAGE_WIDTH
from distinctly.report.figures.drawn import GREY, SMALL, Drawn, few_ticks
from distinctly.report.figures.lettering import Lettering
from distinctly.report.page import HeatMap

# From light to dark in one hue, so that it is read alike in grey and by colour-blind readers.
COLOUR_MAP = "Blues"
# Larger tables have no numbers in their cells.
MOST_WRITTEN = 12
LONGEST_NAME = 24
# Inches: the largest and smallest cells, the dendrogram, the scale, and what is above and below all.
LARGEST_CELL, SMALLEST_CELL, TREE, SCALE, AROUND = 0.6, 0.16, 1.0, 1.2, 0.45
# Points: smaller numbers are not written.
SMALLEST = 4.5
# Inches per character of a name.
CHARACTER = 0.075


@dataclass(frozen=True)
class DrawnHeatMap(Drawn):
    """A heat map, and the fonts of its texts."""

    heat_map: HeatMap
    letters: Lettering

    @property
    def height(self) -> float:
        """The height in inches, without the notes."""
        names = CHARACTER * max(map(len, self._columns.values()), default=0)
        rows = self._cell * len(self.heat_map.rows)
        return rows + names + AROUND

    @cached_property
    def _rows(self) -> dict[str, str]:
        return self.letters.names(self.heat_map.rows, LONGEST_NAME)

    @cached_property
    def _columns(self) -> dict[str, str]:
        return self.letters.names(self.heat_map.columns, LONGEST_NAME)

    @property
    def _names_width(self) -> float:
        return CHARACTER * max(map(len, self._rows.values()), default=0)

    @property
    def _cell(self) -> float:
        """The size of a cell in inches."""
        tree = TREE if self.heat_map.joins else 0.0
        room = (PAGE_WIDTH - self._names_width - tree - SCALE) / max(len(self.heat_map.columns), 1)
        return min(max(room, SMALLEST_CELL), LARGEST_CELL)

    @property
    def notes(self) -> list[str]:
        """What is written below the chart."""
        return [self.letters.write(self.heat_map.meaning), *self.letters.notes]

    @cached_property
    def _values(self) -> NDArray[np.float64]:
        return np.array(
            [[math.nan if cell.value is None else cell.value for cell in row] for row in self.heat_map.cells],
            dtype=np.float64,
        )

    def draw(self, place: Any) -> None:
        """Draw the colours, the dendrogram at their right if there is one, and the scale."""
        joins = self.heat_map.joins
        cells, tree_width = self._cell * len(self.heat_map.columns), TREE if self.heat_map.joins else 0.0
        # Small tables do not fill the page.
        rest = max(PAGE_WIDTH - self._names_width - cells - tree_width - SCALE, 0.01)
        widths = [cells, *([tree_width] if joins else []), rest]
        axis, *others = place.subplots(1, len(widths), width_ratios=widths)
        others[-1].set_axis_off()
        if joins:
            self._draw_tree(others[0])
        axis.set_title(self.letters.write(self.heat_map.title), fontsize=SMALL + 1, loc="left")
        colours = _colours()
        known = self._values[np.isfinite(self._values)]
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
        image = axis.imshow(
            self._values, cmap=colours, vmin=low, vmax=high if high > low else low + 1, aspect="auto"
        )
        flat = CHARACTER * max(map(len, self._columns.values()), default=0) <= self._cell
        axis.set_xticks(range(len(self._columns)), self._columns.values(), rotation=0 if flat else 90)
        axis.set_yticks(range(len(self._rows)), self._rows.values())
        axis.tick_params(length=0, labelsize=SMALL)
        axis.grid(visible=False)
        axis.spines[:].set_visible(False)
        if len(self._columns) <= MOST_WRITTEN:
            self._write_numbers(axis, image)
        scale = place.colorbar(image, ax=others[0] if joins else axis, fraction=0.08, pad=0.06)
        few_ticks(scale.ax.yaxis, 5)
        scale.ax.tick_params(labelsize=SMALL)
        scale.outline.set_visible(False)

    def _write_numbers(self, axis: Any, image: Any) -> None:
        """Write the text of each cell, in a colour that can be read on that of the cell."""
        longest = max(len(_short(cell.marked)) for row in self.heat_map.cells for cell in row)
        # Points: as large as fits in a cell, if a character is 0.62 times as wide as the font is high.
        size = min(SMALL, 72 * 0.92 * self._cell / (0.62 * max(longest, 1)))
        if size < SMALLEST:
            return
        for row, cells in enumerate(self.heat_map.cells):
            for column, cell in enumerate(cells):
                dark = (
                    math.isfinite(self._values[row, column]) and image.norm(self._values[row, column]) > 0.55
                )
                axis.text(
                    column,
                    row,
                    _short(cell.marked),
                    ha="center",
                    va="center",
                    fontsize=size,
                    color="white" if dark else "black" if cell.value is not None else GREY,
                )

    def _draw_tree(self, axis: Any) -> None:
        """Draw the dendrogram: each join is a bracket at its height."""
        leaves = len(self.heat_map.rows)
        # Estimates of small distances can be below 0.
        start = min(0.0, *(height for _, _, height in self.heat_map.joins))
        ends = [(start, float(row)) for row in range(leaves)]
        for first, second, height in self.heat_map.joins:
            (left, upper), (right, lower) = ends[first], ends[second]
            axis.plot([left, height, height, right], [upper, upper, lower, lower], color=GREY, linewidth=1)
            ends.append((height, (upper + lower) / 2))
        axis.set_ylim(leaves - 0.5, -0.5)
        axis.set_yticks([])
        axis.grid(visible=False)
        axis.spines["left"].set_visible(False)
        axis.tick_params(labelsize=SMALL - 1)
        axis.set_xlim(left=start)
        few_ticks(axis.xaxis, 2)


def _colours() -> Any:
    """Return the colours, of which the lightest is not that of cells without a number."""
    import matplotlib
    from matplotlib.colors import ListedColormap

    shades = matplotlib.colormaps[COLOUR_MAP](np.linspace(0.1, 1, 256))
    return ListedColormap(shades).with_extremes(bad="white")


def _short(text: str) -> str:
    """Return a number without the 0 before its decimal point.

    Examples
    --------
    >>> _short("0.4030"), _short("-0.0210*"), _short("<0.0001"), _short("10.50")
    ('.4030', '-.0210*', '<.0001', '10.50')
    """
    return re.sub(r"^([<>]?-?)0\.", r"\1.", text)
