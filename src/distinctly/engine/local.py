"""The local engine: reads a corpus once, in batches, on as many threads as there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from distinctly.batch import Batch
from distinctly.corpus import Corpus
from distinctly.engine.memory import default_memory
from distinctly.engine.spill import spill_beyond
from distinctly.engine.threads import Threads, cores
from distinctly.errors import InputError, SpecError
from distinctly.statistics.base import Statistic
from distinctly.statistics.collector import Adding, Collector
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.tokenizers.base import Tokenizer
from distinctly.views.tokens import Tokens, tokenizer_for

AnyStatistic = Statistic[Any, Any]  # one that is collected
Progress = Callable[[Corpus], None]

# Bytes; below this, starting the compiler takes longer than the plain road.
COMPILED_FROM = 4_000_000
# What n-grams that wait to be counted, and counted ones, may take of the memory; and more waiting
# ones than this gain nothing, since new memory costs more than counting in two turns.
WAITING, SPILLED = 0.35, 0.35
MOST_WAITING = 1_200_000_000


@dataclass(frozen=True, kw_only=True)
class Work:
    """How the work is done. Nothing here changes a number.

    Attributes
    ----------
    batch_size
        Texts a batch; a size that suits where not given.
    threads
        As many as there are cores where not given.
    memory
        Bytes that counts may take before they go to a temporary folder; a quarter of the machine's
        where not given.
    compiled
        Whether to use the compiled loops; where not given, on inputs that are large enough.
    progress
        Called after each batch.
    """

    batch_size: int | None = None
    threads: int | None = None
    memory: int | None = None
    compiled: bool | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.threads is not None and self.threads < 1:
            raise SpecError(f"Expected `threads` to be at least 1, got {self.threads}.")


@dataclass(frozen=True)
class Summaries:
    """What a corpus came to: a summary a statistic, and the tokenizer that cut the texts."""

    by_statistic: Mapping[AnyStatistic, Any]
    tokenizer: Tokenizer | None = None


def summarize(
    corpus: Corpus, statistics: Iterable[AnyStatistic], tokenizer: Tokenizer, work: Work
) -> Summaries:
    """Read a corpus and summarize all statistics of it."""
    wanted = list(dict.fromkeys(statistics))
    batches, compiled = _choose_road(corpus, work)
    if compiled:
        return _summarize_compiled(corpus, batches, wanted, tokenizer, work)
    with Threads(work.threads or 1) as threads:  # plain Python gains nothing from more
        collector = Adding(wanted)
        used = _collect([collector], corpus, batches, tokenizer, work, threads, compiled=False)
        return Summaries(collector.summaries(threads.run), used)


def _summarize_compiled(
    corpus: Corpus, batches: Iterator[Batch], wanted: list[AnyStatistic], tokenizer: Tokenizer, work: Work
) -> Summaries:
    from distinctly.engine.spelling import spelled
    from distinctly.statistics.ngram_collector import NgramCollector

    # What can be read once only cannot be read again to spell n-grams: their text is kept instead.
    counted = [s for s in wanted if isinstance(s, NgramCounts) and (corpus.source.rereadable or not s.top)]
    memory = work.memory or default_memory()
    with Threads(work.threads or cores()) as threads, spill_beyond(int(memory * SPILLED)) as spill:
        ngrams = NgramCollector(counted, spill)
        others = Adding([statistic for statistic in wanted if statistic not in counted])
        used = _collect([ngrams, others], corpus, batches, tokenizer, work, threads, compiled=True)
        found = spelled(ngrams.summaries(threads.run), ngrams, corpus, tokenizer, threads.run)
        return Summaries(dict(others.summaries(threads.run)) | found, used)


def _collect(
    collectors: list[Collector],
    corpus: Corpus,
    batches: Iterator[Batch],
    tokenizer: Tokenizer,
    work: Work,
    threads: Threads,
    *,
    compiled: bool,
) -> Tokenizer | None:
    """Give all batches to the collectors; return the tokenizer that cut them."""
    limit = min((work.memory or default_memory()) * WAITING, MOST_WAITING)
    used: Tokenizer | None = None

    def prepare(batch: Batch) -> tuple[Tokenizer | None, list[Any]]:
        cut_by = tokenizer_for(batch, tokenizer)
        view = Tokens.cut(batch, cut_by, compiled=compiled)
        return cut_by if len(batch) else None, [collector.prepare(view) for collector in collectors]

    for cut_by, parts in threads.map(prepare, batches):
        used = same_tokenizer(used, cut_by)
        for collector, part in zip(collectors, parts):
            collector.absorb(part)
            if collector.waiting > limit:
                collector.work_off(threads.run)
        if work.progress is not None:
            work.progress(corpus)
    return used


def same_tokenizer(one: Tokenizer | None, other: Tokenizer | None) -> Tokenizer | None:
    """Return the tokenizer of both; raise where two are not the same. A batch of nothing has none."""
    if one and other and one != other:
        raise InputError(
            f"cannot add up texts cut by '{one.name}' and by '{other.name}': "
            "give all as texts, or all as tokens."
        )
    return one or other


def _choose_road(corpus: Corpus, work: Work) -> tuple[Iterator[Batch], bool]:
    """Return the batches, and whether there is enough of them for the compiled road."""
    batches = corpus.batches(work.batch_size)
    if work.compiled is not None:
        return batches, work.compiled
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
