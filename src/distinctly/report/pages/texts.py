"""The page of one value per text: the table, a summary of each metric, correlations, notes, signatures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, overload

from distinctly.report.cells import EMPTY, Rounding, bare, clipped, corpus_size, printable, words
from distinctly.report.page import Block, Cell, Column, Heading, Notes, Page, Paragraph, Signatures, Table
from distinctly.report.pages.scores import MOST_NOTES, owned_notes
from distinctly.run.per_text import TOKENS, TextTable
from distinctly.score import FORMAT_VERSION

# More rows than this do not fit a screen; longer cells of kept text are shortened.
MOST_ROWS, LONGEST = 10, 40
# The rounding of numbers of the input, which are not rounded.
AS_GIVEN = Rounding(0)
# The columns that state where a text is.
_PLACES = ("corpus", "file", "row", "id", "place")


class LazyRows(Sequence[Sequence[Cell]]):
    """The rows of a table, whose cells are made when they are shown."""

    def __init__(self, count: int, make: Callable[[int], Sequence[Cell]]) -> None:
        self._places, self._make = range(count), make

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Sequence[Cell]: ...
    @overload
    def __getitem__(self, place: slice) -> list[Sequence[Cell]]: ...

    def __getitem__(self, place: int | slice) -> Sequence[Cell] | list[Sequence[Cell]]:
        """Return one row, or several."""
        if isinstance(place, slice):
            return [self._make(number) for number in self._places[place]]
        return self._make(self._places[place])


def page_of_texts(table: TextTable) -> Page:
    """Lay out the values of texts."""
    blocks: list[Block] = [
        Heading(printable(str(corpus["name"])), corpus_size(corpus)) for corpus in table.means.corpora
    ]
    blocks += [_texts(table), _summary(table)]
    if table.correlations:
        blocks += [_correlations(table), *_legend(table)]
    blocks += [
        Notes(owned_notes(table.means), MOST_NOTES),
        Signatures([score.signature for score in table.means]),
    ]
    return Page(
        blocks,
        document=lambda: {**table.to_dict(), "format_version": FORMAT_VERSION},
        records=lambda: list(table),
        columns=list(table.columns),
        title="texts",
        more_sheets=lambda: {
            "summaries": [summary.to_dict() for summary in table.summaries],
            "correlations": [correlation.to_dict() for correlation in table.correlations],
        },
    )


def _texts(table: TextTable) -> Table:
    """Return one row per text."""
    measured = (TOKENS, *table.metrics)
    # Numbers of the input are written as they are.
    roundings = {
        name: _rounding(column) if name in measured else AS_GIVEN if _are_numbers(column) else None
        for name, column in table.columns.items()
    }
    columns = [
        Column(
            printable(name),
            "name" if name in _PLACES else "number" if roundings[name] is not None else "text",
            muted=name not in (*_PLACES, *measured) and roundings[name] is None,
        )
        for name in table.columns
    ]

    def row(place: int) -> list[Cell]:
        return [_cell(column[place], roundings[name]) for name, column in table.columns.items()]

    return Table(columns, LazyRows(len(table), row), "One row per text", most=MOST_ROWS)


def _rounding(column: Sequence[float]) -> Rounding:
    """Return the decimals of the values of a metric."""
    return Rounding.of([float(value) for value in column])


def _are_numbers(column: Sequence[Any]) -> bool:
    known = [value for value in column if value is not None]
    return bool(known) and all(type(value) in (int, float) for value in known)


def _cell(value: Any, rounding: Rounding | None) -> Cell:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return EMPTY
    if rounding is None:
        return words(clipped(printable(str(value)), LONGEST))
    text = f"{value:.10g}" if rounding is AS_GIVEN else rounding.write(value)
    return Cell(text, value=float(value))


def _summary(table: TextTable) -> Table:
    """Return one row per metric and corpus."""
    several = len(table.corpora) > 1
    titles = ["texts", "mean", "sd", "min", "median", "max"]
    columns = [Column("metric", "name"), *([Column("corpus", "name")] if several else [])]
    rows = []
    for summary in table.summaries:
        rounding = Rounding.of([summary.mean, summary.sd, summary.low, summary.median, summary.high])
        defined = summary.texts - summary.undefined
        numbers = (summary.mean, summary.sd, summary.low, summary.median, summary.high)
        rows.append(
            [
                words(summary.metric),
                *([Cell(printable(summary.corpus), corpus=True)] if several else []),
                Cell(f"{defined:,}", value=defined),
                *(EMPTY if math.isnan(number) else _cell(number, rounding) for number in numbers),
            ]
        )
    meaning = "texts with a value, their mean, standard deviation, minimum, median and maximum"
    return Table([*columns, *(Column(title) for title in titles)], rows, "Summary", meaning)


def _correlations(table: TextTable) -> Table:
    """Return one row per metric and corpus."""
    several = len(table.corpora) > 1
    rows = []
    for correlation in table.correlations:
        measures = (
            (correlation.pearson, correlation.pearson_interval),
            (correlation.spearman, correlation.spearman_interval),
        )
        rows.append(
            [
                words(correlation.metric),
                *([Cell(printable(correlation.corpus), corpus=True)] if several else []),
                *(
                    Cell("undefined", missing=True)
                    if math.isnan(value)
                    else Cell(bare(value, sign="+") + _interval(low, high), value=value, low=low, high=high)
                    for value, (low, high) in measures
                ),
                Cell(f"{correlation.texts:,}", value=correlation.texts),
            ]
        )
    columns = [Column("metric", "name"), *([Column("corpus", "name")] if several else [])]
    columns += [Column("Pearson's r (95 %)"), Column("Spearman's ρ (95 %)"), Column("texts")]
    column = printable(table.correlations[0].column)
    return Table(columns, rows, f"Correlation with {column}")


def _interval(low: float, high: float) -> str:
    return "" if math.isnan(low) or math.isnan(high) else f" ({bare(low, 2)}, {bare(high, 2)})"


def _legend(table: TextTable) -> list[Paragraph]:
    lines = [table.correlations[0].how]
    for correlation in table.correlations:
        for note in correlation.notes:
            owner = f" of {printable(correlation.corpus)}" if len(table.corpora) > 1 else ""
            lines.append(f"{correlation.metric}{owner}: {printable(note)}")
    return [Paragraph(line, "legend") for line in lines]
