"""The grids of distances: what is nearest to the reference, and what may be chance."""

from __future__ import annotations

import math
from typing import Any

from distinctly.report.cells import (
    BEST,
    NOISE,
    SIDE_BY_SIDE,
    Grid,
    cell,
    clipped,
    made_of,
    printable,
    rounded,
    words,
)
from distinctly.run.comparing import SIGNIFICANT
from distinctly.score import Score, Scores


def are_distances(scores: Scores) -> bool:
    """Tell whether these are scores of pairs of corpora."""
    return len(scores) > 0 and all(score.kind == "distance" for score in scores)


def distance_grids(scores: Scores, width: int) -> list[Grid]:
    """Return a table of one candidate, of several, or of all pairs a metric."""
    references = list(dict.fromkeys(score.reference or "" for score in scores))
    corpora = list(dict.fromkeys(score.corpus for score in scores))
    if len(references) > 1:
        return _matrices(scores, [corpus for corpus in references if corpus in corpora])
    if len(corpora) == 1:
        return [_single(scores)]
    return _several(scores, corpora, width)


def _single(scores: Scores) -> Grid:
    floors, tested = _floored(scores), _tested(scores)
    # What a number is made of has room where nothing else was asked for; JSON always has it.
    room = not floors and not tested
    header = [
        "metric",
        "distance",
        *(["noise floor", "× floor"] * floors),
        *(["p (corrected)"] * tested),
        *(["made of"] * room),
    ]
    rows = [
        [
            score.spec,
            cell(score, NOISE * may_be_noise(score)),
            *([_floors([score]), _times(score)] if floors else []),
            *([_p(score)] if tested else []),
            *([made_of(score)] if room else []),
        ]
        for score in scores
    ]
    return Grid("", header, rows)


