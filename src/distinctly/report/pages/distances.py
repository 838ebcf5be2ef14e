"""The tables of distances, with marks for the nearest candidate and for possible noise."""

from __future__ import annotations

import math
from collections.abc import Sequence

from distinctly.report.cells import (
    NOISE,
    NONE,
    SIDE_BY_SIDE,
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
from distinctly.report.page import LONGEST_IN_MATRIX, Cell, Column, Paragraph, Table
from distinctly.run.comparing import SIGNIFICANT
from distinctly.score import Score, Scores


def distance_tables(scores: Scores) -> list[Table]:
    """Return one table of one or several candidates, or one table of all pairs per metric."""
    references = list(dict.fromkeys(score.reference or "" for score in scores))
    corpora = list(dict.fromkeys(score.corpus for score in scores))
    if len(references) > 1:
        return _matrices(scores, [corpus for corpus in references if corpus in corpora])
    if len(corpora) == 1:
        return [_single(scores)]
    if _floored(scores) or _tested(scores):
        return [_by_metric(scores, references[0], corpora)]
    return [_compact(scores, references[0], corpora)]


def _single(scores: Scores) -> Table:
    columns = [Column("metric", "name"), Column("distance"), *_evidence_columns(scores)]
    # The parts of a number are shown if no other column is; JSON always has them.
    room = not _floored(scores) and not _tested(scores)
    columns += [Column("parts", "text", muted=True)] if room else []
    rounding = roundings(scores)
    rows = [
        [
            words(score.spec),
            cell(score, rounding[score.spec], noise=may_be_noise(score)),
            *_evidence(score, scores, rounding[score.spec]),
            *([words(parts_of(score, above))] if room else []),
        ]
        for score, above in zip(scores, [None, *scores])
    ]
    return Table(columns, rows)


def _by_metric(scores: Scores, reference: str, corpora: list[str]) -> Table:
    """Return a table with a block of rows per metric, and one row per candidate in it."""
    lengths, rounding = mean_lengths(scores), roundings(scores)
    evidence = _evidence_columns(scores)
    columns = [Column("metric", "name"), Column("corpus", "name")]
    columns += [*([Column(TOKENS_PER_TEXT)] if lengths else []), Column("distance"), *evidence]
    rows = []
    if lengths:
        nothing = [NONE] * (1 + len(evidence))
        rows.append([words("reference"), corpus_cell(reference), lengths.get(reference, NONE), *nothing])
    for spec, by_corpus in _by_spec(scores).items():
        nearest = _nearest(list(by_corpus.values()))
        for place, corpus in enumerate(_ordered(scores, corpora)):
            score = by_corpus[corpus]
            shown = cell(score, rounding[spec], best=score.value == nearest, noise=may_be_noise(score))
            row = [words("" if place else spec), corpus_cell(corpus)]
            row += [lengths.get(corpus, NONE)] if lengths else []
            rows.append([*row, shown, *_evidence(score, scores, rounding[spec])])
    return Table(columns, rows)


def _as_reference(name: str) -> str:
    return name if name == "reference" else f"{name} (reference)"


def _compact(scores: Scores, reference: str, corpora: list[str]) -> Table:
    """Return a table of distances alone, with few candidates as columns and many as rows."""
    by_spec = _by_spec(scores)
    lengths, rounding = mean_lengths(scores), roundings(scores)
    nearest = {spec: _nearest(list(by_corpus.values())) for spec, by_corpus in by_spec.items()}

    def shown(spec: str, corpus: str) -> Cell:
        score = by_spec[spec][corpus]
        return cell(score, rounding[spec], best=score.value == nearest[spec])

    if side_by_side(corpora):
        columns = [Column("metric", "name"), *(Column(printable(corpus)) for corpus in corpora)]
        rows = [[words(spec), *(shown(spec, corpus) for corpus in corpora)] for spec in by_spec]
        if lengths:
            rows.insert(0, [words(TOKENS_PER_TEXT), *(lengths.get(corpus, NONE) for corpus in corpora)])
            columns.append(Column(_as_reference(printable(reference))))
            rows = [[*row, NONE if place else lengths.get(reference, NONE)] for place, row in enumerate(rows)]
        return Table(columns, rows)
    columns = [Column("corpus", "name"), *([Column(TOKENS_PER_TEXT)] if lengths else [])]
    columns += [Column(spaced(spec)) for spec in by_spec]
    rows = [
        [
            corpus_cell(corpus),
            *([lengths.get(corpus, NONE)] if lengths else []),
            *(shown(spec, corpus) for spec in by_spec),
        ]
        for corpus in _ordered(scores, corpora)
    ]
    if lengths:
        nothing = [NONE] * len(by_spec)
        rows.insert(0, [corpus_cell(_as_reference(reference)), lengths.get(reference, NONE), *nothing])
    return Table(columns, rows)


def _matrices(scores: Scores, corpora: list[str]) -> list[Table]:
    """Return one table per metric, with one row per reference and one column per candidate."""
    pairs = {(score.spec, score.reference, score.corpus): score for score in scores}
    lengths, rounding = mean_lengths(scores), roundings(scores)
    numbered = max(len(printable(corpus)) for corpus in corpora) > LONGEST_IN_MATRIX
    titles = [str(place) if numbered else printable(corpus) for place, corpus in enumerate(corpora, 1)]
    numbers = [Column("", "name")] if numbered else []
    columns = [*numbers, Column("reference", "name"), *(Column(title) for title in titles)]

    def shown(spec: str, reference: str, corpus: str) -> Cell:
        if reference == corpus:
            return NONE
        score = pairs[spec, reference, corpus]
        return cell(score, rounding[spec], noise=may_be_noise(score))

    tables = []
    for spec in dict.fromkeys(score.spec for score in scores):
        rows = [
            [
                *([words(title)] if numbered else []),
                corpus_cell(reference),
                *(shown(spec, reference, corpus) for corpus in corpora),
            ]
            for title, reference in zip(titles, corpora)
        ]
        if lengths:
            row = [words(TOKENS_PER_TEXT), *(lengths.get(corpus, NONE) for corpus in corpora)]
            rows.append([*([words("")] if numbered else []), *row])
        tables.append(Table(columns, rows, title=spec))
    return tables


def may_be_noise(score: Score) -> bool:
    """Return whether a distance may be due to chance, by its test; no claim is made without one."""
    return score.test is not None and score.test.p_holm >= SIGNIFICANT


def distance_legend(scores: Scores) -> list[Paragraph]:
    """Return the explanation of the marks and columns."""
    several = len({score.corpus for score in scores}) > 1
    matrix = len({score.reference for score in scores}) > 1
    lines = []
    if not several:
        # A table of one candidate has no row or column for the lengths of both.
        means = [f"{printable(name)} {mean.text}" for name, mean in mean_lengths(scores).items()]
        lines += [f"Tokens per text: {', '.join(means)}."] if means else []
    lines += _legend_of_tests(scores)
    if _floored(scores) and not matrix:
        lines.append(_legend_of_floors(scores))
    if _floored(scores) and not _tested(scores):
        lines.append("The floor is not a test: --permutations N tests which distances are more than noise.")
    hidden = [name for name, known in (("p-value", _tested), ("noise floor", _floored)) if known(scores)]
    if matrix and hidden:
        lines.append(f"The {' and the '.join(hidden)} of each pair: --format csv or json.")
    legend = [Paragraph(line, "legend") for line in lines]
    ranked = any(
        not math.isnan(_nearest(list(by_corpus.values()))) for by_corpus in _by_spec(scores).values()
    )
    if several and not matrix and ranked:
        nearest = f"nearest to {printable(scores[0].reference or '')}."
        legend.insert(0, Paragraph(nearest, "legend", of_best=True))
    return legend


def _legend_of_tests(scores: Scores) -> list[str]:
    if not _tested(scores):
        return []
    known = [score.test for score in scores if score.test is not None and not math.isnan(score.test.p)]
    if not known:
        return ["No distance is defined, so none was tested."]
    tests, permutations = len(known), known[0].permutations
    corrected = f", corrected for {tests:,} comparisons (Holm)" if tests > 1 else ""
    ways = {test.how for test in known}
    how = ways.pop() if len(ways) == 1 else f"texts exchanged {permutations:,} times"
    if any(map(may_be_noise, scores)):
        lines = [f"{NOISE} may be noise: p ≥ {SIGNIFICANT}{corrected}; {how}."]
    else:
        subject = "The distance is" if tests == 1 else "All distances are"
        if any(math.isnan(score.value) for score in scores):
            subject = "The only defined distance is" if tests == 1 else "All distances that are defined are"
        lines = [f"{subject} more than noise: p < {SIGNIFICANT}{corrected}; {how}."]
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
    texts += " text" if sizes[-1] == 1 else " texts"
    return (
        f"Noise floor: mean distance between two random parts of the reference, {texts} each. "
        f"{_title_at_size(scores).capitalize()}: mean distance between as many texts of the reference and of "
        "the candidate. × floor: this distance divided by the floor."
    )


def _evidence_columns(scores: Scores) -> list[Column]:
    """Return the columns of the floor and of the test, where they were requested."""
    titles = [_title_at_size(scores), "noise floor", "× floor"] if _floored(scores) else []
    titles += ["p (corrected)"] if _tested(scores) else []
    return [Column(title) for title in titles]


def _evidence(score: Score, scores: Scores, rounding: Rounding) -> list[Cell]:
    """Return the cells of one score in these columns."""
    cells: list[Cell] = []
    if _floored(scores):
        floor = score.floor
        cells = [NONE] * 3
        if floor is not None:
            cells = [_number(number, rounding) for number in (floor.distance_at_size, floor.mean)]
            cells.append(NONE if math.isnan(floor.ratio) else Cell(f"{floor.ratio:,.1f}×", value=floor.ratio))
    return [*cells, *([_p_value(score)] if _tested(scores) else [])]


def _title_at_size(scores: Scores) -> str:
    sizes = _floor_sizes(scores)
    if sizes[0] != sizes[-1]:
        return "at equal size"
    return f"at {sizes[0]:,} text{'s' * (sizes[0] != 1)}"


def _floor_sizes(scores: Scores) -> list[int]:
    return sorted({score.floor.texts for score in scores if score.floor is not None})


def _floored(scores: Scores) -> bool:
    return any(score.floor is not None for score in scores)


def _tested(scores: Scores) -> bool:
    return any(score.test is not None for score in scores)


def _number(value: float, rounding: Rounding) -> Cell:
    return NONE if math.isnan(value) else Cell(rounding.write(value), value=value)


def _p_value(score: Score) -> Cell:
    test = score.test
    if test is None or math.isnan(test.p):
        return NONE
    return Cell(f"{written_p(test.p)} ({written_p(test.p_holm)})", value=test.p_holm)


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
