"""The page of known-similarity corpora: one table per size and number of corpora, and one of sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from distinctly.judging.measures import LETTERS, judgements
from distinctly.judging.page import lay_out, meaning_of_best, whole_notes
from distinctly.judging.records import Key, Plain
from distinctly.judging.similarity import growth
from distinctly.judging.similarity.beside import PublishedValue
from distinctly.judging.similarity.findings import GROWTH, OF_MIXTURES, OF_SIZES, SimilarityTrial
from distinctly.judging.trial import Finding
from distinctly.report.cells import EMPTY, NOISE, bare, printable, words
from distinctly.report.page import Block, Cell, Column, OwnedNote, Paragraph, Table
from distinctly.run.resampling import Z
from distinctly.score import Note

_MEANINGS = {
    "accuracy": "A: share of judgements that are right (an inner interval is not longer)",
    "weighted_accuracy": "Aw: the same, with more weight on harder judgements",
    "time": "T: hundreds of distances per second",
    "monotonicity": "ρ: Spearman's correlation of level and distance",
    "separability": "W: ω², share of variance that the level explains",
    "linearity": "L: R² of a straight line",
    "size_robustness": "S: 1 − mean error at smaller sizes",
    "imbalance_robustness": "I: 1 − mean error at unequal sizes",
}
# JSON has all of them.
MOST_NOTES = 12
# A larger difference, in standard errors, is not shown exactly.
FAR = 99


def blocks(trial: SimilarityTrial) -> list[Block]:
    """Lay the trial out."""
    tables = [*_mixtures(trial), *_sizes(trial), *_growth(trial)]
    beside = _beside(trial)
    meanings = [_MEANINGS[measure] for measure in trial.settings["measures"] if measure in _MEANINGS]
    if trial.paper:
        meanings = [
            meaning.replace("L: R²", "L: r").replace("judgements that", "listed judgements that")
            for meaning in meanings
        ]
    legend: list[str | Paragraph] = []
    if meanings:
        best = f"best; {NOISE} within noise of it (95 %). ± standard deviation over repetitions."
        legend = ["; ".join(meanings) + ".", meaning_of_best(best)]
    if beside:
        legend.append(
            "Beside published values: ours, published, and the difference in standard errors (assuming "
            "that the published standard deviation equals ours)."
        )
    notes = [*whole_notes(trial.notes), *_notes(trial, has_published=bool(beside))]
    return lay_out(_head(trial), [*tables, *beside], notes, legend=legend)


def _head(trial: SimilarityTrial) -> list[str]:
    corpora = " and ".join(
        f"{letter} = {printable(corpus['name'])} ({corpus['texts']:,} texts)"
        for letter, corpus in zip("AB", trial.settings["corpora"])
    )
    return [f"Known-similarity corpora: {corpora}, seed {trial.settings['seed']}"]


def _mixtures(trial: SimilarityTrial) -> Iterator[Table]:
    mixtures = dict.fromkeys((n, k) for planned in trial.settings["plan"].values() for n, k in planned)
    for n, k in mixtures:
        findings = [finding for finding in trial.findings if finding.settings == {"n": n, "k": k}]
        if not findings:
            continue
        count = judgements(k, repeated=trial.paper).count
        times = max(finding.repetitions for finding in findings)
        title = f"k = {k} corpora of n = {n} texts, {_times(times)}, {count:,} judgements each"
        yield _table(title, findings, OF_MIXTURES, trial.names)


def _sizes(trial: SimilarityTrial) -> Iterator[Table]:
    findings = [finding for finding in trial.findings if finding.measure in OF_SIZES]
    if findings:
        sizes = trial.settings["sizes"]
        times = max(finding.repetitions for finding in findings)
        title = (
            f"{len(sizes['sizes'])} sizes from {sizes['sizes'][0]:,} to {sizes['sizes'][-1]:,} texts, "
            f"{_times(times)}; asymptote: mean distance of {sizes['largest']:,} texts each"
        )
        table = _table(title, findings, OF_SIZES, trial.names)
        asymptotes = {trial.names[finding.key]: finding.parts["asymptote"] for finding in findings}
        yield Table(
            [*table.columns, Column("asymptote")],
            [[*row, _number(asymptotes[row[0].text], ".4g", "undefined")] for row in table.rows],
            title,
        )


def _number(value: float, form: str, missing: str = "–") -> Cell:
    """Return the cell of a number without an interval."""
    undefined = math.isnan(value)
    return Cell(missing if undefined else f"{value:{form}}", value=value, missing=undefined)


def _times(repetitions: int) -> str:
    return "1 repetition" if repetitions == 1 else f"{repetitions} repetitions"


def _growth(trial: SimilarityTrial) -> Iterator[Table]:
    findings = [finding for finding in trial.findings if finding.measure == GROWTH]
    if findings:
        sizes = sorted({int(part.removeprefix("seconds_")) for finding in findings for part in finding.parts})
        rows = [
            [
                words(trial.names[finding.key]),
                *(_number(finding.parts.get(f"seconds_{size}", math.nan), ".2g") for size in sizes),
                _number(finding.mean, ".2f"),
            ]
            for finding in findings
        ]
        fitted = f"exponent of growth from {growth.FITTED_FROM:,} texts on"
        title = f"Seconds per distance, by texts per corpus; {fitted}"
        columns = [Column("metric", "name"), *(Column(f"{size:,}") for size in sizes), Column("exponent")]
        yield Table(columns, rows, title)


def _table(
    title: str, findings: Sequence[Finding], measures: Sequence[str], names: Mapping[Key, str]
) -> Table:
    """Return one row per metric and one column per measure, with the best marked."""
    shown = [measure for measure in measures if any(finding.measure == measure for finding in findings)]
    cells: dict[tuple[Key, str], Cell] = {}
    for measure in shown:
        column = [finding for finding in findings if finding.measure == measure]
        best = max((finding.mean for finding in column if not math.isnan(finding.mean)), default=math.nan)
        top = next((finding for finding in column if finding.mean == best), None)
        for finding in column:
            cells[finding.key, measure] = _cell(finding, top if len(column) > 1 else None)
    return Table(
        [Column("metric", "name"), *(Column(LETTERS[measure]) for measure in shown)],
        [
            [words(names[key]), *(cells.get((key, measure), EMPTY) for measure in shown)]
            for key in dict.fromkeys(finding.key for finding in findings)
        ],
        title,
    )


def _cell(finding: Finding, top: Finding | None) -> Cell:
    if math.isnan(finding.mean):
        return Cell("undefined", value=finding.mean, missing=True)
    if finding.measure == "time":
        return Cell(_short(finding.mean), value=finding.mean)
    spread = "" if math.isnan(finding.std) else f" ±{bare(finding.std)}"
    best = finding is top
    noise = top is not None and not best and top.mean - finding.mean <= Z * _error(finding, top)
    return Cell(
        f"{finding.mean:.3f}{spread}",
        value=finding.mean,
        low=finding.low,
        high=finding.high,
        best=best,
        mark="noise" if noise else "",
    )


def _error(*findings: Finding) -> float:
    """Return the standard error of the difference of two means."""
    return math.sqrt(
        sum(finding.std**2 / finding.repetitions for finding in findings if not math.isnan(finding.std))
    )


def _short(number: float) -> str:
    return f"{number:.3g}" if number < 100 else f"{number:,.0f}"


def _beside(trial: SimilarityTrial) -> list[Table]:
    """Return tables of our values beside published ones, one per k."""
    if trial.beside is None:
        return []
    published = trial.beside.about([corpus["name"] for corpus in trial.settings["corpora"]])
    # Times depend on the machine.
    pairs = [
        (finding, value)
        for finding in trial.findings
        if finding.measure != "time" and (value := published.find(finding)) is not None
    ]
    # Names without options, so that the table fits a page; the tables above have the full names.
    short = len(trial.names) == len({metric.partition(":")[0] for metric, _, _ in trial.names})
    tables = []
    for settings in _different([finding.settings for finding, _ in pairs]):
        selected = [(finding, value) for finding, value in pairs if finding.settings == settings]
        columns = [
            measure for measure in LETTERS if any(finding.measure == measure for finding, _ in selected)
        ]
        rows: dict[str, dict[str, Cell]] = {}
        for finding, value in selected:
            name = finding.metric.partition(":")[0] if short else trial.names[finding.key]
            rows.setdefault(name, {})[finding.measure] = _compared(finding, value)
        title = [
            f"Beside {printable(published.source)}",
            *(f"{name} = {value}" for name, value in settings.items()),
        ]
        tables.append(
            Table(
                [Column("metric", "name"), *(Column(LETTERS[measure]) for measure in columns)],
                [
                    [words(name), *(row.get(measure, EMPTY) for measure in columns)]
                    for name, row in rows.items()
                ],
                ", ".join(title),
            )
        )
    return tables


def _different(settings: Sequence[Mapping[str, Plain]]) -> list[Mapping[str, Plain]]:
    return [each for place, each in enumerate(settings) if each not in settings[:place]]


def _compared(finding: Finding, published: PublishedValue) -> Cell:
    ours = "undefined" if math.isnan(finding.mean) else bare(finding.mean)
    text = f"{ours} {bare(published.value)}"
    if published.repetitions is not None:
        error = finding.std * math.sqrt(1 / max(finding.repetitions, 1) + 1 / published.repetitions)
        if error > 0:
            apart = (finding.mean - published.value) / error
            text += f" {apart:+.1f}" if abs(apart) < FAR else f" {'+' if apart > 0 else '-'}>{FAR}"
    return Cell(text, value=finding.mean)


def _notes(trial: SimilarityTrial, *, has_published: bool) -> Iterator[OwnedNote]:
    if trial.beside is not None and not has_published:
        missing = f"{printable(trial.beside.source)} has no value of these corpora, metrics and measures."
        yield OwnedNote(Note(missing, scope="run"))
    owners: dict[str, list[str]] = {}
    for finding in trial.findings:
        for note in finding.notes:
            names = owners.setdefault(note, [])
            if trial.names[finding.key] not in names:
                names.append(trial.names[finding.key])
    ties = {
        trial.names[finding.key]: finding.parts["ties"]
        for finding in trial.findings
        if finding.measure == "accuracy" and finding.parts.get("ties", 0.0) > 0.005
    }
    if ties and not trial.paper:
        shares = ", ".join(f"{name} {share:.1%}" for name, share in ties.items())
        counted = f"Ties count as right: {shares} of the judgements (in `strict` of --format json, as wrong)."
        yield OwnedNote(Note(counted, scope="run"))
    for place, (note, names) in enumerate(owners.items()):
        if place == MOST_NOTES:
            more = f"… and {len(owners) - MOST_NOTES} more notes: see --format json."
            yield OwnedNote(Note(more))
            return
        yield OwnedNote(Note(note), specs=names)
