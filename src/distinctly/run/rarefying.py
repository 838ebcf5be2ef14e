"""Accumulation curves: the values of metrics at several sizes of random texts of a corpus."""

from __future__ import annotations

import importlib
import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.diversity.base import SizedCounts
from distinctly.engine.protocol import engine_of
from distinctly.errors import SpecError, missing_extra
from distinctly.html_tables import html_table
from distinctly.run.corpora import rereadable
from distinctly.run.measuring import Measuring
from distinctly.run.plan import Plan, Views
from distinctly.run.resampling import Resampling
from distinctly.run.sampling import fitted, refuse_sample
from distinctly.run.term_corpora import held_parts
from distinctly.score import FORMAT_VERSION, Score, Scores, finite
from distinctly.sources.states import StateSource
from distinctly.spec import Request
from distinctly.statistics.accumulation import LEAST_DRAWN, Curve, Unit, curve_statistic

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

# The columns of a table for notebooks.
_NOTEBOOK = ("corpus", "metric", "size", "units", "value", "low", "high", "undefined")


@dataclass(frozen=True)
class Point:
    """The value of a metric at one size.

    Attributes
    ----------
    corpus, spec
        The corpus, and the metric without its size.
    size
        The number of n-grams.
    score
        The score at this size, as `measure` returns it.
    """

    corpus: str
    spec: str
    size: int
    score: Score

    @property
    def units(self) -> float:
        """The mean number of texts or groups that are drawn for this size; NaN if there is no value."""
        return next(
            (float(part) for name, part in self.score.parts.items() if name.startswith("drawn_")), math.nan
        )

    def to_record(self) -> dict[str, Any]:
        """Return the point as one flat row."""
        return {
            "corpus": self.corpus,
            "metric": self.spec,
            "size": self.size,
            "units": finite(self.units),
            "value": self.score.value,
            "low": self.score.low,
            "high": self.score.high,
            "spec": self.score.spec,
            "signature": self.score.signature,
            "undefined": self.score.undefined,
        }


@dataclass(frozen=True, eq=False)
class Rarefaction:
    """Accumulation curves: the values of metrics at several sizes of random texts (or groups).

    Attributes
    ----------
    points
        The points, by metric, then by corpus, then by size.
    corpora
        The facts of each corpus, as in ``scores.corpora``.
    """

    points: Sequence[Point]
    corpora: Sequence[Mapping[str, Any]]

    @property
    def scores(self) -> Scores:
        """The scores at all sizes, with their signatures and notes."""
        return Scores([point.score for point in self.points], self.corpora)

    def curves(self) -> dict[tuple[str, str], list[Point]]:
        """Return the points by metric and corpus."""
        curves: dict[tuple[str, str], list[Point]] = {}
        for point in self.points:
            curves.setdefault((point.spec, point.corpus), []).append(point)
        return curves

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat row per point."""
        return [point.to_record() for point in self.points]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        return {
            "format_version": FORMAT_VERSION,
            "corpora": [dict(corpus) for corpus in self.corpora],
            "points": [{**record, "value": finite(record["value"])} for record in self.to_records()],
        }

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame, one row per point."""
        try:
            import pandas
        except ImportError as error:
            raise missing_extra("Rarefaction.to_pandas", "pandas", "pandas") from error
        return pandas.DataFrame(self.to_records())

    def _repr_html_(self) -> str:
        """Return an HTML table for notebooks, one row per point."""
        rows = [
            {name: None if name == "value" and math.isnan(cell) else cell for name, cell in row.items()}
            for row in self.to_records()
        ]
        used = [name for name in _NOTEBOOK if any(row[name] is not None for row in rows)]
        return html_table(used, rows)

    def save(self, path: str | Path, *, bom: bool = False, raw_cells: bool = False) -> None:
        """Write the curves to a file, whose ending decides the format; the arguments are as for scores."""
        # Reports are in a higher layer.
        page = importlib.import_module("distinctly.report.pages.rarefaction").page_of_rarefaction(self)
        save_page = importlib.import_module("distinctly.report.saving").save_page
        save_page(page, path, bom=bom, raw_cells=raw_cells)

    def plot(self, *, path: str | Path | None = None) -> Figure:
        """Draw the curves, one panel per metric, and return the figure of matplotlib.

        Parameters
        ----------
        path
            A .png, .svg or .pdf file to write the figure to as well; an existing one is replaced.
        """
        # Reports are in a higher layer.
        plots = importlib.import_module("distinctly.report.pages.rarefaction").plots_of(self)
        if not plots:
            raise SpecError(
                f"There is no curve to draw: it takes at least {LEAST_DRAWN} texts (or groups) with n-grams."
            )
        figure: Figure = importlib.import_module("distinctly.report.figures").figure_of(
            plots, across=2, path=path
        )
        return figure


