"""Check the arithmetic of large corpora on real runs, and apply it to sizes beyond this machine.

`python -m scripts.simulate_scale` runs 10,000 tiny partitions, each of which claims to have 64 MB, on two
processes, and prints formula and measurement: tasks, files, bytes, reads, and the memory of the driver.
With `--file TEXT`, it collects and merges partitions of a real text, and prints bytes and rates. In the end
it prints a table of sizes from 1 GB to 10 TB by the same formulas. `docs/scale.md` explains them.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import multiprocessing
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.engine import local, parts
from distinctly.engine.parts import AHEAD, FAN_IN, RANGE_BYTES, Item, Result
from distinctly.engine.state_file import END, StateFile, StoredTable, write_state
from distinctly.engine.states import merge_states
from distinctly.engine.storage import Folder, StoredHere
from distinctly.sources.base import PARTITION_BYTES, Partition, Source
from distinctly.statistics.contents import TextCounts
from distinctly.statistics.ngram_collector import Counter
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.statistics.tables import PARTITIONS, SMALL, Counting
from distinctly.tokenizers import find_tokenizer
from distinctly.views.tokens import TokenView

# The bytes of a file beside its keys and counts: per table, the places of the partitions and a description.
PER_FILE, PER_TABLE = 650, PARTITIONS * 20 + 8 + 720
# The bytes that the driver holds per partition (its description, and the name and sizes of its file), and per
# table and range (how many keys occur how often). A part of a file is 400 bytes larger than a tiny one.
DRIVER_PER_PARTITION, DRIVER_PER_TALLY = 1_300, 8 * SMALL + 600
STAGES = {"collect": "_collect_part", "combine": "_combine", "fold": "_folded", "tally": "_tally"}

# K and β for n = 1 to 4: T tokens have K·T^β distinct n-grams. Real English, 4 and 16 MB, by
# `python -m benchmarks.growth`; beyond that size the curve bends down, so these are upper estimates.
FIT = ((26.0, 0.570), (9.30, 0.768), (3.08, 0.885), (1.46, 0.946))
# The bytes of a token, and the tokens of a text, in the same text.
TOKEN_BYTES, TEXT_TOKENS = 5.13, 13.0
# The bytes of text that one core reads and counts per second, and the bytes of states that it merges, by the
# words per key; `--file` measures them.
TEXT_RATE, STATE_RATE = {1: 38e6, 2: 16e6}, {1: 230e6, 2: 130e6}

TINY_TEXTS, TINY_TOKENS = 3, 10
TINY_WORDS = 5000


@dataclass(frozen=True)
class Plan:
    """The arithmetic of a run.

    Attributes
    ----------
    tokens
        The number of tokens of the corpus.
    distinct
        Returns the number of distinct keys of each table among a number of tokens.
    partitions
        The number of partitions of the input.
    width
        The number of words per key: 1 for 64 bits, 2 for 128 bits.
    workers
        The number of workers.
    """

    tokens: float
    distinct: Callable[[float], list[float]]
    partitions: int
    width: int = 1
    workers: int = 2

    def state_bytes(self, files: int) -> float:
        """Return the bytes of all files, if the tokens are divided into this number of files."""
        keys = self.distinct(self.tokens / files)
        return files * (PER_FILE + PER_TABLE * len(keys) + (8 * self.width + 1) * sum(keys))

    @property
    def tables(self) -> int:
        """The number of tables."""
        return len(self.distinct(1))

    @property
    def is_merged(self) -> bool:
        """Whether groups of files are merged before ranges are read."""
        return self.partitions > FAN_IN

    @property
    def merged_files(self) -> int:
        """The number of files whose ranges are read."""
        return math.ceil(self.partitions / FAN_IN) if self.is_merged else self.partitions

    @property
    def part_bytes(self) -> float:
        """The bytes of the files of the partitions."""
        return self.state_bytes(self.partitions)

    @property
    def merged_bytes(self) -> float:
        """The bytes of the files whose ranges are read."""
        return self.state_bytes(self.merged_files)

    @property
    def ranges(self) -> int:
        """The number of ranges of keys."""
        return min(max(2 * self.workers, math.ceil(self.merged_bytes / RANGE_BYTES)), PARTITIONS)

    @property
    def tasks(self) -> dict[str, int]:
        """The number of tasks of each stage."""
        return {
            "collect": self.partitions,
            "combine": self.merged_files if self.is_merged else 0,
            "fold": math.ceil(self.merged_files / FAN_IN),
            "tally": self.ranges,
        }

    @property
    def files(self) -> int:
        """The number of files that are written."""
        return self.tasks["collect"] + self.tasks["combine"]

    @property
    def reads(self) -> dict[str, float]:
        """The number of reads of files in each stage."""
        sizes = (self.part_bytes / self.partitions, self.merged_bytes / self.merged_files)
        opening, opening_merged = (1 if size <= END else 2 for size in sizes)
        ahead = self.tables + self.part_bytes / self.partitions / AHEAD
        return {
            "collect": 0,
            "combine": self.partitions * (opening + ahead) if self.is_merged else 0,
            "fold": self.merged_files * opening_merged,
            "tally": self.ranges * self.merged_files * (opening_merged + self.tables),
        }

    @property
    def requests(self) -> float:
        """The number of requests to an object store.

        A file is looked for before it is written, written, and removed; when it is opened, its size is asked.
        """
        openings = self.partitions * self.is_merged + self.merged_files * (1 + self.ranges)
        return sum(self.reads.values()) + openings + 2 * self.files + self.partitions

    @property
    def second_openings(self) -> int:
        """The number of openings of files in a second pass over tables of the same size as the others."""
        ranges = min(max(2 * self.workers, math.ceil(2 * self.part_bytes / RANGE_BYTES)), PARTITIONS)
        return 2 * self.partitions * ranges

    @property
    def shuffle_bytes(self) -> float:
        """The bytes of states that workers write and read."""
        return 2 * (self.part_bytes + (self.merged_bytes if self.is_merged else 0))

    @property
    def driver_bytes(self) -> float:
        """The memory of the driver, in bytes."""
        return self.partitions * DRIVER_PER_PARTITION + self.ranges * self.tables * DRIVER_PER_TALLY

    @property
    def tally_bytes(self) -> float:
        """The memory for the largest table in one range, as it is read, and for counts of 8 bytes."""
        keys = max(self.distinct(self.tokens / self.merged_files)) * self.merged_files / self.ranges
        return tally_bytes(keys, self.width)


def tally_bytes(keys: float, width: int) -> float:
    """Return the memory of a number of keys that are tallied at a time."""
    return keys * (8 * width + 1 + 8)


class TinyPartition(Partition):
    """Three short texts that claim to have 64 MB."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.name = self.title = f"tiny {number}"
        self.size = PARTITION_BYTES

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in one batch."""
        drawn = np.random.default_rng(self.number).integers(0, TINY_WORDS, (TINY_TEXTS, TINY_TOKENS))
        return Corpus([" ".join(f"w{word}" for word in text) for text in drawn]).batches(rows)


class GivenSource(Source):
    """Partitions that are given, for the engine."""

    name = title = "given"

    def __init__(self, number: int, make: Callable[[int], Partition]) -> None:
        self._number, self._make = number, make
        self.size = number * PARTITION_BYTES

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts of all partitions."""
        for partition in self.partitions():
            yield from partition.batches(rows)

    def partitions(self, size: int | None = None) -> Sequence[Partition]:
        """Return the partitions."""
        del size
        return [self._make(number) for number in range(self._number)]


