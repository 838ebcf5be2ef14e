"""The tables of diversity: of one corpus, of its scopes, or of several corpora side by side."""

from __future__ import annotations

import math

from distinctly.report.cells import EMPTY, NOISE, SIDE_BY_SIDE, cell, parts_of, printable, spaced, words
from distinctly.report.page import BEST, Column, Paragraph, Table
from distinctly.score import Score, Scores

# More differences than this do not fit a page; JSON has all of them.
_MOST_DIFFERENCES = 12
SCOPES = {
    "within": "each group separately, mean over groups",
    "across": "one text per group, mean over draws",
    "pooled": "all texts together",
}
_METRIC = Column("metric", "name")


def diversity_tables(scores: Scores) -> list[Table]:
    """Return one table of one corpus, or one table per scope of several."""
    corpora = list(dict.fromkeys(score.corpus for score in scores))
    scopes = list(dict.fromkeys(score.scope for score in scores))
    if len(corpora) > 1:
        return [_compared(scores, corpora, scope) for scope in scopes]
    if scopes != [None]:
        return [_scoped(scores, [scope or "" for scope in scopes])]
    columns = [_METRIC, Column("value"), Column("parts", "text", muted=True)]
    return [Table(columns, [[words(score.spec), cell(score), words(parts_of(score))] for score in scores])]


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
    """Return the sort key: the best first, undefined values last."""
    lower = any(
        comparison.metric == score.spec and comparison.difference > 0 for comparison in scores.comparisons
    )
    if math.isnan(score.value):
        return math.inf
    return score.value if lower else -score.value


def _marked(scores: Scores, scope: str | None) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return (metric, corpus) of the best corpus per metric, and of those within noise of it."""
    comparisons = [comparison for comparison in scores.comparisons if comparison.scope == scope]
    best = {(comparison.metric, comparison.best) for comparison in comparisons}
    return best, {(comparison.metric, comparison.corpus) for comparison in comparisons if comparison.noise}


def diversity_legend(scores: Scores) -> list[Paragraph]:
    """Return the explanation of the marks."""
    tested = [comparison for comparison in scores.comparisons if comparison.noise is not None]
    if not tested:
        return [Paragraph(f"{BEST} most diverse.", "legend")] if scores.comparisons else []
    tests = "; ".join(dict.fromkeys(comparison.test for comparison in tested))
    text = f"{BEST} most diverse; all differences from it are more than noise (p < 0.05; {tests})."
    if any(comparison.noise for comparison in tested):
        text = (
            f"{BEST} most diverse.  {NOISE} within noise of it: p ≥ 0.05, corrected for the number of "
            f"metrics ({tests})."
        )
    return [Paragraph(text, "legend")]


def differences(scores: Scores) -> list[Paragraph]:
    """Return each difference with its p-value, if texts were exchanged and there are few differences."""
    tested = [
        comparison
        for comparison in scores.comparisons
        if comparison.noise is not None and comparison.exchanged
    ]
    if not 0 < len(tested) <= _MOST_DIFFERENCES:
        return []
    return [
        Paragraph(
            f"{' '.join(filter(None, (comparison.metric, comparison.scope)))}: "
            f"{printable(comparison.corpus)} minus {printable(comparison.best)} "
            f"{comparison.difference:+.4g}, p = {comparison.p:.3g} ({comparison.p_holm:.3g} corrected)",
            "difference",
        )
        for comparison in tested
    ]
