"""The tables of distances, with marks for the nearest candidate and for possible noise."""

from __future__ import annotations

import math
from collections.abc import Sequence

from distinctly.report.cells import (
    EMPTY,
    NOISE,
    SIDE_BY_SIDE,
    cell,
    parts_of,
    printable,
    rounded,
    spaced,
    words,
)
from distinctly.report.page import BEST, Cell, Column, Paragraph, Table
from distinctly.run.comparing import SIGNIFICANT
from distinctly.score import Score, Scores

NONE = Cell("–", missing=True)


def distance_tables(scores: Scores) -> list[Table]:
    """Return one table of one or several candidates, or one table of all pairs per metric."""
    references = list(dict.fromkeys(score.reference or "" for score in scores))
    corpora = list(dict.fromkeys(score.corpus for score in scores))
    if len(references) > 1:
        return _matrices(scores, [corpus for corpus in references if corpus in corpora])
    if len(corpora) == 1:
        return [_single(scores)]
    if _floored(scores) or _tested(scores):
        return [_by_metric(scores, corpora)]
    return [_compact(scores, corpora)]


def _single(scores: Scores) -> Table:
    columns = [Column("metric", "name"), Column("distance"), *_evidence_columns(scores)]
    # The parts of a number are shown if no other column is; JSON always has them.
    room = not _floored(scores) and not _tested(scores)
    columns += [Column("parts", "text", muted=True)] if room else []
    rows = [
        [
            words(score.spec),
            cell(score, noise=may_be_noise(score)),
            *_evidence(score, scores),
            *([words(parts_of(score))] if room else []),
        ]
        for score in scores
    ]
    return Table(columns, rows)


def _by_metric(scores: Scores, corpora: list[str]) -> Table:
    """Return a table with a block of rows per metric, and one row per candidate in it."""
    columns = [Column("metric", "name"), Column("corpus", "name"), Column("distance")]
    rows = []
    for spec, by_corpus in _by_spec(scores).items():
        nearest = _nearest(list(by_corpus.values()))
        for place, corpus in enumerate(_ordered(scores, corpora)):
            score = by_corpus[corpus]
            rows.append(
                [
                    words("" if place else spec),
                    words(printable(corpus)),
                    cell(score, best=score.value == nearest, noise=may_be_noise(score)),
                    *_evidence(score, scores),
                ]
            )
    return Table([*columns, *_evidence_columns(scores)], rows)


def _compact(scores: Scores, corpora: list[str]) -> Table:
    """Return a table of distances alone, with few candidates as columns and many as rows."""
    by_spec = _by_spec(scores)
    nearest = {spec: _nearest(list(by_corpus.values())) for spec, by_corpus in by_spec.items()}

    def shown(spec: str, corpus: str) -> Cell:
        score = by_spec[spec][corpus]
        return cell(score, best=score.value == nearest[spec])

    if len(corpora) <= SIDE_BY_SIDE:
        columns = [Column("metric", "name")]
        columns += [Column(printable(corpus), breakable=True) for corpus in corpora]
        return Table(
            columns, [[words(spec), *(shown(spec, corpus) for corpus in corpora)] for spec in by_spec]
        )
    columns = [Column("corpus", "name"), *(Column(spaced(spec)) for spec in by_spec)]
    rows = [
        [words(printable(corpus)), *(shown(spec, corpus) for spec in by_spec)]
        for corpus in _ordered(scores, corpora)
    ]
    return Table(columns, rows)


def _matrices(scores: Scores, corpora: list[str]) -> list[Table]:
    pairs = {(score.spec, score.reference, score.corpus): score for score in scores}
    columns = [Column("reference", "name")]
    columns += [Column(printable(corpus), breakable=True) for corpus in corpora]

    def shown(spec: str, reference: str, corpus: str) -> Cell:
        if reference == corpus:
            return EMPTY
        score = pairs[spec, reference, corpus]
        return cell(score, noise=may_be_noise(score))

    return [
        Table(
            columns,
            [
                [words(printable(reference)), *(shown(spec, reference, corpus) for corpus in corpora)]
                for reference in corpora
            ],
            title=spec,
        )
        for spec in dict.fromkeys(score.spec for score in scores)
    ]


def may_be_noise(score: Score) -> bool:
    """Return whether a distance may be due to chance, by its test; no claim is made without one."""
    return score.test is not None and score.test.p_holm >= SIGNIFICANT


