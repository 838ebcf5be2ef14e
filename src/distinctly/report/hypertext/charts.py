"""Forests and plots, drawn by Bokeh: colours, hover and the theme are set by `charts.js`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.report.captions import place_captions
from distinctly.report.cells import Rounding, printable
from distinctly.report.hypertext.colours import Looks
from distinctly.report.hypertext.tables import write_table
from distinctly.report.hypertext.text import markup, plural, visible
from distinctly.report.page import Cell, Column, Estimate, Forest, Plot, Series, Table
from distinctly.report.terminal import shortened

if TYPE_CHECKING:
    from bokeh.plotting import figure as BokehFigure  # noqa: N812 - it is a class
    from numpy.typing import NDArray

FONTS = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', sans-serif"
# Pixels: a row of a forest, what is above and below the rows, and the height of a plot.
ROW, AXIS, PLOT_HEIGHT = 24, 46, 380
# Pixels: the width of a chart with captions, as on a wide screen without its axis.
CAPTIONED_WIDTH = 1000
# Characters of the names of corpora beside an axis.
LONGEST_NAME = 20
# Larger tables of numbers are of no use below a chart.
MOST_NUMBERS = 1000
_MARKS = {
    "noise": "≈ the difference from the best may be due to chance",
    "partial": "° from a part of the data only",
}


@dataclass(frozen=True)
class Chart:
    """A chart of Bokeh, and what the script needs to know about it.

    Attributes
    ----------
    figure
        The figure of Bokeh.
    target
        The id of the element in which it is drawn.
    facts
        Plain data for the script.
    """

    figure: BokehFigure
    target: str
    facts: Mapping[str, Any]


def plain(text: str) -> str:
    r"""Return text for a label of Bokeh, which would read what is between some characters as a formula.

    Examples
    --------
    >>> plain("$$x$$") == "$\u2060$x$\u2060$"
    True
    """
    text = visible(text)
    for formula in ("$$", r"\(", r"\)", r"\[", r"\]"):
        text = text.replace(formula, f"{formula[0]}\u2060{formula[1]}")
    return text


def new_figure(height: int, tools: str = "", **options: Any) -> BokehFigure:
    """Return an empty figure that is as wide as its place."""
    from bokeh.models import BasicTickFormatter
    from bokeh.plotting import figure

    made = figure(
        height=height,
        sizing_mode="stretch_width",
        tools=tools,
        toolbar_location="above" if tools else None,
        output_backend="canvas",
        min_border=4,
        # All points are drawn while they are moved.
        lod_threshold=None,
        **options,
    )
    made.toolbar.logo = None
    for axis in (*made.xaxis, *made.yaxis):
        axis.major_label_text_font = axis.axis_label_text_font = FONTS
        axis.axis_label_text_font_style = "normal"
        axis.major_label_text_font_size = axis.axis_label_text_font_size = "12px"
        axis.minor_tick_line_color = None
        axis.formatter = BasicTickFormatter(power_limit_high=7, power_limit_low=-5)
    # The page shows through: it is light or dark.
    made.background_fill_color = made.border_fill_color = made.outline_line_color = None
    return made


def write_forest(forest: Forest, name: str, level: int, looks: Looks) -> tuple[str, list[Chart]]:
    """Return a forest plot as markup, and its charts: one per metric."""
    charts = []
    panels = []
    for place, (metric, estimates) in enumerate(forest.panels.items(), 1):
        target = f"{name}-{place}"
        known = [estimate for estimate in estimates if math.isfinite(estimate.value)]
        label = f"{metric}: {_extremes(known)}"
        panels.append(
            f'<div class="panel"><p class="panel-title">{markup(metric)}</p>'
            f'<div class="chart" id="{target}" role="group" aria-label="{markup(label)}"></div></div>'
        )
        charts.append(Chart(_panel(estimates, looks), target, {"kind": "forest"}))
    legend = _marks_legend([estimate for panel in forest.panels.values() for estimate in panel])
    markup_of_chart = framed(
        forest.title,
        f'{legend}<div class="panels">{"".join(panels)}</div>{_details(_forest_table(forest), name, looks)}',
        forest.meaning,
        level,
    )
    return markup_of_chart, charts


def framed(title: str, body: str, meaning: str, level: int) -> str:
    """Return a chart under its title, with what it shows."""
    explained = f'<p class="meaning">{markup(meaning, 10_000)}</p>' if meaning else ""
    heading = f"<figcaption><h{level}>{markup(title)}</h{level}>{explained}</figcaption>"
    return f'<figure class="charts">{heading}{body}</figure>'


def _details(table: Table, name: str, looks: Looks) -> str:
    """Return the numbers of a chart as a folded table."""
    return (
        f'<details class="numbers"><summary>The numbers as a table</summary>'
        f"{write_table(table, f'{name}-numbers', looks)}</details>"
    )


def _extremes(estimates: Sequence[Estimate]) -> str:
    """Return the smallest and the largest value in words, as the text alternative of a panel."""
    if not estimates:
        return "no value is defined"
    low = min(estimates, key=lambda estimate: estimate.value)
    high = max(estimates, key=lambda estimate: estimate.value)
    if low is high:
        return f"{printable(low.corpus)} {low.value:.4g}"
    return f"from {low.value:.4g} ({printable(low.corpus)}) to {high.value:.4g} ({printable(high.corpus)})"


def _marks_legend(estimates: Sequence[Estimate]) -> str:
    words = ["* the best value"] if any(estimate.best for estimate in estimates) else []
    words += [text for mark, text in _MARKS.items() if any(estimate.mark == mark for estimate in estimates)]
    intervals = any(estimate.low is not None for estimate in estimates)
    lines = ["Lines are the intervals"] if intervals else []
    return f'<p class="legend">{markup("; ".join([*lines, *words]))}.</p>' if lines or words else ""


def _panel(estimates: Sequence[Estimate], looks: Looks) -> BokehFigure:
    """Return one panel: a row per corpus, the first on top."""
    from bokeh.models import BasicTicker, ColumnDataSource, FixedTicker, HoverTool

    count = len(estimates)
    names = (
        shortened([printable(estimate.corpus) for estimate in estimates], LONGEST_NAME) if estimates else []
    )
    chart = new_figure(ROW * count + AXIS, y_range=(-0.6, count - 0.4))
    rows = np.arange(count)[::-1].astype(float)
    values = np.array([estimate.value for estimate in estimates], dtype=float)
    values[~np.isfinite(values)] = np.nan
    source = ColumnDataSource(
        {
            "x": values,
            "y": rows,
            "low": _ends([estimate.low for estimate in estimates], values),
            "high": _ends([estimate.high for estimate in estimates], values),
            "size": [9 * looks[estimate.corpus].size for estimate in estimates],
            "place": [looks[estimate.corpus].colour for estimate in estimates],
            "marker": [looks[estimate.corpus].marker for estimate in estimates],
            "colour": ["#888888"] * count,
            "label": [_estimate_label(estimate) for estimate in estimates],
        }
    )
    chart.segment("low", "y", "high", "y", source=source, line_color="colour", line_width=2)
    points = chart.scatter(
        "x", "y", source=source, size="size", marker="marker", color="colour", line_color="colour"
    )
    chart.add_tools(HoverTool(renderers=[points], tooltips=None, mode="hline"))
    marks = [Cell("", best=estimate.best, mark=estimate.mark).marks for estimate in estimates]
    chart.yaxis.ticker = FixedTicker(ticks=rows.tolist())
    chart.yaxis.major_label_overrides = {
        float(row): plain(f"{label} {'(undefined)' if np.isnan(value) else mark}".strip())
        for row, label, mark, value in zip(rows, names, marks, values)
    }
    chart.yaxis.major_tick_line_color = chart.yaxis.axis_line_color = None
    chart.xaxis.ticker = BasicTicker(desired_num_ticks=4)
    chart.ygrid.visible = False
    return chart


def _ends(ends: Sequence[float | None], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ends of intervals; the values where there are none."""
    known = [value if end is None or not math.isfinite(end) else end for end, value in zip(ends, values)]
    return np.array(known, dtype=float)


