"""Fold statistics over the partitions of a corpus, on any number of workers, through files of states.

1. Each partition of the input becomes one file: its tables of counts, by partition of the keys, and its other
   states. A partition whose file is there already is not read again. Small inputs are bundled, since a file
   takes time and space of its own.
2. If there are many files, groups of them are merged into one file each.
3. The partitions of the keys are divided into ranges. For each range, the counts of all files are added up,
   and only the counts of counts are kept.
4. Statistics in two passes read the texts of each partition again, with the total counts of its keys.

So the workers exchange files, and the driver holds a few numbers per file and per range. What a worker does
is a function of its input alone, so that work that was lost is simply done again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import math
import operator
import pickle
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise
from typing import Any, Protocol, TypeVar

import numpy as np

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.engine import local
from distinctly.engine.spill import SpillFolder
from distinctly.engine.state_file import StateFile, StoredTable, read_ahead, write_state
from distinctly.engine.states import CollectedStates, Folded, merge_states, second_states, underived
from distinctly.engine.storage import Folder
from distinctly.engine.threads import Threads
from distinctly.engine.vector_files import WithVectors, write_vectors
from distinctly.errors import InputError
from distinctly.hashing import keys_of
from distinctly.sources.base import PARTITION_BYTES, Partition
from distinctly.sources.files import FileSource
from distinctly.statistics.all_tokens import TextPieces
from distinctly.statistics.base import AnyStatistic, Collected, Mergeable, NeedsRows, TwoPass
from distinctly.statistics.ngram_collector import Counter, repeated_keys
from distinctly.statistics.ngram_counts import Grams, NgramCounts, Run
from distinctly.statistics.pool import Summaries
from distinctly.statistics.spelling import Sought, least_of_the_top
from distinctly.statistics.tables import (
    PARTITIONS,
    Counting,
    HashCounts,
    Totals,
    add_counts,
    joined,
    of_turn,
    turns_for,
)
from distinctly.version import __version__
from distinctly.views.rows import Rows
from distinctly.views.vectors import VectorView

# Beyond this number of files, groups of this number are merged first, so that no range reads more files.
FAN_IN = 64
# About this number of bytes of tables is counted at a time by one worker.
RANGE_BYTES = 256_000_000
# The number of bytes of each table that are read at a time while files are merged.
AHEAD = 1_000_000
# A corpus should have this number of partitions at least, for workers to share, if none is smaller than this.
LEAST_PARTITIONS, SMALLEST_PARTITION = 8, 16_000_000

Item = TypeVar("Item")
Result = TypeVar("Result")


class Workers(Protocol):
    """What calls a function on many items, on threads or on machines.

    Attributes
    ----------
    retries
        How often a call was made again, since a machine was lost.
    """

    retries: int

    @property
    def number(self) -> int:
        """The number of items that are worked on at a time."""

    def map(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        done: Callable[[Result], None] = lambda _: None,
        *,
        models: bool = False,
    ) -> list[Result]:
        """Return the result for each item, in order; `done` is called with each result as it comes.

        With `models`, the function has a model that takes long to load, so that each worker keeps it.
        """


@dataclass(frozen=True)
class Job:
    """What to collect, and where to keep it; it is sent to every worker.

    Attributes
    ----------
    statistics
        The statistics of the first pass.
    two_pass
        The statistics that read the texts a second time.
    config
        How to run.
    folder
        The folder of the files.
    """

    statistics: tuple[Mergeable[Any, Any], ...]
    two_pass: tuple[TwoPass[Any, Any], ...]
    config: RunConfig
    folder: Folder

    @property
    def tables(self) -> list[Counting[Any, Any]]:
        """The statistics that count."""
        return [statistic for statistic in self.statistics if isinstance(statistic, Counting)]

    def opened(self, name: str) -> CollectedStates:
        """Return what is in a file."""
        return StateFile(self.folder.file(name)).collected(self.statistics)

    def ranges(self, parts: Sequence[Part], partitions: range) -> dict[Counting[Any, Any], list[StoredTable]]:
        """Return a range of each table, one per file."""
        tables: dict[Counting[Any, Any], list[StoredTable]] = {statistic: [] for statistic in self.tables}
        for part in parts:
            for statistic, table in self.opened(part.name).tables.items():
                if isinstance(table, StoredTable):
                    tables[statistic].append(table.within(partitions))
        return tables

    def write(self, name: str, collection: CollectedStates) -> int:
        """Write a file, and return its number of bytes."""
        stored = self.folder.file(name)
        with stored.writing() as stream:
            write_state(stream, collection, {}, self.config.hash_bits)
            return stream.tell()


@dataclass(frozen=True)
class Part:
    """A file with the states of some texts.

    Attributes
    ----------
    name
        Its name in the folder.
    size
        Its number of bytes.
    source_size
        The number of bytes of the texts.
    tokens
        The number of tokens in its largest table, to report the speed.
    reused
        Whether it was there before.
    seconds
        How long it took.
    """

    name: str
    size: int
    source_size: int
    tokens: int = 0
    reused: bool = False
    seconds: float = 0.0


def summarize(
    corpus: Corpus, statistics: Iterable[AnyStatistic], config: RunConfig, workers: Workers
) -> Summaries:
    """Compute all statistics from the partitions of a corpus."""
    corpus.source.limit_memory(config.memory)
    needed = underived(statistics)
    two_pass = tuple(statistic for statistic in needed if isinstance(statistic, TwoPass))
    first = [statistic for twice in two_pass for statistic in twice.first()]
    mergeable = [statistic for statistic in (*needed, *first) if isinstance(statistic, Mergeable)]
    top = [statistic for statistic in mergeable if isinstance(statistic, NgramCounts) and statistic.top]
    counted = [replace(s, top=0) if isinstance(s, NgramCounts) else s for s in mergeable]
    kept_views = [s.view for s in needed if isinstance(s, NeedsRows) and s not in two_pass]
    rows = local.read(corpus, kept_views, config) if kept_views else None
    with _folder(config) as folder:
        job = _job(counted, two_pass, config, folder)
        inputs = _embedded(job, _inputs(corpus), workers)
        progress = _Progress(config, corpus, len(inputs), workers)
        parts = workers.map(partial(_collect_part, job), inputs, progress.add)
        summaries, origin = _merged(job, parts, workers, config)
        if top:
            summaries |= _spelled(job, top, parts, inputs, summaries, workers)
        if two_pass:
            summaries |= _second_pass(job, parts, inputs, summaries, workers)
        _remove(job, parts, (), config)
    return Summaries(summaries, None if rows is None else [rows], origin)


@contextlib.contextmanager
def collecting(
    corpus: Corpus, statistics: Sequence[Mergeable[Any, Any]], config: RunConfig, workers: Workers
) -> Iterator[CollectedStates]:
    """Collect the states of a corpus from its partitions; they can be read until the context ends."""
    corpus.source.limit_memory(config.memory)
    with _folder(config) as folder:
        job = _job(statistics, (), config, folder)
        inputs = _embedded(job, _inputs(corpus), workers)
        progress = _Progress(config, corpus, len(inputs), workers)
        parts = workers.map(partial(_collect_part, job), inputs, progress.add)
        many = len(parts) > FAN_IN
        merged = workers.map(partial(_combine, job), _groups(parts)) if many else parts
        yield _merge(job, merged)
        _remove(job, parts, merged if many else (), config)


def _job(
    statistics: Iterable[Mergeable[Any, Any]],
    two_pass: tuple[TwoPass[Any, Any], ...],
    config: RunConfig,
    folder: Folder,
) -> Job:
    quiet = replace(config, compiled=True, progress=None, engine="local", checkpoint=None)
    return Job(tuple(dict.fromkeys(statistics)), two_pass, quiet, folder)


def _remove(job: Job, parts: Sequence[Part], merged: Sequence[Part], config: RunConfig) -> None:
    """Remove the files of a run that has finished; a temporary folder is removed as a whole."""
    if config.checkpoint is None:
        return
    names = [part.name for part in (*parts, *merged)]
    if any(isinstance(statistic.view, VectorView) for statistic in job.statistics):
        names += [part.name.replace("part-", "vectors-").replace(".state", ".parquet") for part in parts]
    job.folder.remove(names)


def _inputs(corpus: Corpus) -> list[tuple[int, Partition]]:
    """Return the partitions of a corpus, numbered; small ones are bundled."""
    size = partition_bytes(corpus.source.size)
    return list(enumerate(bundled(corpus.partitions(size), size)))


def partition_bytes(size: int | None) -> int:
    """Return the number of bytes of a partition; it depends on the corpus alone, so that a run can resume.

    Examples
    --------
    >>> [partition_bytes(size) for size in (10**8, 2 * 10**8, 10**12, None)]
    [16000000, 25000000, 64000000, 64000000]
    """
    if size is None:
        return PARTITION_BYTES
    return min(max(size // LEAST_PARTITIONS, SMALLEST_PARTITION), PARTITION_BYTES)


def _embedded(job: Job, inputs: list[tuple[int, Partition]], workers: Workers) -> list[tuple[int, Partition]]:
    """Return the partitions with the vectors of their texts, if a statistic reads them.

    Vectors are computed by workers that keep the model, and written to Parquet files: once, however often
    the partition is read.
    """
    vectors = (s.view for s in job.statistics if isinstance(s.view, VectorView))
    views = {replace(view, context=False) for view in vectors if view.embeds}
    if not views:
        return inputs
    (view,) = views
    names = workers.map(partial(_embed_part, job, view), inputs, models=True)
    return [
        (number, WithVectors(partition, job.folder.file(name)))
        for (number, partition), name in zip(inputs, names)
    ]


def _embed_part(job: Job, view: VectorView, numbered: tuple[int, Partition]) -> str:
    """Write the vectors of a partition to a file, unless it is there; return its name."""
    number, partition = numbered
    name = f"vectors-{number:06}-{identity(partition, job)}.parquet"
    stored = job.folder.file(name)
    if not stored.exists():
        batches = (batch for batch in partition.batches(job.config.batch_size) if len(batch))
        with stored.writing() as stream:
            write_vectors(stream, (view.make(batch, job.config).rows for batch in batches))
    return name


class Bundle(Partition):
    """Several partitions that are read one after another."""

    def __init__(self, partitions: Sequence[Partition]) -> None:
        self.partitions = tuple(partitions)
        self.name, self.title = partitions[0].name, partitions[0].title
        self.size = sum(partition.size or 0 for partition in partitions)

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches."""
        for partition in self.partitions:
            yield from partition.batches(rows)


