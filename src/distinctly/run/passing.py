"""Quality gates: the scores of all texts of each corpus, beside those of the texts that are good enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from distinctly.corpus import Corpus
from distinctly.run.corpora import rereadable
from distinctly.run.measuring import Measuring
from distinctly.run.scopes import with_parts
from distinctly.score import Note, Score, Scores, Signature
from distinctly.sources.changed import AtLeast, ChangedSource

FEWER = Note(
    "Fewer texts pass than there are, and the value depends on their number. Compare it with that of other "
    "corpora at the same quality, or with all texts at one size (at=).",
)


def measure_passing(
    run: Measuring, corpora: Sequence[Corpus], quality: float, *, only: bool = False
) -> Scores:
    """Measure all texts of each corpus, and those whose quality is at least a number.

    Parameters
    ----------
    run, corpora
        The metrics and settings, and the corpora.
    quality
        The smallest quality of a text that counts.
    only
        Leave out the scores of all texts.
    """
    corpora = rereadable(corpora)
    passing = run.measure(
        [
            Corpus.of_source(ChangedSource(corpus.source, AtLeast(quality, corpus.name)), corpus.name)
            for corpus in corpora
        ]
    )
    whole = run.measure(corpora)
    sized = {request.spec for request in run.plan.requests if request.metric.sized != "no"}
    texts = {facts["name"]: facts["texts"] for facts in whole.corpora}
    passed = {facts["name"]: facts["texts"] for facts in passing.corpora}
    shares = {name: passed.get(name, 0) / count if count else 0.0 for name, count in texts.items()}

    def named(name: str) -> str:
        return f"{name} (quality ≥ {quality:g})"

    def marked(score: Score) -> Score:
        signature = Signature.parse(score.signature)
        facts = {"texts": signature.facts["texts"], "at_least": repr(float(quality)), **signature.facts}
        share = shares[str(score.corpus)]
        notes = (FEWER,) if score.spec in sized and share < 1 else ()
        relative = score.relative
        return with_parts(replace(score, notes=(*score.notes, *notes)), passed=share).evolve(
            corpus=named(str(score.corpus)),
            signature=str(replace(signature, facts=facts)),
            relative=None if relative is None else replace(relative, to=named(relative.to)),
        )

    of_passing = [marked(score) for score in passing]
    described: list[dict[str, Any]] = [
        {**facts, "name": named(facts["name"]), "passed": shares[facts["name"]]} for facts in passing.corpora
    ]
    if only:
        return Scores(of_passing, described)
    comparisons = [
        *whole.comparisons,
        *(replace(c, best=named(c.best), corpus=named(c.corpus)) for c in passing.comparisons),
    ]
    scores: list[Score] = []
    facts_in_order: list[Any] = []
    for facts in whole.corpora:
        name = facts["name"]
        scores += [score for score in whole if score.corpus == name]
        scores += [score for score in of_passing if score.corpus == named(name)]
        facts_in_order += [facts, *(each for each in described if each["name"] == named(name))]
    return Scores(scores, facts_in_order, comparisons)