def _interval(estimate: Estimate) -> str:
    rounding = Rounding.of([estimate.value])
    text = rounding.write(estimate.value)
    if estimate.low is None or estimate.high is None:
        return text
    return f"{text} ({rounding.write(estimate.low)} to {rounding.write(estimate.high)})"


def _estimate_label(estimate: Estimate) -> str:
    remarks = [*(["best"] if estimate.best else []), *([_MARKS[estimate.mark]] if estimate.mark else [])]
    return "\n".join([visible(printable(estimate.corpus)), _interval(estimate), *remarks])


def _forest_table(forest: Forest) -> Table:
    """Return one row per corpus, and one column per metric."""
    cells = {
        (printable(estimate.corpus), metric): Cell(
            _interval(estimate),
            value=estimate.value,
            best=estimate.best,
            mark=estimate.mark,
            missing=math.isnan(estimate.value),
        )
        for metric, estimates in forest.panels.items()
        for estimate in estimates
    }
    corpora = dict.fromkeys(corpus for corpus, _ in cells)
    rows = [
        [
            Cell(corpus, corpus=True),
            *(cells.get((corpus, metric), Cell("–", missing=True)) for metric in forest.panels),
        ]
        for corpus in corpora
    ]
    return Table([Column("corpus", "name"), *map(Column, forest.panels)], rows, forest.title)