def tiny_distinct(orders: int, tokens: float) -> list[float]:
    """Return the expected number of distinct texts and n-grams of tiny partitions."""
    words = TINY_WORDS * (1 - (1 - 1 / TINY_WORDS) ** tokens)
    return [tokens / TINY_TOKENS, words, *(tokens * (1 - n / TINY_TOKENS) for n in range(1, orders))]


def real_distinct(tokens: float) -> list[float]:
    """Return the number of distinct texts and n-grams of real text by its fit; all texts may differ."""
    return [tokens / TEXT_TOKENS, *(min(scale * tokens**exponent, tokens) for scale, exponent in FIT)]


@dataclass
class Counts:
    """What was done in a stage: tasks, reads and writes of files, written bytes, processor seconds.

    And the largest memory of a task, if memory is traced.
    """

    tasks: int = 0
    reads: int = 0
    writes: int = 0
    written: int = 0
    seconds: float = 0.0
    peak: int = 0

    def add(self, other: Counts) -> None:
        """Add what was done in a task."""
        self.tasks += other.tasks
        self.reads += other.reads
        self.writes += other.writes
        self.written += other.written
        self.seconds += other.seconds
        self.peak = max(self.peak, other.peak)


@dataclass(frozen=True)
class WatchedFile(StoredHere):
    """A file that counts its reads and writes."""

    counts: Counts

    def read(self, start: int, length: int) -> bytes:
        """Return some of its bytes."""
        self.counts.reads += 1
        return super().read(start, length)

    @contextlib.contextmanager
    def writing(self) -> Iterator[BinaryIO]:
        """Open it for writing."""
        self.counts.writes += 1
        with super().writing() as stream:
            yield stream


