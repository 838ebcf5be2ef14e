"""The local engine: reads a corpus once, in batches, on all threads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from distinctly.batch import Batch, Origin
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.engine.spill import remove_abandoned, spill_beyond
from distinctly.engine.states import fold, underived
from distinctly.engine.threads import Threads, cores
from distinctly.statistics.base import AnyStatistic, Collected, Mergeable, NeedsRows, TwoPass
from distinctly.statistics.collector import Adding, Collector, Spill
from distinctly.statistics.pool import Summaries
from distinctly.views.base import View
from distinctly.views.rows import Rows

# Below this number of bytes, starting the compiler takes longer than the plain path.
COMPILED_FROM = 4_000_000
# The share of the memory for pending counts, and for reduced counts.
PENDING, SPILLED = 0.35, 0.35
# More pending bytes than this gain nothing, since new memory costs more than a second reduction.
MOST_PENDING = 1_200_000_000


def summarize(corpus: Corpus, statistics: Iterable[AnyStatistic], config: RunConfig) -> Summaries:
    """Read a corpus once and compute all statistics; large corpora use compiled loops on all threads."""
    remove_abandoned()
    batches, compiled = _choose_path(corpus, config)
    if config.progress is not None:
        batches = _reported(batches, corpus, config)
    if not compiled:
        return fold(batches, statistics, config).summaries()
    config = replace(config, compiled=True)
    needed = underived(statistics)
    two_pass = _folded_twice(needed, corpus, config)
    first = [statistic for twice in two_pass for statistic in twice.first()]
    mergeable = [statistic for statistic in (*needed, *first) if isinstance(statistic, Mergeable)]
    kept_views = {s.view for s in needed if isinstance(s, NeedsRows) and s not in two_pass}
    spilled_from = int(config.memory_limit * SPILLED)
    with Threads(config.threads or cores()) as threads, spill_beyond(spilled_from) as spill:
        collectors = _collectors(list(dict.fromkeys(mergeable)), spill, rereadable=corpus.source.rereadable)
        kept, origin = _collect(collectors, kept_views, batches, config, threads)

        def read_again() -> Iterator[Rows]:
            return (Rows(batch, config) for batch in corpus.batches(config.batch_size))

        by_statistic: dict[Collected, Any] = {}
        for collector in collectors:
            by_statistic |= collector.summaries(threads.run, read_again)
        if two_pass:
            by_statistic |= _second_pass(two_pass, by_statistic, read_again())
        return Summaries(by_statistic, kept if kept_views else None, origin)


def _folded_twice(needed: Sequence[Collected], corpus: Corpus, config: RunConfig) -> list[TwoPass[Any, Any]]:
    """Return the statistics to fold twice: those that can be, if the texts do not fit in memory."""
    fits = (corpus.source.size or 0) <= config.memory_limit or not corpus.source.rereadable
    two_pass = [] if fits else [statistic for statistic in needed if isinstance(statistic, TwoPass)]
    others = [s for s in needed if isinstance(s, NeedsRows) and s not in two_pass]
    return [] if others else two_pass  # if the texts are held anyway, one pass is enough


def _second_pass(
    statistics: Sequence[TwoPass[Any, Any]], summaries: Mapping[Collected, Any], pieces: Iterator[Rows]
) -> dict[Collected, Any]:
    """Fold statistics over all texts again, given the summaries of the first pass."""
    first = {statistic: [summaries[table] for table in statistic.first()] for statistic in statistics}
    states: dict[TwoPass[Any, Any], Any] = {}
    for rows in pieces:
        for statistic in statistics:
            state = statistic.collect(rows[statistic.view], *first[statistic])
            states[statistic] = states[statistic] + state if statistic in states else state
    return {statistic: statistic.finish(state) for statistic, state in states.items()}


def read(corpus: Corpus, views: Collection[View[Any]], config: RunConfig) -> Rows:
    """Read all texts of a corpus into memory, with some of their views."""
    remove_abandoned()
    batches, compiled = _choose_path(corpus, config)
    if config.progress is not None:
        batches = _reported(batches, corpus, config)
    if not compiled:
        return Rows.join([Rows(batch, config).keeping(views) for batch in batches])
    config = replace(config, compiled=True)
    with Threads(config.threads or cores()) as threads:
        return Rows.join(list(threads.map(lambda batch: Rows(batch, config).keeping(views), batches)))


def _reported(batches: Iterable[Batch], corpus: Corpus, config: RunConfig) -> Iterator[Batch]:
    """Yield the batches, and report how much of the corpus has been read."""
    for batch in batches:
        yield batch
        config.report(corpus.name, corpus.source.position, corpus.source.size, "bytes")


def _collectors(
    statistics: Sequence[Mergeable[Any, Any]], spill: Spill, *, rereadable: bool
) -> list[Collector]:
    """Return the collectors: a faster one for statistics that have one, and `Adding` for the others."""
    fast: list[Collector] = []
    plain: list[Mergeable[Any, Any]] = []
    by_kind: dict[tuple[type[Mergeable[Any, Any]], View[Any]], list[Mergeable[Any, Any]]] = {}
    for statistic in statistics:
        if statistic.reads_twice and not rereadable:
            plain.append(statistic)
        else:
            by_kind.setdefault((type(statistic), statistic.view), []).append(statistic)
    for (kind, _), members in by_kind.items():
        collector = kind.collector(members, spill)
        if collector is None:
            plain += members
        else:
            fast.append(collector)
    return [*fast, Adding(plain)]


def _collect(
    collectors: Sequence[Collector],
    kept_views: set[View[Any]],
    batches: Iterator[Batch],
    config: RunConfig,
    threads: Threads,
) -> tuple[list[Rows], Origin]:
    """Pass all batches to the collectors; return the texts, if some views are kept, and their origin."""
    limit = min(config.memory_limit * PENDING, MOST_PENDING)

    def prepare(batch: Batch) -> tuple[Origin, Rows | None, list[Any]]:
        rows = Rows(batch, config)
        parts = [collector.prepare(rows) for collector in collectors]
        return batch.origin, rows.keeping(kept_views) if kept_views else None, parts

    kept: list[Rows] = []
    total = Origin()
    for origin, rows, parts in threads.map(prepare, batches):
        total += origin
        if rows is not None:
            kept.append(rows)
        for collector, part in zip(collectors, parts):
            collector.absorb(part)
        # All collectors share the memory; the fullest ones gain most from being reduced.
        for collector in sorted(collectors, key=lambda collector: -collector.pending_bytes):
            if sum(other.pending_bytes for other in collectors) <= limit:
                break
            collector.reduce(threads.run)
    return kept, total


def _choose_path(corpus: Corpus, config: RunConfig) -> tuple[Iterator[Batch], bool]:
    """Return the batches, and whether they are large enough for the compiled path."""
    corpus.source.limit_memory(config.memory)
    batches = corpus.batches(config.batch_size)
    if config.compiled is not None:
        return batches, config.compiled
    if (corpus.source.size or 0) >= COMPILED_FROM:
        return batches, True
    first: list[Batch] = []
    size = 0
    for batch in batches:
        first.append(batch)
        size += batch.strings.size
        if size >= COMPILED_FROM:
            return chain(first, batches), True
    return iter(first), False
