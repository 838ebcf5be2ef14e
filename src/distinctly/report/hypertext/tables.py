"""Tables that can be sorted and filtered, and tables of numbers with colours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from distinctly.report.hypertext.colours import Looks
from distinctly.report.hypertext.text import LONGEST, markup
from distinctly.report.page import MARKS, Cell, Column, HeatMap, Mark, Table

# A browser is slow with more rows and cells than this; the others are in other formats.
MOST_ROWS, MOST_CELLS = 5000, 40_000
# Longer tables can be filtered.
LONG = 10
# The number of colours of a heat map.
SHADES = 10
_MEANINGS: dict[Mark, str] = {
    "": "",
    "noise": "the difference may be due to chance",
    "partial": "from a part of the data only",
    "few": "repeated in few texts",
}


def write_table(table: Table, name: str, looks: Looks) -> str:
    """Return a table as markup.

    Parameters
    ----------
    table
        The table; the first rows of a very long one are shown, and it says so.
    name
        The id of the table, and the beginning of the ids in it.
    looks
        The looks of corpora, whose names get their marker.
    """
    most = min(MOST_ROWS, MOST_CELLS // max(len(table.columns), 1))
    count = min(len(table.rows), most)
    bodies = "".join(_bodies(table, count, looks))
    titles = "".join(_title(column) for column in table.columns)
    parts = [_filter(table, name) if count > LONG else ""]
    parts.append(
        f'<div class="scroll" role="region" tabindex="0" aria-label="{markup(table.title or "Table")}">'
        f'<table id="{name}" class="sortable{_width(len(table.columns))}">'
        f"{caption(table.title, table.meaning)}<thead><tr>{titles}</tr></thead>{bodies}</table></div>"
    )
    if count < len(table.rows):
        parts.append(
            f'<p class="legend">The first {count:,} of {len(table.rows):,} rows. All of them are in a file '
            "with another ending: -o FILE.csv.</p>"
        )
    return "".join(parts)


def _width(columns: int) -> str:
    """Return the class of a table that is set smaller on paper."""
    return " wider" if columns > 12 else " wide" if columns > 6 else ""


def _filter(table: Table, name: str) -> str:
    label = f"Filter the rows of “{table.title}”" if table.title else "Filter the rows"
    return (
        f'<div class="filter"><input type="search" data-filter="{name}" placeholder="Filter rows" '
        f'aria-label="{markup(label)}"><span role="status"></span></div>'
    )


def caption(title: str, meaning: str) -> str:
    """Return the caption of a table; empty if it has none."""
    if not title and not meaning:
        return ""
    explained = f'<span class="meaning">{markup(meaning)}</span>' if meaning else ""
    return f"<caption>{markup(title)} {explained}</caption>"


def _title(column: Column) -> str:
    kinds = " ".join([column.kind, *(["muted"] if column.muted else [])])
    button = f'<button type="button">{markup(column.title)}</button>' if column.title else ""
    sorting = ' aria-sort="none"' if button else ""
    return f'<th scope="col" class="{kinds}"{sorting}>{button}</th>'


def _bodies(table: Table, count: int, looks: Looks) -> Iterator[str]:
    """Yield the rows; each section is a body of its own, which is sorted by itself."""
    starts = sorted({0, *(place for place in table.sections if place < count)})
    for start, end in zip(starts, [*starts[1:], count]):
        rows = [
            _row(table, table.rows[place], looks, section=place in table.sections)
            for place in range(start, end)
        ]
        yield f"<tbody>{''.join(rows)}</tbody>"


def _row(table: Table, cells: Sequence[Cell], looks: Looks, *, section: bool) -> str:
    written = "".join(
        _cell(cell, column, looks, first=place == 0, section=section)
        for place, (cell, column) in enumerate(zip(cells, table.columns))
    )
    return f'<tr class="section">{written}</tr>' if section else f"<tr>{written}</tr>"


def _cell(cell: Cell, column: Column, looks: Looks, *, first: bool, section: bool) -> str:
    kinds = [
        *(["number"] if column.kind == "number" else []),
        *(["muted"] if column.muted else []),
        *(["missing"] if cell.missing else []),
        *(["indented"] if cell.indented else []),
    ]
    attributes = f' class="{" ".join(kinds)}"' if kinds else ""
    if cell.value is not None and math.isfinite(cell.value):
        attributes += f' data-value="{cell.value:.10g}"'
    if first and column.kind == "name":
        scope = "rowgroup" if section else "row"
        return f'<th scope="{scope}"{attributes}>{contents(cell, looks)}</th>'
    return f"<td{attributes}>{contents(cell, looks)}</td>"


def contents(cell: Cell, looks: Looks) -> str:
    """Return what a cell shows: its text, bold if it is the best, and its marks with their meaning."""
    if cell.corpus:
        text = looks.named(cell.text)
    elif cell.value is None and not cell.text.isascii():
        text = f'<bdi dir="auto">{markup(cell.text, LONGEST)}</bdi>'
    else:
        text = markup(cell.text, LONGEST)
    if cell.best and text:
        text = f"<strong>{text}</strong>"
    if cell.mark:
        text += f'<abbr title="{_MEANINGS[cell.mark]}">{MARKS[cell.mark]}</abbr>'
    return text


def write_heat_map(heat_map: HeatMap, name: str, looks: Looks) -> str:
    """Return a table of numbers as markup, with a colour per cell beside its text: darker is larger."""
    values = [
        cell.value
        for row in heat_map.cells
        for cell in row
        if cell.value is not None and math.isfinite(cell.value)
    ]
    low, high = min(values, default=0.0), max(values, default=0.0)
    titles = "".join(f'<th scope="col">{looks.named(title)}</th>' for title in heat_map.columns)
    rows = "".join(
        f'<tr><th scope="row">{looks.named(title)}</th>'
        + "".join(
            f'<td class="number {_shade(cell, low, high)}">{contents(cell, looks)}</td>' for cell in cells
        )
        + "</tr>"
        for title, cells in zip(heat_map.rows, heat_map.cells)
    )
    scale = ""
    if values and low < high:
        steps = "".join(f'<span class="heat{shade}"></span>' for shade in range(SHADES))
        scale = f'<p class="scale"><span>{low:.3g}</span>{steps}<span>{high:.3g}</span></p>'
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{markup(heat_map.title)}">'
        f'<table id="{name}" class="heat{_width(len(heat_map.columns) + 1)}">'
        f"{caption(heat_map.title, heat_map.meaning)}"
        f"<thead><tr><td></td>{titles}</tr></thead><tbody>{rows}</tbody></table></div>{scale}"
    )


def _shade(cell: Cell, low: float, high: float) -> str:
    if cell.value is None or not math.isfinite(cell.value):
        return "missing"
    share = (cell.value - low) / (high - low) if high > low else 0.0
    return f"heat{min(int(share * SHADES), SHADES - 1)}"
