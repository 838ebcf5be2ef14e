"""The local engine: reads a corpus once, in batches, on all threads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any

from distinctly.batch import Batch, Origin
from distinctly.config import SMALLEST_MEMORY, RunConfig, cores
from distinctly.corpus import Corpus
from distinctly.engine.spill import remove_abandoned, spill_beyond
from distinctly.engine.states import CollectedStates, Folded, fold, second_states, underived
from distinctly.engine.threads import Threads
from distinctly.engine.warming import loader
from distinctly.sources.base import Partition
from distinctly.statistics.base import AnyStatistic, Collected, Mergeable, NeedsRows, TwoPass
from distinctly.statistics.collector import Adding, Collector, Spill
from distinctly.statistics.pool import Summaries
from distinctly.views.base import View
from distinctly.views.rows import Rows

# Below this number of bytes, starting the compiler takes longer than the plain path.
COMPILED_FROM = 4_000_000
# The share of the memory for pending counts, and for reduced counts.
PENDING, SPILLED = 0.35, 0.35
# The memory that texts in memory take with their tokens, per byte.
ROWS_PER_BYTE = 25
# More pending bytes than this gain nothing, since new memory costs more than a second reduction.
MOST_PENDING = 1_200_000_000


def summarize(corpus: Corpus, statistics: Collection[AnyStatistic], config: RunConfig) -> Summaries:
    """Read a corpus once and compute all statistics; large corpora use compiled loops on all threads."""
    remove_abandoned()
    if config.checkpoint is not None:
        from distinctly.engine import parts

        return parts.summarize(corpus, statistics, config, parts.ThreadWorkers(_threads(config)))
    batches, compiled = _choose_path(corpus, config)
    if config.progress is not None:
        batches = _reported(batches, corpus, config)
    if not compiled:
        return fold(batches, statistics, loader.choose(statistics, config)).summaries()
    config = replace(config, compiled=True)
    needed = underived(statistics)
    two_pass = _folded_twice(needed, corpus, config)
    first = [statistic for twice in two_pass for statistic in twice.first()]
    mergeable = [statistic for statistic in (*needed, *first) if isinstance(statistic, Mergeable)]
    kept_views = {s.view for s in needed if isinstance(s, NeedsRows) and s not in two_pass}
    spilled_from = int(config.memory_limit * SPILLED)
    with Threads(config.threads or cores()) as threads, spill_beyond(spilled_from) as spill:
        collectors = make_collectors(
            list(dict.fromkeys(mergeable)), spill, rereadable=corpus.source.rereadable
        )
        pieces = (Rows(batch, config) for batch in batches)
        kept, origin = collect(collectors, kept_views, pieces, config, threads)

        def read_again() -> Iterator[Rows]:
            return (Rows(batch, config) for batch in corpus.batches(config.batch_size))

        by_statistic: dict[Collected, Any] = {}
        joined = [collector for collector in collectors if collector.is_joined]
        for collector in collectors:
            if collector not in joined:
                by_statistic |= collector.summaries(threads.run, read_again)
        for collector in joined:
            by_statistic |= _second_pass(two_pass, by_statistic, collector, read_again(), threads)
        return Summaries(by_statistic, kept if kept_views else None, origin)


@contextmanager
def collecting(
    corpus: Corpus, statistics: Sequence[Mergeable[Any, Any]], config: RunConfig
) -> Iterator[CollectedStates]:
    """Collect the states of a corpus; large ones are on disk until the context ends."""
    remove_abandoned()
    if config.checkpoint is not None:
        from distinctly.engine import parts

        with parts.collecting(
            corpus, statistics, config, parts.ThreadWorkers(_threads(config))
        ) as collection:
            yield collection
        return
    if (corpus.source.size or 0) < COMPILED_FROM and not config.compiled:
        chosen = loader.choose(statistics, config)
        yield CollectedStates.of_states(fold(corpus.batches(config.batch_size), statistics, chosen))
        return
    corpus.source.limit_memory(config.memory)
    with collected(corpus.source, statistics, config, _threads(config)) as collection:
        yield collection


@contextmanager
def collected(
    partition: Partition, statistics: Sequence[Mergeable[Any, Any]], config: RunConfig, threads: int = 1
) -> Iterator[CollectedStates]:
    """Collect the states of a partition; large ones are on disk until the context ends.

    With one thread, the memory is shared with the other processors of this machine, which collect other
    partitions.
    """
    share = max(config.memory_limit // (cores() if threads == 1 else 1), SMALLEST_MEMORY)
    config = replace(config, compiled=True, memory=share)
    pieces = (Rows(batch, config) for batch in partition.batches(config.batch_size))
    with collected_pieces(pieces, statistics, config, threads) as collection:
        yield collection


@contextmanager
def collected_pieces(
    pieces: Iterable[Rows], statistics: Sequence[Mergeable[Any, Any]], config: RunConfig, threads: int
) -> Iterator[CollectedStates]:
    """Collect the states of texts by compiled loops; large ones are on disk until the context ends."""
    with Threads(threads) as pool, spill_beyond(int(config.memory_limit * SPILLED)) as spill:
        collectors = make_collectors(list(dict.fromkeys(statistics)), spill, rereadable=True)
        _, origin = collect(collectors, set(), pieces, config, pool)
        tables = {s: table for collector in collectors for s, table in collector.tables(pool.run).items()}
        states = {s: state for collector in collectors for s, state in collector.states().items()}
        yield CollectedStates(tables, Folded(states, None, origin))


def _threads(config: RunConfig) -> int:
    return config.threads or cores()


def _folded_twice(needed: Sequence[Collected], corpus: Corpus, config: RunConfig) -> list[TwoPass[Any, Any]]:
    """Return the statistics to fold twice: those that can be, if the texts may not fit in memory.

    The size of a compressed file does not say how large its texts are.
    """
    source = corpus.source
    is_held = source.size is None or not source.rereadable
    fits = source.text_bytes is not None and ROWS_PER_BYTE * source.text_bytes <= config.memory_limit
    two_pass = [] if is_held or fits else [s for s in needed if isinstance(s, TwoPass)]
    others = [s for s in needed if isinstance(s, NeedsRows) and s not in two_pass]
    return [] if others else two_pass  # if the texts are held anyway, one pass is enough


def _second_pass(
    statistics: Sequence[TwoPass[Any, Any]],
    summaries: Mapping[Collected, Any],
    collector: Collector,
    pieces: Iterator[Rows],
    threads: Threads,
) -> dict[Collected, Any]:
    """Fold the statistics that read the tables of a collector over all texts again.

    The tables may be larger than memory. The batches of one run need only those of its keys that occur more
    than once anywhere, so these are read from the spill before the batches are.
    """
    tables = collector.tables(threads.run)
    reading = [statistic for statistic in statistics if any(table in tables for table in statistic.first())]
    states: dict[Collected, Any] = {}
    for batches, answers in collector.answers(threads.run):
        collect_again = partial(second_states, reading, {**summaries, **answers})
        for collected in threads.map(collect_again, islice(pieces, batches)):
            for statistic, state in zip(reading, collected):
                states[statistic] = states[statistic] + state if statistic in states else state
    return {statistic: statistic.finish(states[statistic]) for statistic in reading}


def read(corpus: Corpus, views: Collection[View[Any]], config: RunConfig) -> Rows:
    """Read all texts of a corpus into memory, with some of their views."""
    return Rows.join(read_pieces(corpus, views, config))


def read_pieces(corpus: Corpus, views: Collection[View[Any]], config: RunConfig) -> list[Rows]:
    """Read all texts of a corpus into memory in pieces, with some of their views."""
    remove_abandoned()
    batches, compiled = _choose_path(corpus, config)
    if config.progress is not None:
        batches = _reported(batches, corpus, config)
    if not compiled:
        return [Rows(batch, config).keeping(views) for batch in batches]
    config = replace(config, compiled=True)
    with Threads(config.threads or cores()) as threads:
        return list(threads.map(lambda batch: Rows(batch, config).keeping(views), batches))


def _reported(batches: Iterable[Batch], corpus: Corpus, config: RunConfig) -> Iterator[Batch]:
    """Yield the batches, and report how much of the corpus has been read."""
    for batch in batches:
        yield batch
        config.report(corpus.name, corpus.source.position, corpus.source.size, "bytes")


def make_collectors(
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


def collect(
    collectors: Sequence[Collector],
    kept_views: set[View[Any]],
    pieces: Iterable[Rows],
    config: RunConfig,
    threads: Threads,
) -> tuple[list[Rows], Origin]:
    """Pass all texts to the collectors; return the texts, if some views are kept, and their origin."""
    limit = min(config.memory_limit * PENDING, MOST_PENDING)

    def prepare(rows: Rows) -> tuple[Origin, Rows | None, list[Any]]:
        parts = [collector.prepare(rows) for collector in collectors]
        return rows.batch.origin, rows.keeping(kept_views) if kept_views else None, parts

    kept: list[Rows] = []
    total = Origin()
    for origin, rows, parts in threads.map(prepare, pieces):
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
