"""The page of a trial of length: what each score does as texts get longer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from distinctly.judging.length_verdict import LEVEL, percent, verdict
from distinctly.judging.slopes import Estimate
from distinctly.judging.trial import Finding, Trial
from distinctly.report.cells import Grid, clipped, printable, rounded
from distinctly.report.trials import Page


def page(trial: Trial, width: int) -> Page:
    """Lay out a table a corpus, one of all corpora where there are several, and the verdicts."""
    by_corpus: dict[str, list[Finding]] = {}
    for one in trial.findings:
        by_corpus.setdefault(str(one.settings["corpus"]), []).append(one)
    measured = {str(one["corpus"]): one for one in trial.settings["measured"]}
    metrics = list(dict.fromkeys(_name(one) for one in trial.findings))
    grids = [
        Grid(_title(measured[corpus], trial.settings["sets"]), *_rows(found, width))
        for corpus, found in by_corpus.items()
    ]
    if len(by_corpus) > 1:
        grids.append(_side_by_side(by_corpus, metrics, width))
    tokenizer = trial.settings["tokenizer"]
    told = f" (tokenizer: {tokenizer})" if tokenizer else ""
    level = f"{LEVEL:.0%}".replace("%", " %")
    head = [
        f"Score against length, in tokens a text{told}: at the shortest, at the longest, and the slope of a "
        "line through the mean score of each length, with 95 % intervals; %: of the mean score.",
        f"Level: the interval of the change over all lengths is within ±{level}.",
    ]
    return Page(head, grids, list(_sentences(by_corpus)), [*trial.notes, *_notes(by_corpus)])


def _title(sets: Mapping[str, Any], times: int) -> str:
    lengths = sets["lengths"]
    steps = "" if len(lengths) == lengths[-1] - lengths[0] + 1 else f" ({len(lengths)} lengths)"
    told = f"{lengths[0]} to {lengths[-1]} tokens{steps}, {sets['texts']:,} texts a set, {times} a length"
    return f"{printable(sets['corpus'])}: {told}"


def _rows(found: Sequence[Finding], width: int) -> tuple[list[str], list[list[str]]]:
    rows = []
    for slope, _, relative, change in _by_metric(found):
        rows.append(
            [
                clipped(printable(_name(slope)), max(width - 80, 14)),
                *(rounded(relative.parts[f"at_{end}"]) for end in ("shortest", "longest")),
                _plus_minus(slope),
                _shares(relative),
                _shares(change),
                verdict(estimate(change)),
            ]
        )
    return ["metric", "shortest", "longest", "slope a token", "% a token", "% over all", "verdict"], rows


def _side_by_side(by_corpus: Mapping[str, Sequence[Finding]], metrics: Sequence[str], width: int) -> Grid:
    """Say what each metric does on each corpus; a corpus is a row."""
    rows = []
    for corpus, found in by_corpus.items():
        own = {
            _name(relative): f"{percent(relative.mean)} {verdict(estimate(change))}"
            for _, _, relative, change in _by_metric(found)
        }
        rows.append(
            [clipped(printable(corpus), max(width // 3, 20)), *(own.get(name, "") for name in metrics)]
        )
    return Grid("% a token, side by side", ["corpus", *map(printable, metrics)], rows)


def _by_metric(found: Sequence[Finding]) -> list[Sequence[Finding]]:
    """Return slope, intercept, relative slope and change of each metric: they come in this order."""
    return [found[start : start + 4] for start in range(0, len(found), 4)]


def estimate(finding: Finding) -> Estimate:
    """Return a finding as a number with its interval."""
    low, high = (math.nan if bound is None else bound for bound in (finding.low, finding.high))
    return Estimate(finding.mean, low, high)


def _name(finding: Finding) -> str:
    return f"{finding.name} ({finding.embedder})" if finding.embedder else finding.name


def _plus_minus(finding: Finding) -> str:
    """Return a number with half of its interval."""
    if math.isnan(finding.mean):
        return "undefined"
    return f"{finding.mean:+.3g} ±{_half(finding):.2g}"


def _shares(finding: Finding) -> str:
    """Return a share with half of its interval, in percent."""
    if math.isnan(finding.mean):
        return "undefined"
    return f"{_bare(finding.mean)} ±{_bare(_half(finding)).removeprefix('+')}"


def _half(finding: Finding) -> float:
    if finding.low is None or finding.high is None:
        return math.nan
    return max(finding.high - finding.mean, finding.mean - finding.low)


def _bare(share: float) -> str:
    return percent(share).removesuffix(" %")


def _sentences(by_corpus: Mapping[str, Sequence[Finding]]) -> list[str]:
    return [
        f"{printable(_name(one))} on {printable(corpus)}. {one.notes[0]}"
        for corpus, found in by_corpus.items()
        for one in found
        if one.measure == "relative_slope"
    ]


def _notes(by_corpus: Mapping[str, Sequence[Finding]]) -> list[str]:
    return [
        f"{printable(_name(one))} on {printable(corpus)}: {note}"
        for corpus, found in by_corpus.items()
        for one in found
        for note in one.notes[1:]
        if one.measure == "relative_slope"
    ]
