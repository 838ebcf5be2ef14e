"""The charts of an overview: values with intervals, variety against length, and rarefaction curves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from distinctly.overview.held import Held
from distinctly.overview.names import size_of, title_of
from distinctly.report.cells import printable
from distinctly.report.page import Block, Estimate, Forest, Paragraph, Plot, Series
from distinctly.report.pages.diversity import differing_metrics
from distinctly.score import Score, Scores
from distinctly.statistics.accumulation import Curve, curve_statistic
from distinctly.statistics.pool import Pool
from distinctly.views.rows import Rows
from distinctly.views.tokens import TokenView

# The number of sizes of a rarefaction curve.
SIZES = 20


def forest_of(scores: Scores) -> Forest | None:
    """Return the values of each metric with their intervals, at one size where there is such a value.

    The corpora are in the same order in all panels: by the first metric, the most diverse first.
    """
    shown = _compared_specs(scores)
    differing = differing_metrics(scores.comparisons)
    best = {(each.metric, each.scope, each.best) for each in scores.comparisons if each.metric in differing}
    noise = {
        (each.metric, each.scope, each.corpus)
        for each in scores.comparisons
        if each.noise and each.metric in differing
    }
    panels: dict[str, list[Score]] = {}
    for score in scores:
        if (score.spec, score.scope) in shown and not math.isnan(score.value):
            panels.setdefault(shown[score.spec, score.scope], []).append(score)
    if not panels:
        return None
    order = _order(next(iter(panels.values())), scores)
    estimates = {
        title: [
            Estimate(
                printable(score.corpus),
                score.value,
                score.low,
                score.high,
                best=(score.spec, score.scope, score.corpus) in best,
                mark="noise" if (score.spec, score.scope, score.corpus) in noise else "",
            )
            for score in sorted(panel, key=lambda score: order.get(score.corpus, len(order)))
        ]
        for title, panel in panels.items()
    }
    with_intervals = any(score.low is not None for panel in panels.values() for score in panel)
    meaning = "One panel per metric, one row per corpus."
    meaning += " Lines are 95 % intervals." if with_intervals else ""
    if any(score.plain_spec is not None for score in scores):
        meaning += " Corpora of different sizes are shown at the size of the smallest one (at=)."
    return Forest("Values of each metric", estimates, meaning)


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
    """Return the rank of each corpus in a panel, the most diverse first."""
    lower = any(each.metric == panel[0].spec and each.difference > 0 for each in scores.comparisons)
    ranked = sorted(panel, key=lambda score: score.value if lower else -score.value)
    return {score.corpus: place for place, score in enumerate(ranked)}


def length_plots(scores: Scores) -> list[Block]:
    """Return variety against the mean length of texts: of all texts, and at one size."""
    lengths = {
        str(corpus["name"]): float(corpus["tokens_per_text"])
        for corpus in scores.corpora
        if corpus.get("tokens_per_text")
    }
    if len(lengths) < 2:
        return []
    plots: list[Block] = []
    for spec, panel in _headlines(scores).items():
        series = [
            Series(
                printable(score.corpus),
                [lengths[score.corpus]],
                [score.value],
                [] if score.low is None else [score.low],
                [] if score.high is None else [score.high],
            )
            for score in panel
            if score.corpus in lengths and not math.isnan(score.value)
        ]
        if len(series) > 1:
            size = size_of(panel[0]) or " of all texts"
            plots.append(
                Plot(
                    f"{title_of(panel[0])}{size} against length",
                    "tokens per text (mean)",
                    spec,
                    series,
                    "One point per corpus. A trend along the x-axis suggests that length, not the choice of "
                    "words, makes the values differ.",
                    curves=False,
                )
            )
    return plots


def _headlines(scores: Scores) -> dict[str, list[Score]]:
    """Return the scores of the headline metric by spec: of all texts, and at one size."""
    usable = [score for score in scores if score.scope in (None, "pooled")]
    plain = [score for score in usable if score.plain_spec is None]
    if not plain:
        return {}
    is_bigram = [score for score in plain if score.metric == "distinct" and score.options.get("n") == 2]
    chosen = (is_bigram or plain)[0].spec
    by_spec: dict[str, list[Score]] = {}
    for score in usable:
        if chosen in (score.spec, score.plain_spec):
            by_spec.setdefault(score.spec, []).append(score)
    return by_spec


def rarefaction_plots(corpora: Sequence[Held], view: TokenView, *, grouped: bool) -> Iterator[Block]:
    """Yield the expected numbers of distinct tokens and bigrams in random texts of each corpus.

    The sizes are the same for all corpora, and the size of the smallest is one of them.
    """
    for n, word in ((1, "tokens"), (2, "bigrams")):
        statistic = curve_statistic(n, "group" if grouped else "text", view)
        curves = {}
        for corpus in corpora:
            curve: Curve = Pool(Rows(corpus.batch)).whole(statistic)
            if curve.total and curve.units > 1:
                curves[corpus.name] = curve
        if not curves:
            yield Paragraph(
                f"No corpus has several texts with {word}, so there is no curve of them.", "legend"
            )
            continue
        smallest = min(curve.total for curve in curves.values())
        largest = max(curve.total for curve in curves.values())
        sizes = np.unique([*np.linspace(0, largest, SIZES + 1)[1:].astype(np.int64), smallest])
        series = [_series(name, curve, sizes.tolist()) for name, curve in curves.items()]
        meaning = f"The expected number of distinct {word} in random texts of a corpus that have this size. "
        if len(curves) > 1:
            meaning += f"The smallest corpus ends at {smallest:,}: compare the corpora there or before."
        else:
            meaning += "A curve that is still rising says that more texts would bring more different ones."
        yield Plot(f"Distinct {word} by size", word, f"distinct {word}", series, meaning)


def _series(name: str, curve: Curve, sizes: Sequence[int]) -> Series:
    """Return one curve, from 0 to the size of its corpus."""
    known = [int(size) for size in sizes if size < curve.total]
    x = [0, *known, curve.total]
    y = [0.0, *(curve.expected(curve.drawn(size)) for size in known), curve.expected(curve.units)]
    return Series(printable(name), x, y)