def distance_legend(scores: Scores) -> list[Paragraph]:
    """Return the explanation of the marks and columns."""
    several = len({score.corpus for score in scores}) > 1
    matrix = len({score.reference for score in scores}) > 1
    lines = []
    if several and not matrix:
        lines.append(f"{BEST} nearest to {printable(scores[0].reference or '')}.")
    lines += _legend_of_tests(scores)
    if _floored(scores) and not matrix:
        lines.append(_legend_of_floors(scores))
    if _floored(scores) and not _tested(scores):
        lines.append("The floor is not a test: --permutations N tests which distances are more than noise.")
    hidden = [name for name, known in (("p-value", _tested), ("noise floor", _floored)) if known(scores)]
    if matrix and hidden:
        lines.append(f"The {' and the '.join(hidden)} of each pair: --format csv or json.")
    return [Paragraph(line, "legend") for line in lines]


def _legend_of_tests(scores: Scores) -> list[str]:
    known = [score.test for score in scores if score.test is not None and not math.isnan(score.test.p)]
    if not known:
        return []
    tests, permutations = len(known), known[0].permutations
    corrected = f", corrected for {tests:,} comparisons (Holm)" if tests > 1 else ""
    none = "" if any(map(may_be_noise, scores)) else " None is."
    ways = {test.how for test in known}
    how = ways.pop() if len(ways) == 1 else f"texts exchanged {permutations:,} times"
    lines = [f"{NOISE} may be noise: p ≥ {SIGNIFICANT}{corrected}; {how}.{none}"]
    if tests / (permutations + 1) >= SIGNIFICANT:
        enough = math.ceil(tests / SIGNIFICANT)
        comparisons = f"{tests:,} comparisons" if tests > 1 else "a comparison"
        lines.append(
            f"Too few permutations for {comparisons} to be significant: choose --permutations {enough}."
        )
    return lines


def _legend_of_floors(scores: Scores) -> str:
    sizes = _floor_sizes(scores)
    texts = " to ".join(f"{size:,}" for size in dict.fromkeys((sizes[0], sizes[-1])))
    return (
        f"Noise floor: mean distance between two random parts of the reference, {texts} texts each. "
        f"{_title_at_size(scores).capitalize()}: mean distance between as many texts of the reference and of "
        "the candidate. × floor: this distance divided by the floor."
    )


def _evidence_columns(scores: Scores) -> list[Column]:
    """Return the columns of the floor and of the test, where they were requested."""
    titles = [_title_at_size(scores), "noise floor", "× floor"] if _floored(scores) else []
    titles += ["p (corrected)"] if _tested(scores) else []
    return [Column(title) for title in titles]


def _evidence(score: Score, scores: Scores) -> list[Cell]:
    """Return the cells of one score in these columns."""
    cells: list[Cell] = []
    if _floored(scores):
        floor = score.floor
        cells = [NONE] * 3 if floor is None else [_number(floor.distance_at_size), _number(floor.mean)]
        if floor is not None:
            cells.append(NONE if math.isnan(floor.ratio) else Cell(f"{floor.ratio:,.1f}×", value=floor.ratio))
    return [*cells, *([_p_value(score)] if _tested(scores) else [])]


def _title_at_size(scores: Scores) -> str:
    sizes = _floor_sizes(scores)
    return f"at {sizes[0]:,} texts" if sizes[0] == sizes[-1] else "at equal size"


def _floor_sizes(scores: Scores) -> list[int]:
    return sorted({score.floor.texts for score in scores if score.floor is not None})


def _floored(scores: Scores) -> bool:
    return any(score.floor is not None for score in scores)


def _tested(scores: Scores) -> bool:
    return any(score.test is not None for score in scores)


def _number(value: float) -> Cell:
    return NONE if math.isnan(value) else Cell(rounded(value), value=value)


def _p_value(score: Score) -> Cell:
    test = score.test
    if test is None or math.isnan(test.p):
        return NONE
    return Cell(f"{test.p:.3g} ({test.p_holm:.3g})", value=test.p_holm)


def _by_spec(scores: Scores) -> dict[str, dict[str, Score]]:
    """Return the scores by spec, then by candidate."""
    by_spec: dict[str, dict[str, Score]] = {}
    for score in scores:
        by_spec.setdefault(score.spec, {})[score.corpus] = score
    return by_spec


def _ordered(scores: Scores, corpora: list[str]) -> list[str]:
    """Return few candidates as they were given, and many by their first distance, the nearest first."""
    if len(corpora) <= SIDE_BY_SIDE:
        return corpora
    by_corpus = _by_spec(scores)[scores[0].spec]
    return sorted(corpora, key=lambda corpus: _rank(by_corpus[corpus]))


def _nearest(scores: Sequence[Score]) -> float:
    known = [score.value for score in scores if not math.isnan(score.value)]
    return min(known) if len(known) > 1 else math.nan


def _rank(score: Score) -> float:
    return math.inf if math.isnan(score.value) else score.value
