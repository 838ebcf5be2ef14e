"""The tables of distances, with marks for the nearest candidate and for possible noise."""

from __future__ import annotations

import math

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
    return [_single(scores) if len(corpora) == 1 else _several(scores, corpora)]


def _single(scores: Scores) -> Table:
    floors, tested = _floored(scores), _tested(scores)
    columns = [Column("metric", "name"), Column("distance")]
    columns += [Column("noise floor"), Column("× floor")] if floors else []
    columns += [Column("p (corrected)")] if tested else []
    # The parts of a number are shown if no other column is; JSON always has them.
    room = not floors and not tested
    columns += [Column("parts", "text", muted=True)] if room else []
    rows = [
        [
            words(score.spec),
            cell(score, noise=may_be_noise(score)),
            *([_floor_cell([score]), _ratio(score)] if floors else []),
            *([_p_value(score)] if tested else []),
            *([words(parts_of(score))] if room else []),
        ]
        for score in scores
    ]
    return Table(columns, rows)


def _several(scores: Scores, corpora: list[str]) -> Table:
    by_corpus = {(score.spec, score.corpus): score for score in scores}
    specs = list(dict.fromkeys(score.spec for score in scores))
    nearest = {spec: _nearest([by_corpus[spec, corpus] for corpus in corpora]) for spec in specs}
    cells = {
        key: cell(score, best=score.value == nearest[key[0]], noise=may_be_noise(score))
        for key, score in by_corpus.items()
    }
    floors = {spec: _floor_cell([by_corpus[spec, corpus] for corpus in corpora]) for spec in specs}
    if len(corpora) <= SIDE_BY_SIDE:
        columns = [Column("metric", "name")]
        columns += [Column(printable(corpus), breakable=True) for corpus in corpora]
        rows = [[words(spec), *(cells[spec, corpus] for corpus in corpora)] for spec in specs]
        if _floored(scores):
            columns.append(Column("noise floor"))
            rows = [[*row, floors[spec]] for spec, row in zip(specs, rows)]
        return Table(columns, rows)
    nearest_first = sorted(corpora, key=lambda corpus: _rank(by_corpus[specs[0], corpus]))
    rows = [[words(printable(corpus)), *(cells[spec, corpus] for spec in specs)] for corpus in nearest_first]
    if _floored(scores):
        rows.append([words("(noise floor)"), *(floors[spec] for spec in specs)])
    return Table([Column("corpus", "name"), *(Column(spaced(spec)) for spec in specs)], rows)


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
    """Return whether a distance may be due to chance, by its test or else by its floor."""
    if score.test is not None:
        return score.test.p_holm >= SIGNIFICANT
    if score.floor is not None:
        return score.floor.distance_at_size <= score.floor.high
    return False


def distance_legend(scores: Scores) -> list[Paragraph]:
    """Return the explanation of the marks."""
    lines: list[str] = []
    reference = printable(scores[0].reference or "")
    several = len({score.corpus for score in scores}) > 1 and len({score.reference for score in scores}) == 1
    if several:
        lines.append(f"{BEST} nearest to {reference}.")
    permutations = max((score.test.permutations for score in scores if score.test is not None), default=0)
    if permutations:
        shuffles = f"{permutations:,} shuffles of the texts"
        none = "" if any(map(may_be_noise, scores)) else " None is."
        lines.append(
            f"{NOISE} may be noise: p ≥ {SIGNIFICANT}, corrected for the number of metrics "
            f"({shuffles}).{none}"
        )
        metrics = len({score.spec for score in scores})
        if metrics / (permutations + 1) >= SIGNIFICANT:
            enough = math.ceil(metrics / SIGNIFICANT)
            lines.append(
                f"Too few shuffles for {metrics} metrics to be significant: choose --permutations {enough}."
            )
    elif _floored(scores):
        none = "" if any(map(may_be_noise, scores)) else " None is."
        lines.append(f"{NOISE} may be noise: not above the 95 % quantile of the floor.{none}")
    if _floored(scores):
        sizes = sorted({score.floor.texts for score in scores if score.floor is not None})
        texts = " to ".join(f"{size:,}" for size in dict.fromkeys((sizes[0], sizes[-1])))
        ratio = "; × floor: the distance at this size, divided by the floor"
        single = len({(score.reference, score.corpus) for score in scores}) == 1
        lines.append(f"Noise floor: two random parts of the reference, {texts} texts each{ratio * single}.")
    return [Paragraph(line, "legend") for line in lines]


def _floored(scores: Scores) -> bool:
    return any(score.floor is not None for score in scores)


def _tested(scores: Scores) -> bool:
    return any(score.test is not None for score in scores)


def _ratio(score: Score) -> Cell:
    ratio = math.nan if score.floor is None else score.floor.ratio
    return NONE if math.isnan(ratio) else Cell(f"{ratio:,.1f}×", value=ratio)


def _p_value(score: Score) -> Cell:
    test = score.test
    if test is None or math.isnan(test.p):
        return NONE
    return Cell(f"{test.p:.3g} ({test.p_holm:.3g})", value=test.p_holm)


def _floor_cell(scores: list[Score]) -> Cell:
    """Return the smallest and the largest floor, or the only one."""
    floors = sorted(score.floor.mean for score in scores if score.floor is not None)
    if not floors:
        return NONE
    text = "–".join(dict.fromkeys((rounded(floors[0]), rounded(floors[-1]))))
    return Cell(text, value=floors[0] if len(set(floors)) == 1 else None)


def _nearest(scores: list[Score]) -> float:
    known = [score.value for score in scores if not math.isnan(score.value)]
    return min(known) if len(known) > 1 else math.nan


def _rank(score: Score) -> float:
    return math.inf if math.isnan(score.value) else score.value
