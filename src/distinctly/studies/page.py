"""The page of an analysis: methods, annotators, their agreement, and metrics that agree with them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from distinctly.judging.page import page_of, whole_notes
from distinctly.judging.people.findings import PeopleTrial
from distinctly.report.cells import NONE, bare, printable, words
from distinctly.report.page import Block, Cell, Column, Notes, Page, Paragraph, Table
from distinctly.score import finite
from distinctly.studies.analysis import METHODS, Analysis
from distinctly.studies.reliability import Reliability

FORMAT_VERSION = 1
RESCALED = {
    "none": "as they were given",
    "package": "rescaled per annotator and package",
}


def page_of_analysis(analysis: Analysis) -> Page:
    """Lay an analysis out for reading, with one record per set for programs."""
    pages = [page_of(trial) for trial in _trials(analysis)]
    tables, legends, notes = _collected(pages)
    annotators = [table for table in tables if table.columns[0].title == "annotator"]
    correlations = [table for table in tables if table.columns[0].title != "annotator"]
    blocks: list[Block] = [
        *(Paragraph(text, "header") for text in _head(analysis)),
        _methods(analysis),
        *(annotators or [_annotators(analysis)]),
        _agreement(analysis.reliabilities),
        *correlations,
        *legends,
        Paragraph(_LEGEND, "legend"),
        Notes(
            [
                *whole_notes(
                    dict.fromkeys(
                        [*analysis.notes, *(one.note for one in analysis.reliabilities if one.note)]
                    )
                ),
                *(note for block in notes for note in block.items if note.note not in analysis.notes),
            ]
        ),
    ]
    return Page(
        blocks,
        document=lambda: document_of(analysis),
        records=lambda: list(_records(analysis)),
        findings=[row for page in pages for row in page.findings or ()],
        title="sets",
        more_sheets=lambda: {
            "methods": [score.to_dict() for score in analysis.methods],
            "agreement": [each.to_dict() for each in analysis.reliabilities],
        },
    )


_LEGEND = (
    "α: Krippendorff's, of interval data. ICC2 and ICC2k: absolute agreement of one annotator and of the "
    "mean of all, with 95 % intervals."
)


def document_of(analysis: Analysis) -> dict[str, Any]:
    """Return everything as plain data, for JSON."""
    return {
        "format_version": FORMAT_VERSION,
        "study": analysis.name,
        "scale": list(analysis.scale),
        "rescale": analysis.rescale,
        "agreement_with": analysis.consensus.agreement_with,
        "least_agreement": analysis.consensus.least_agreement,
        "dropped": list(analysis.consensus.dropped),
        "annotators": {
            name: {
                "sets": agreement.sets,
                "with_others": finite(agreement.others),
                "with_average": finite(agreement.average),
                "kept": name not in analysis.consensus.dropped,
            }
            for name, agreement in analysis.consensus.agreement.items()
        },
        "reliability": [each.to_dict() for each in analysis.reliabilities],
        "methods": [score.to_dict() for score in analysis.methods],
        "findings": [finding.to_dict() for trial in _trials(analysis) for finding in trial.findings],
        "sets": [
            {key: finite(value) if isinstance(value, float) else value for key, value in record.items()}
            for record in _records(analysis)
        ],
        "notes": list(analysis.notes),
    }


def _trials(analysis: Analysis) -> list[PeopleTrial]:
    return [trial for trial in (analysis.by_sets, analysis.by_methods) if trial is not None]


def _records(analysis: Analysis) -> Iterable[Mapping[str, Any]]:
    """Yield one row per set: its human score, and the score of each annotator."""
    people = list(analysis.consensus.agreement)
    for each, score, annotation in zip(analysis.sets, analysis.consensus.scores, analysis.annotations):
        yield {
            "set": each.set,
            "package": each.package,
            "method": each.method,
            "human": float(score),
            **{f"score {name}": annotation.get(name) for name in people},
        }


def _collected(pages: Sequence[Page]) -> tuple[list[Table], list[Paragraph], list[Notes]]:
    """Return the tables, legends and notes of trials; what both say is said once."""
    blocks = [block for page in pages for block in page.blocks]
    tables = [_renamed(block) for block in blocks if isinstance(block, Table)]
    legends = [block for block in blocks if isinstance(block, Paragraph) and block.role == "legend"]
    notes = [block for block in blocks if isinstance(block, Notes)]
    return tables, list(dict.fromkeys(legends)), notes


def _renamed(table: Table) -> Table:
    """Return a table whose title says what its rows were computed on."""
    if table.title.startswith(f"{METHODS}: ") and table.title.endswith(" sets"):
        return replace(
            table, title=f"{table.title.removesuffix(' sets')} methods, all texts of each together"
        )
    return table


def _head(analysis: Analysis) -> list[str]:
    packages = len({each.package for each in analysis.sets})
    low, high = analysis.scale
    combined = analysis.consensus
    count, dropped = len(combined.agreement), len(combined.dropped)
    people = f"{count:,} annotator{'s' * (count != 1)}"
    treated = f"{RESCALED[analysis.rescale]} (--rescale {analysis.rescale})"
    lines = [
        f"{analysis.name}: {len(analysis.sets):,} sets in {packages:,} packages of "
        f"{len(analysis.methods_order)} methods, scored from {low:g} to {high:g} by {people}; scores "
        f"{treated}, averaged, and mapped to 0–10."
    ]
    of = {"others": "the mean of the others", "average": "the average of all"}[combined.agreement_with]
    if combined.least_agreement is None:
        lines.append("No annotator is dropped (--least-agreement none).")
    elif dropped:
        rule = f"below {combined.least_agreement:g} or undefined"
        each = ", ".join(
            f"{printable(name)} (r = {_r(combined.agreement[name].with_(combined.agreement_with))})"
            for name in combined.dropped
        )
        lines.append(f"Dropped, since the correlation with {of} is {rule}: {each}.")
    else:
        lines.append(
            f"No annotator is dropped: all correlations with {of} are {combined.least_agreement:g} or more."
        )
    return lines


def _methods(analysis: Analysis) -> Table:
    in_order = sorted(analysis.methods, key=lambda score: (math.isnan(score.human), -score.human))
    rows = [
        [
            words(printable(score.method)),
            Cell(f"{score.human:.2f}", value=score.human, low=score.low, high=score.high)
            if score.sets
            else NONE,
            NONE if math.isnan(score.low) else Cell(f"{score.low:.2f}–{score.high:.2f}"),
            Cell(f"{score.sets:,}", value=score.sets),
        ]
        for score in in_order
    ]
    columns = [Column("method", "name"), Column("human, 0–10"), Column("95 %"), Column("sets")]
    return Table(columns, rows, "Methods, the most diverse first")


def _annotators(analysis: Analysis) -> Table:
    """Return one row per annotator, for an analysis without metrics."""
    combined = analysis.consensus
    rows = [
        [
            words(printable(name)),
            Cell(f"{agreement.sets:,}", value=agreement.sets),
            *(Cell(_r(r), value=r, missing=math.isnan(r)) for r in (agreement.others, agreement.average)),
            words("no" if name in combined.dropped else "yes"),
        ]
        for name, agreement in sorted(
            combined.agreement.items(), key=lambda item: _first(item[1].with_(combined.agreement_with))
        )
    ]
    titles = ("sets", "r with the mean of the others", "r with the average of all")
    columns = [Column("annotator", "name"), *(Column(title) for title in titles), Column("kept", "text")]
    return Table(columns, rows, "Annotators")


def _agreement(reliabilities: Sequence[Reliability]) -> Table:
    rows = [
        [
            words(f"{'all' if each.annotators == 'all' else 'kept'} ({each.count})"),
            words("as given" if each.rescale == "none" else "per package"),
            _value(each.alpha),
            _value(each.icc2, each.icc2_low, each.icc2_high),
            _value(each.icc2k, each.icc2k_low, each.icc2k_high),
            Cell(f"{each.complete:,}", value=each.complete),
        ]
        for each in reliabilities
    ]
    columns = [
        Column("annotators", "name"),
        Column("scores", "text"),
        Column("α"),
        Column("ICC2 (95 %)"),
        Column("ICC2k (95 %)"),
        Column("complete sets"),
    ]
    return Table(columns, rows, "Agreement of the annotators")


def _value(value: float, low: float = math.nan, high: float = math.nan) -> Cell:
    if math.isnan(value):
        return Cell("undefined", value=value, missing=True)
    interval = "" if math.isnan(low) else f" ({bare(low, 2)}, {bare(high, 2)})"
    return Cell(f"{bare(value)}{interval}", value=value, low=finite(low), high=finite(high))


def _r(value: float) -> str:
    return "undefined" if math.isnan(value) else bare(value)


def _first(value: float) -> float:
    return -math.inf if math.isnan(value) else value
