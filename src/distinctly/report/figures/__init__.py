"""The charts of a page drawn by matplotlib: forests, plots and heat maps below each other in one figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from distinctly.report.drawing import PAGE_WIDTH, check_plot, save_figure, styled
from distinctly.report.page import Chart, Forest, HeatMap, Plot

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from distinctly.report.figures.drawn import Drawn
    from distinctly.report.figures.lettering import Lettering


def figure_of(charts: Sequence[Chart], *, across: int = 1, path: str | Path | None = None) -> Figure:
    """Draw charts below each other.

    Parameters
    ----------
    charts
        Forests, plots and heat maps.
    across
        The number of plots beside each other; those of one row are panels of the same corpora.
    path
        A .png, .svg or .pdf file to write the figure to; None for none.
    """
    if path is not None:
        check_plot(path)
    with styled():
        from distinctly.report.figures.lettering import Lettering, lettered
        from distinctly.report.figures.shown import shown_figure

        letters = Lettering.of(charts)
        parts = _parts(charts, letters, across)
        with lettered(letters):
            heights = [height for part in parts for height in (part.height, part.notes_height)]
            figure: Figure = shown_figure(PAGE_WIDTH, sum(heights))
            places = figure.subfigures(len(heights), 1, squeeze=False, height_ratios=heights).ravel()
            for part, place, below in zip(parts, places[::2], places[1::2]):
                part.draw(place)
                part.write_notes(below)
            # Ticks get the font and the style of the context when they are first laid out.
            figure.draw_without_rendering()
            if path is not None:
                save_figure(figure, path)
    return figure


def _parts(charts: Sequence[Chart], letters: Lettering, across: int) -> list[Drawn]:
    """Return what is drawn below each other."""
    from distinctly.report.figures.forest import DrawnForest
    from distinctly.report.figures.heat_map import DrawnHeatMap
    from distinctly.report.figures.plot import DrawnPlots

    parts: list[Drawn] = []
    plots = [chart for chart in charts if isinstance(chart, Plot)]
    if plots:
        parts.append(DrawnPlots(plots, letters, min(across, len(plots))))
    for chart in charts:
        if isinstance(chart, Forest):
            parts.append(DrawnForest(chart, letters))
        elif isinstance(chart, HeatMap):
            parts.append(DrawnHeatMap(chart, letters))
    return parts