def write_plot(plot: Plot, name: str, level: int, looks: Looks) -> tuple[str, list[Chart]]:
    """Return curves or points as markup, and their chart."""
    label = f"{plot.y_title} by {plot.x_title}: {plural(len(plot.series), 'corpus')}. " + "; ".join(
        _range_of(series) for series in plot.series
    )
    body = (
        f"{legend_of([series.corpus for series in plot.series], name, looks)}"
        f'<div class="chart" id="{name}" role="group" aria-label="{markup(label, 10_000)}"></div>'
        f"{_details(_plot_table(plot), name, looks)}"
    )
    facts = {
        "kind": "plot",
        "corpora": [visible(printable(series.corpus)) for series in plot.series],
        "x": visible(plot.x_title),
        "y": visible(plot.y_title),
    }
    return framed(plot.title, body, plot.meaning, level), [Chart(_drawn(plot, looks), name, facts)]


def legend_of(corpora: Sequence[str], name: str, looks: Looks) -> str:
    """Return the corpora as buttons that show and hide them in a chart."""
    buttons = "".join(
        f'<li><button type="button" aria-pressed="true" data-chart="{name}" data-series="{place}">'
        f"{looks.named(corpus)}</button></li>"
        for place, corpus in enumerate(corpora)
    )
    return f'<ul class="keys" aria-label="Corpora to show">{buttons}</ul>'


def _range_of(series: Series) -> str:
    known = [y for y in series.y if math.isfinite(y)]
    if not known:
        return f"{printable(series.corpus)} has no values"
    return f"{printable(series.corpus)} from {min(known):.4g} to {max(known):.4g}"


