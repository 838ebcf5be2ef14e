"""The page of known-similarity corpora: a table a size and number of corpora, and one of sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from distinctly.judging.measures import LETTERS, judgements
from distinctly.judging.page import lay_out, whole_notes
from distinctly.judging.records import Plain
from distinctly.judging.similarity import growth
from distinctly.judging.similarity.beside import PublishedValue
from distinctly.judging.similarity.findings import GROWTH, OF_MIXTURES, OF_SIZES, SimilarityTrial
from distinctly.judging.trial import Finding
from distinctly.report.cells import EMPTY, NOISE, bare, printable, words
from distinctly.report.page import BEST, Block, Cell, Column, OwnedNote, Table
from distinctly.run.resampling import Z
from distinctly.score import Note

_MEANINGS = {
    "accuracy": "A: share of judgements that are right (a mixture within another's interval is no farther)",
    "weighted_accuracy": "Aw: the same, harder ones counting more",
    "time": "T: hundreds of distances a second",
    "monotonicity": "ρ: Spearman of level and distance",
    "separability": "W: ω², variance that the level explains",
    "linearity": "L: R² of a straight line",
    "size_robustness": "S: 1 − mean error at smaller sizes",
    "imbalance_robustness": "I: 1 − mean error at unequal sizes",
}
# More than this are for JSON.
MOST_NOTES = 12
# Standard errors from which it does not matter how many.
FAR = 99


def blocks(trial: SimilarityTrial) -> list[Block]:
    """Lay the trial out."""
    found = trial.findings
    several = len({one.embedder for one in found if one.embedder}) > 1
    names = {id(one): _name(one, several) for one in found}
    tables = [*_mixtures(trial, names), *_sizes(trial, names), *_growth(found, names)]
    beside = _beside(trial, names)
    measures = [one for one in trial.settings["measures"] if one in _MEANINGS]
    told = [_MEANINGS[one] for one in measures]
    if trial.paper:
        told = [
            one.replace("L: R²", "L: r").replace("judgements that", "listed judgements that") for one in told
        ]
    legend = []
    if told:
        spread = f"± standard deviation over repetitions. {BEST} best; {NOISE} not surely less good (95 %)."
        legend = ["; ".join(told) + ".", spread]
    if beside:
        legend.append(
            "Beside published values: ours, published, and the difference in standard errors, the published "
            "standard deviation assumed to equal ours."
        )
    notes = [*whole_notes(trial.notes), *_notes(trial, names, has_published=bool(beside))]
    return lay_out(_head(trial), [*tables, *beside], notes, legend=legend)


def _head(trial: SimilarityTrial) -> list[str]:
    corpora = " and ".join(
        f"{letter} = {printable(one['name'])} ({one['texts']:,} texts)"
        for letter, one in zip("AB", trial.settings["corpora"])
    )
    return [f"Known-similarity corpora: {corpora}, seed {trial.settings['seed']}"]


def _name(finding: Finding, several: bool) -> str:
    name = printable(finding.name)
    if several and finding.embedder:
        name += f" @ {printable(finding.embedder.partition(',')[0])}"
    return name


def _mixtures(trial: SimilarityTrial, names: dict[int, str]) -> Iterator[Table]:
    mixtures = dict.fromkeys((n, k) for own in trial.settings["plan"].values() for n, k in own)
    for n, k in mixtures:
        own = [one for one in trial.findings if one.settings == {"n": n, "k": k}]
        if not own:
            continue
        count = judgements(k, repeated=trial.paper).count
        times = max(one.repetitions for one in own)
        title = f"k = {k} corpora of n = {n} texts, {_times(times)}, {count:,} judgements each"
        yield _table(title, own, OF_MIXTURES, names)


def _sizes(trial: SimilarityTrial, names: dict[int, str]) -> Iterator[Table]:
    own = [one for one in trial.findings if one.measure in OF_SIZES]
    if own:
        sizes = trial.settings["sizes"]
        times = max(one.repetitions for one in own)
        title = (
            f"{len(sizes['sizes'])} sizes from {sizes['sizes'][0]:,} to {sizes['sizes'][-1]:,} texts, "
            f"{_times(times)}; asymptote: mean distance of {sizes['largest']:,} texts each"
        )
        table = _table(title, own, OF_SIZES, names)
        tends = {names[id(one)]: one.parts["asymptote"] for one in own}
        yield Table(
            [*table.columns, Column("asymptote")],
            [[*row, _number(tends[row[0].text], ".4g", "undefined")] for row in table.rows],
            title,
        )


def _number(value: float, form: str, missing: str = "–") -> Cell:
    """Return the cell of a number without an interval."""
    undefined = math.isnan(value)
    return Cell(missing if undefined else f"{value:{form}}", value=value, missing=undefined)


def _times(repetitions: int) -> str:
    return "1 repetition" if repetitions == 1 else f"{repetitions} repetitions"


def _growth(found: Sequence[Finding], names: dict[int, str]) -> Iterator[Table]:
    own = [one for one in found if one.measure == GROWTH]
    if own:
        sizes = sorted({int(part.removeprefix("seconds_")) for one in own for part in one.parts})
        rows = [
            [
                words(names[id(one)]),
                *(_number(one.parts.get(f"seconds_{size}", math.nan), ".2g") for size in sizes),
                _number(one.mean, ".2f"),
            ]
            for one in own
        ]
        title = (
            f"Seconds a distance, by texts a corpus; exponent of growth from {growth.FITTED_FROM:,} texts on"
        )
        columns = [Column("metric", "name"), *(Column(f"{size:,}") for size in sizes), Column("exponent")]
        yield Table(columns, rows, title)


def _table(title: str, own: Sequence[Finding], measures: Sequence[str], names: dict[int, str]) -> Table:
    """Lay out a row per metric and a column per measure, the best marked."""
    shown = [measure for measure in measures if any(one.measure == measure for one in own)]
    cells: dict[tuple[str, str], Cell] = {}
    for measure in shown:
        column = [one for one in own if one.measure == measure]
        best = max((one.mean for one in column if not math.isnan(one.mean)), default=math.nan)
        top = next((one for one in column if one.mean == best), None)
        for one in column:
            cells[names[id(one)], measure] = _cell(one, top if len(column) > 1 else None)
    return Table(
        [Column("metric", "name"), *(Column(LETTERS[measure]) for measure in shown)],
        [
            [words(name), *(cells.get((name, measure), EMPTY) for measure in shown)]
            for name in dict.fromkeys(names[id(one)] for one in own)
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


def _error(one: Finding, other: Finding) -> float:
    squares = [found.std**2 / found.repetitions for found in (one, other) if not math.isnan(found.std)]
    return math.sqrt(sum(squares))


def _short(number: float) -> str:
    return f"{number:.3g}" if number < 100 else f"{number:,.0f}"


def _beside(trial: SimilarityTrial, names: dict[int, str]) -> list[Table]:
    """Lay out ours beside published values, one table per k."""
    if trial.beside is None:
        return []
    published = trial.beside.about([one["name"] for one in trial.settings["corpora"]])
    # The time is of the machine.
    pairs = [
        (one, value)
        for one in trial.findings
        if one.measure != "time" and (value := published.find(one)) is not None
    ]
    # Without its options, for the table to fit a page; those that have some are shown above.
    short = len(set(names.values())) == len({name.partition(":")[0] for name in names.values()})
    tables = []
    for settings in _different([one.settings for one, _ in pairs]):
        own = [(one, value) for one, value in pairs if one.settings == settings]
        columns = [measure for measure in LETTERS if any(one.measure == measure for one, _ in own)]
        rows: dict[str, dict[str, Cell]] = {}
        for one, value in own:
            name = one.metric.partition(":")[0] if short else names[id(one)]
            rows.setdefault(name, {})[one.measure] = _compared(one, value)
        title = [f"Beside {printable(published.source)}", *(f"{x} = {y}" for x, y in settings.items())]
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
    return [one for place, one in enumerate(settings) if one not in settings[:place]]


def _compared(finding: Finding, published: PublishedValue) -> Cell:
    ours = "undefined" if math.isnan(finding.mean) else bare(finding.mean)
    text = f"{ours} {bare(published.value)}"
    if published.repetitions is not None:
        error = finding.std * math.sqrt(1 / max(finding.repetitions, 1) + 1 / published.repetitions)
        if error > 0:
            apart = (finding.mean - published.value) / error
            text += f" {apart:+.1f}" if abs(apart) < FAR else f" {'+' if apart > 0 else '-'}>{FAR}"
    return Cell(text, value=finding.mean)


def _notes(trial: SimilarityTrial, names: dict[int, str], *, has_published: bool) -> Iterator[OwnedNote]:
    if trial.beside is not None and not has_published:
        missing = f"{printable(trial.beside.source)} has no value of these corpora, metrics and measures."
        yield OwnedNote(Note(missing, scope="run"))
    owners: dict[str, list[str]] = {}
    for one in trial.findings:
        for note in one.notes:
            whose = owners.setdefault(note, [])
            if names[id(one)] not in whose:
                whose.append(names[id(one)])
    ties = {
        names[id(one)]: one.parts["ties"]
        for one in trial.findings
        if one.measure == "accuracy" and one.parts.get("ties", 0.0) > 0.005
    }
    if ties and not trial.paper:
        several = ", ".join(f"{name} {share:.1%}" for name, share in ties.items())
        counted = (
            f"Ties count as right: {several} of the judgements (--format json has `strict` without them)."
        )
        yield OwnedNote(Note(counted, scope="run"))
    for place, (note, whose) in enumerate(owners.items()):
        if place == MOST_NOTES:
            more = f"… and {len(owners) - MOST_NOTES} more notes: --format json has them all."
            yield OwnedNote(Note(more))
            return
        yield OwnedNote(Note(note), specs=whose)
