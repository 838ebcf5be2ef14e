"""`measure` for data frames of Spark: texts are counted where they are, and only counts are exchanged.

One task per partition collects its states, and yields its counts in rows by statistic and range of the keys.
Spark brings the rows of each range together, a task adds them up, and the driver scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.api import COUNTED_METRICS
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.engine import local
from distinctly.engine.encoding import from_bytes, to_bytes
from distinctly.engine.states import Folded, fold, underived
from distinctly.errors import InputError, SpecError, missing_extra
from distinctly.run.approximating import is_approximate
from distinctly.run.plan import Plan, Views, only_diversity
from distinctly.run.scoring import Scorer
from distinctly.run.stored import why_texts_needed
from distinctly.score import Scores
from distinctly.sources.arrow_columns import check_columns
from distinctly.sources.base import Nulls, Reading
from distinctly.sources.iterators import IteratorSource
from distinctly.spec import AnyMetrics, parse_metrics
from distinctly.statistics.base import Collected, Mergeable
from distinctly.statistics.ngram_collector import Counter
from distinctly.statistics.pool import Summaries
from distinctly.statistics.tables import PARTITIONS, Counting, Tally, joined
from distinctly.tokenizers import AnyTokenizer

if TYPE_CHECKING:
    import pyarrow as pa

# The rows of tasks. Those of a table have the number of its statistic, and others one of these numbers.
OTHERS, ERROR = -1, -2
COLLECTED = "statistic int, range int, part int, keys binary, counts binary"
ADDED = "statistic int, range int, state binary"
# The other states of this number of partitions are added up by one task.
FAN_IN = 64
# The largest number of keys per row, so that a row has a few megabytes.
ROW_KEYS = 1 << 19


@dataclass(frozen=True)
class _Job:
    """What to collect; it is sent to every task."""

    statistics: tuple[Mergeable[Any, Any], ...]
    reading: Reading
    config: RunConfig
    ranges: int
    fan_in: int

    def dump(self, folded: Folded) -> bytes:
        """Return all states but the tables, of which there are the totals."""
        return to_bytes(([folded.states[statistic] for statistic in self.statistics], folded.origin))

    def load(self, data: bytes) -> Folded:
        """Return the states that were dumped."""
        states, origin = from_bytes(data)
        return Folded(dict(zip(self.statistics, states)), None, origin)


def measure(
    frame: Any,
    metrics: AnyMetrics = COUNTED_METRICS,
    *,
    field: str = "text",
    nulls: Nulls = "error",
    tokenizer: AnyTokenizer | None = None,
    config: RunConfig | None = None,
) -> Scores:
    """Measure how varied the texts of a Spark data frame are.

    The scores and signatures are those of `distinctly.measure` on a list of the same texts, however they are
    partitioned. The frame is computed once. distinctly has to be installed on all machines of the cluster.

    Parameters
    ----------
    frame
        A data frame of Spark.
    metrics
        As for `distinctly.measure`; metrics that compare texts with each other raise an error.
    field
        The column that holds the text, or a path into a column of structs: ``response.output``.
    nulls
        How to treat a missing text: raise an ``error``, ``skip`` it, or take it as an ``empty`` text.
    tokenizer
        As for `distinctly.measure`.
    config
        How each task runs: `memory`, `batch_size`, `hash_bits`.

    Notes
    -----
    The keys are divided into ``spark.sql.shuffle.partitions`` ranges, at most 1,024. A task holds the keys of
    one statistic in one range; if it lacks memory, give more ranges.
    """
    try:
        from pyspark.sql import DataFrame
    except ImportError as error:
        raise missing_extra("distinctly.spark", "pyspark", "spark") from error
    if not isinstance(frame, DataFrame):
        raise InputError(f"expected a data frame of Spark, got {type(frame).__name__}. Use dy.measure.")
    requests = parse_metrics(metrics)
    only_diversity(requests)
    approximate = any(is_approximate(request.metric) for request in requests)
    views = Views.of(requests, tokenizer)
    plan = Plan.of(requests, views, approximate=approximate).drawing("text")
    texts = _select(frame, field)
    ranges = min(int(frame.sparkSession.conf.get("spark.sql.shuffle.partitions")), PARTITIONS)
    reading, config = Reading(nulls=nulls), RunConfig() if config is None else config
    job = _Job(_mergeable(plan), reading, config, ranges, FAN_IN)
    # Functions without types: Spark would try to understand them.
    collected = texts.mapInArrow(lambda batches: _collect(job, batches), COLLECTED)
    by_range = collected.groupBy("statistic", "range")
    rows = by_range.applyInArrow(lambda table: _add_up(job, table), ADDED).collect()
    scorer = Scorer("texts", _summaries(job, rows), plan)
    return Scores(scorer.score_all(), [scorer.facts()])


def _select(frame: Any, field: str) -> Any:
    """Return the column of texts alone, as `text`."""
    name, steps = check_columns(list(frame.columns), Reading(field=field), "frame")["field"]
    path = [f"[{step}]" if isinstance(step, int) else f".`{step}`" for step in steps if step is not None]
    texts = frame.selectExpr(f"`{name.replace('`', '``')}`{''.join(path)} AS text")
    kind = texts.schema["text"].dataType.simpleString()
    if kind != "string":
        remedy = "Choose another column (field=), or convert it: explode makes rows of an array."
        raise InputError(f"expected strings, got {kind}. {remedy}", source="frame", row=f"'{field}'")
    return texts


def _mergeable(plan: Plan) -> tuple[Mergeable[Any, Any], ...]:
    """Return the statistics to collect; raise if a metric needs the texts themselves."""
    for request in plan.requests:
        if why := why_texts_needed(request.metric):
            raise SpecError(
                f"'{request.spec}' {why}, so Spark cannot compute it. Use "
                f"dy.measure(texts, '{request.spec}') with the texts of a sample: frame.sample(0.01, seed=0)."
            )
    return tuple(s for s in underived(plan.statistics) if isinstance(s, Mergeable))


def _collect(job: _Job, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the counts of a partition of the frame by range, and its other states; or its error."""
    from pyspark import TaskContext

    part = TaskContext.get().partitionId()
    source = IteratorSource(batches, job.reading)
    source.name = f"Spark partition {part}"
    try:
        with local.collected(source, job.statistics, job.config) as collection:
            for place, statistic in enumerate(job.statistics):
                if isinstance(statistic, Counting):
                    entries = collection.tables[statistic].entries
                    for number, portion in enumerate(np.array_split(np.arange(PARTITIONS), job.ranges)):
                        keys, counts = joined([piece for p in portion.tolist() for piece in entries(p)])
                        for start in range(0, len(keys), ROW_KEYS):
                            chunk = (column[start : start + ROW_KEYS].tobytes() for column in (keys, counts))
                            yield _row(COLLECTED, place, number, part, *chunk)
            totals: dict[Any, Any] = {s: table.totals for s, table in collection.tables.items()}
            others = Folded({**totals, **collection.folded.states}, None, collection.folded.origin)
            yield _row(COLLECTED, OTHERS, part // job.fan_in, part, job.dump(others), b"")
    except InputError as error:  # if it were raised, Spark would start the task again
        problem = to_bytes((error.problem, error.source, error.row))
        yield _row(COLLECTED, ERROR, part // job.fan_in, part, problem, b"")


def _add_up(job: _Job, table: pa.Table) -> pa.Table:
    """Add up the counts of a range, and return how often keys occur; or add up other states."""
    import pyarrow as pa

    table = table.sort_by("part")
    place, number = table["statistic"][0].as_py(), table["range"][0].as_py()
    if place == ERROR:
        state = table["keys"][0].as_py()
    elif place == OTHERS:
        state = job.dump(sum((job.load(data.as_py()) for data in table["keys"]), Folded()))
    else:
        words, counts = (
            np.concatenate([np.frombuffer(data.as_buffer(), np.uint64) for data in table[name]])
            for name in ("keys", "counts")
        )
        hashes = words if len(words) == len(counts) else words.reshape(-1, 2)
        tally = Tally.of(*Counter().count(hashes, counts))
        state = to_bytes((*tally.counts_of_counts(), tally.most, tally.key))
    return pa.Table.from_batches([_row(ADDED, place, number, state)])


def _summaries(job: _Job, rows: Iterable[Any]) -> Summaries:
    """Return the summaries, given what tasks added up; raise the first error of the data."""
    folded = Folded()
    tallies: dict[Any, Tally] = {statistic: Tally() for statistic in job.statistics}
    for place, _, state in sorted(rows):  # errors come first
        if place == ERROR:
            problem, source, where = from_bytes(state)
            raise InputError(problem, source=source, row=where)
        if place == OTHERS:
            folded += job.load(state)
        else:
            tallies[job.statistics[place]] += Tally.of_counts(*from_bytes(state))
    if folded.is_empty:  # a frame without partitions
        return fold([Batch.of([])], job.statistics, job.config).summaries()
    summaries: dict[Collected, Any] = {
        s: s.summarize_tally(tallies[s], state) if isinstance(s, Counting) else s.summarize(state)
        for s, state in folded.states.items()
    }
    return Summaries(summaries, None, folded.origin)


def _row(schema: str, *values: Any) -> pa.RecordBatch:
    """Return one row with the columns of a schema."""
    import pyarrow as pa

    columns = zip(values, (column.split() for column in schema.split(", ")))
    arrays = {name: pa.array([value], {"int": "int32"}.get(kind, kind)) for value, (name, kind) in columns}
    return pa.RecordBatch.from_pydict(arrays)
