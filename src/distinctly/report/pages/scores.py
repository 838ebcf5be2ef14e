"""The page of scores: corpora, tables, legend, listings, notes, signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from distinctly.report.cells import corpus_size, printable
from distinctly.report.page import Block, Heading, Notes, OwnedNote, Page, Signatures
from distinctly.report.pages.distances import distance_legend, distance_tables
from distinctly.report.pages.diversity import (
    differences,
    diversity_legend,
    diversity_tables,
    relative_tables,
)
from distinctly.report.pages.explanations import explained, frequent
from distinctly.score import Note, Score, Scores, finite

# More notes than this are not read; JSON has all of them.
MOST_NOTES = 5
# What notes are about, the most important first.
_SCOPES = ("run", "corpus", "metric")
# More metrics than this are written as "all but" the others, if those are fewer.
FEW_OWNERS = 2
# Facts of a corpus that are shown as listings.
_LISTINGS = {"top", "explain", "drivers"}


@dataclass(frozen=True)
class Verdict:
    """Whether a score meets a requirement.

    Attributes
    ----------
    requirement
        The requirement as it was given.
    score
        The score.
    met
        Whether the score meets it; never if the value is NaN.
    bound
        The number that the value is compared with.
    baseline
        The value of the baseline that the bound refers to; None if it refers to none.
    warning
        Why the value should not be compared with the baseline; None if nothing speaks against it.

    Examples
    --------
    >>> Verdict("ead>=0.2", Score(0.5, spec="ead", corpus="gpt4"), met=True, bound=0.2).to_dict()["value"]
    0.5
    """

    requirement: str
    score: Score
    met: bool
    bound: float
    baseline: float | None = None
    warning: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None, and only distances have a reference.

        Only bounds that refer to a baseline have its value and the warning.
        """
        reference = {"reference": self.score.reference} if self.score.kind == "distance" else {}
        baseline = {} if self.baseline is None else {"baseline": self.baseline, "warning": self.warning}
        return {
            "requirement": self.requirement,
            "corpus": self.score.corpus,
            **reference,
            "scope": self.score.scope,
            "metric": self.score.spec,
            "value": finite(self.score.value),
            "bound": self.bound,
            **baseline,
            "met": self.met,
        }


def page_of_scores(scores: Scores, verdicts: Sequence[Verdict] = ()) -> Page:
    """Lay out the scores of one run; the JSON document also has the verdicts on them, if there are any."""

    def document() -> dict[str, Any]:
        requirements = [verdict.to_dict() for verdict in verdicts]
        return scores.to_dict() | ({"requirements": requirements} if requirements else {})

    distances = len(scores) > 0 and all(score.kind == "distance" for score in scores)
    blocks: list[Block] = [
        Heading(printable(corpus["name"]), corpus_size(corpus)) for corpus in scores.corpora
    ]
    blocks += distance_tables(scores) if distances else _diversity(scores)
    blocks += relative_tables(scores)
    blocks += distance_legend(scores) if distances else diversity_legend(scores)
    blocks += differences(scores) if scores.comparisons else []
    if any(_LISTINGS & corpus.keys() for corpus in scores.corpora):
        blocks += [*frequent(scores), *explained(scores)]
    blocks += [Notes(owned_notes(scores), MOST_NOTES), Signatures([score.signature for score in scores])]
    return Page(
        blocks,
        document=document,
        records=scores.to_records,
        columns=list(Score(0.0).to_record()),
        values=[score.value for score in scores],
        more_sheets=lambda: {
            "comparisons": [comparison.to_dict() for comparison in scores.comparisons],
            "requirements": [verdict.to_dict() for verdict in verdicts],
        },
    )


def _diversity(scores: Scores) -> list[Block]:
    """Return the tables of all texts, then those of the texts that are good enough, if there is a gate."""
    shares = {corpus["name"]: corpus["passed"] for corpus in scores.corpora if "passed" in corpus}
    if not shares:
        return [*diversity_tables(scores)]
    headings = {
        False: Heading("All texts", of_tables=True),
        True: Heading("Texts that pass", _passed(shares), of_tables=True),
    }
    blocks: list[Block] = []
    for gated, heading in headings.items():
        chosen = Scores(
            [score for score in scores if (score.corpus in shares) == gated],
            [corpus for corpus in scores.corpora if (corpus["name"] in shares) == gated],
            [each for each in scores.comparisons if (each.corpus in shares) == gated],
        )
        blocks += [heading, *diversity_tables(chosen)]
    return blocks


def _passed(shares: Mapping[str, float]) -> str:
    """Return the share of the texts of each corpus that pass, in words."""
    return ", ".join(f"{share:.0%} of {printable(name)}" for name, share in shares.items())


def owned_notes(scores: Scores) -> list[OwnedNote]:
    """Return what notes say, once each, with its metrics and corpora unless it is about all of them.

    Reasons for missing values come first, then warnings, then hints; of each, what is about the whole run,
    then about a corpus, then about a metric.
    """
    all_corpora = {score.corpus for score in scores}
    owners: dict[tuple[str, str], list[tuple[Note, Score]]] = {}
    for stated in (_reasons, _notes):
        for score in scores:
            for note in stated(score):
                owners.setdefault((note.level, note.general), []).append((note, score))
    owned = []
    for owning in owners.values():
        notes = list(dict.fromkeys(note for note, _ in owning))
        note = notes[0]
        if len(notes) > 1:
            note = Note(note.general, note.level, note.scope)
        corpora = list(dict.fromkeys(score.corpus for _, score in owning))
        specs = list(dict.fromkeys(score.spec for _, score in owning))
        owned.append(
            OwnedNote(
                note,
                [] if set(corpora) == all_corpora else [printable(corpus) for corpus in corpora],
                _owners(specs, scores, corpora),
            )
        )
    # Sorting keeps the order of what is equally important.
    return sorted(owned, key=lambda item: (item.note.level != "warning", _SCOPES.index(item.note.scope)))


def _owners(specs: Sequence[str], scores: Scores, corpora: Sequence[str]) -> list[str]:
    """Return the metrics that a note is about; none if it is about all, and the others if those are fewer."""
    # A value at one size has the notes of the value of all texts.
    plain = {score.spec: score.plain_spec or score.spec for score in scores}
    known = list(dict.fromkeys(plain[score.spec] for score in scores if score.corpus in corpora))
    owning = {plain[spec] for spec in specs}
    others = [spec for spec in known if spec not in owning]
    if not others:
        return []
    if len(others) < len(owning) and len(owning) > FEW_OWNERS:
        return [f"all but {', '.join(others)}"]
    return [spec for spec in known if spec in owning]


def _reasons(score: Score) -> Sequence[Note]:
    """Return why a score has no value, if it has none."""
    if score.undefined is None:
        return ()
    general = score.undefined.general if isinstance(score.undefined, Note) else score.undefined
    return (Note(f"Undefined: {score.undefined}", "warning", "run", f"Undefined: {general}"),)


def _notes(score: Score) -> Sequence[Note]:
    return score.notes
