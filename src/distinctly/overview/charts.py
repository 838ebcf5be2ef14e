"""The charts of an overview from lengths and texts: variety against length, and rarefaction curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from distinctly.overview.held import Held
from distinctly.overview.names import size_of, title_of
from distinctly.report.cells import printable
from distinctly.report.page import Block, Paragraph, Plot, Series
from distinctly.report.pages.charts import length_plot, mean_lengths
from distinctly.score import Score, Scores
from distinctly.statistics.accumulation import Curve, curve_statistic
from distinctly.statistics.pool import Pool
from distinctly.views.rows import Rows
from distinctly.views.tokens import TokenView

# The number of sizes of a rarefaction curve.
SIZES = 20


def length_plots(scores: Scores) -> list[Block]:
    """Return variety against the mean length of texts: of all texts, and at one size."""
    lengths = mean_lengths(scores)
    if len(lengths) < 2:
        return []
    plots = [
        length_plot(
            panel, lengths, f"{title_of(panel[0])}{size_of(panel[0]) or ' of all texts'} against length"
        )
        for panel in _headlines(scores).values()
    ]
    return [plot for plot in plots if len(plot.series) > 1]


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