def bundled(partitions: Iterable[Partition], size: int) -> list[Partition]:
    """Join consecutive small partitions to bundles of at most `size` bytes, unless their size is unknown."""
    bundles: list[list[Partition]] = []
    room = 0
    for partition in partitions:
        wanted = size if partition.size is None else partition.size
        if wanted > room or not bundles:
            bundles.append([])
            room = size
        bundles[-1].append(partition)
        room -= wanted
    return [Bundle(bundle) if len(bundle) > 1 else bundle[0] for bundle in bundles]


def _merged(
    job: Job, parts: Sequence[Part], workers: Workers, config: RunConfig
) -> tuple[dict[Collected, Any], Any]:
    """Return the summaries of the first pass, and the origin of the texts."""
    merged = list(parts)
    if len(parts) > FAN_IN:
        merged = workers.map(partial(_combine, job), _groups(parts))
    folded = sum(workers.map(partial(_folded, job), _groups(merged)), Folded())
    ranges = _ranges(sum(part.size for part in merged), workers.number)
    config.report("counting", 0, len(ranges))
    tallies = workers.map(partial(_tally, job, merged), ranges)
    if len(parts) > FAN_IN:
        job.folder.remove([part.name for part in merged])
    spill = SpillFolder(int(config.memory_limit * local.SPILLED))
    summaries: dict[Collected, Any] = {
        # The files of the run are removed at its end.
        s: s.summarize(state.moved(spill.keep) if isinstance(state, TextPieces) else state)
        for s, state in folded.states.items()
    }
    totals = tallies[0][1]
    for statistic in job.tables:
        if not statistic.joined:
            tally = functools.reduce(operator.add, [of_range[statistic] for of_range, _ in tallies])
            summaries[statistic] = statistic.summarize_tally(tally, totals[statistic])
    return summaries, folded.origin


