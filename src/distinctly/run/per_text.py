"""One value per text and metric, as columns of a table beside kept fields of the texts."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from distinctly.config import RunConfig
from distinctly.diversity.base import Pooled
from distinctly.engine.local import COMPILED_FROM
from distinctly.errors import SpecError, missing_extra
from distinctly.metrics import Metric
from distinctly.registry import find_metric, metric_names
from distinctly.run.plan import Plan
from distinctly.run.scoring import Scorer
from distinctly.score import FORMAT_VERSION, Note, Score, Scores, finite
from distinctly.sources.kept import KeptTexts
from distinctly.spec import Request
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.means import Mean
from distinctly.statistics.pool import Pool, Summaries
from distinctly.views.rows import Rows

if TYPE_CHECKING:
    import pandas
    import pyarrow as pa

Reals = NDArray[np.float64]
TOKENS = "tokens"
# From this ratio of the lengths of long and short texts (of the 9th and the 1st tenth) on there is a warning.
LONGER = 1.5


@dataclass(frozen=True)
class TextSummary:
    """The values of one metric over the texts of a corpus.

    Attributes
    ----------
    corpus, metric
        The name of the corpus, and the spec of the metric.
    texts, undefined
        The number of texts, and of those without a value.
    mean, sd, low, median, high
        Mean, standard deviation (of n − 1), minimum, median and maximum of the values; NaN if there are none.
    """

    corpus: str
    metric: str
    texts: int
    undefined: int
    mean: float
    sd: float
    low: float
    median: float
    high: float

    @classmethod
    def of(cls, corpus: str, metric: str, values: Reals) -> TextSummary:
        """Summarize the values of a metric."""
        known = values[~np.isnan(values)]
        if not len(known):
            return cls(corpus, metric, len(values), len(values), *[math.nan] * 5)
        return cls(
            corpus,
            metric,
            len(values),
            len(values) - len(known),
            Mean.of(known).total.value / len(known),
            float(np.std(known, ddof=1)) if len(known) > 1 else math.nan,
            float(known.min()),
            float(np.median(known)),
            float(known.max()),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; undefined numbers are None."""
        return {
            "corpus": self.corpus,
            "metric": self.metric,
            "texts": self.texts,
            "undefined": self.undefined,
            "mean": finite(self.mean),
            "sd": finite(self.sd),
            "min": finite(self.low),
            "median": finite(self.median),
            "max": finite(self.high),
        }


