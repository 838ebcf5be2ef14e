"""The charts of scores: values with intervals, values against length, and all pairs of corpora."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from distinctly.errors import SpecError, unknown
from distinctly.matrix import Matrix
from distinctly.report.cells import NONE, Rounding, printable
from distinctly.report.page import Cell, Chart, Estimate, Forest, HeatMap, Plot, Series
from distinctly.report.pages.distances import may_be_noise
from distinctly.report.pages.diversity import differing_metrics
from distinctly.score import PlotKind, Score, Scores

# With more corpora, points are named in the legend only.
MOST_CAPTIONED = 20
AGAINST_LENGTH = (
    "One point per corpus. A trend along the x-axis suggests that length, not the choice of words, makes the "
    "values differ."
)
NO_TREE = {
    False: "No dendrogram: the distances differ between the two directions.",
    True: "No dendrogram: some distances are undefined.",
}


def charts_of(scores: Scores, kind: PlotKind | None) -> Sequence[Chart]:
    """Return the charts of a kind; by default heat maps of all pairs of corpora, and a forest otherwise."""
    if not len(scores):
        raise SpecError("There are no scores to draw.")
    if kind is None:
        kind = "matrix" if _are_pairs(scores) else "forest"
    if kind == "forest":
        return [_forest(scores)]
    if kind == "length":
        return _against_length(scores)
    if kind == "matrix":
        specs = dict.fromkeys(score.spec for score in scores if score.kind == "distance")
        # Without a distance, `matrix` raises.
        return [heat_map_of(scores.matrix(spec)) for spec in specs or [""]]
    raise unknown("kind", kind, get_args(PlotKind), of="plot")


def _are_pairs(scores: Scores) -> bool:
    return len({score.reference for score in scores if score.kind == "distance"}) > 1


def _forest(scores: Scores) -> Forest:
    if _are_pairs(scores):
        raise SpecError(
            "A forest shows distances from one reference, but these have several. Choose the kind 'matrix'."
        )
    forest = forest_of(scores, undefined=True)
    if forest is None:
        raise SpecError("There are no scores to draw.")
    return forest


def forest_of(scores: Scores, *, undefined: bool = False) -> Forest | None:
    """Return the values of each metric with their intervals, at one size where there is such a value.

    The corpora are in the same order in all panels: by the first metric, the most diverse or the nearest
    first.

    Parameters
    ----------
    scores
        The scores.
    undefined
        Whether there are also estimates of corpora without a value.
    """
    shown = _compared_specs(scores)
    panels: dict[str, list[Score]] = {}
    for score in scores:
        if (score.spec, score.scope) in shown and (undefined or not math.isnan(score.value)):
            panels.setdefault(shown[score.spec, score.scope], []).append(score)
    if not panels:
        return None
    order = _order(next(iter(panels.values())), scores)
    marked = _Marks(scores)
    estimates = {
        title: [
            marked.estimate(score, panel)
            for score in sorted(panel, key=lambda score: order.get(score.corpus, len(order)))
        ]
        for title, panel in panels.items()
    }
    return Forest("Values of each metric", estimates, _meaning(scores, estimates, marks=undefined))


class _Marks:
    """Which scores are the best, and which may be so."""

    def __init__(self, scores: Scores) -> None:
        differing = differing_metrics(scores.comparisons)
        compared = [each for each in scores.comparisons if each.metric in differing]
        self._best = {(each.metric, each.scope, each.best) for each in compared}
        self._noise = {(each.metric, each.scope, each.corpus) for each in compared if each.noise}

    def estimate(self, score: Score, panel: Sequence[Score]) -> Estimate:
        """Return a score with its marks among those of a panel."""
        if score.kind == "distance":
            known = [each.value for each in panel if not math.isnan(each.value)]
            best, noise = len(known) > 1 and score.value == min(known), may_be_noise(score)
        else:
            key = score.spec, score.scope, score.corpus
            best, noise = key in self._best, key in self._noise
        return Estimate(
            printable(score.corpus),
            score.value,
            score.low,
            score.high,
            best=best,
            mark="noise" if noise else "",
            floor=score.floor,
        )


def _meaning(scores: Scores, panels: Mapping[str, Sequence[Estimate]], *, marks: bool) -> str:
    """Return what a forest shows; with the meaning of marks where no other legend has it."""
    estimates = [estimate for panel in panels.values() for estimate in panel]
    distances = any(score.kind == "distance" for score in scores)
    meaning = "One panel per metric, one row per corpus."
    if distances and marks:
        reference = printable(next(score.reference or "" for score in scores if score.kind == "distance"))
        meaning = f"Distances from {reference}: one panel per metric, one row per corpus; 0 is the same."
    meaning += " Lines are 95 % intervals." if any(each.low is not None for each in estimates) else ""
    if any(score.plain_spec is not None for score in scores):
        meaning += " Corpora of different sizes are shown at the size of the smallest one (at=)."
    if not marks:
        return meaning
    if any(each.best for each in estimates):
        meaning += f" Diamond, *: {'nearest' if distances else 'most diverse'}."
    if any(each.mark == "noise" for each in estimates):
        meaning += " ≈: may be noise" if distances else " ≈: within noise of the most diverse"
        meaning += " (corrected p ≥ 0.05)."
    if sizes := sorted({each.floor.texts for each in estimates if each.floor is not None}):
        texts = " to ".join(f"{size:,}" for size in dict.fromkeys((sizes[0], sizes[-1])))
        meaning += (
            f" Dashed line: noise floor, between two random parts of the reference of {texts} texts. Ring: "
            "distance of as many texts, to compare with the floor."
        )
    return meaning


def _compared_specs(scores: Scores) -> dict[tuple[str, str | None], str]:
    """Return the title of the panel of each metric and scope; of two sizes, the common one is shown."""
    replaced = {(score.plain_spec, score.scope) for score in scores if score.plain_spec is not None}
    titles: dict[tuple[str, str | None], str] = {}
    for score in scores:
        key = score.spec, score.scope
        if key not in replaced:
            scope = f" ({score.scope})" if score.scope not in (None, "pooled") else ""
            titles[key] = f"{score.spec}{scope}"
    return titles


def _order(panel: Sequence[Score], scores: Scores) -> dict[str, int]:
    """Return the rank of each corpus in a panel: the most diverse or the nearest first, undefined last."""
    lower = panel[0].kind == "distance" or any(
        each.metric == panel[0].spec and each.difference > 0 for each in scores.comparisons
    )

    def rank(score: Score) -> float:
        if math.isnan(score.value):
            return math.inf
        return score.value if lower else -score.value

    return {score.corpus: place for place, score in enumerate(sorted(panel, key=rank))}


def mean_lengths(scores: Scores) -> dict[str, float]:
    """Return the mean number of tokens per text of each corpus that has tokens."""
    return {
        str(corpus["name"]): float(corpus["tokens_per_text"])
        for corpus in scores.corpora
        if corpus.get("tokens_per_text")
    }


def length_plot(
    panel: Sequence[Score], lengths: Mapping[str, float], title: str, *, captions: bool = False
) -> Plot:
    """Return the defined values of one metric against the mean length of texts.

    Parameters
    ----------
    panel
        The scores of a metric.
    lengths
        The mean number of tokens per text of each corpus.
    title
        The title.
    captions
        Whether the name of a corpus is written beside its point.
    """
    series = [
        Series(
            printable(score.corpus),
            [lengths[score.corpus]],
            [score.value],
            [] if score.low is None else [score.low],
            [] if score.high is None else [score.high],
            captions=[printable(score.corpus)] if captions else [],
        )
        for score in panel
        if score.corpus in lengths and not math.isnan(score.value)
    ]
    x_title, reference = "tokens per text (mean)", panel[0].reference or ""
    if reference in lengths:
        x_title = f"tokens per text (mean; reference: {lengths[reference]:,.1f})"
    return Plot(title, x_title, panel[0].spec, series, AGAINST_LENGTH, curves=False)


def _against_length(scores: Scores) -> list[Plot]:
    """Return one plot per metric of values against the mean length of texts."""
    lengths = mean_lengths(scores)
    corpora = dict.fromkeys(score.corpus for score in scores)
    if len(corpora) < 2:
        raise SpecError(
            f"A plot against length needs several corpora, got '{printable(next(iter(corpora)))}' alone."
        )
    if sum(corpus in lengths for corpus in corpora) < 2:
        raise SpecError(
            "A plot against length needs the mean number of tokens per text of several corpora, but these "
            "scores have none. Measure texts, not vectors."
        )
    if _are_pairs(scores):
        raise SpecError("A plot against length needs distances from one reference, but these have several.")
    panels: dict[tuple[str, str | None], list[Score]] = {}
    for score in scores:
        panels.setdefault((score.spec, score.scope), []).append(score)
    captions = len(corpora) <= MOST_CAPTIONED
    scopes = {scope for _, scope in panels}
    plots = [
        length_plot(
            panel, lengths, f"{spec} ({scope})" if scope and len(scopes) > 1 else spec, captions=captions
        )
        for (spec, scope), panel in panels.items()
    ]
    drawn = [plot for plot in plots if plot.series]
    if not drawn:
        raise SpecError("There is no value to draw: all scores are undefined.")
    return drawn


def heat_map_of(matrix: Matrix) -> HeatMap:
    """Return the distances between all pairs of corpora, similar corpora beside each other."""
    ordered, joins = matrix.clustered() if len(matrix.names) > 2 else (matrix, [])
    names = [printable(name) for name in ordered.names]
    rounding = Rounding.of(value for value in ordered.values.ravel().tolist() if not math.isnan(value))
    meaning = "Rows are references, columns are candidates; 0 is the same, darker is farther."
    if joins:
        meaning += " The dendrogram joins the nearest corpora first (average linkage)."
    elif len(names) > 2:
        meaning += f" {NO_TREE[matrix.symmetric]}"
    return HeatMap(
        matrix.spec,
        names,
        names,
        [
            [_cell(value, rounding.write, own=row == column) for column, value in enumerate(values)]
            for row, values in enumerate(ordered.values.tolist())
        ],
        meaning,
        joins,
    )


def _cell(value: float, write: Callable[[float], str], *, own: bool) -> Cell:
    if not math.isnan(value):
        return Cell(write(value), value=value)
    return Cell("", missing=True) if own else NONE
