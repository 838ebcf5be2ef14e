"""The page of agreement with people: metrics ranked, by subset, with what is within noise of the best."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from distinctly.judging.page import Page
from distinctly.judging.people.agreement import ENOUGH, TESTED
from distinctly.judging.records import Key, name_of
from distinctly.judging.trial import Finding
from distinctly.report.cells import BEST, NOISE, Grid, bare, clipped, printable
from distinctly.run.comparing import SIGNIFICANT

if TYPE_CHECKING:
    from distinctly.judging.people.findings import PeopleTrial

# With more subsets than this, a subset is a column of Spearman's correlation, and nothing else.
DETAILED = 2
PARTIAL = "°"
# More differences, annotators or notes than this are no use on a page; JSON has them all.
MOST_DIFFERENCES, MOST_NAMES, MOST_NOTES = 12, 8, 8
# Characters between two columns, and of the last one with its gap.
GAP, MEAN = 3, 12
# Characters of all but the first column where the three correlations have each their own.
OTHERS = 78
Found = dict[tuple[str, str], dict[Key, Finding]]


def page(trial: PeopleTrial, width: int) -> Page:
    """Lay a trial out."""
    found = by_key(trial)
    names = names_of(trial)
    subsets = trial.subsets
    ranked = ranking(found, subsets)
    if len(subsets) > DETAILED:
        grids = _matrices(trial, found, ranked, names, width)
    else:
        grids = [one for subset in subsets for one in _detailed(trial, found, subset, names, width)]
    return Page(_head(trial), grids, _sentences(trial, found), _notes(trial, found, names))


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


def mark(trial: PeopleTrial, found: Found, measure: str, subset: str, key: Key) -> str:
    """Return the mark of a correlation: the best, within noise of it, or of a choice of the sets."""
    one = found[measure, subset][key]
    rival = trial.rivals[subset, measure]
    if is_partial(one):
        return PARTIAL
    if rival is None or math.isnan(one.mean):
        return ""
    if key == rival.key:
        return BEST
    test = found.get((f"{measure}_difference", subset), {}).get(key)
    return NOISE if test is not None and test.parts["p_holm"] >= SIGNIFICANT else ""


def _matrices(
    trial: PeopleTrial, found: Found, ranked: Sequence[Key], names: dict[Key, str], width: int
) -> list[Grid]:
    subsets = trial.subsets
    cells = {
        (key, subset): _cell(found["spearman", subset][key], mark(trial, found, "spearman", subset, key))
        for subset in subsets
        for key in ranked
    }
    # A column is as wide as its cells, or the longest word of the subset's name; and there are gaps.
    wide = [
        max(*(len(cells[key, subset]) for key in ranked), *map(len, printable(subset).split()), 1) + GAP
        for subset in subsets
    ]
    first = min(max(map(len, names.values())), width // 3)
    room = max((width - first - MEAN - GAP) // max(wide), 1)
    tables = -(-len(subsets) // room)
    # Names of several words are written one below the other where that makes room.
    heads = {one: printable(one).replace(" ", "\n" if tables > 1 else " ") for one in subsets}
    # The same number of subsets in each, where that is possible.
    per = -(-len(subsets) // tables)
    chosen = [subsets[start : start + per] for start in range(0, len(subsets), per)]
    means = {key: mean_spearman(found, subsets, key) for key in ranked}
    return [
        Grid(
            "Spearman's ρ with people ± half of its 95 % interval" if place == 0 else "",
            ["metric", *(heads[one] for one in own), f"mean of {len(subsets)}"],
            [
                [folded(names[key], first), *(cells[key, one] for one in own), bare(means[key])]
                for key in ranked
            ],
        )
        for place, own in enumerate(chosen)
    ]


def _detailed(trial: PeopleTrial, found: Found, subset: str, names: dict[Key, str], width: int) -> list[Grid]:
    measures = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}
    room = max(width - OTHERS, 12)
    own = found.get(("spearman", subset), {})
    ranked = sorted(own, key=lambda key: (is_partial(own[key]), _last(own[key].mean)))
    header = ["metric"]
    for measure, title in measures.items():
        header += [f"{title} (95 %)" if measure in TESTED else title, "p"]
    rows = []
    for key in ranked:
        row = [folded(names[key], room)]
        for measure in measures:
            one = found[measure, subset][key]
            # There is no room for the interval of τ; JSON has it.
            cell = bare(one.mean)
            if measure in TESTED:
                cell = _with_ends(one, mark(trial, found, measure, subset, key))
            row += [cell, _p(one.parts["p"])]
        rows.append(row)
    sets = int(trial.settings["subsets"][subset])
    grids = [Grid(_titled(subset, f"agreement with people on {sets:,} sets"), header, rows)]
    return [*grids, *_differences(trial, found, subset, ranked, names, room)]


def _differences(
    trial: PeopleTrial, found: Found, subset: str, ranked: Sequence[Key], names: dict[Key, str], room: int
) -> list[Grid]:
    tests = [found.get((f"{measure}_difference", subset), {}) for measure in TESTED]
    tested = [key for key in ranked if any(key in own for own in tests)]
    if not tested or len(tested) > MOST_DIFFERENCES:
        return []
    rows = [
        [folded(names[key], room), *(cell for own in tests for cell in _tested(own.get(key)))]
        for key in tested
    ]
    rivals = {one.key for one in (trial.rivals[subset, measure] for measure in TESTED) if one is not None}
    # Each of the two measures may have a best one of its own.
    against = names[rivals.pop()] if len(rivals) == 1 else "the best of each measure"
    columns = [what for letter in "rρ" for what in (f"Δ{letter}", "Williams p", "Steiger p")]
    return [Grid(_titled(subset, f"difference from {against}, tested"), ["metric", *columns], rows)]


def _titled(subset: str, what: str) -> str:
    return f"{printable(subset)}: {what}" if subset else what[0].upper() + what[1:]


def _tested(test: Finding | None) -> list[str]:
    if test is None:
        return ["", "", ""]
    return [bare(test.mean, sign="+"), _p(test.parts["p"]), _p(test.parts["p_z"])]


def _cell(one: Finding, marked: str) -> str:
    if math.isnan(one.mean):
        return "undefined"
    half = "" if one.low is None or one.high is None else f" ±{_half(one)}"
    return f"{bare(one.mean)}{half}{marked or ' '}"


def _half(one: Finding) -> str:
    ends = [abs(end - one.mean) for end in (one.low, one.high) if end is not None]
    return f"{max(ends):.2f}".removeprefix("0")


def _with_ends(one: Finding, marked: str) -> str:
    if math.isnan(one.mean):
        return "undefined"
    ends = ""
    if one.low is not None and one.high is not None:
        ends = f" ({bare(one.low, 2)}, {bare(one.high, 2)})"
    return f"{bare(one.mean)}{ends}{marked or ' '}"


def folded(name: str, room: int) -> str:
    r"""Return a name with line breaks after its colon and commas, where it is too long for its column.

    Examples
    --------
    >>> folded("mattr:window=10,pool=corpus", 20)
    'mattr:window=10,\n pool=corpus'
    """
    lines = [""]
    for part in re.split(r"(?<=[:,])", name):
        if lines[-1].strip() and len(lines[-1]) + len(part) > room:
            lines.append(" ")
        lines[-1] += part
    return "\n".join(clipped(line, room) for line in lines)


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


def _sentences(trial: PeopleTrial, found: Found) -> list[str]:
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


def _notes(trial: PeopleTrial, found: Found, names: dict[Key, str]) -> list[str]:
    undefined: dict[str, list[str]] = {}
    lost: dict[Key, int] = {}
    for subset in trial.subsets:
        for key, one in found.get(("spearman", subset), {}).items():
            lost[key] = lost.get(key, 0) + int(one.parts["sets"] - one.parts["n"])
            for note in [note for note in one.notes if note.startswith("Undefined")]:
                undefined.setdefault(f"{names[key]}: {note}", []).append(printable(subset))
    notes = list(trial.notes)
    for note, subsets in undefined.items():
        where = f" ({', '.join(subsets)})" if len(trial.subsets) > 1 else ""
        notes.append(f"{note.rstrip('.')}{where}.")
    if len(notes) > MOST_NOTES:
        more = f"… and {len(notes) - MOST_NOTES + 1} more notes: --format json has them all."
        notes = [*notes[: MOST_NOTES - 1], more]
    some = sorted(((count, names[key]) for key, count in lost.items() if count), reverse=True)
    if some:
        each = ", ".join(f"{name} ({count:,})" for count, name in some)
        notes.append(f"Sets without a value are left out of {trial.settings['sets']:,}: {each}.")
    return notes
