"""The tables of diversity: one corpus, its scopes, or several corpora side by side."""

from __future__ import annotations

import math

from distinctly.report.cells import EMPTY, NOISE, SIDE_BY_SIDE, cell, made_of, printable, spaced, words
from distinctly.report.page import BEST, Column, Paragraph, Table
from distinctly.score import Score, Scores

# More differences than this are no use on a page; JSON has them all.
_MOST_DIFFERENCES = 12
SCOPES = {
    "within": "each group by itself, the mean over groups",
    "across": "one text a group, the mean over draws",
    "pooled": "all texts together",
}
_METRIC = Column("metric", "name")


def diversity_tables(scores: Scores) -> list[Table]:
    """Return a table of one corpus, or one per scope of several."""
    corpora = list(dict.fromkeys(score.corpus for score in scores))
    scopes = list(dict.fromkeys(score.scope for score in scores))
    if len(corpora) > 1:
        return [_compared(scores, corpora, scope) for scope in scopes]
    if scopes != [None]:
        return [_scoped(scores, [scope or "" for scope in scopes])]
    columns = [_METRIC, Column("value"), Column("made of", "text", muted=True)]
    return [Table(columns, [[words(score.spec), cell(score), words(made_of(score))] for score in scores])]


def _scoped(scores: Scores, scopes: list[str]) -> Table:
    by_scope = {(score.spec, score.scope): score for score in scores}
    rows = [
        [
            words(spec),
            *(cell(by_scope[spec, scope]) if (spec, scope) in by_scope else EMPTY for scope in scopes),
        ]
        for spec in dict.fromkeys(score.spec for score in scores)
    ]
    return Table([_METRIC, *(Column(scope) for scope in scopes)], rows)


def _compared(scores: Scores, corpora: list[str], scope: str | None) -> Table:
    by_corpus = {(score.spec, score.corpus): score for score in scores if score.scope == scope}
    best, noise = _marked(scores, scope)
    specs = list(dict.fromkeys(spec for spec, _ in by_corpus))
    cells = {key: cell(score, best=key in best, noise=key in noise) for key, score in by_corpus.items()}
    title, meaning = scope or "", SCOPES.get(scope or "", "")
    if len(corpora) <= SIDE_BY_SIDE:
        columns = [_METRIC, *(Column(printable(corpus), breakable=True) for corpus in corpora)]
        rows = [[words(spec), *(cells[spec, corpus] for corpus in corpora)] for spec in specs]
        return Table(columns, rows, title, meaning)
    best_first = sorted(corpora, key=lambda corpus: _rank(by_corpus[specs[0], corpus], scores))
    return Table(
        [Column("corpus", "name"), *(Column(spaced(spec)) for spec in specs)],
        [[words(printable(corpus)), *(cells[spec, corpus] for spec in specs)] for corpus in best_first],
        title,
        meaning,
    )


def _rank(score: Score, scores: Scores) -> float:
    """Return what to sort by: the best first, what is undefined last."""
    lower = any(c.metric == score.spec and c.difference > 0 for c in scores.comparisons)
    if math.isnan(score.value):
        return math.inf
    return score.value if lower else -score.value


def _marked(scores: Scores, scope: str | None) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return (metric, corpus) of the best corpus of each metric, and of those that may be as good."""
    compared = [one for one in scores.comparisons if one.scope == scope]
    best = {(one.metric, one.best) for one in compared}
    return best, {(one.metric, one.corpus) for one in compared if one.noise}


def diversity_legend(scores: Scores) -> list[Paragraph]:
    """Explain the marks."""
    tested = [one for one in scores.comparisons if one.noise is not None]
    if not tested:
        return [Paragraph(f"{BEST} most diverse.", "legend")] if scores.comparisons else []
    tests = "; ".join(dict.fromkeys(one.test for one in tested))
    text = f"{BEST} most diverse; all differences from it are more than noise (p < 0.05; {tests})."
    if any(one.noise for one in tested):
        text = (
            f"{BEST} most diverse.  {NOISE} within noise of it: p ≥ 0.05, corrected for the number of "
            f"metrics ({tests})."
        )
    return [Paragraph(text, "legend")]


def differences(scores: Scores) -> list[Paragraph]:
    """Return each difference with its p-value, where texts were exchanged and a reader can take them in."""
    tested = [one for one in scores.comparisons if one.noise is not None and one.exchanged]
    if not 0 < len(tested) <= _MOST_DIFFERENCES:
        return []
    return [
        Paragraph(
            f"{' '.join(filter(None, (one.metric, one.scope)))}: {printable(one.corpus)} less "
            f"{printable(one.best)} {one.difference:+.4g}, p = {one.p:.3g} ({one.p_holm:.3g} corrected)",
            "difference",
        )
        for one in tested
    ]
