"""The page of agreement with people: metrics ranked, by subset, with what is within noise of the best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from distinctly.judging.page import lay_out, whole_notes
from distinctly.judging.people.agreement import ENOUGH, TESTED
from distinctly.judging.records import Key, name_of
from distinctly.judging.trial import Finding
from distinctly.report.cells import EMPTY, NOISE, PARTIAL, bare, printable, words
from distinctly.report.page import BEST, Block, Cell, Column, Mark, OwnedNote, Table
from distinctly.run.comparing import SIGNIFICANT
from distinctly.score import Note

if TYPE_CHECKING:
    from distinctly.judging.people.findings import PeopleTrial

# With more subsets than this, a subset is a column of Spearman's correlation, and nothing else.
DETAILED = 2
# More differences, annotators or notes than this are no use on a page; JSON has them all.
MOST_DIFFERENCES, MOST_NAMES, MOST_NOTES = 12, 8, 8
Found = dict[tuple[str, str], dict[Key, Finding]]


def blocks(trial: PeopleTrial) -> list[Block]:
    """Lay a trial out."""
    found = by_key(trial)
    names = names_of(trial)
    subsets = trial.subsets
    ranked = ranking(found, subsets)
    if len(subsets) > DETAILED:
        tables = [_matrix(trial, found, ranked, names)]
    else:
        tables = [table for subset in subsets for table in _detailed(trial, found, subset, names)]
    return lay_out(_head(trial), tables, _notes(trial, found, names), legend=_legend(trial, found))


def by_key(trial: PeopleTrial) -> Found:
    """Return the findings by measure and subset, and then by metric."""
    found: Found = {}
    for one in trial.findings:
        key = (one.metric, one.embedder, one.part)
        found.setdefault((one.measure, str(one.settings["subset"])), {})[key] = one
    return found


def names_of(trial: PeopleTrial) -> dict[Key, str]:
    """Return what to call each metric: its embedder is told where there are several."""
    keys = list(dict.fromkeys(one.key for several in trial.judged.values() for one in several))
    embedders = list(dict.fromkeys(embedder for _, embedder, _ in keys if embedder))
    short = {"": "", **dict(zip(embedders, _shortened(embedders)))}
    return {key: printable(name_of(key[0], short[key[1]], key[2])) for key in keys}


def _shortened(embedders: Sequence[str]) -> list[str]:
    """Return what tells embedders apart: nothing for one alone, and no option that all have.

    Examples
    --------
    >>> _shortened(["wordllama:dim=256,norm=yes", "wordllama:dim=64,norm=yes"])
    ['wordllama:dim=256', 'wordllama:dim=64']
    """
    if len(embedders) < 2:
        return [""] * len(embedders)
    split = [one.partition(":") for one in embedders]
    options = [rest.split(",") if rest else [] for _, _, rest in split]
    shared = set(options[0]).intersection(*options)
    differ = [[one for one in own if one not in shared] for own in options]
    # Embedders of other names have other options, and their names are enough.
    alone = len({name for name, _, _ in split}) == len(embedders)
    return [
        name if alone or not own else f"{name}:{','.join(own)}" for (name, _, _), own in zip(split, differ)
    ]


def ranking(found: Found, subsets: Sequence[str]) -> list[Key]:
    """Return the metrics, that with the highest mean of Spearman's correlation over subsets first.

    Where a subset has too few sets with a value, there is no mean, and the metric comes last.
    """
    means = {key: mean_spearman(found, subsets, key) for own in found.values() for key in own}
    return sorted(means, key=lambda key: (math.isnan(means[key]), -means[key]))


def mean_spearman(found: Found, subsets: Sequence[str], key: Key) -> float:
    """Return the mean over subsets; NaN where one has no value, or a value on too few of its sets."""
    own = [found["spearman", subset][key] for subset in subsets]
    values = [math.nan if is_partial(one) else one.mean for one in own]
    return math.fsum(values) / len(values)


def is_partial(one: Finding) -> bool:
    """Tell whether a correlation is of too few of the sets to be ranked."""
    return one.parts["n"] < ENOUGH * one.parts["sets"]


def mark(trial: PeopleTrial, found: Found, measure: str, subset: str, key: Key) -> tuple[bool, Mark]:
    """Tell whether a correlation is the best, and return its mark: within noise of that, or of some sets."""
    finding = found[measure, subset][key]
    rival = trial.rivals[subset, measure]
    if is_partial(finding):
        return False, "partial"
    if rival is None or math.isnan(finding.mean):
        return False, ""
    if key == rival.key:
        return True, ""
    test = found.get((f"{measure}_difference", subset), {}).get(key)
    return False, "noise" if test is not None and test.parts["p_holm"] >= SIGNIFICANT else ""


def _matrix(trial: PeopleTrial, found: Found, ranked: Sequence[Key], names: dict[Key, str]) -> Table:
    """Return a row per metric and a column per subset, the mean over subsets last."""
    subsets = trial.subsets
    rows = []
    for key in ranked:
        mean = mean_spearman(found, subsets, key)
        cells = [
            _cell(
                found["spearman", subset][key],
                _half_width(found["spearman", subset][key]),
                mark(trial, found, "spearman", subset, key),
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
        "Spearman's ρ with people ± half of its 95 % interval",
    )


def _detailed(trial: PeopleTrial, found: Found, subset: str, names: dict[Key, str]) -> list[Table]:
    measures = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}
    spearman = found.get(("spearman", subset), {})
    ranked = sorted(spearman, key=lambda key: (is_partial(spearman[key]), _last(spearman[key].mean)))
    columns = [Column("metric", "name")]
    for measure, title in measures.items():
        columns += [Column(f"{title} (95 %)" if measure in TESTED else title), Column("p")]
    rows = []
    for key in ranked:
        row = [words(names[key])]
        for measure in measures:
            finding = found[measure, subset][key]
            if measure in TESTED:
                row.append(_cell(finding, _ends(finding), mark(trial, found, measure, subset, key)))
            else:  # there is no room for the interval of τ; JSON has it
                missing = math.isnan(finding.mean)
                row.append(Cell(bare(finding.mean), value=finding.mean, missing=missing))
            row.append(_p_cell(finding.parts["p"]))
        rows.append(row)
    sets = int(trial.settings["subsets"][subset])
    table = Table(columns, rows, _titled(subset, f"agreement with people on {sets:,} sets"))
    return [table, *_differences(trial, found, subset, ranked, names)]


def _differences(
    trial: PeopleTrial, found: Found, subset: str, ranked: Sequence[Key], names: dict[Key, str]
) -> list[Table]:
    tests = [found.get((f"{measure}_difference", subset), {}) for measure in TESTED]
    tested = [key for key in ranked if any(key in by_key for by_key in tests)]
    if not tested or len(tested) > MOST_DIFFERENCES:
        return []
    rows = [
        [words(names[key]), *(cell for by_key in tests for cell in _tested(by_key.get(key)))]
        for key in tested
    ]
    rivals = {one.key for one in (trial.rivals[subset, measure] for measure in TESTED) if one is not None}
    # Each of the two measures may have a best one of its own.
    against = names[rivals.pop()] if len(rivals) == 1 else "the best of each measure"
    titles = [what for letter in "rρ" for what in (f"Δ{letter}", "Williams p", "Steiger p")]
    columns = [Column("metric", "name"), *(Column(title) for title in titles)]
    return [Table(columns, rows, _titled(subset, f"difference from {against}, tested"))]


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
    told = trial.settings
    source = f" of {told['source']}" if told["source"] else ""
    size = _texts(told["texts"])
    lines = [f"{told['sets']:,} sets{size}{source}, scored by people ({printable(told['human'])})."]
    if len(trial.subsets) > 1:
        counts = [f"{printable(name)} ({count:,})" for name, count in told["subsets"].items()]
        lines.append(f"Subsets: {', '.join(counts)}.")
    embedders = dict.fromkeys(
        one.embedder for several in trial.judged.values() for one in several if one.embedder
    )
    seen = [f"tokens by {told['tokenizer']}"] if told["tokenizer"] else []
    seen += [f"vectors by {' and '.join(embedders)}"] if embedders else []
    if seen:
        lines.append(f"{'; '.join(seen).capitalize()}.")
    if told["annotators"] is not None:
        lines.append(_annotators(told["annotators"]))
    return lines


def _texts(bounds: Sequence[int] | None) -> str:
    if bounds is None:
        return ""
    low, high = bounds
    return f" of {low:,} texts" if low == high else f" of {low:,} to {high:,} texts"


def _annotators(told: dict[str, dict[str, float | None] | list[str]]) -> str:
    agreement, dropped = told["agreement"], told["dropped"]
    heard = f"{len(agreement):,} annotators"
    if not dropped or not isinstance(agreement, dict):
        return f"{heard}; all are kept."
    each = [
        f"{printable(name)} ({'undefined' if (one := agreement[name]) is None else f'{one:.2f}'})"
        for name in list(dropped)[:MOST_NAMES]
    ]
    more = f" and {len(dropped) - MOST_NAMES} more" if len(dropped) > MOST_NAMES else ""
    return (
        f"{heard}; {len(dropped)} left out, by their correlation with the mean of the others: "
        f"{', '.join(each)}{more}."
    )


def _legend(trial: PeopleTrial, found: Found) -> list[str]:
    named = trial.settings.get("against")
    rival = "best" if named is None else f"what the others are tested against ({printable(named)})"
    lines = []
    if any(len(several) > 1 for several in trial.judged.values()):
        lines.append(
            f"{BEST} {rival}; {NOISE} within noise of it (Williams' test, p ≥ {SIGNIFICANT:g} after Holm's "
            "correction)."
        )
    spearman = [one for (measure, _), own in found.items() if measure == "spearman" for one in own.values()]
    if any(is_partial(one) for one in spearman):
        lines.append(
            f"{PARTIAL} on less than {ENOUGH * 100:.0f} % of the sets, as others have no value: not ranked."
        )
    turned = dict.fromkeys(one.metric for several in trial.judged.values() for one in several if one.sign < 0)
    if turned:
        lines.append(
            f"More is more agreement: the sign is turned where less is more diverse ({', '.join(turned)})."
        )
    return lines


def _notes(trial: PeopleTrial, found: Found, names: dict[Key, str]) -> list[OwnedNote]:
    undefined: dict[tuple[str, str], list[str]] = {}
    lost: dict[Key, int] = {}
    for subset in trial.subsets:
        for key, finding in found.get(("spearman", subset), {}).items():
            lost[key] = lost.get(key, 0) + int(finding.parts["sets"] - finding.parts["n"])
            # The first note of what is undefined says why.
            for note in finding.notes[:1] if math.isnan(finding.mean) else ():
                undefined.setdefault((names[key], note), []).append(printable(subset))
    notes = whole_notes(trial.notes)
    for (name, note), subsets in undefined.items():
        where = f" ({', '.join(subsets)})" if len(trial.subsets) > 1 else ""
        notes.append(OwnedNote(Note(f"{note.rstrip('.')}{where}.", "warning"), specs=[name]))
    if len(notes) > MOST_NOTES:
        more = f"… and {len(notes) - MOST_NOTES + 1} more notes: --format json has them all."
        notes = [*notes[: MOST_NOTES - 1], OwnedNote(Note(more))]
    some = sorted(((count, names[key]) for key, count in lost.items() if count), reverse=True)
    if some:
        each = ", ".join(f"{name} ({count:,})" for count, name in some)
        text = f"Sets without a value are left out of {trial.settings['sets']:,}: {each}."
        notes.append(OwnedNote(Note(text, scope="run")))
    return notes
