"""The map of texts: points to hover over and to select, regions as buttons, and a list of texts to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.report.cells import printable
from distinctly.report.hypertext.charts import Chart, framed, legend_of, new_figure
from distinctly.report.hypertext.colours import Looks
from distinctly.report.hypertext.tables import SHADES, caption
from distinctly.report.hypertext.text import LONGEST, data, markup, plural, visible
from distinctly.report.page import MapPoint, Region, TextMap

if TYPE_CHECKING:
    from bokeh.plotting import figure as BokehFigure  # noqa: N812 - it is a class

# Bytes of all texts of a map, so that a report stays below 6 MB; long texts are shortened for it.
MOST_BYTES = 3_000_000
HEIGHT = 560


def write_map(text_map: TextMap, name: str, level: int, looks: Looks) -> tuple[str, list[Chart]]:
    """Return a map as markup, and its chart."""
    points = text_map.points
    corpora = [corpus for corpus in looks.names if any(printable(point.corpus) == corpus for point in points)]
    length = longest([point.text for point in points])
    label = (
        f"{plural(len(points), 'text')} of {plural(len(corpora), 'corpus')} in "
        f"{plural(len(text_map.regions), 'region')}. The table of regions below has a button per region that "
        "lists its texts."
    )
    body = (
        f"{legend_of(corpora, name, looks)}"
        f'<div class="map"><div class="chart" id="{name}" role="group" aria-label="{markup(label)}"></div>'
        f"{_reader(name, corpora, length)}</div>{_regions(text_map.regions, name, looks)}"
    )
    place_of = {corpus: place for place, corpus in enumerate(corpora)}
    facts = {
        "kind": "map",
        "corpora": [visible(corpus) for corpus in corpora],
        "looks": [[looks[corpus].colour, looks[corpus].swatch] for corpus in corpora],
        "regions": [visible(_title(region, place)) for place, region in enumerate(text_map.regions)],
        "texts": [visible(point.text, length) for point in points],
        "corpus": [place_of[printable(point.corpus)] for point in points],
        "region": [point.region for point in points],
    }
    return framed(text_map.title, body, text_map.meaning, level), [
        Chart(_drawn(points, corpora, len(text_map.regions), looks), name, facts)
    ]


def longest(texts: Sequence[str]) -> int:
    """Return to how many characters texts are shortened, so that all of them have at most `MOST_BYTES`.

    Examples
    --------
    >>> longest(["a" * 5000] * 3), longest(["a" * 2000] * 10_000)
    (1000, 295)
    """

    def size(length: int) -> int:
        return sum(len(data(visible(text, length)).encode()) + 1 for text in texts)

    low, high = 1, LONGEST
    if size(high) <= MOST_BYTES:
        return high
    while low < high - 1:
        middle = (low + high) // 2
        low, high = (middle, high) if size(middle) <= MOST_BYTES else (low, middle)
    return low


def _title(region: Region, place: int) -> str:
    return f"{place + 1}. {region.name}"


def _reader(name: str, corpora: Sequence[str], length: int) -> str:
    """Return the list of selected texts, which the script fills, and its controls."""
    options = "".join(
        f'<option value="{place}">{markup(visible(corpus))}</option>' for place, corpus in enumerate(corpora)
    )
    return (
        f'<div class="reader" id="{name}-reader"><p class="status" role="status">Select texts: click on a '
        "point or a number, or drag a box. The table of regions has the same as buttons.</p>"
        '<div class="controls"><select aria-label="Corpus of the texts">'
        f'<option value="">all corpora</option>{options}</select>'
        '<input type="search" placeholder="Filter texts" aria-label="Filter the texts">'
        '<button type="button" class="clear">Clear</button></div>'
        '<div class="scroll" role="region" tabindex="0" aria-label="Selected texts"><ol class="texts"></ol>'
        '<button type="button" class="more" hidden>Show more</button></div>'
        f'<p class="legend">Texts are shortened to {length:,} characters.</p></div>'
    )


def _regions(regions: Sequence[Region], name: str, looks: Looks) -> str:
    """Return the table of regions: a button per region, the share of each corpus, and what is unusual."""
    if not regions:
        return ""
    corpora = list(dict.fromkeys(printable(corpus) for region in regions for corpus in region.shares))
    remarks = any(region.remark for region in regions)
    titles = "".join(
        '<th scope="col" class="number" aria-sort="none">'
        f'<button type="button">{looks.named(corpus)}</button></th>'
        for corpus in corpora
    )
    titles += '<th scope="col" class="text">remark</th>' if remarks else ""
    rows = []
    for place, region in enumerate(regions):
        shares = {printable(corpus): share for corpus, share in region.shares.items()}
        cells = "".join(_share(shares.get(corpus)) for corpus in corpora)
        remark = f'<td class="remark">{markup(region.remark)}</td>' if remarks else ""
        rows.append(
            f'<tr><th scope="row"><button type="button" class="region" data-map="{name}" '
            f'data-region="{place}" aria-pressed="false"><bdi dir="auto">'
            f"{markup(_title(region, place))}</bdi></button></th>{cells}{remark}</tr>"
        )
    meaning = "the share of the texts of each corpus in each region; a button lists the texts of its region"
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="Regions of the map">'
        f'<table id="{name}-regions" class="sortable heat wide">{caption("Regions", meaning)}'
        f'<thead><tr><th scope="col" class="name" aria-sort="none"><button type="button">region</button></th>'
        f"{titles}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _share(share: float | None) -> str:
    if share is None:
        return '<td class="number missing">–</td>'
    # A third of the texts of a corpus in one region is a lot.
    shade = min(int(share * 3 * SHADES), SHADES - 1)
    return f'<td class="number heat{shade}" data-value="{share:.6g}">{share:.1%}</td>'


def _drawn(points: Sequence[MapPoint], corpora: Sequence[str], regions: int, looks: Looks) -> BokehFigure:
    from bokeh.models import ColumnDataSource, HoverTool, TapTool
    from bokeh.models.renderers import DataRenderer

    chart = new_figure(
        HEIGHT, "box_select,lasso_select,pan,box_zoom,wheel_zoom,reset,save", active_drag="box_select"
    )
    chart.add_tools(TapTool())
    chart.axis.visible = chart.grid.visible = False
    x = np.array([point.x for point in points], dtype=np.float32)
    y = np.array([point.y for point in points], dtype=np.float32)
    names = np.array([printable(point.corpus) for point in points], dtype=object)
    size = 7 if len(points) <= 2000 else 6
    drawn: list[DataRenderer] = []
    for place, corpus in enumerate(corpora):
        members = np.flatnonzero(names == corpus).astype(np.int32)
        look = looks[corpus]
        columns: dict[str, Any] = {"x": x[members], "y": y[members], "row": members}
        drawn.append(
            chart.scatter(
                "x",
                "y",
                source=ColumnDataSource(columns),
                size=size * look.size,
                marker=look.marker,
                fill_alpha=0.75,
                line_width=0.4,
                line_alpha=0.75,
                selection_fill_alpha=0.9,
                selection_line_alpha=0.9,
                nonselection_fill_alpha=0.12,
                nonselection_line_alpha=0.12,
                tags=["series", place, look.colour],
            )
        )
    chart.add_tools(HoverTool(renderers=drawn, tooltips=None))
    region_of = np.array([point.region for point in points], dtype=int)
    known = [region for region in range(regions) if np.any(region_of == region)]
    centres: dict[str, Any] = {
        "x": [float(np.median(x[region_of == region])) for region in known],
        "y": [float(np.median(y[region_of == region])) for region in known],
        "text": [str(region + 1) for region in known],
        "region": known,
    }
    source = ColumnDataSource(centres)
    chart.scatter(
        *("x", "y"),
        source=source,
        size=20,
        fill_alpha=0.9,
        selection_fill_alpha=0.9,
        nonselection_fill_alpha=0.9,
        nonselection_line_alpha=1.0,
        tags=["region"],
    )
    chart.text(
        *("x", "y", "text"),
        source=source,
        text_align="center",
        text_baseline="middle",
        text_font_size="11px",
        text_font_style="bold",
        selection_text_alpha=1.0,
        nonselection_text_alpha=1.0,
        tags=["number"],
    )
    return chart
