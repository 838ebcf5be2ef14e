"""The tables of diversity: of one corpus, of its scopes, or of several corpora side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from distinctly.report.cells import (
    EMPTY,
    NOISE,
    TOKENS_PER_TEXT,
    Rounding,
    cell,
    corpus_cell,
    mean_lengths,
    parts_of,
    printable,
    roundings,
    side_by_side,
    spaced,
    words,
    written_p,
)
from distinctly.report.page import Cell, Column, Paragraph, Table
from distinctly.score import Comparison, Score, Scores

# More differences than this do not fit a page; JSON has all of them.
_MOST_DIFFERENCES = 12
SCOPES = {
    "within": "each group separately, mean over groups",
    "across": "one text per group, mean over draws",
    "pooled": "all texts together",
}
_METRIC = Column("metric", "name")
_P_VALUE = Column("p (corrected)")


def diversity_tables(scores: Scores) -> list[Table]:
    """Return one table of one corpus, or one table per scope of several."""
    corpora = list(dict.fromkeys(score.corpus for score in scores))
    scopes = list(dict.fromkeys(score.scope for score in scores))
    if len(corpora) > 1:
        return [_compared(scores, corpora, scope) for scope in scopes]
    if scopes != [None]:
        return [_scoped(scores, [scope or "" for scope in scopes])]
    columns = [_METRIC, Column("value"), Column("parts", "text", muted=True)]
    rounding = roundings(scores)
    rows = [
        [words(score.spec), cell(score, rounding[score.spec]), words(parts_of(score))] for score in scores
    ]
    return [Table(columns, rows)]


def relative_tables(scores: Scores) -> list[Table]:
    """Return one table per scope of values relative to one of the corpora; none if there are none."""
    tables = []
    families = dict.fromkeys(
        (score.relative.to, score.scope) for score in scores if score.relative is not None
    )
    for base, scope in families:
        relative = [
            score
            for score in scores
            if score.relative is not None and (score.relative.to, score.scope) == (base, scope)
        ]
        corpora = list(dict.fromkeys(score.corpus for score in relative))
        cells = {(score.spec, score.corpus): _ratio(score) for score in relative}
        rows = [
            [words(spec), *(cells.get((spec, corpus), EMPTY) for corpus in corpora)]
            for spec in dict.fromkeys(spec for spec, _ in cells)
        ]
        title = f"relative to {printable(base)}"
        columns = [_METRIC, *(Column(printable(corpus)) for corpus in corpora)]
        tables.append(Table(columns, rows, title, "" if scope is None else scope))
    return tables


def _ratio(score: Score) -> Cell:
    """Return the cell of a ratio, with half the width of its interval."""
    relative = score.relative
    if relative is None or math.isnan(relative.ratio):
        return Cell("undefined", missing=True)
    half = "" if relative.high is None else f" ±{relative.high - relative.ratio:.3f}"
    return Cell(f"{relative.ratio:.3f}{half}", value=relative.ratio, low=relative.low, high=relative.high)


def _scoped(scores: Scores, scopes: list[str]) -> Table:
    rounding = roundings(scores)
    cells = {(score.spec, score.scope): cell(score, rounding[score.spec]) for score in scores}
    rows = [
        [words(spec), *(cells.get((spec, scope), EMPTY) for scope in scopes)]
        for spec in dict.fromkeys(score.spec for score in scores)
    ]
    return Table([_METRIC, *(Column(scope) for scope in scopes)], rows)


def _compared(scores: Scores, corpora: list[str], scope: str | None) -> Table:
    """Return the table of several corpora in one scope, with marks and p-values."""
    by_corpus = {(score.spec, score.corpus): score for score in scores if score.scope == scope}
    comparisons = [comparison for comparison in scores.comparisons if comparison.scope == scope]
    specs = list(dict.fromkeys(spec for spec, _ in by_corpus))
    title, meaning = scope or "", SCOPES.get(scope or "", "")
    marked = _Marked(by_corpus, comparisons, roundings(scores))
    lengths = mean_lengths(scores)
    beside = side_by_side(corpora)
    if comparisons and (len(corpora) > 2 or not beside):
        return _blocks(marked, specs, corpora, lengths, title, meaning)
    if beside:
        columns = [_METRIC, *(Column(printable(corpus)) for corpus in corpora)]
        rows = [[words(spec), *(marked.cell(spec, corpus) for corpus in corpora)] for spec in specs]
        if lengths:
            rows.insert(0, [words(TOKENS_PER_TEXT), *(lengths.get(corpus, EMPTY) for corpus in corpora)])
        if comparisons:
            columns.append(_P_VALUE)
            p_values = [*([EMPTY] if lengths else []), *map(marked.p_of_pair, specs)]
            rows = [[*row, p_value] for row, p_value in zip(rows, p_values)]
        return Table(columns, rows, title, meaning)
    best_first = sorted(corpora, key=lambda corpus: marked.rank(specs[0], corpus))
    columns = [Column("corpus", "name"), *([Column(TOKENS_PER_TEXT)] if lengths else [])]
    rows = [
        [
            corpus_cell(corpus),
            *([lengths.get(corpus, EMPTY)] if lengths else []),
            *(marked.cell(spec, corpus) for spec in specs),
        ]
        for corpus in best_first
    ]
    return Table([*columns, *(Column(spaced(spec)) for spec in specs)], rows, title, meaning)


@dataclass(frozen=True)
class _Marked:
    """The scores of one scope by metric and corpus, their comparisons, and the rounding per metric."""

    scores: Mapping[tuple[str, str], Score]
    comparisons: Sequence[Comparison]
    roundings: Mapping[str, Rounding]

    @cached_property
    def _differing(self) -> set[str]:
        return differing_metrics(self.comparisons)

    @cached_property
    def _best(self) -> set[tuple[str, str]]:
        return {(each.metric, each.best) for each in self.comparisons if each.metric in self._differing}

    @cached_property
    def _compared(self) -> dict[tuple[str, str], Comparison]:
        return {(comparison.metric, comparison.corpus): comparison for comparison in self.comparisons}

    def cell(self, spec: str, corpus: str) -> Cell:
        """Return the cell of a value, with its marks."""
        key = spec, corpus
        if key not in self.scores:
            return EMPTY
        noise = spec in self._differing and key in self._compared and bool(self._compared[key].noise)
        return cell(self.scores[key], self.roundings[spec], best=key in self._best, noise=noise)

    def p_value(self, spec: str, corpus: str) -> Cell:
        """Return the cell of the corrected p-value of the difference from the best."""
        comparison = self._compared.get((spec, corpus))
        return EMPTY if comparison is None else p_cell(comparison.p_holm)

    def p_of_pair(self, spec: str) -> Cell:
        """Return the cell of the only p-value of a metric."""
        return next((p_cell(each.p_holm) for each in self.comparisons if each.metric == spec), EMPTY)

    def size(self, spec: str) -> str:
        """Return the size of a metric, as its spec has it."""
        options = next(score.options for (name, _), score in self.scores.items() if name == spec)
        return f"at={options['at']},unit={options['unit']}"

    def rank(self, spec: str, corpus: str) -> float:
        """Return the sort key of a corpus: the best first, undefined values last."""
        score = self.scores.get((spec, corpus))
        if score is None or math.isnan(score.value):
            return math.inf
        lower = any(each.metric == spec and each.difference > 0 for each in self.comparisons)
        return score.value if lower else -score.value


def _blocks(
    marked: _Marked,
    specs: list[str],
    corpora: list[str],
    lengths: Mapping[str, Cell],
    title: str,
    meaning: str,
) -> Table:
    """Return a table with one section per metric, and one row per corpus in it."""
    plain_of = {spec: score.plain_spec for (spec, _), score in marked.scores.items()}
    at_size = {plain: spec for spec, plain in plain_of.items() if plain is not None}
    sized = bool(at_size)
    columns = [Column("metric, corpus", "name"), *([Column(TOKENS_PER_TEXT)] if lengths else [])]
    columns += [Column("all texts" if sized else "value")]
    columns += [Column("at one size")] * sized + [_P_VALUE]
    rows: list[list[Cell]] = []
    sections: list[int] = []
    for spec in (spec for spec in specs if plain_of[spec] is None):
        matched = at_size.get(spec)
        size = "" if matched is None else marked.size(matched)
        sections.append(len(rows))
        above = [EMPTY] * (len(columns) - 3 if sized else len(columns) - 2)
        rows.append([words(spec), *above, *([words(size)] if sized else []), EMPTY])
        compared = spec if matched is None else matched
        for corpus in sorted(corpora, key=lambda corpus: marked.rank(compared, corpus)):
            row = [corpus_cell(corpus, indented=True), *([lengths.get(corpus, EMPTY)] if lengths else [])]
            row.append(marked.cell(spec, corpus))
            if sized:
                row.append(EMPTY if matched is None else marked.cell(matched, corpus))
            rows.append([*row, marked.p_value(compared, corpus)])
    return Table(columns, rows, title, meaning, sections)


def p_cell(p: float) -> Cell:
    """Return the cell of a p-value.

    Examples
    --------
    >>> p_cell(0.0123).text, p_cell(0.00001).text, p_cell(math.nan).text
    ('0.012', '<0.001', 'not tested')
    """
    if math.isnan(p):
        return Cell("not tested", missing=True)
    return Cell(written_p(p), value=p)


def diversity_legend(scores: Scores) -> list[Paragraph]:
    """Return the explanation of the marks and tests."""
    comparisons = scores.comparisons
    if not comparisons:
        return []
    sized = any(score.plain_spec is not None for score in scores)
    differing = differing_metrics(comparisons)
    best = f"most diverse{', at one size' if sized else ''}."
    lines = []
    tested = [comparison for comparison in comparisons if comparison.noise is not None]
    if any(comparison.noise and comparison.metric in differing for comparison in tested):
        best += f"  {NOISE} within noise of it (corrected p ≥ 0.05)."
    elif tested and len(tested) == len(comparisons):
        best += " All differences from it are more than noise (corrected p < 0.05)."
    if untested := [each for each in comparisons if each.noise is None]:
        metrics: dict[str, dict[str, None]] = {}
        for each in untested:
            metrics.setdefault(printable(each.corpus), {})[each.metric] = None
        corpora: dict[str, list[str]] = {}
        for corpus, names in metrics.items():
            corpora.setdefault(", ".join(names), []).append(corpus)
        subjects = "; ".join(f"{names} of {', '.join(owners)}" for names, owners in corpora.items())
        lines.append(f"Not tested, since there is too little data: {subjects}.")
    if tested:
        families = sorted({comparison.family for comparison in tested})
        scope = " per scope" if any(comparison.scope for comparison in tested) else ""
        tests = "; ".join(dict.fromkeys(comparison.test for comparison in tested))
        numbers = " or ".join(f"{family:,}" for family in families)
        lines.append(
            f"p-values are corrected for {numbers} comparison{'s' * (families != [1])}{scope}: all pairs of "
            f"corpora, all metrics (Holm). Tests: {tests}."
        )
    if sized:
        lines.append(
            "Values of all texts depend on the size of the corpus, so corpora are compared at the size of "
            "the smallest one (at=, the number of n-grams or texts)."
        )
    first = Paragraph(best, "legend", of_best=True)
    if not differing:
        same = "The corpora have the same values in all comparisons, so none is the most diverse."
        first = Paragraph(same, "legend")
    return [first, *(Paragraph(line, "legend") for line in lines)]


def differing_metrics(comparisons: Sequence[Comparison]) -> set[str]:
    """Return the metrics in which the corpora differ; if all have one value, none is the best."""
    return {comparison.metric for comparison in comparisons if comparison.difference}


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