@dataclass(frozen=True)
class Rarefying:
    """A run of `rarefaction`: its metrics and settings.

    Attributes
    ----------
    metrics
        The metrics by their specs.
    views
        The tokenizer and the tagger.
    sizes
        The sizes; None for `points` sizes of each corpus.
    points
        The number of sizes of each curve.
    resampling, config
        Whether there are intervals, and how to run.
    split
        Whether corpora are split by the ids of their texts.
    """

    metrics: Mapping[str, SizedCounts]
    views: Views
    sizes: Sequence[int] | None
    points: int
    resampling: Resampling
    config: RunConfig
    split: bool

    def of(self, corpora: Sequence[Corpus]) -> Rarefaction:
        """Return the curves of corpora, each of which is read twice."""
        corpora = self._prepared(corpora)
        grouped = all(corpus.has_groups(self.config.batch_size) for corpus in corpora)
        unit: Unit = "group" if grouped else "text"
        read = [self._curves(corpus, unit) for corpus in corpora]
        points: dict[str, list[Point]] = {spec: [] for spec in self.metrics}
        descriptions: list[Mapping[str, Any]] = []
        for corpus, curves in zip(corpora, read):
            sizes = [
                (spec, size)
                for spec, curve in curves.items()
                for size in self._sizes(curve, min(other[spec].total for other in read))
            ]
            requests = [_at(spec, self.metrics[spec], size, unit) for spec, size in sizes]
            plan = Plan.of(requests, self.views)
            scores = Measuring(plan, self.resampling, self.config, scope="pooled").measure([corpus])
            descriptions += scores.corpora
            for (spec, size), score in zip(sizes, scores):
                points[spec].append(Point(corpus.name, spec, size, score))
        return Rarefaction([point for curve in points.values() for point in curve], descriptions)

    def _prepared(self, corpora: Sequence[Corpus]) -> list[Corpus]:
        """Return corpora that can be read several times, and that are split if requested."""
        for corpus in corpora:
            if isinstance(corpus.source, StateSource):
                raise corpus.source.without_texts()
            corpus.source.limit_memory(self.config.memory)
        if not self.split:
            return rereadable(corpora)
        fit = fitted(corpora, self.views, self.config)
        if not fit.fits:
            refuse_sample(fit.corpora, self.resampling, self.views, self.config, "by")
        parts = held_parts([(corpus.name, corpus) for corpus in fit.corpora], self.config, split=True)
        return [part for _, part in parts]

    def _curves(self, corpus: Corpus, unit: Unit) -> dict[str, Curve]:
        """Return how many units have each n-gram, for each metric."""
        bound = Plan.of([Request(spec, metric) for spec, metric in self.metrics.items()], self.views)
        statistics = {
            request.spec: curve_statistic(request.metric.ngram_size or 1, unit, request.metric.view)
            for request in bound.requests
        }
        unique = list(dict.fromkeys(statistics.values()))
        summaries = engine_of(corpus, self.config).summarize(corpus, unique, self.config)
        return {spec: summaries[statistic] for spec, statistic in statistics.items()}

    def _sizes(self, curve: Curve, smallest: int) -> list[int]:
        """Return the sizes of the points of a curve; that of the smallest corpus is one of them."""
        if self.sizes is not None:
            return list(self.sizes)
        # The smallest number of n-grams that as many units have on average as a draw needs.
        least = -(-LEAST_DRAWN * curve.total // curve.units) if curve.units else 0
        if least >= curve.total:
            return [max(curve.total, 1)]
        even = np.linspace(least, curve.total, self.points).round().astype(np.int64).tolist()
        return sorted({*even, *([smallest] if smallest > least else [])})


def curve_metrics(requests: Sequence[Request]) -> dict[str, SizedCounts]:
    """Return metrics by their specs; raise if one has no accumulation curve in closed form."""
    metrics = {}
    for request in requests:
        metric = request.metric
        if not isinstance(metric, SizedCounts) or metric.sized == "no" or metric.reads != "sizes":
            raise SpecError(
                f"'{request.spec}' has no accumulation curve: expected a metric of the numbers of n-grams "
                "and of distinct n-grams, such as distinct, types or ead."
            )
        if metric.at is not None:
            raise SpecError(f"A curve has all sizes: remove `at={metric.at}` from '{request.spec}'.")
        if metric.approximate:
            raise SpecError(f"A curve needs exact counts: remove `approximate` from '{request.spec}'.")
        if metric.reads_reference:
            raise SpecError(f"'{request.spec}' needs a reference corpus, so it has no accumulation curve.")
        metrics[request.spec] = metric
    return metrics


def curve_sizes(sizes: Sequence[int]) -> list[int]:
    """Return sizes in ascending order; raise if they are not numbers of n-grams."""
    try:
        numbers = sorted({operator.index(size) for size in sizes})
    except TypeError:
        numbers = []
    if not numbers or numbers[0] < 1:
        raise SpecError(f"Expected `sizes` to be whole numbers of n-grams of at least 1, got {list(sizes)}.")
    return numbers


def _at(spec: str, metric: SizedCounts, size: int, unit: Unit) -> Request:
    """Return a metric at a size."""
    joint = "," if ":" in spec else ":"
    return Request(f"{spec}{joint}at={size},unit={unit}", metric.sized_to(size, unit))
