"""The page of a trial of length: how each score changes as texts get longer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from distinctly.judging.length.findings import LengthTrial
from distinctly.judging.length.verdict import LEVEL, bends, percent, verdict
from distinctly.judging.lines import Estimate
from distinctly.judging.page import lay_out, whole_notes
from distinctly.judging.trial import Finding
from distinctly.report.cells import EMPTY, printable, rounded, words
from distinctly.report.page import Block, Cell, Column, OwnedNote, Table
from distinctly.score import Note

BENT = "~"
_COLUMNS = (
    Column("metric", "name"),
    *(Column(title) for title in ("shortest", "longest", "slope per token", "% per token", "% over all")),
    Column("verdict", "text"),
)


@dataclass(frozen=True)
class Row:
    """The findings of one metric on one corpus."""

    corpus: str
    title: str
    slope: Finding
    relative: Finding
    change: Finding

    @property
    def verdict(self) -> str:
        """The verdict in one word, with a mark if a line fits badly."""
        low, high = (math.nan if bound is None else bound for bound in (self.change.low, self.change.high))
        bent = bends(self.change.mean, self.relative.parts["bend"])
        return verdict(Estimate(self.change.mean, low, high)) + f" {BENT}" * bent


def blocks(trial: LengthTrial) -> list[Block]:
    """Lay out one table per corpus, one that compares several corpora, and the verdicts."""
    rows = _rows(trial)
    measured = {str(sets["corpus"]): sets for sets in trial.settings["measured"]}
    corpora = list(dict.fromkeys(row.corpus for row in rows))
    tables = [
        Table(
            _COLUMNS,
            [_cells(row) for row in rows if row.corpus == corpus],
            _title(measured[corpus], trial.settings["sets"]),
        )
        for corpus in corpora
    ]
    if len(corpora) > 1:
        tables.append(_side_by_side(rows, corpora))
    verdicts = [f"{_owner(row)}. {row.relative.notes[0]}" for row in rows]
    notes = [OwnedNote(Note(note), specs=[_owner(row)]) for row in rows for note in row.relative.notes[1:]]
    return lay_out(_head(trial), tables, [*whole_notes(trial.notes), *notes], verdicts=verdicts)


def _head(trial: LengthTrial) -> list[str]:
    used = {"tokenizer": trial.settings["tokenizer"], "embedder": ", ".join(trial.embedders)}
    views = ", ".join(f"{what}: {name}" for what, name in used.items() if name)
    level = f"{LEVEL:.0%}".replace("%", " %")
    return [
        f"Score against length, in tokens per text{f' ({views})' if views else ''}: at the shortest length, "
        "at the longest, and the slope of a line through the mean score per length, with 95 % intervals; "
        "%: of the mean score.",
        f"Level: the interval of the change over all lengths is within ±{level}. {BENT} bends: the line "
        "misses a mean by more than half of that change.",
    ]


def _rows(trial: LengthTrial) -> list[Row]:
    by_series: dict[tuple[str, str], dict[str, Finding]] = {}
    for finding in trial.findings:
        key = str(finding.settings["corpus"]), trial.title(finding)
        by_series.setdefault(key, {})[finding.measure] = finding
    return [
        Row(*key, findings["slope"], findings["relative_slope"], findings["change"])
        for key, findings in by_series.items()
    ]


def _title(sets: Mapping[str, Any], times: int) -> str:
    lengths = sets["lengths"]
    steps = "" if len(lengths) == lengths[-1] - lengths[0] + 1 else f" ({len(lengths)} lengths)"
    if sets.get("bins"):
        steps = f" ({len(lengths)} bins, texts cut to equal length)"
    size = f"{sets['texts']:,} texts per set, {times} sets per length"
    return f"{printable(sets['corpus'])}: {lengths[0]} to {lengths[-1]} tokens{steps}, {size}"


def _cells(row: Row) -> list[Cell]:
    ends = [row.relative.parts[end] for end in ("at_shortest", "at_longest")]
    return [
        words(row.title),
        *(Cell(rounded(value), value=value) for value in ends),
        _plus_minus(row.slope, lambda number, sign: f"{number:{sign}.3g}"),
        *(_plus_minus(share, _bare) for share in (row.relative, row.change)),
        words(row.verdict),
    ]


def _side_by_side(rows: Sequence[Row], corpora: Sequence[str]) -> Table:
    """Return one row per corpus and one column per metric."""
    cells = {
        (row.corpus, row.title): Cell(
            f"{percent(row.relative.mean)} {row.verdict}",
            value=row.relative.mean,
            low=row.relative.low,
            high=row.relative.high,
        )
        for row in rows
    }
    metrics = list(dict.fromkeys(row.title for row in rows))
    return Table(
        [Column("corpus", "name"), *(Column(metric) for metric in metrics)],
        [
            [words(printable(corpus)), *(cells.get((corpus, metric), EMPTY) for metric in metrics)]
            for corpus in corpora
        ],
        "% per token, side by side",
    )


def _owner(row: Row) -> str:
    return f"{row.title} on {printable(row.corpus)}"


def _plus_minus(finding: Finding, written: Callable[[float, str], str]) -> Cell:
    """Return a number with half the width of its interval."""
    mean, low, high = finding.mean, finding.low, finding.high
    if math.isnan(mean):
        return Cell("undefined", value=mean, missing=True)
    text = written(mean, "+")
    if low is not None and high is not None:
        text += f" ±{written(max(high - mean, mean - low), '')}"
    return Cell(text, value=mean, low=low, high=high)


def _bare(share: float, sign: str) -> str:
    return percent(share, sign).removesuffix(" %")
