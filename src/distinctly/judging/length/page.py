"""The page of a trial of length: what each score does as texts get longer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from distinctly.judging.length.findings import LengthTrial
from distinctly.judging.length.verdict import LEVEL, bends, percent, verdict
from distinctly.judging.lines import Estimate
from distinctly.judging.page import Page
from distinctly.judging.trial import Finding
from distinctly.report.cells import Grid, clipped, printable, rounded

BENT = "~"
# How wide names may be, and how wide the other columns of a table are.
WIDEST_NAME, NUMBERS = 34, 80


@dataclass(frozen=True)
class Row:
    """What was found for one metric on one corpus."""

    corpus: str
    title: str
    slope: Finding
    relative: Finding
    change: Finding

    @property
    def verdict(self) -> str:
        """In a word, with a mark where a line says too little."""
        low, high = (math.nan if bound is None else bound for bound in (self.change.low, self.change.high))
        bent = bends(self.change.mean, self.relative.parts["bend"])
        return verdict(Estimate(self.change.mean, low, high)) + f" {BENT}" * bent


def page(trial: LengthTrial, width: int) -> Page:
    """Lay out a table a corpus, one of all corpora where there are several, and the verdicts."""
    rows = _found(trial)
    measured = {str(one["corpus"]): one for one in trial.settings["measured"]}
    corpora = list(dict.fromkeys(row.corpus for row in rows))
    grids = [
        Grid(
            _title(measured[corpus], trial.settings["sets"]),
            ["metric", "shortest", "longest", "slope a token", "% a token", "% over all", "verdict"],
            [_cells(row, width) for row in rows if row.corpus == corpus],
        )
        for corpus in corpora
    ]
    if len(corpora) > 1:
        grids += _side_by_side(rows, corpora, width)
    verdicts = [f"{_on(row)}. {row.relative.notes[0]}" for row in rows]
    notes = [f"{_on(row)}: {note}" for row in rows for note in row.relative.notes[1:]]
    return Page(_head(trial), grids, verdicts, [*trial.notes, *notes])


def _head(trial: LengthTrial) -> list[str]:
    used = {"tokenizer": trial.settings["tokenizer"], "embedder": ", ".join(trial.embedders)}
    told = ", ".join(f"{what}: {name}" for what, name in used.items() if name)
    level = f"{LEVEL:.0%}".replace("%", " %")
    return [
        f"Score against length, in tokens a text{f' ({told})' if told else ''}: at the shortest, at the "
        "longest, and the slope of a line through the mean score of each length, with 95 % intervals; "
        "%: of the mean score.",
        f"Level: the interval of the change over all lengths is within ±{level}. {BENT} bends: the line "
        "misses a length by more than half of that change.",
    ]


def _found(trial: LengthTrial) -> list[Row]:
    by_series: dict[tuple[str, str], dict[str, Finding]] = {}
    for one in trial.findings:
        key = str(one.settings["corpus"]), printable(trial.title(one))
        by_series.setdefault(key, {})[one.measure] = one
    return [
        Row(*key, found["slope"], found["relative_slope"], found["change"])
        for key, found in by_series.items()
    ]


def _title(sets: Mapping[str, Any], times: int) -> str:
    lengths = sets["lengths"]
    steps = "" if len(lengths) == lengths[-1] - lengths[0] + 1 else f" ({len(lengths)} lengths)"
    told = f"{lengths[0]} to {lengths[-1]} tokens{steps}, {sets['texts']:,} texts a set, {times} a length"
    return f"{printable(sets['corpus'])}: {told}"


def _cells(row: Row, width: int) -> list[str]:
    return [
        clipped(row.title, max(width - NUMBERS, 14)),
        *(rounded(row.relative.parts[end]) for end in ("at_shortest", "at_longest")),
        _plus_minus(row.slope, lambda number, sign: f"{number:{sign}.3g}"),
        *(_plus_minus(share, _bare) for share in (row.relative, row.change)),
        row.verdict,
    ]


def _side_by_side(rows: Sequence[Row], corpora: Sequence[str], width: int) -> list[Grid]:
    """Say what each metric does on each corpus; a corpus is a row."""
    cells = {(row.corpus, row.title): f"{percent(row.relative.mean)} {row.verdict}" for row in rows}
    metrics = list(dict.fromkeys(row.title for row in rows))
    first = min(max(map(len, corpora)), WIDEST_NAME)
    columns = max((width - first) // (max(map(len, [*cells.values(), *metrics])) + 3), 1)
    return [
        Grid(
            "% a token, side by side",
            ["corpus", *shown],
            [
                [clipped(printable(corpus), first), *(cells.get((corpus, metric), "") for metric in shown)]
                for corpus in corpora
            ],
        )
        for shown in (metrics[start : start + columns] for start in range(0, len(metrics), columns))
    ]


def _on(row: Row) -> str:
    return f"{row.title} on {printable(row.corpus)}"


def _plus_minus(finding: Finding, written: Callable[[float, str], str]) -> str:
    """Return a number with half of its interval."""
    if math.isnan(finding.mean):
        return "undefined"
    if finding.low is None or finding.high is None:
        return written(finding.mean, "+")
    half = max(finding.high - finding.mean, finding.mean - finding.low)
    return f"{written(finding.mean, '+')} ±{written(half, '')}"


def _bare(share: float, sign: str) -> str:
    return percent(share, sign).removesuffix(" %")