@dataclass(frozen=True)
class TextCorrelation:
    """The correlations of one metric with a column, over the texts of a corpus.

    Attributes
    ----------
    corpus, metric, column
        The corpus, the spec of the metric, and the name of the column.
    pearson, spearman
        The correlations; NaN if undefined.
    pearson_interval, spearman_interval
        Their 95 % intervals; NaN if undefined.
    texts, undefined, missing
        The number of texts correlated, and of those left out since the metric, or the column, has no value.
    how
        How the intervals were computed.
    notes
        Why something is undefined, and what was left out.
    """

    corpus: str
    metric: str
    column: str
    pearson: float
    spearman: float
    pearson_interval: tuple[float, float]
    spearman_interval: tuple[float, float]
    texts: int
    undefined: int
    missing: int
    how: str
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; undefined numbers are None."""
        return {
            "corpus": self.corpus,
            "metric": self.metric,
            "column": self.column,
            "pearson": finite(self.pearson),
            "pearson_low": finite(self.pearson_interval[0]),
            "pearson_high": finite(self.pearson_interval[1]),
            "spearman": finite(self.spearman),
            "spearman_low": finite(self.spearman_interval[0]),
            "spearman_high": finite(self.spearman_interval[1]),
            "n": self.texts,
            "undefined": self.undefined,
            "missing": self.missing,
            "interval": self.how,
            "notes": " ".join(self.notes),
        }


@dataclass(frozen=True)
class TextTable:
    """One row per text: where it came from, kept fields, its number of tokens, and one column per metric.

    Attributes
    ----------
    columns
        The columns by name, in order. Undefined values are NaN.
    metrics
        The names of the columns that hold values of metrics: their specs.
    summaries
        The mean, standard deviation, minimum, median and maximum of each metric.
    means
        The mean of each metric over the texts of each corpus, with signatures and notes.
    groups, wheres
        The group of each text, where there are groups, and its place, for errors.
    correlations
        The correlations with a column, if requested.

    Examples
    --------
    >>> import distinctly as dy
    >>> table = dy.per_text(["a b a", "", "a b"], ["distinct:n=1"])
    >>> [row["distinct:n=1"] for row in table]
    [0.6666666666666666, nan, 1.0]
    """

    columns: Mapping[str, Sequence[Any]]
    metrics: Sequence[str]
    summaries: Sequence[TextSummary]
    means: Scores
    groups: Sequence[str] | None = field(default=None, repr=False)
    wheres: Sequence[tuple[str, str]] = field(default=(), repr=False)
    correlations: Sequence[TextCorrelation] = ()

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield one mapping of names to values per text."""
        names = list(self.columns)
        return (dict(zip(names, row)) for row in zip(*self.columns.values()))

    def __getitem__(self, name: str) -> Sequence[Any]:
        """Return a column."""
        if name not in self.columns:
            raise KeyError(f"'{name}' is none of the columns {', '.join(self.columns)}")
        return self.columns[name]

    @property
    def corpora(self) -> list[str]:
        """The names of the corpora."""
        return [str(corpus["name"]) for corpus in self.means.corpora]

    @property
    def notes(self) -> list[Note]:
        """What a reader should know, each once."""
        return list(dict.fromkeys(note for score in self.means for note in score.notes))

    def correlate(self, column: str) -> TextTable:
        """Return the table with the correlations of each metric with a numeric column of it.

        See `distinctly.judging.texts`.
        """
        correlate = importlib.import_module("distinctly.judging.texts").correlate
        return replace(self, correlations=correlate(self, column))

    def to_arrow(self) -> pa.Table:
        """Return an Arrow table; undefined values are null."""
        arrow = importlib.import_module("distinctly.report.parquet").arrow_table
        table: pa.Table = arrow(list(self), list(self.columns))
        return table

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame; undefined values are NaN."""
        try:
            import pandas
        except ImportError as error:
            raise missing_extra("TextTable.to_pandas", "pandas", "pandas") from error
        return pandas.DataFrame({name: list(column) for name, column in self.columns.items()})

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; undefined values are None."""
        correlations = [correlation.to_dict() for correlation in self.correlations]
        return {
            "format_version": FORMAT_VERSION,
            "corpora": [dict(corpus) for corpus in self.means.corpora],
            "metrics": list(self.metrics),
            "signatures": [
                {"corpus": score.corpus, "metric": score.spec, "signature": score.signature}
                for score in self.means
            ],
            "summaries": [summary.to_dict() for summary in self.summaries],
            **({"correlations": correlations} if correlations else {}),
            "notes": [str(note) for note in self.notes],
            "rows": [{name: _plain(value) for name, value in row.items()} for row in self],
        }

    def save(self, path: str | Path, *, bom: bool = False, raw_cells: bool = False) -> None:
        """Write the table to a file, whose ending decides the format.

        Parameters
        ----------
        path, bom, raw_cells
            As for `Scores.save`.
        """
        # Reports are in a higher layer.
        page = importlib.import_module("distinctly.report.pages.texts").page_of_texts(self)
        save_page = importlib.import_module("distinctly.report.saving").save_page
        save_page(page, path, bom=bom, raw_cells=raw_cells)


def _plain(value: Any) -> Any:
    return finite(value) if isinstance(value, float) else value


def only_of_one_text(requests: Sequence[Request]) -> None:
    """Raise if a metric has no value for a single text."""
    for request in requests:
        if not request.metric.of_one_text:
            raise SpecError(
                f"'{request.spec}' has no value for a single text. Metrics that have one: "
                f"{', '.join(_metrics_of_one_text())}; without at= and pool=group."
            )


def _metrics_of_one_text() -> list[str]:
    """Return the names of the metrics that have a value for a single text."""
    known = [(name, find_metric(name)) for name in metric_names()]
    return [
        name
        for name, metric in known
        if metric.kind == "diversity" and metric.least_texts == 1 and not metric.compares_texts
    ]


