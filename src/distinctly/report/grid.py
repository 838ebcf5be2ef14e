"""The grids that the readable reports share: a row a metric and a column a corpus, or the other way round."""

from __future__ import annotations

import math

from distinctly.report.cells import (
    BEST,
    NOISE,
    SIDE_BY_SIDE,
    Grid,
    cell,
    clipped,
    made_of,
    printable,
    words,
)
from distinctly.report.distances import are_distances, distance_explained, distance_grids, distance_legend
from distinctly.score import Score, Scores

# More than this are for JSON.
_MOST_DIFFERENCES = 12


def grids(scores: Scores, width: int = 1000) -> list[Grid]:
    """Return the tables of a run: one a scope where several corpora have several, each as wide as allowed."""
    if are_distances(scores):
        return distance_grids(scores, width)
    corpora = list(dict.fromkeys(score.corpus for score in scores))
    scopes = list(dict.fromkeys(score.scope for score in scores))
    if len(corpora) > 1:
        return [one for scope in scopes for one in _compared(scores, corpora, scope, width)]
    if scopes != [None]:
        return [_scoped(scores, [scope or "" for scope in scopes])]
    rows = [[score.spec, cell(score), made_of(score)] for score in scores]
    return [Grid("", ["metric", "value", "made of"], rows)]


def _scoped(scores: Scores, scopes: list[str]) -> Grid:
    found = {(score.spec, score.scope): score for score in scores}
    rows = [
        [spec, *(cell(found[spec, scope]) if (spec, scope) in found else "" for scope in scopes)]
        for spec in dict.fromkeys(score.spec for score in scores)
    ]
    return Grid("", ["metric", *scopes], rows)


def _compared(scores: Scores, corpora: list[str], scope: str | None, width: int) -> list[Grid]:
    own = {(score.spec, score.corpus): score for score in scores if score.scope == scope}
    marks = _marks(scores, scope)
    specs = list(dict.fromkeys(spec for spec, _ in own))
    cells = {key: cell(score, marks.get(key, "")) for key, score in own.items()}
    title = scope or ""
    if len(corpora) <= SIDE_BY_SIDE:
        rows = [[spec, *(cells[spec, corpus] for corpus in corpora)] for spec in specs]
        return [Grid(title, ["metric", *map(printable, corpora)], rows)]
    names = [printable(corpus) for corpus in corpora]
    room = width - max(map(len, names)) - 2
    widest = max(*map(len, cells.values()), *(len(word) for spec in specs for word in words(spec)))
    columns = max(room // (widest + 2), 1)
    best_first = sorted(corpora, key=lambda corpus: _rank(own[specs[0], corpus], scores))
    return [
        Grid(
            title if not start else "",
            ["corpus", *(" ".join(words(spec)) for spec in specs[start : start + columns])],
            [
                [printable(corpus), *(cells[spec, corpus] for spec in specs[start : start + columns])]
                for corpus in best_first
            ],
        )
        for start in range(0, len(specs), columns)
    ]


def _rank(score: Score, scores: Scores) -> float:
    """Return what to sort by: the best first, what is undefined last."""
    lower = any(c.metric == score.spec and c.difference > 0 for c in scores.comparisons)
    if math.isnan(score.value):
        return math.inf
    return score.value if lower else -score.value


def _marks(scores: Scores, scope: str | None) -> dict[tuple[str, str], str]:
    """Return a mark for the best corpus of each metric, and for those that may be as good."""
    marks: dict[tuple[str, str], str] = {}
    for one in scores.comparisons:
        if one.scope == scope:
            marks[one.metric, one.best] = BEST
            if one.noise:
                marks[one.metric, one.corpus] = NOISE
    return marks


def legend(scores: Scores) -> list[str]:
    """Explain the marks."""
    if are_distances(scores):
        return distance_legend(scores)
    tested = [one for one in scores.comparisons if one.noise is not None]
    if not tested:
        return [f"{BEST} most diverse."] if scores.comparisons else []
    tests = "; ".join(dict.fromkeys(one.test for one in tested))
    if not any(one.noise for one in tested):
        return [f"{BEST} most diverse; all differences from it are more than noise (p < 0.05; {tests})."]
    return [
        f"{BEST} most diverse.  {NOISE} within noise of it: p ≥ 0.05, corrected for the number of metrics "
        f"({tests})."
    ]


def differences(scores: Scores) -> list[str]:
    """Return each difference with its p-value, where texts were exchanged and a reader can take them in."""
    tested = [one for one in scores.comparisons if one.noise is not None and one.exchanged]
    if not 0 < len(tested) <= _MOST_DIFFERENCES:
        return []
    return [
        f"{' '.join(filter(None, (one.metric, one.scope)))}: {printable(one.corpus)} less "
        f"{printable(one.best)} {one.difference:+.4g}, p = {one.p:.3g} ({one.p_holm:.3g} corrected)"
        for one in tested
    ]


def notes(scores: Scores) -> list[str]:
    """Return each note once, with the corpora and metrics that it belongs to where it is not everybody's."""
    everywhere = {score.corpus for score in scores}
    owners: dict[str, list[Score]] = {}
    for score in scores:
        reason = [f"Undefined: {score.undefined}"] if score.undefined else []
        for note in (*reason, *score.notes):
            owners.setdefault(note, []).append(score)
    found = []
    for note, owning in owners.items():
        corpora = list(dict.fromkeys(score.corpus for score in owning))
        specs = list(dict.fromkeys(score.spec for score in owning))
        known = {score.spec for score in scores if score.corpus in corpora}
        whose = [] if set(corpora) == everywhere else [", ".join(map(printable, corpora))]
        whose += [] if set(specs) == known else [", ".join(specs)]
        found.append(f"{', '.join(whose)}: {note}" if whose else note)
    return found


def frequent(scores: Scores) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return the most frequent n-grams of each corpus, under a title, where they were asked for."""
    return [
        (
            f"Most frequent {one['n']}-grams of {printable(corpus['name'])}",
            [(printable(gram["text"]), gram["count"]) for gram in one["ngrams"]],
        )
        for corpus in scores.corpora
        for one in corpus.get("top", ())
    ]


def explained(scores: Scores, width: int = 1000) -> list[tuple[str, list[str]]]:
    """Return what costs each corpus the most variety, under a title, where that was asked for."""
    if are_distances(scores):
        return distance_explained(scores, width)
    found = []
    for corpus in scores.corpora:
        name = printable(corpus["name"])
        for one in corpus.get("explain", {}).get("ngrams", ()):
            lines = [
                f"{gram['beyond_first']:>7,} × {printable(gram['text'])}"
                + clipped(f"   … {printable(gram['example'])}", width - 12 - len(printable(gram["text"])))
                for gram in one["repeated"]
            ]
            title = (
                f"{one['n']}-grams of {name} said again most often (times beyond the first, and an example)"
            )
            found.append((title, lines or ["none is said again"]))
        texts = corpus.get("explain", {}).get("texts", ())
        if texts:
            lines = [
                f"{text['self_bleu']:.3f}  "
                + (f"({text['times']}×) " if text["times"] > 1 else "")
                + clipped(printable(text["text"]), width - 16)
                for text in texts
            ]
            found.append((f"Texts of {name} most like the others (their own Self-BLEU)", lines))
    return found