def _several(scores: Scores, corpora: list[str], width: int) -> list[Grid]:
    own = {(score.spec, score.corpus): score for score in scores}
    specs = list(dict.fromkeys(score.spec for score in scores))
    nearest = {spec: _nearest([own[spec, corpus] for corpus in corpora]) for spec in specs}
    cells = {key: cell(score, _mark(score, nearest[key[0]])) for key, score in own.items()}
    floors = _floored(scores)
    if len(corpora) <= SIDE_BY_SIDE:
        rows = [
            [spec, *(cells[spec, c] for c in corpora), *([_floors([own[spec, c] for c in corpora])] * floors)]
            for spec in specs
        ]
        return [Grid("", ["metric", *map(printable, corpora), *(["noise floor"] * floors)], rows)]
    room = width - max(len(printable(corpus)) for corpus in corpora) - 2
    widest = max(*map(len, cells.values()), *(len(word) for spec in specs for word in words(spec)))
    columns = max(room // (widest + 2), 1)
    nearest_first = sorted(corpora, key=lambda corpus: _rank(own[specs[0], corpus]))
    grids = []
    for start in range(0, len(specs), columns):
        shown = specs[start : start + columns]
        rows = [[printable(corpus), *(cells[spec, corpus] for spec in shown)] for corpus in nearest_first]
        if floors:
            rows.append(["(noise floor)", *(_floors([own[spec, c] for c in corpora]) for spec in shown)])
        grids.append(Grid("", ["corpus", *(" ".join(words(spec)) for spec in shown)], rows))
    return grids


def _matrices(scores: Scores, corpora: list[str]) -> list[Grid]:
    own = {(score.spec, score.reference, score.corpus): score for score in scores}
    return [
        Grid(
            spec,
            ["reference", *map(printable, corpora)],
            [
                [
                    printable(row),
                    *(
                        ""
                        if row == column
                        else cell(own[spec, row, column], NOISE * may_be_noise(own[spec, row, column]))
                        for column in corpora
                    ),
                ]
                for row in corpora
            ],
        )
        for spec in dict.fromkeys(score.spec for score in scores)
    ]


def may_be_noise(score: Score) -> bool:
    """Tell whether chance alone would make corpora as far apart, as far as was asked."""
    if score.test is not None:
        return score.test.p_holm >= SIGNIFICANT
    if score.floor is not None:
        return score.floor.distance_at_size <= score.floor.high
    return False


def distance_legend(scores: Scores) -> list[str]:
    """Explain the marks."""
    lines = []
    reference = printable(scores[0].reference or "")
    several = len({score.corpus for score in scores}) > 1 and len({score.reference for score in scores}) == 1
    if several:
        lines.append(f"{BEST} nearest to {reference}.")
    permutations = max((score.test.permutations for score in scores if score.test is not None), default=0)
    if permutations:
        times = f"{permutations:,} shuffles of the texts"
        none = "" if any(map(may_be_noise, scores)) else " None is."
        lines.append(
            f"{NOISE} may be noise: p ≥ {SIGNIFICANT}, corrected for the number of metrics ({times}).{none}"
        )
        metrics = len({score.spec for score in scores})
        if metrics / (permutations + 1) >= SIGNIFICANT:
            enough = math.ceil(metrics / SIGNIFICANT)
            lines.append(
                f"So few shuffles cannot tell {metrics} metrics from noise: --permutations {enough}."
            )
    elif _floored(scores):
        none = "" if any(map(may_be_noise, scores)) else " None is."
        lines.append(f"{NOISE} may be noise: not above 95 % of the floors.{none}")
    if _floored(scores):
        sizes = sorted({score.floor.texts for score in scores if score.floor is not None})
        told = " to ".join(f"{size:,}" for size in dict.fromkeys((sizes[0], sizes[-1])))
        times = "; × floor: the distance of as many texts of the two, over the floor"
        alone = len({(score.reference, score.corpus) for score in scores}) == 1
        lines.append(f"Noise floor: two random parts of the reference, {told} texts each{times * alone}.")
    return lines


def distance_explained(scores: Scores, width: int) -> list[tuple[str, list[str]]]:
    """Return what drives each distance from the reference, under a title, where that was asked for."""
    found: list[tuple[str, list[str]]] = []
    reference = printable(scores[0].reference or "")
    for corpus in scores.corpora:
        name = printable(corpus["name"])
        told: dict[str, Any] = corpus.get("drivers", {})
        if "tokens" in told:
            lines = [_token(one, reference, name) for one in told["tokens"]]
            found.append((f"Tokens that make {name} differ (share of χ²)", lines or ["none"]))
        for key, title in (
            ("uncovered", f"Texts of {reference} that nothing in {name} comes near"),
            ("outside", f"Texts of {name} unlike any in {reference}"),
        ):
            if key in told:
                share = f" ({told[key]['share']:.0%} of its texts)"
                lines = [clipped(printable(text), width - 4) for text in told[key]["texts"]]
                found.append((title + share, lines or ["none"]))
        if "nearest" in told:
            lines = [
                f"{one['distance']:.3f}  {clipped(printable(one['reference']), (width - 16) // 2)} | "
                f"{clipped(printable(one['candidate']), (width - 16) // 2)}"
                for one in told["nearest"]
            ]
            same = f"{told['shared']:.0%} of {reference} are in {name} word for word"
            title = f"Nearest pairs that differ ({reference} | {name}), as part of a half turn; {same}"
            found.append((title, lines or ["none"]))
        if "clusters" in told:
            title = (
                f"Clusters that the two fill most differently (share of {name}, of {reference}, and texts)"
            )
            lines = [
                f"{one['candidate_share']:6.1%} {one['reference_share']:6.1%}  "
                + clipped(printable(" | ".join(one["texts"])), width - 20)
                for one in told["clusters"]
            ]
            found.append((title, lines or ["none"]))
    return found


def _token(one: dict[str, Any], reference: str, candidate: str) -> str:
    """Say how much a token adds to the distance, and on which side it is said more often."""
    sides = [("candidate", candidate), ("reference", reference)]
    (more, its_name), (less, other_name) = sides if one["more_in"] == "candidate" else sides[::-1]
    return (
        f"{one['share']:6.1%}  {printable(one['token'])}  more in {its_name}: "
        f"{one[f'{more}_per_million']:,.0f} a million, {one[f'{less}_per_million']:,.0f} in {other_name}"
    )


def _floored(scores: Scores) -> bool:
    return any(score.floor is not None for score in scores)


def _tested(scores: Scores) -> bool:
    return any(score.test is not None for score in scores)


def _times(score: Score) -> str:
    ratio = math.nan if score.floor is None else score.floor.ratio
    return "–" if math.isnan(ratio) else f"{ratio:,.1f}×"


def _p(score: Score) -> str:
    test = score.test
    return "–" if test is None or math.isnan(test.p) else f"{test.p:.3g} ({test.p_holm:.3g})"


def _floors(scores: list[Score]) -> str:
    shown = [rounded(score.floor.mean) for score in scores if score.floor is not None]
    return "–".join(dict.fromkeys(sorted(shown)[:: max(len(shown) - 1, 1)]))


def _nearest(scores: list[Score]) -> float:
    known = [score.value for score in scores if not math.isnan(score.value)]
    return min(known) if len(known) > 1 else math.nan


def _mark(score: Score, nearest: float) -> str:
    return (BEST if score.value == nearest else "") + NOISE * may_be_noise(score)


def _rank(score: Score) -> float:
    return math.inf if math.isnan(score.value) else score.value