def measure_texts(
    corpora: Sequence[tuple[str, KeptTexts]], plan: Plan, config: RunConfig, ids: Sequence[Any] | None = None
) -> TextTable:
    """Measure each text of named corpora.

    Parameters
    ----------
    corpora
        The names and the texts.
    plan, config
        The metrics, and how the work is done.
    ids
        The id of each text in memory, in place of the number of its row.
    """
    measured = [TOKENS, *(request.spec for request in plan.requests)]
    described: list[dict[str, Sequence[Any]]] = []
    pieces: list[dict[str, Sequence[Any]]] = []
    scores: list[Score] = []
    summaries: list[TextSummary] = []
    descriptions = []
    for name, kept in corpora:
        compiled = kept.batch.strings.size >= COMPILED_FROM if config.compiled is None else config.compiled
        rows = Rows(kept.batch, replace(config, compiled=compiled))
        pool = Pool(rows)
        scorer = Scorer(name, Summaries(rows=[rows]), plan, plan.reference)
        values = {request.spec: request.metric.values_of_texts(pool) for request in plan.requests}
        lengths = pool.view(plan.views.tokens).lengths
        described.append(_described(name, kept, several=len(corpora) > 1, ids=ids, measured=measured))
        columns = {spec: column.tolist() for spec, column in values.items()}
        pieces.append({TOKENS: lengths.tolist(), **columns})
        for request in plan.requests:
            summary = TextSummary.of(name, request.spec, values[request.spec])
            summaries.append(summary)
            notes = _notes(request.metric, pool, values[request.spec])
            notes += _on_lengths(request.metric, lengths)
            why = "no text has a value." if math.isnan(summary.mean) else None
            score = request.metric.scored(summary.mean, {"texts": summary.texts}, notes, undefined=why)
            scores.append(scorer.finish(request, score, per="text"))
        descriptions.append(scorer.facts())
    groups = [kept.batch.groups for _, kept in corpora]
    sizes = [len(kept.rows) for _, kept in corpora]
    return TextTable(
        {**_joined(described, sizes), **_joined(pieces, sizes)},
        [request.spec for request in plan.requests],
        summaries,
        Scores(scores, descriptions),
        [group for strings in groups if strings is not None for group in strings.tolist()]
        if all(strings is not None for strings in groups)
        else None,
        [(kept.name, where) for _, kept in corpora for where in kept.wheres],
    )


def _described(
    corpus: str, kept: KeptTexts, *, several: bool, ids: Sequence[Any] | None, measured: Sequence[str]
) -> dict[str, Sequence[Any]]:
    """Return the columns that describe the texts of a corpus: where they are, and kept fields."""
    columns: dict[str, Sequence[Any]] = {"corpus": [corpus] * len(kept.rows)} if several else {}
    if kept.files is not None:
        columns["file"] = kept.files
    if ids is not None:
        columns["id"] = [ids[row - 1] for row in kept.rows]
    elif not kept.identified:
        columns["row"] = kept.rows
    fields = dict(kept.columns)
    if kept.identified:
        # The id is the first of the kept fields.
        name = next(iter(fields))
        columns[name] = fields.pop(name)
    if kept.places is not None:
        columns["place"] = kept.places
    for name, column in fields.items():
        columns[f"{name} (kept)" if name in (*columns, *measured) else name] = column
    return columns


def _joined(pieces: Sequence[Mapping[str, Sequence[Any]]], sizes: Sequence[int]) -> dict[str, list[Any]]:
    """Return the columns of all corpora; what one of them does not have is None."""
    names = dict.fromkeys(name for piece in pieces for name in piece)
    return {
        name: [value for piece, size in zip(pieces, sizes) for value in piece.get(name, [None] * size)]
        for name in names
    }


def _notes(metric: Metric, pool: Pool, values: Reals) -> list[Note]:
    """Return notes on texts without a value, and on values that are unreliable."""
    rows = np.flatnonzero(np.isnan(values))
    notes = []
    for lacking, count in metric.why_texts_lack(pool, rows).items() if len(rows) else ():
        text = f"Undefined for {count:,} of {len(values):,} texts: {lacking}."
        notes.append(Note(text, general=f"Undefined for some texts: {lacking}."))
    if isinstance(metric, Pooled):
        lengths: LengthSums = pool.whole(Lengths(view=metric.view))
        remarks = metric.per_text().remarks(lengths)
        notes += [remark if isinstance(remark, Note) else Note(remark) for remark in remarks]
    return notes


def _on_lengths(metric: Metric, lengths: NDArray[np.int64]) -> list[Note]:
    """Return a warning if texts of different lengths are measured by a metric that depends on length."""
    filled = lengths[lengths > 0]
    if not metric.depends_on_length or not len(filled):
        return []
    short, long = (float(end) for end in np.quantile(filled, [0.1, 0.9]))
    if long < LONGER * short:
        return []
    text = (
        f"The value depends on the length of a text, and most texts have {short:.0f} to {long:.0f} tokens: "
        "compare texts of similar length, or use a metric such as mtld."
    )
    general = "The value depends on the length of a text: compare texts of similar length."
    return [Note(text, "warning", general=general)]