def _drawn(plot: Plot, looks: Looks) -> BokehFigure:
    from bokeh.models import ColumnDataSource, HoverTool, PlainText
    from bokeh.models.renderers import DataRenderer

    chart = new_figure(PLOT_HEIGHT, "pan,box_zoom,wheel_zoom,reset,save", active_drag=None)
    chart.xaxis.axis_label = PlainText(text=visible(plot.x_title))
    chart.yaxis.axis_label = PlainText(text=visible(plot.y_title))
    points: list[DataRenderer] = []
    for place, series in enumerate(plot.series):
        look = looks[series.corpus]
        tags = ["series", place, look.colour]
        columns: dict[str, Any] = {"x": np.array(series.x, dtype=float), "y": np.array(series.y, dtype=float)}
        if series.low:
            columns |= {"low": np.array(series.low, dtype=float), "high": np.array(series.high, dtype=float)}
        if series.labels:
            columns["label"] = [visible(label) for label in series.labels]
        source = ColumnDataSource(columns)
        if plot.curves:
            if series.low:
                chart.varea("x", "low", "high", source=source, fill_alpha=0.15, tags=tags)
            chart.line("x", "y", source=source, line_width=2, line_dash=look.dash, tags=tags)
        elif series.low:
            chart.segment("x", "low", "x", "high", source=source, line_width=1.5, tags=tags)
        size = 8 if len(series.x) <= 100 else 6
        points.append(
            chart.scatter(
                "x",
                "y",
                source=source,
                size=size * look.size,
                marker=look.marker,
                line_width=0.5,
                fill_alpha=1.0 if plot.curves or len(series.x) <= 100 else 0.6,
                tags=tags,
            )
        )
    chart.add_tools(HoverTool(renderers=points, tooltips=None))
    if any(series.captions for series in plot.series):
        _write_captions(chart, plot.series)
    return chart


def _write_captions(chart: BokehFigure, all_series: Sequence[Series]) -> None:
    """Write captions beside points, where there is room on a wide screen."""
    from bokeh.models import ColumnDataSource, Range1d

    x, y = (np.array([value for series in all_series for value in getattr(series, name)]) for name in "xy")
    ranges = []
    for values in (x, y):
        margin = 0.08 * (float(np.ptp(values)) or 1.0)
        ranges.append((float(values.min()) - margin, float(values.max()) + margin))
    chart.x_range, chart.y_range = (Range1d(start=low, end=high) for low, high in ranges)
    (left, right), (bottom, top) = ranges
    across, up = CAPTIONED_WIDTH / (right - left), PLOT_HEIGHT / (top - bottom)
    captions = [text for series in all_series for text in series.captions or [""] * len(series.x)]
    owners = [place for place, series in enumerate(all_series) for _ in series.x]
    points = [(float(a - left) * across, float(b - bottom) * up) for a, b in zip(x, y)]
    for placed in place_captions(points, captions, (CAPTIONED_WIDTH, PLOT_HEIGHT)):
        place = placed.place
        source = ColumnDataSource(
            {"x": x[place : place + 1], "y": y[place : place + 1], "text": [plain(captions[place])]}
        )
        chart.text(
            *("x", "y", "text"),
            source=source,
            x_offset=placed.dx,
            y_offset=-placed.dy,
            text_align=placed.align,
            text_baseline="middle",
            text_font={"value": FONTS},
            text_font_size="11px",
            tags=["caption", owners[place]],
        )


def _plot_table(plot: Plot) -> Table:
    """Return one row per point; the first ones of a plot of many."""
    labelled = any(series.labels for series in plot.series)
    bounded = any(series.low for series in plot.series)
    columns = [Column("corpus", "name"), *([Column("point", "text")] if labelled else [])]
    columns += [
        Column(plot.x_title),
        Column(plot.y_title),
        *([Column("low"), Column("high")] if bounded else []),
    ]
    rows: list[list[Cell]] = []
    total = sum(len(series.x) for series in plot.series)
    for series in plot.series:
        for place, (x, y) in enumerate(zip(series.x, series.y)):
            if len(rows) == MOST_NUMBERS:
                break
            row = [Cell(printable(series.corpus), corpus=True)]
            row += [Cell(series.labels[place] if series.labels else "")] if labelled else []
            ends = (series.low[place], series.high[place]) if series.low else (math.nan, math.nan)
            rows.append([*row, *map(_number, (x, y, *(ends if bounded else ())))])
    meaning = f"the first {MOST_NUMBERS:,} of {total:,} points" if total > MOST_NUMBERS else ""
    return Table(columns, rows, plot.title, meaning)


def _number(value: float) -> Cell:
    return Cell("–", missing=True) if not math.isfinite(value) else Cell(f"{value:.6g}", value=value)
