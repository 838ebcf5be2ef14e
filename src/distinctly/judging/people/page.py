"""The page of agreement with people: metrics ranked per subset, with those within noise of the best."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from distinctly.judging.page import lay_out, meaning_of_best, whole_notes
from distinctly.judging.people.agreement import ENOUGH, TESTED
from distinctly.judging.records import Key
from distinctly.judging.trial import Finding
from distinctly.report.cells import EMPTY, NOISE, PARTIAL, bare, printable, words
from distinctly.report.page import Block, Cell, Column, Mark, OwnedNote, Paragraph, Table
from distinctly.run.comparing import SIGNIFICANT
from distinctly.score import Note

if TYPE_CHECKING:
    from distinctly.judging.people.findings import PeopleTrial

# With more subsets than this, each subset is one column, with Spearman's correlation only.
DETAILED = 2
# More differences, annotators or notes than this do not fit a page; JSON has all of them.
MOST_DIFFERENCES, MOST_ANNOTATORS, MOST_NOTES = 12, 20, 8
# Findings by measure and subset, and then by metric.
Findings = dict[tuple[str, str], dict[Key, Finding]]


def blocks(trial: PeopleTrial) -> list[Block]:
    """Lay a trial out."""
    findings = by_key(trial)
    names = trial.names
    subsets = trial.subsets
    ranked = ranking(findings, subsets)
    if len(subsets) > DETAILED:
        tables = [_matrix(trial, findings, ranked, names)]
    else:
        tables = [table for subset in subsets for table in _detailed(trial, findings, subset, names)]
    if trial.settings["annotators"] is not None:
        tables = [_annotators(trial.settings["annotators"]), *tables]
    return lay_out(_head(trial), tables, _notes(trial, findings, names), legend=_legend(trial, findings))


def by_key(trial: PeopleTrial) -> Findings:
    """Return the findings by measure and subset, and then by metric."""
    findings: Findings = {}
    for finding in trial.findings:
        place = finding.measure, str(finding.settings["subset"])
        findings.setdefault(place, {})[finding.key] = finding
    return findings


def ranking(findings: Findings, subsets: Sequence[str]) -> list[Key]:
    """Return the metrics in descending order of their mean Spearman correlation over subsets.

    If a subset has too few sets with a value, there is no mean, and the metric comes last.
    """
    means = {
        key: mean_spearman(findings, subsets, key) for by_metric in findings.values() for key in by_metric
    }
    return sorted(means, key=lambda key: (math.isnan(means[key]), -means[key]))


def mean_spearman(findings: Findings, subsets: Sequence[str], key: Key) -> float:
    """Return the mean over subsets; NaN if the value of a subset is missing or partial."""
    correlations = [findings["spearman", subset][key] for subset in subsets]
    values = [math.nan if is_partial(correlation) else correlation.mean for correlation in correlations]
    return math.fsum(values) / len(values)


def is_partial(finding: Finding) -> bool:
    """Return whether a correlation covers too few of the sets to be ranked."""
    return finding.parts["n"] < ENOUGH * finding.parts["sets"]


def mark(trial: PeopleTrial, findings: Findings, measure: str, subset: str, key: Key) -> tuple[bool, Mark]:
    """Return whether a correlation is the best, and its mark: within noise of the best, or partial."""
    finding = findings[measure, subset][key]
    rival = trial.rivals[subset, measure]
    if is_partial(finding):
        return False, "partial"
    if rival is None or math.isnan(finding.mean):
        return False, ""
    if key == rival.key:
        return True, ""
    test = findings.get((f"{measure}_difference", subset), {}).get(key)
    return False, "noise" if test is not None and test.parts["p_holm"] >= SIGNIFICANT else ""


def _matrix(trial: PeopleTrial, findings: Findings, ranked: Sequence[Key], names: dict[Key, str]) -> Table:
    """Return one row per metric and one column per subset; the last column is the mean over subsets."""
    subsets = trial.subsets
    rows = []
    for key in ranked:
        mean = mean_spearman(findings, subsets, key)
        cells = [
            _cell(
                findings["spearman", subset][key],
                _half_width(findings["spearman", subset][key]),
                mark(trial, findings, "spearman", subset, key),
            )
            for subset in subsets
        ]
        rows.append([words(names[key]), *cells, Cell(bare(mean), value=mean, missing=math.isnan(mean))])
    return Table(
        [
            Column("metric", "name"),
            *(Column(printable(subset)) for subset in subsets),
            Column(f"mean of {len(subsets)}"),
        ],
        rows,
        f"Spearman's ρ with {_column(trial) or 'human scores'} ± half the width of its 95 % interval",
    )


def _detailed(trial: PeopleTrial, findings: Findings, subset: str, names: dict[Key, str]) -> list[Table]:
    measures = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}
    spearman = findings.get(("spearman", subset), {})
    ranked = sorted(spearman, key=lambda key: (is_partial(spearman[key]), _last(spearman[key].mean)))
    columns = [Column("metric", "name")]
    for measure, title in measures.items():
        columns += [Column(f"{title} (95 %)" if measure in TESTED else title), Column("p")]
    rows = []
    for key in ranked:
        row = [words(names[key])]
        for measure in measures:
            finding = findings[measure, subset][key]
            if measure in TESTED:
                row.append(_cell(finding, _ends(finding), mark(trial, findings, measure, subset, key)))
            else:  # no room for the interval of τ, which JSON has
                missing = math.isnan(finding.mean)
                row.append(Cell(bare(finding.mean), value=finding.mean, missing=missing))
            row.append(_p_cell(finding.parts["p"]))
        rows.append(row)
    sets = int(trial.settings["subsets"][subset])
    column = _column(trial)
    compared = f"correlation with {column}" if column else "agreement with people"
    table = Table(columns, rows, _titled(subset, f"{compared} on {sets:,} {trial.unit}s"))
    return [table, *_differences(trial, findings, subset, ranked, names)]


def _differences(
    trial: PeopleTrial, findings: Findings, subset: str, ranked: Sequence[Key], names: dict[Key, str]
) -> list[Table]:
    tests = [findings.get((f"{measure}_difference", subset), {}) for measure in TESTED]
    tested = [key for key in ranked if any(key in by_metric for by_metric in tests)]
    if not tested or len(tested) > MOST_DIFFERENCES:
        return []
    rows = [
        [words(names[key]), *(cell for by_metric in tests for cell in _tested(by_metric.get(key)))]
        for key in tested
    ]
    rivals = {rival.key for measure in TESTED if (rival := trial.rivals[subset, measure]) is not None}
    # The best metric may differ between the two measures.
    against = names[rivals.pop()] if len(rivals) == 1 else "the best of each measure"
    titles = [what for letter in "rρ" for what in (f"Δ{letter}", "Williams p", "Steiger p")]
    columns = [Column("metric", "name"), *(Column(title) for title in titles)]
    return [Table(columns, rows, _titled(subset, f"difference from {against}, tested"))]


def _column(trial: PeopleTrial) -> str:
    return printable(trial.column)


def _titled(subset: str, what: str) -> str:
    return f"{printable(subset)}: {what}" if subset else what[0].upper() + what[1:]


def _tested(test: Finding | None) -> list[Cell]:
    if test is None:
        return [EMPTY, EMPTY, EMPTY]
    difference = Cell(bare(test.mean, sign="+"), value=test.mean, missing=math.isnan(test.mean))
    return [difference, _p_cell(test.parts["p"]), _p_cell(test.parts["p_z"])]


def _cell(finding: Finding, interval: str, marked: tuple[bool, Mark]) -> Cell:
    if math.isnan(finding.mean):
        return Cell("undefined", value=finding.mean, missing=True)
    best, noise = marked
    text = bare(finding.mean) + interval
    return Cell(text, value=finding.mean, low=finding.low, high=finding.high, best=best, mark=noise)


def _half_width(finding: Finding) -> str:
    if finding.low is None or finding.high is None:
        return ""
    half = max(abs(end - finding.mean) for end in (finding.low, finding.high))
    return f" ±{f'{half:.2f}'.removeprefix('0')}"


def _ends(finding: Finding) -> str:
    if finding.low is None or finding.high is None:
        return ""
    return f" ({bare(finding.low, 2)}, {bare(finding.high, 2)})"


def _p_cell(p: float) -> Cell:
    return Cell(_p(p), value=p, missing=math.isnan(p))


def _p(value: float) -> str:
    return "<.001" if value < 0.001 else bare(value)


def _last(value: float) -> float:
    return math.inf if math.isnan(value) else -value


def _head(trial: PeopleTrial) -> list[str]:
    settings = trial.settings
    source = f" of {settings['source']}" if settings["source"] else ""
    size = "" if trial.unit == "text" else _texts(settings["texts"])
    how = f"scored by people ({printable(settings['human'])})"
    if column := _column(trial):
        how = f"metrics correlated with {column}"
    lines = [f"{settings['sets']:,} {trial.unit}s{size}{source}, {how}."]
    if len(trial.subsets) > 1:
        counts = [f"{printable(name)} ({count:,})" for name, count in settings["subsets"].items()]
        lines.append(f"Subsets: {', '.join(counts)}.")
    embedders = dict.fromkeys(
        judged.embedder for several in trial.judged.values() for judged in several if judged.embedder
    )
    views = [f"tokens by {settings['tokenizer']}"] if settings["tokenizer"] else []
    views += [f"vectors by {' and '.join(embedders)}"] if embedders else []
    if views:
        lines.append(f"{'; '.join(views).capitalize()}.")
    if settings["annotators"] is not None:
        lines.append(_left_out(settings["annotators"]))
    return lines


def _texts(bounds: Sequence[int] | None) -> str:
    if bounds is None:
        return ""
    low, high = bounds
    return f" of {low:,} texts" if low == high else f" of {low:,} to {high:,} texts"


def _left_out(annotators: Mapping[str, Any]) -> str:
    count, dropped = f"{len(annotators['agreement']):,} annotators", len(annotators["dropped"])
    if not dropped:
        return f"{count}; all are kept."
    of = {"others": "the mean of the others", "average": "the average of all"}[annotators["agreement_with"]]
    return (
        f"{count}; {dropped:,} left out, since the correlation with {of} is below "
        f"{annotators['least_agreement']:g} or undefined."
    )


def _annotators(annotators: Mapping[str, Any]) -> Table:
    """Return one row per annotator, those with the lowest agreement first."""
    deciding = f"with_{annotators['agreement_with']}"
    in_order = sorted(annotators["agreement"].items(), key=lambda item: _first(item[1][deciding]))
    rows = [
        [
            words(printable(name)),
            Cell(f"{agreement['sets']:,}", value=agreement["sets"]),
            *(_r_cell(agreement[key]) for key in ("with_others", "with_average")),
            words("yes" if agreement["kept"] else "no"),
        ]
        for name, agreement in in_order[:MOST_ANNOTATORS]
    ]
    titles = ("sets", "r with the mean of the others", "r with the average of all")
    shown = "Annotators"
    if len(in_order) > MOST_ANNOTATORS:
        shown = (
            f"The {MOST_ANNOTATORS} of {len(in_order):,} annotators who agree least (--format json has all)"
        )
    columns = [Column("annotator", "name"), *(Column(title) for title in titles), Column("kept", "text")]
    return Table(columns, rows, shown)


def _r_cell(r: float | None) -> Cell:
    return Cell("undefined", missing=True) if r is None else Cell(bare(r), value=r)


def _first(value: float | None) -> float:
    return -math.inf if value is None else value


def _legend(trial: PeopleTrial, findings: Findings) -> list[str | Paragraph]:
    named = trial.settings.get("against")
    rival = "best" if named is None else f"metric that the others are tested against ({printable(named)})"
    lines: list[str | Paragraph] = []
    if any(len(several) > 1 for several in trial.judged.values()):
        best = (
            f"{rival}; {NOISE} within noise of it (Williams' test, p ≥ {SIGNIFICANT:g} after Holm's "
            "correction)."
        )
        lines.append(meaning_of_best(best))
    spearman = [
        finding
        for (measure, _), by_metric in findings.items()
        if measure == "spearman"
        for finding in by_metric.values()
    ]
    if any(is_partial(finding) for finding in spearman):
        share = f"less than {ENOUGH * 100:.0f} % of the {trial.unit}s have a value"
        lines.append(f"{PARTIAL} not ranked: {share}.")
    negated = dict.fromkeys(
        judged.metric for several in trial.judged.values() for judged in several if judged.sign < 0
    )
    if negated:
        column = _column(trial)
        agreement = (
            f"Positive means that more diverse {trial.unit}s have a higher {column}"
            if column
            else ("Higher is more agreement")
        )
        lines.append(
            f"{agreement}: the sign is reversed for metrics whose lower values are more diverse "
            f"({', '.join(negated)})."
        )
    return lines


def _notes(trial: PeopleTrial, findings: Findings, names: dict[Key, str]) -> list[OwnedNote]:
    undefined: dict[tuple[str, str], list[str]] = {}
    without_value: dict[Key, int] = {}
    for subset in trial.subsets:
        for key, finding in findings.get(("spearman", subset), {}).items():
            missing = int(finding.parts["sets"] - finding.parts["n"])
            without_value[key] = without_value.get(key, 0) + missing
            # The first note of an undefined finding is the reason.
            for note in finding.notes[:1] if math.isnan(finding.mean) else ():
                undefined.setdefault((names[key], note), []).append(printable(subset))
    notes = whole_notes(trial.notes)
    for (name, note), subsets in undefined.items():
        where = f" ({', '.join(subsets)})" if len(trial.subsets) > 1 else ""
        notes.append(OwnedNote(Note(f"{note.rstrip('.')}{where}.", "warning"), specs=[name]))
    if len(notes) > MOST_NOTES:
        more = f"… and {len(notes) - MOST_NOTES + 1} more notes: see --format json."
        notes = [*notes[: MOST_NOTES - 1], OwnedNote(Note(more))]
    counts = sorted(((count, names[key]) for key, count in without_value.items() if count), reverse=True)
    if counts:
        each = ", ".join(f"{name} ({count:,})" for count, name in counts)
        text = f"Of {trial.settings['sets']:,} {trial.unit}s, those without a value are left out: {each}."
        notes.append(OwnedNote(Note(text, scope="run")))
    return notes
