"""The local engine: batches of one corpus, one after the other or on threads, to states."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from distinctly.batch import Batch
from distinctly.corpus import Corpus
from distinctly.errors import InputError, SpecError
from distinctly.statistics.base import Statistic
from distinctly.tokenizers.base import Tokenizer
from distinctly.views.tokens import Tokens, tokenizer_for

AnyStatistic = Statistic[Any, Any]
Progress = Callable[[Corpus], None]


@dataclass(frozen=True)
class Folded:
    """The states of some statistics over the texts so far, and the tokenizer that cut them.

    Adding in any order and any split gives the same summaries, to the bit.
    """

    states: Mapping[AnyStatistic, Any] = field(default_factory=dict)
    tokenizer: Tokenizer | None = None

    def __add__(self, other: Folded) -> Folded:
        if not self.states or not other.states:
            return self if self.states else other
        if self.tokenizer and other.tokenizer and self.tokenizer != other.tokenizer:
            raise InputError(
                f"cannot add up texts cut by '{self.tokenizer.name}' and by '{other.tokenizer.name}': "
                "give all as texts, or all as tokens."
            )
        return Folded(
            {key: state + other.states[key] for key, state in self.states.items()},
            self.tokenizer or other.tokenizer,
        )

    def summaries(self) -> dict[AnyStatistic, Any]:
        """Return the summary of each statistic."""
        return {statistic: statistic.summarize(state) for statistic, state in self.states.items()}


def fold(
    corpus: Corpus,
    statistics: Iterable[AnyStatistic],
    tokenizer: Tokenizer,
    *,
    batch_size: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Folded:
    """Read a corpus once and collect all statistics of it."""
    if threads < 1:
        raise SpecError(f"Expected `threads` to be at least 1, got {threads}.")
    wanted = list(dict.fromkeys(statistics))
    total = Folded()
    for part in _mapped(
        lambda batch: fold_batch(batch, wanted, tokenizer), corpus.batches(batch_size), threads
    ):
        total += part
        if progress is not None:
            progress(corpus)
    return total


def fold_batch(batch: Batch, statistics: Iterable[AnyStatistic], tokenizer: Tokenizer) -> Folded:
    """Collect all statistics of one batch."""
    used = tokenizer_for(batch, tokenizer)
    view = Tokens.cut(batch, used)
    # A batch without texts was cut by nothing, and goes with any other.
    return Folded(
        {statistic: statistic.collect(view) for statistic in statistics}, used if len(batch) else None
    )


def _mapped(call: Callable[[Batch], Folded], batches: Iterator[Batch], threads: int) -> Iterator[Folded]:
    """Apply a function to batches, in order, holding no more of them than there are threads."""
    if threads == 1:
        yield from map(call, batches)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Folded]] = deque()
        for batch in batches:
            waiting.append(pool.submit(call, batch))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
