"""The page of known-diversity corpora: the metrics, ranked."""

from __future__ import annotations

import math

from distinctly.judging.diversity.findings import DiversityTrial
from distinctly.judging.diversity.ordering import Measure
from distinctly.judging.measures import LETTERS
from distinctly.judging.page import lay_out, meaning_of_best, whole_notes
from distinctly.judging.trial import Finding
from distinctly.report.cells import NOISE, bare, printable, words
from distinctly.report.page import Block, Cell, Column, OwnedNote, Paragraph, Table
from distinctly.score import Note

MEANINGS: dict[Measure, str] = {
    "accuracy": "share of pairs of corpora in the right order",
    "weighted_accuracy": "the same, with more weight on near levels",
    "monotonicity": "Spearman's correlation with the level",
    "separability": "ω², the share of variance that levels explain",
    "linearity": "R² of a line over the levels",
}
CHANCE = 0.5
# A larger share of ties is reported, since a tie counts as right.
MANY_TIES = 0.02
MOST_NOTES = 6


def blocks(trial: DiversityTrial) -> list[Block]:
    """Lay out the ranking."""
    by_measure = {(finding.key, finding.measure): finding for finding in trial.findings}
    ranked = [[by_measure[ordering.key, measure] for measure in trial.measures] for ordering in trial.ranked]
    rows = [
        [words(name), *(_cell(finding, first=place == 0) for finding in findings)]
        for place, (name, findings) in enumerate(zip(_names(trial), ranked))
    ]
    columns = [Column("metric", "name"), *(Column(LETTERS[measure]) for measure in trial.measures)]
    return lay_out(
        _head(trial),
        [Table(columns, rows)],
        _notes(trial, ranked),
        legend=_legend(trial),
        verdicts=_verdicts(trial, ranked),
    )


def _names(trial: DiversityTrial) -> list[str]:
    """Return the names of the metrics, best first."""
    return [trial.names[ordering.key] for ordering in trial.ranked]


def grows(trial: DiversityTrial) -> str:
    """Return the name of the quantity that grows from level to level."""
    label = trial.settings["label"]
    return {
        "classes": "classes of texts" + (f" ({label})" if label else ""),
        "repeats": "share of texts that differ",
        "temperature": label or "number",
    }[str(trial.settings["construction"])]


def levels(trial: DiversityTrial) -> list[str]:
    """Return the levels as text."""
    share = trial.settings["construction"] == "repeats"
    return [f"{level:.0%}" if share else f"{level:.3g}" for level in trial.settings["levels"]]


def drawn(trial: DiversityTrial) -> str:
    """Return the number of corpora per level, of texts per corpus and of repetitions, as text."""
    settings = trial.settings
    return (
        f"{settings['corpora_a_level']} corpora per level of {settings['n']:,} texts, "
        f"{trial.repetitions} repetition{'s' * (trial.repetitions != 1)}"
    )


def _head(trial: DiversityTrial) -> list[str]:
    settings = trial.settings
    corpus = settings["corpora"][0]
    tokenizer = f" ({settings['tokenizer']})" if settings["tokenizer"] else ""
    embedders = dict.fromkeys(ordering.embedder for ordering in trial.ranked if ordering.embedder)
    matched = "matched" if settings["match_length"] else "not matched"
    return [
        f"{printable(corpus['name'])}  {corpus['texts']:,} texts{tokenizer}",
        f"Levels: {', '.join(levels(trial))} {grows(trial)}",
        f"{drawn(trial)}, seed {settings['seed']}",
        f"Lengths {matched}: means of levels differ by at most {trial.length_difference:.1%}, "
        f"standard deviations by {trial.spread_difference:.0%}",
        *([f"Vectors: {', '.join(embedders)}"] if embedders else []),
    ]


def _cell(finding: Finding, *, first: bool) -> Cell:
    """Return the cell of a finding, marked if it is the best or within noise of the best."""
    if math.isnan(finding.mean):
        return Cell("undefined", value=finding.mean, missing=True)
    low, high = finding.low, finding.high
    half = "" if low is None or high is None else f" ±{bare((high - low) / 2)}"
    compared = "behind" in finding.parts
    noise = compared and not first and finding.parts.get("behind_low", 1.0) <= 0
    return Cell(
        f"{finding.mean:.3f}{half}",
        value=finding.mean,
        low=low,
        high=high,
        best=compared and first,
        mark="noise" if noise else "",
    )


def _legend(trial: DiversityTrial) -> list[str | Paragraph]:
    meanings = "; ".join(f"{LETTERS[measure]}: {MEANINGS[measure]}" for measure in trial.measures)
    lines: list[str | Paragraph] = [f"{meanings}. Metrics that fall with diversity are negated."]
    first = LETTERS[trial.measures[0]]
    if trial.repetitions > 1:
        best = (
            f"best by {first}; {NOISE} within noise of it: the 95 % interval of the paired difference over "
            "repetitions includes 0."
        )
    else:
        best = f"best by {first}. One repetition has no interval: choose --repetitions 5."
    return [*lines, meaning_of_best(best)]


def _verdicts(trial: DiversityTrial, ranked: list[list[Finding]]) -> list[str]:
    if trial.measures[0] != "accuracy":
        return []
    lines = []
    accuracies = list(zip(_names(trial), (findings[0] for findings in ranked)))
    blind = [name for name, accuracy in accuracies if _includes(accuracy, CHANCE)]
    wrong = [name for name, accuracy in accuracies if accuracy.high is not None and accuracy.high < CHANCE]
    if blind:
        lines.append(f"No better than chance ({CHANCE}): {', '.join(blind)}.")
    ties = [
        f"{name} ({accuracy.parts['ties']:.0%} ties; A {accuracy.parts['strict']:.3f} if they count as wrong)"
        for name, accuracy in accuracies
        if accuracy.parts["ties"] > MANY_TIES
    ]
    if ties:
        lines.append(f"Ties count as right: {', '.join(ties)}.")
    if wrong:
        lines.append(f"In the wrong order more often than in the right one: {', '.join(wrong)}.")
    return lines


def _includes(finding: Finding, number: float) -> bool:
    return finding.low is not None and finding.high is not None and finding.low <= number <= finding.high


def _notes(trial: DiversityTrial, ranked: list[list[Finding]]) -> list[OwnedNote]:
    owned = [
        OwnedNote(Note(note), specs=[name])
        for name, findings in zip(_names(trial), ranked)
        for note in dict.fromkeys(note for finding in findings for note in finding.notes)
    ]
    if len(owned) > MOST_NOTES:
        more = f"… and {len(owned) - MOST_NOTES} more notes: see --format findings."
        owned = [*owned[:MOST_NOTES], OwnedNote(Note(more))]
    return [*whole_notes(trial.notes), *owned]
