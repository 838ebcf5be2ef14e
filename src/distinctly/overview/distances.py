"""The distances of an overview: from a reference, or between all pairs of corpora."""

from __future__ import annotations

import math
from collections.abc import Sequence

from distinctly.report.cells import NONE, cell, printable, rounded, roundings, written_p
from distinctly.report.page import Block, Cell, HeatMap
from distinctly.report.pages.distances import distance_legend, distance_tables, may_be_noise
from distinctly.report.pages.explanations import explained
from distinctly.run.comparing import SIGNIFICANT
from distinctly.score import Score, Scores

# More corpora than this make a table of all pairs that nobody reads.
MOST_PAIRED = 12
_SCALED = (
    "Darker is farther. The colour shows how many times as far a candidate is as two random parts of the "
    "reference are from each other (× floor); about 1 is what chance alone makes."
)
FEWEST_PERMUTATIONS, MOST_PERMUTATIONS = 200, 2000


def enough_permutations(tests: int) -> int:
    """Return a number of permutations with which corrected p-values can be well below 0.05.

    Examples
    --------
    >>> enough_permutations(2), enough_permutations(14)
    (200, 420)
    """
    needed = math.ceil(1.5 * tests / SIGNIFICANT)
    return min(max(needed, FEWEST_PERMUTATIONS), MOST_PERMUTATIONS)


def reference_blocks(distances: Scores) -> list[Block]:
    """Return the heat map of candidates and distances, the table, its legend, and what drives them."""
    return [
        *_heat_maps(distances),
        *distance_tables(distances),
        *distance_legend(distances),
        *explained(distances),
    ]


def _heat_maps(distances: Scores) -> list[HeatMap]:
    """Return one heat map of the distances with a noise floor, which have one scale, and one per other."""
    corpora = list(dict.fromkeys(score.corpus for score in distances))
    specs = list(dict.fromkeys(score.spec for score in distances))
    known = {(score.corpus, score.spec): score for score in distances}
    defined = [score for score in distances if not math.isnan(score.value)]
    scaled = [
        spec for spec in specs if all(_ratio(each) is not None for each in defined if each.spec == spec)
    ]
    groups = [*([scaled] if scaled else []), *([spec] for spec in specs if spec not in scaled)]
    noise = ""
    if any(score.test is not None for score in distances):
        noise = f" p is corrected for all distances; ≈ may be noise (p ≥ {SIGNIFICANT})."
    return [
        HeatMap(
            f"Distances from {printable(distances[0].reference or '')}",
            [printable(corpus) for corpus in corpora],
            group,
            [[_shown(known.get((corpus, spec)), group is scaled) for spec in group] for corpus in corpora],
            (_SCALED if group is scaled else "Darker is farther.") + noise,
        )
        for group in groups
    ]


def _ratio(score: Score) -> float | None:
    floor = score.floor
    return None if floor is None or math.isnan(floor.ratio) else floor.ratio


def _shown(score: Score | None, by_ratio: bool) -> Cell:
    """Return the cell of a distance: its value, its ratio to the noise floor, and its corrected p-value."""
    if score is None or math.isnan(score.value):
        return NONE
    text, value = rounded(score.value), score.value
    ratio = _ratio(score)
    if ratio is not None:
        text += f", {ratio:,.1f}× floor"
        value = ratio if by_ratio else value
    if score.test is not None and not math.isnan(score.test.p_holm):
        p = written_p(score.test.p_holm)
        text += f", p {p if p.startswith('<') else f'= {p}'}"
    return Cell(text, value=value, mark="noise" if may_be_noise(score) else "")


def pair_blocks(distances: Scores) -> list[Block]:
    """Return one heat map of all pairs of corpora per distance."""
    corpora: Sequence[str] = list(dict.fromkeys(score.reference or "" for score in distances))
    known = {(score.spec, score.reference, score.corpus): score for score in distances}
    rounding = roundings(distances)
    names = [printable(corpus) for corpus in corpora]

    def shown(spec: str, row: str, column: str) -> Cell:
        score = known.get((spec, row, column))
        return NONE if score is None or math.isnan(score.value) else cell(score, rounding[spec])

    return [
        HeatMap(
            f"{spec} between all pairs of corpora",
            names,
            names,
            [[shown(spec, row, column) for column in corpora] for row in corpora],
            "The corpus of the row is the reference. 0 is the same, and darker is farther. The pairs are not "
            "tested: small corpora are farther from each other by chance alone.",
        )
        for spec in dict.fromkeys(score.spec for score in distances)
    ]
