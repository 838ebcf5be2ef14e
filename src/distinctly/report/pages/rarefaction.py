"""The page of accumulation curves: one plot and one table per metric."""

from __future__ import annotations

import math
from collections.abc import Iterator

from distinctly.report.cells import (
    EMPTY,
    Rounding,
    cell,
    corpus_cell,
    corpus_size,
    printable,
    words,
)
from distinctly.report.page import (
    Block,
    Cell,
    Column,
    Heading,
    Notes,
    Page,
    Paragraph,
    Plot,
    Series,
    Signatures,
    Table,
)
from distinctly.report.pages.scores import MOST_NOTES, owned_notes
from distinctly.run.rarefying import Point, Rarefaction
from distinctly.score import finite

LEGEND = (
    "Each value is the expectation over random {units} of the corpus that have this many n-grams on average."
)


def page_of_rarefaction(result: Rarefaction) -> Page:
    """Lay out accumulation curves."""
    blocks: list[Block] = [
        Heading(printable(corpus["name"]), corpus_size(corpus)) for corpus in result.corpora
    ]
    blocks += plots_of(result)
    blocks += [_table(result, spec) for spec in dict.fromkeys(point.spec for point in result.points)]
    blocks.append(Paragraph(LEGEND.format(units=f"{_unit(result)}s"), "legend"))
    blocks.append(Notes(owned_notes(result.scores), MOST_NOTES))
    blocks.append(Signatures([point.score.signature for point in result.points]))
    return Page(
        blocks,
        document=result.to_dict,
        records=result.to_records,
        columns=list(result.points[0].to_record()) if result.points else [],
        values=[point.score.value for point in result.points],
        title="curves",
    )


def plots_of(result: Rarefaction) -> list[Plot]:
    """Return one plot per metric that has values."""
    plots = []
    for spec in dict.fromkeys(point.spec for point in result.points):
        series = [
            each
            for (metric, _), points in result.curves().items()
            if metric == spec and (each := _series(points)) is not None
        ]
        if series:
            meaning = LEGEND.format(units=f"{_unit(result)}s")
            meaning += " Bands are 95 % intervals." if any(each.low for each in series) else ""
            meaning += " Compare corpora at a size that all of them have." if len(series) > 1 else ""
            plots.append(Plot(f"{spec} by size", _grams(result, spec), spec, series, meaning))
    return plots


def _unit(result: Rarefaction) -> str:
    return str(result.points[0].score.options.get("unit", "text")) if result.points else "text"


def _grams(result: Rarefaction, spec: str) -> str:
    """Return what the size of a metric is a number of."""
    n = next(point.score.options.get("n", 1) for point in result.points if point.spec == spec)
    return "tokens" if n == 1 else f"{n}-grams"


def _series(points: list[Point]) -> Series | None:
    """Return a curve; None if it has no value."""
    known = [point for point in points if not math.isnan(point.score.value)]
    if not known:
        return None
    ends = [(point.score.low, point.score.high) for point in known]
    banded = [(low, high) for low, high in ends if low is not None and high is not None]
    whole = len(banded) == len(known)
    return Series(
        printable(known[0].corpus),
        [float(point.size) for point in known],
        [point.score.value for point in known],
        [low for low, _ in banded] if whole else [],
        [high for _, high in banded] if whole else [],
    )


def _table(result: Rarefaction, spec: str) -> Table:
    """Return one section per corpus, and one row per size in it."""
    curves = {corpus: points for (metric, corpus), points in result.curves().items() if metric == spec}
    rounding = Rounding.of(
        point.score.value
        for points in curves.values()
        for point in points
        if not math.isnan(point.score.value)
    )
    rows: list[list[Cell]] = []
    sections: list[int] = []
    for corpus, points in curves.items():
        if len(curves) > 1:
            sections.append(len(rows))
            rows.append([corpus_cell(corpus), EMPTY, EMPTY])
        rows += _rows(points, rounding, indented=len(curves) > 1)
    columns = [Column(_grams(result, spec), "name"), Column(f"{_unit(result)}s"), Column(spec)]
    return Table(columns, rows, spec, sections=sections)


def _rows(points: list[Point], rounding: Rounding, *, indented: bool) -> Iterator[list[Cell]]:
    for point in points:
        units = finite(point.units)
        drawn = EMPTY if units is None else Cell(f"{units:,.1f}", value=units)
        size = words(f"{point.size:,}")
        yield [Cell(size.text, indented=indented), drawn, cell(point.score, rounding)]