@contextlib.contextmanager
def _folder(config: RunConfig) -> Iterator[Folder]:
    """Return the folder of the run: the one that was given, or a temporary one."""
    if config.checkpoint is not None:
        folder = Folder(config.checkpoint)
        folder.create()
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="distinctly-parts-") as path:
        yield Folder(path)


def identity(partition: Partition, job: Job) -> str:
    """Return a name for what is collected of a partition; it changes if anything of it does.

    A file is identified by its name, its size and the time of its last change, as other tools do.
    """
    if isinstance(partition, WithVectors):
        partition = partition.partition
    members = partition.partitions if isinstance(partition, Bundle) else (partition,)
    known = b"".join(_identity(member) for member in members)
    wanted = repr((__version__, job.config.hash_bits, [repr(statistic) for statistic in job.statistics]))
    return hashlib.blake2b(known + wanted.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _identity(partition: Partition) -> bytes:
    if not isinstance(partition, FileSource):
        return pickle.dumps(partition)
    read = (partition.name, partition.span, partition.reading, partition.part)
    return repr((*read, partition.present_state())).encode("utf-8", "surrogatepass")


def _collect_part(job: Job, numbered: tuple[int, Partition]) -> Part:
    """Collect the states of a partition, and write them to a file, unless it is there."""
    number, partition = numbered
    name = f"part-{number:06}-{identity(partition, job)}.state"
    stored = job.folder.file(name)
    if stored.exists():
        try:
            StateFile(stored).verify()
        except InputError:  # damaged, or a write that was interrupted, in a store that shows it nevertheless
            pass
        else:
            return Part(name, stored.size(), partition.size or 0, reused=True)
    began = time.monotonic()
    with local.collected(partition, job.statistics, job.config) as collection:
        size = job.write(name, collection)
        tokens = max((table.totals.tokens for table in collection.tables.values()), default=0)
    seconds = time.monotonic() - began
    return Part(name, size, partition.size or 0, tokens, seconds=seconds)


def _folded(job: Job, parts: Sequence[Part]) -> Folded:
    """Add up the states of files that are no tables."""
    return sum((job.opened(part.name).folded for part in parts), Folded())


def _combine(job: Job, parts: Sequence[Part]) -> Part:
    """Merge several files into one."""
    name = f"merged-{parts[0].name.removeprefix('part-')}"
    size = job.write(name, _merge(job, parts))
    return Part(name, size, sum(part.source_size for part in parts))


def _merge(job: Job, parts: Sequence[Part]) -> CollectedStates:
    """Return the sum of what is in several files; tables are merged when they are read."""
    return merge_states([read_ahead(job.opened(part.name), AHEAD) for part in parts], Counter().count)


def _groups(parts: Sequence[Part]) -> list[Sequence[Part]]:
    """Divide files into groups of at most `FAN_IN`."""
    return [parts[start : start + FAN_IN] for start in range(0, len(parts), FAN_IN)]


def _ranges(size: int, workers: int) -> list[range]:
    """Divide the partitions of the keys into ranges: at least two per worker, and small enough for memory."""
    number = min(max(2 * workers, math.ceil(size / RANGE_BYTES)), PARTITIONS)
    bounds = np.linspace(0, PARTITIONS, number + 1).astype(int).tolist()
    return [range(start, end) for start, end in pairwise(bounds)]


def _read_range(tables: Sequence[StoredTable], partitions: range) -> Iterator[list[HashCounts]]:
    """Yield the entries of each file in each partition of a range."""
    pieces = [table.read(partitions) for table in tables]
    return (list(column) for column in zip(*pieces))


Tallied = tuple[dict[Counting[Any, Any], Any], dict[Counting[Any, Any], Totals]]


def _tally(job: Job, parts: Sequence[Part], partitions: range) -> Tallied:
    """Add up the counts of all files in a range, and return how often keys occur; also the totals."""
    counter = Counter()
    tallies: dict[Counting[Any, Any], Any] = {}
    totals: dict[Counting[Any, Any], Totals] = {}
    for statistic, tables in job.ranges(parts, partitions).items():
        totals[statistic] = sum((table.totals for table in tables), Totals())
        if not statistic.joined:
            tallies[statistic] = statistic.tally(_added(tables, partitions, counter))
    return tallies, totals


def _added(tables: Sequence[StoredTable], partitions: range, counter: Counter) -> Iterator[HashCounts]:
    """Yield the distinct keys of all files in a range, with the sums of their counts."""
    for pieces in _read_range(tables, partitions):
        turns = turns_for(sum(len(hashes) for hashes, _ in pieces))
        for turn in range(turns):
            hashes, counts = joined([of_turn(*piece, turn, turns) for piece in pieces])
            if len(hashes):
                yield counter.count(hashes, counts)


def _spelled(
    job: Job,
    top: Sequence[NgramCounts],
    parts: Sequence[Part],
    inputs: Sequence[tuple[int, Partition]],
    summaries: dict[Collected, Any],
    workers: Workers,
) -> dict[Collected, Any]:
    """Return the counts with their most frequent n-grams as text, which are found in a second reading."""
    ranges = _ranges(sum(part.size for part in parts), workers.number)
    spelled: dict[Collected, Any] = {}
    for statistic in top:
        plain = replace(statistic, top=0)
        grams: Grams = summaries[plain]
        least = least_of_the_top(grams, statistic.top)
        hashes, counts = joined(workers.map(partial(_frequent, job, plain, parts, least), ranges))
        keys = keys_of(hashes)
        order = np.argsort(keys)
        sought = partial(_look_through, job, statistic, (keys[order], counts[order]))
        ranked = set(chain.from_iterable(workers.map(sought, inputs)))
        best = sorted(ranked, key=lambda pair: (-pair[1], pair[0]))[: statistic.top]
        spelled[statistic] = replace(grams, top=tuple(best))
    return spelled


def _frequent(
    job: Job, statistic: NgramCounts, parts: Sequence[Part], least: int, partitions: range
) -> HashCounts:
    """Return the n-grams of a range that occur at least `least` times in all files."""
    frequent = []
    for pieces in _read_range(job.ranges(parts, partitions)[statistic], partitions):
        hashes, counts = add_counts(*joined(pieces))
        frequent.append((hashes[counts >= least], counts[counts >= least]))
    return joined(frequent)


def _look_through(
    job: Job, statistic: NgramCounts, sought: HashCounts, numbered: tuple[int, Partition]
) -> tuple[tuple[str, int], ...]:
    """Spell the sought n-grams that occur in a partition."""
    looking = Sought(statistic, *sought)
    for batch in numbered[1].batches(job.config.batch_size):
        looking.look_through(Rows(batch, job.config)[statistic.view])
    return looking.ranked()


def _second_pass(
    job: Job,
    parts: Sequence[Part],
    inputs: Sequence[tuple[int, Partition]],
    summaries: dict[Collected, Any],
    workers: Workers,
) -> dict[Collected, Any]:
    """Fold statistics over all partitions again, with the total counts of the keys of each."""
    ranges = _ranges(sum(part.size for part in parts), workers.number)
    workers.map(partial(_answer, job, parts), ranges)
    groups = [group[0].name for group in _groups(parts)]
    small = {
        table: summaries[table]
        for statistic in job.two_pass
        for table in statistic.first()
        if table in summaries
    }
    again = partial(_collect_again, job, ranges, groups, small)
    states: list[Any] = []
    for of_part in workers.map(again, inputs):
        states = [total + state for total, state in zip(states, of_part)] if states else of_part
    job.folder.remove([_answers_name(partitions, group) for group in groups for partitions in ranges])
    return {statistic: statistic.finish(state) for statistic, state in zip(job.two_pass, states)}


def _answers_name(partitions: range, group: str) -> str:
    """Return the name of the answers for a group of files, given the name of the first of them."""
    return f"answers-{partitions.start:04}-{group.removeprefix('part-')}"


def _answer(job: Job, parts: Sequence[Part], partitions: range) -> None:
    """Write the keys of each file in a range that occur in several texts, with their total counts.

    One file per group of parts, so that a worker which reads one part again reads little else.
    """
    by_statistic: dict[Counting[Any, Any], list[list[HashCounts]]] = {}
    for statistic, tables in job.ranges(parts, partitions).items():
        if statistic.joined:
            columns = [repeated_keys(pieces) for pieces in _read_range(tables, partitions)]
            by_statistic[statistic] = [list(of_part) for of_part in zip(*columns)]
    for start, group in enumerate(_groups(parts)):
        of_group = slice(start * FAN_IN, (start + 1) * FAN_IN)
        states: dict[Mergeable[Any, Any], Any] = {
            statistic: tuple(_run(pieces) for pieces in of_parts[of_group])
            for statistic, of_parts in by_statistic.items()
        }
        with job.folder.file(_answers_name(partitions, group[0].name)).writing() as stream:
            write_state(stream, CollectedStates({}, Folded(states)), {}, job.config.hash_bits)


def _run(pieces: Sequence[HashCounts]) -> Run:
    hashes, counts = joined(pieces)
    return Run(hashes, counts.astype(np.int64))


def _collect_again(
    job: Job,
    ranges: Sequence[range],
    groups: Sequence[str],
    small: dict[Any, Any],
    numbered: tuple[int, Partition],
) -> list[Any]:
    """Return the states of a partition in the second pass."""
    number, partition = numbered
    group, place = divmod(number, FAN_IN)
    names = [_answers_name(partitions, groups[group]) for partitions in ranges]
    files = [StateFile(job.folder.file(name)) for name in names]
    known = dict(small)
    for statistic in (table for table in job.tables if table.joined):
        runs: list[Run] = [file.item(statistic, place) for file in files]
        known[statistic] = _run([(run.hashes, run.counts.astype(np.uint64)) for run in runs])
    states: list[Any] = []
    for batch in partition.batches(job.config.batch_size):
        of_batch = second_states(job.two_pass, known, Rows(batch, job.config))
        states = [total + state for total, state in zip(states, of_batch)] if states else of_batch
    return states


class _Progress:
    """Reports what has been read, how fast, and whether some partitions are much slower than others."""

    def __init__(self, config: RunConfig, corpus: Corpus, partitions: int, workers: Workers) -> None:
        self._config, self._corpus, self._workers = config, corpus, workers
        self._partitions, self._began = partitions, time.monotonic()
        self._parts: list[Part] = []

    def add(self, part: Part) -> None:
        """Report one more partition."""
        self._parts.append(part)
        if self._config.progress is not None:
            size = sum(each.source_size for each in self._parts)
            source = self._corpus.source.size
            self._config.report(self._corpus.name, size, source, "bytes", ", ".join(self._details()))

    def _details(self) -> list[str]:
        details = [f"{len(self._parts)} of {self._partitions} partitions"]
        new = [part for part in self._parts if not part.reused]
        if len(new) < len(self._parts):
            details.append(f"{len(self._parts) - len(new)} of them from before")
        if new:
            rate = sum(part.tokens for part in new) / max(time.monotonic() - self._began, 1e-3)
            details.append(f"{rate / 1e6:.1f}M tokens/s")
        if len(new) > 2:
            seconds = sorted(part.seconds for part in new)
            skew = seconds[-1] / max(seconds[len(seconds) // 2], 1e-3)
            details.append(f"skew {skew:.1f}")
        if self._workers.retries:
            details.append(f"{self._workers.retries} tasks started again")
        return details


class ThreadWorkers:
    """Workers that are threads of this process."""

    retries = 0

    def __init__(self, number: int) -> None:
        self.number = number

    def map(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        done: Callable[[Result], None] = lambda _: None,
        *,
        models: bool = False,
    ) -> list[Result]:
        """Return the result for each item, in order."""
        results = []
        with Threads(self.number) as threads:
            for result in threads.map(function, items):
                done(result)
                results.append(result)
        return results