@dataclass(frozen=True)
class WatchedFolder(Folder):
    """A folder that counts what is read and written."""

    counts: Counts

    def file(self, name: str) -> WatchedFile:
        """Return a file of the folder."""
        return WatchedFile(Path(self.place) / name, self.counts)


def watched(function: partial[Any], item: Any) -> tuple[Any, Counts]:
    """Do a task, and return its result with what was done."""
    job, *others = function.args
    counts = Counts(tasks=1)
    job = replace(job, folder=WatchedFolder(job.folder.place, counts))
    if tracemalloc.is_tracing():
        tracemalloc.reset_peak()
    before, began = tracemalloc.get_traced_memory()[0], time.process_time()
    result = function.func(job, *others, item)
    counts.seconds = time.process_time() - began
    counts.peak = tracemalloc.get_traced_memory()[1] - before
    counts.written = result.size if isinstance(result, parts.Part) else 0
    return result, counts


@dataclass
class WatchedWorkers:
    """Workers that are processes, or this process if there is one, with counts by stage."""

    number: int
    retries: int = 0
    stages: dict[str, Counts] = field(default_factory=dict)

    def map(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        done: Callable[[Result], None] = lambda _: None,
        *,
        models: bool = False,
    ) -> list[Result]:
        """Return the result for each item, in order."""
        if not isinstance(function, partial):
            raise TypeError(f"{function} has no job")
        stage = self.stages.setdefault(function.func.__name__, Counts())
        call = partial(watched, function)
        results = []
        with contextlib.ExitStack() as stack:
            if self.number == 1:
                pairs: Iterator[tuple[Any, Counts]] = map(call, items)
            else:
                context = multiprocessing.get_context("forkserver")
                pool = stack.enter_context(ProcessPoolExecutor(self.number, mp_context=context))
                pairs = pool.map(call, items, chunksize=max(min(len(items) // 16, 50), 1))
            for result, counts in pairs:
                stage.add(counts)
                done(result)
                results.append(result)
        return results


def counting(orders: int) -> list[Counting[Any, Any]]:
    """Return the counts of texts, and of n-grams for n = 1 to `orders`, of tokens between white space."""
    view = TokenView(find_tokenizer("whitespace"))
    return [TextCounts(view=view), *(NgramCounts(n, view=view) for n in range(1, orders + 1))]


def check_tiny(partitions: int, workers: int, orders: int) -> None:
    """Run many tiny partitions, and print formula and measurement."""
    tokens = partitions * TINY_TEXTS * TINY_TOKENS
    plan = Plan(tokens, partial(tiny_distinct, orders), partitions, workers=workers)
    watching = WatchedWorkers(workers)
    corpus = Corpus.of_source(GivenSource(partitions, TinyPartition))
    with tempfile.TemporaryDirectory() as folder:
        tracemalloc.start()
        before, began = tracemalloc.get_traced_memory()[0], time.perf_counter()
        summaries = parts.summarize(corpus, counting(orders), RunConfig(checkpoint=folder), watching)
        seconds = time.perf_counter() - began
        driver = tracemalloc.get_traced_memory()[1] - before
        tracemalloc.stop()
        left = len(list(Path(folder).iterdir()))
    stages = {stage: watching.stages.get(name, Counts()) for stage, name in STAGES.items()}
    print(f"{partitions:,} partitions, {workers} workers, {plan.tables} tables, {seconds:.0f} s\n")
    print("| | formula | measured |\n|---|---:|---:|")
    for stage, counts in stages.items():
        print(f"| tasks, {stage} | {plan.tasks[stage]:,} | {counts.tasks:,} |")
    for stage, counts in stages.items():
        print(f"| reads, {stage} | {plan.reads[stage]:,.0f} | {counts.reads:,} |")
    print(f"| files written | {plan.files:,} | {sum(counts.writes for counts in stages.values()):,} |")
    print(f"| bytes of states | {plan.part_bytes:,.0f} | {stages['collect'].written:,} |")
    print(f"| bytes of merged states | {plan.merged_bytes:,.0f} | {stages['combine'].written:,} |")
    words = summaries[counting(orders)[1]].distinct[0]
    print(f"| distinct tokens | {tiny_distinct(orders, tokens)[1]:,.0f} | {words:,} |")
    print(f"| peak memory of the driver, MB | {plan.driver_bytes / 1e6:.1f} | {driver / 1e6:.1f} |")
    print(f"| files left | 0 | {left} |")
    for stage, counts in stages.items():
        print(f"| processor ms per task, {stage} | | {1000 * counts.seconds / max(counts.tasks, 1):.1f} |")


@dataclass
class Collected:
    """What was collected of some partitions: bytes of text and of states, tokens, keys, processor seconds."""

    text: int = 0
    states: int = 0
    tokens: int = 0
    seconds: float = 0.0


def collect(
    partitions: Sequence[Partition], statistics: list[Counting[Any, Any]], folder: Folder, bits: int
) -> Collected:
    """Write the states of partitions, one file per partition."""
    began, total = time.process_time(), Collected()
    for place, partition in enumerate(partitions):
        config = RunConfig(hash_bits=128 if bits == 128 else 64)
        with local.collected(partition, statistics, config) as collection:
            with folder.file(f"{place}").writing() as stream:
                write_state(stream, collection, {}, bits)
                total.states += stream.tell()
            total.tokens += collection.tables[statistics[1]].totals.tokens
        total.text += partition.size or 0
    total.seconds = time.process_time() - began
    return total


def check_file(path: Path, number: int, bits: int, orders: int = 4) -> None:
    """Collect and merge partitions of a file; print the bytes of their states and the rates of one core."""
    statistics = counting(orders)
    partitions = Corpus.read(path).partitions(PARTITION_BYTES)[:number]
    files = len(partitions)
    with tempfile.TemporaryDirectory() as name:
        folder = Folder(name)
        collect(partitions[:1], statistics, folder, bits)  # the first run compiles
        total = collect(partitions, statistics, folder, bits)
        began = time.process_time()
        opened = [StateFile(folder.file(f"{place}")).collected(statistics) for place in range(files)]
        with folder.file("merged").writing() as stream:
            write_state(stream, merge_states(opened, Counter().count), {}, bits)
            merged = stream.tell()
        merging = time.process_time() - began
        tables = [table for collection in opened for table in collection.tables.values()]
        keys = sum(int(table.lengths.sum()) for table in tables if isinstance(table, StoredTable))
    largest = max(
        sum(int(table.lengths.sum()) for each in opened if isinstance(table := each.tables[s], StoredTable))
        for s in statistics
    )
    formula = files * (PER_FILE + PER_TABLE * len(statistics)) + (bits // 8 + 1) * keys
    print(
        f"\n{path.name}: {files} partitions of 64 MB, {total.tokens:,} tokens, n = 1–{orders}, {bits} bits\n"
    )
    print("| | |\n|---|---:|")
    print(f"| bytes of text per token | {total.text / total.tokens:.2f} |")
    print(f"| keys per token | {keys / total.tokens:.3f} |")
    print(f"| bytes of states, by formula from the keys | {formula:,} |")
    print(f"| bytes of states | {total.states:,} |")
    print(f"| bytes of states per token | {total.states / total.tokens:.2f} |")
    print(f"| bytes of states per byte of text | {total.states / total.text:.2f} |")
    print(f"| bytes of the merged state, relative | {merged / total.states:.2f} |")
    ranges, peak = tally_peak(partitions, statistics, bits)
    expected = tally_bytes(largest / ranges, bits // 64)
    print(f"| memory of a tally of 1/{ranges} of the keys, MB, formula | {expected / 1e6:.0f} |")
    print(f"| the same, measured | {peak / 1e6:.0f} |")
    print(f"| MB of text collected per processor second | {total.text / total.seconds / 1e6:.1f} |")
    print(f"| MB of states merged per processor second | {total.states / merging / 1e6:.1f} |")


def tally_peak(
    partitions: Sequence[Partition], statistics: list[Counting[Any, Any]], bits: int
) -> tuple[int, int]:
    """Return the number of ranges of a run of the engine, and the largest memory of the task of one."""
    watching = WatchedWorkers(1)
    corpus = Corpus.of_source(GivenSource(len(partitions), partitions.__getitem__))
    tracemalloc.start()
    parts.summarize(corpus, statistics, RunConfig(hash_bits=128 if bits == 128 else 64), watching)
    tracemalloc.stop()
    tally = watching.stages[STAGES["tally"]]
    return tally.tasks, tally.peak


def hours(plan: Plan, text_bytes: float) -> float:
    """Return the processor hours: texts are collected, and states merged and tallied."""
    states = plan.part_bytes * plan.is_merged + plan.merged_bytes
    return (text_bytes / TEXT_RATE[plan.width] + states / STATE_RATE[plan.width]) / 3600


def table() -> None:
    """Print what sizes from 1 GB to 10 TB take, by the formulas and the constants of real text."""
    print(
        "\n| text | partitions | distinct 4-grams | hash | states | merged | shuffle | ranges | memory per "
        "worker | driver | node-hours, 2 cores | 16 cores | requests | openings, `self_bleu` |\n|---:"
        + 13 * "|---:"
        + "|"
    )
    for size in (1e9, 1e10, 1e11, 1e12, 1e13):
        tokens = size / TOKEN_BYTES
        keys = max(real_distinct(tokens)[1:])
        width = 1 if keys < 5e9 else 2
        plan = Plan(tokens, real_distinct, math.ceil(size / PARTITION_BYTES), width, workers=16)
        used = hours(plan, size)
        cells = [
            gigabytes(size),
            f"{plan.partitions:,}",
            f"{keys:.1e}",
            f"{64 * width} bits",
            gigabytes(plan.part_bytes),
            gigabytes(plan.merged_bytes) if plan.is_merged else "",
            gigabytes(plan.shuffle_bytes),
            f"{plan.ranges:,}",
            gigabytes(plan.tally_bytes),
            gigabytes(plan.driver_bytes),
            f"{used / 2:,.2g}" if used < 20 else f"{used / 2:,.0f}",
            f"{used / 16:,.2g}" if used < 160 else f"{used / 16:,.0f}",
            f"{plan.requests:,.0f}",
            f"{plan.second_openings:,}",
        ]
        print(f"| {' | '.join(cells)} |")


def gigabytes(size: float) -> str:
    """Return a number of bytes with a suitable unit."""
    for unit, scale in (("TB", 1e12), ("GB", 1e9)):
        if size >= scale:
            return f"{size / scale:,.3g} {unit}"
    return f"{size / 1e6:,.3g} MB"


def main() -> None:
    """Print formulas and measurements."""
    parser = argparse.ArgumentParser(prog="python -m scripts.simulate_scale")
    parser.add_argument("--partitions", type=int, default=10_000, help="tiny partitions; 0 for none")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--orders", type=int, default=1, help="count n-grams for n = 1 to this number")
    parser.add_argument("--file", type=Path, action="append", default=[], help="a real text")
    parser.add_argument("--hash-bits", type=int, choices=(64, 128), default=64, help="for a real text")
    parser.add_argument("--number", type=int, default=3, help="partitions of a real text")
    arguments = parser.parse_args()
    if arguments.partitions:
        check_tiny(arguments.partitions, arguments.workers, arguments.orders)
    for path in arguments.file:
        check_file(path, arguments.number, arguments.hash_bits)
    table()


if __name__ == "__main__":
    main()
