"""The page of known-similarity corpora: a table a size and number of corpora, and one of sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from distinctly.judging.measures import LETTERS, judgements
from distinctly.judging.page import Page
from distinctly.judging.records import Plain
from distinctly.judging.similarity import growth
from distinctly.judging.similarity.beside import PublishedValue
from distinctly.judging.similarity.findings import GROWTH, OF_MIXTURES, OF_SIZES, SimilarityTrial
from distinctly.judging.trial import Finding
from distinctly.report.cells import BEST, NOISE, Grid, bare, clipped, printable
from distinctly.run.resampling import Z

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
# More than this are for JSON; and how wide the columns of numbers are.
MOST_NOTES, NUMBERS = 12, 78
# Standard errors from which it does not matter how many.
FAR = 99


def page(trial: SimilarityTrial, width: int = 1000) -> Page:
    """Lay the trial out."""
    found = trial.findings
    several = len({one.embedder for one in found if one.embedder}) > 1
    names = {id(one): _name(one, several, width) for one in found}
    grids = [*_mixtures(trial, names), *_sizes(trial, names), *_growth(found, names)]
    beside = _beside(trial, names)
    measures = [one for one in trial.settings["measures"] if one in _MEANINGS]
    told = [_MEANINGS[one] for one in measures]
    if trial.paper:
        told = [
            one.replace("L: R²", "L: r").replace("judgements that", "listed judgements that") for one in told
        ]
    sentences = []
    if told:
        spread = f"± standard deviation over repetitions. {BEST} best; {NOISE} not surely less good (95 %)."
        sentences = ["; ".join(told) + ".", spread]
    if beside:
        sentences.append(
            "Beside published values: ours, published, and the difference in standard errors, the published "
            "standard deviation assumed to equal ours."
        )
    return Page(_head(trial), [*grids, *beside], sentences, list(_notes(trial, names)))


def _head(trial: SimilarityTrial) -> list[str]:
    corpora = " and ".join(
        f"{letter} = {printable(one['name'])} ({one['texts']:,} texts)"
        for letter, one in zip("AB", trial.settings["corpora"])
    )
    return [f"Known-similarity corpora: {corpora}, seed {trial.settings['seed']}"]


def _name(finding: Finding, several: bool, width: int) -> str:
    name = printable(finding.name)
    if several and finding.embedder:
        name += f" @ {printable(finding.embedder.partition(',')[0])}"
    return clipped(name, max(width - NUMBERS, 20))


def _mixtures(trial: SimilarityTrial, names: dict[int, str]) -> Iterator[Grid]:
    mixtures = dict.fromkeys((n, k) for own in trial.settings["plan"].values() for n, k in own)
    for n, k in mixtures:
        own = [one for one in trial.findings if one.settings == {"n": n, "k": k}]
        if not own:
            continue
        count = judgements(k, repeated=trial.paper).count
        times = max(one.repetitions for one in own)
        title = f"k = {k} corpora of n = {n} texts, {_times(times)}, {count:,} judgements each"
        yield _grid(title, own, OF_MIXTURES, names)


def _sizes(trial: SimilarityTrial, names: dict[int, str]) -> Iterator[Grid]:
    own = [one for one in trial.findings if one.measure in OF_SIZES]
    if own:
        sizes = trial.settings["sizes"]
        times = max(one.repetitions for one in own)
        title = (
            f"{len(sizes['sizes'])} sizes from {sizes['sizes'][0]:,} to {sizes['sizes'][-1]:,} texts, "
            f"{_times(times)}; asymptote: mean distance of {sizes['largest']:,} texts each"
        )
        grid = _grid(title, own, OF_SIZES, names)
        tends = {names[id(one)]: one.parts["asymptote"] for one in own}
        yield Grid(
            grid.title,
            [*grid.header, "asymptote"],
            [
                [*row, "undefined" if math.isnan(tends[row[0]]) else f"{tends[row[0]]:.4g}"]
                for row in grid.rows
            ],
        )


def _times(repetitions: int) -> str:
    return "1 repetition" if repetitions == 1 else f"{repetitions} repetitions"


def _growth(found: Sequence[Finding], names: dict[int, str]) -> Iterator[Grid]:
    own = [one for one in found if one.measure == GROWTH]
    if own:
        sizes = sorted({int(part.removeprefix("seconds_")) for one in own for part in one.parts})
        rows = [
            [
                names[id(one)],
                *(
                    f"{one.parts[key]:.2g}" if (key := f"seconds_{size}") in one.parts else "–"
                    for size in sizes
                ),
                "–" if math.isnan(one.mean) else f"{one.mean:.2f}",
            ]
            for one in own
        ]
        title = (
            f"Seconds a distance, by texts a corpus; exponent of growth from {growth.FITTED_FROM:,} texts on"
        )
        yield Grid(title, ["metric", *(f"{size:,}" for size in sizes), "exponent"], rows)


def _grid(title: str, own: Sequence[Finding], measures: Sequence[str], names: dict[int, str]) -> Grid:
    """Lay out a row a metric and a column a measure, the best marked."""
    columns = [measure for measure in measures if any(one.measure == measure for one in own)]
    cells: dict[tuple[str, str], str] = {}
    for measure in columns:
        column = [one for one in own if one.measure == measure]
        best = max((one.mean for one in column if not math.isnan(one.mean)), default=math.nan)
        top = next((one for one in column if one.mean == best), None)
        for one in column:
            cells[names[id(one)], measure] = _cell(one, top if len(column) > 1 else None)
    rows = dict.fromkeys(names[id(one)] for one in own)
    return Grid(
        title,
        ["metric", *(LETTERS[measure] for measure in columns)],
        [[row, *(cells.get((row, measure), "") for measure in columns)] for row in rows],
    )


def _cell(one: Finding, top: Finding | None) -> str:
    if math.isnan(one.mean):
        return "undefined"
    if one.measure == "time":
        return _short(one.mean)
    spread = "" if math.isnan(one.std) else f" ±{bare(one.std)}"
    mark = " " if top is not None else ""
    if top is one:
        mark = BEST
    elif top is not None and top.mean - one.mean <= Z * _error(one, top):
        mark = NOISE
    return f"{one.mean:.3f}{spread}{mark}"


def _error(one: Finding, other: Finding) -> float:
    squares = [found.std**2 / found.repetitions for found in (one, other) if not math.isnan(found.std)]
    return math.sqrt(sum(squares))


def _short(number: float) -> str:
    return f"{number:.3g}" if number < 100 else f"{number:,.0f}"


def _beside(trial: SimilarityTrial, names: dict[int, str]) -> list[Grid]:
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
    grids = []
    for settings in _different([one.settings for one, _ in pairs]):
        own = [(one, value) for one, value in pairs if one.settings == settings]
        columns = [measure for measure in LETTERS if any(one.measure == measure for one, _ in own)]
        rows: dict[str, dict[str, str]] = {}
        for one, value in own:
            name = one.metric.partition(":")[0] if short else names[id(one)]
            rows.setdefault(name, {})[one.measure] = _compared(one, value)
        grids.append(
            Grid(
                ", ".join(
                    [f"Beside {printable(published.source)}", *(f"{x} = {y}" for x, y in settings.items())]
                ),
                ["metric", *(LETTERS[measure] for measure in columns)],
                [[name, *(row.get(measure, "") for measure in columns)] for name, row in rows.items()],
            )
        )
    return grids


def _different(settings: Sequence[Mapping[str, Plain]]) -> list[Mapping[str, Plain]]:
    return [one for place, one in enumerate(settings) if one not in settings[:place]]


def _compared(one: Finding, published: PublishedValue) -> str:
    ours = "undefined" if math.isnan(one.mean) else bare(one.mean)
    both = f"{ours} {bare(published.value)}"
    if published.repetitions is None:
        return both
    error = one.std * math.sqrt(1 / max(one.repetitions, 1) + 1 / published.repetitions)
    if not error > 0:
        return both
    apart = (one.mean - published.value) / error
    return f"{both} {apart:+.1f}" if abs(apart) < FAR else f"{both} {'+' if apart > 0 else '-'}>{FAR}"


def _notes(trial: SimilarityTrial, names: dict[int, str]) -> Iterator[str]:
    yield from trial.notes
    if trial.beside is not None and not _beside(trial, names):
        yield f"{printable(trial.beside.source)} has no value of these corpora, metrics and measures."
    told: dict[str, list[str]] = {}
    for one in trial.findings:
        for note in one.notes:
            whose = told.setdefault(note, [])
            if names[id(one)] not in whose:
                whose.append(names[id(one)])
    ties = {
        names[id(one)]: one.parts["ties"]
        for one in trial.findings
        if one.measure == "accuracy" and one.parts.get("ties", 0.0) > 0.005
    }
    if ties and not trial.paper:
        several = ", ".join(f"{name} {share:.1%}" for name, share in ties.items())
        yield f"Ties count as right: {several} of the judgements (--format json has `strict` without them)."
    for place, (note, whose) in enumerate(told.items()):
        if place == MOST_NOTES:
            yield f"… and {len(told) - MOST_NOTES} more notes: --format json has them all."
            return
        yield f"{', '.join(whose)}: {note}"
