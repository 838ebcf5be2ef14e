"""Draw the corpora of a design: disjoint if there are enough texts, and of matched lengths."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from distinctly.judging.diversity.constructing import Design
from distinctly.judging.evaluating import measure_selections, records_of
from distinctly.judging.gathering import TrialMetric
from distinctly.judging.records import Record
from distinctly.ragged import Integers
from distinctly.statistics.pool import Pool
from distinctly.views.tokens import TokenView


@dataclass(frozen=True)
class Drawn:
    """The corpora of one repetition, concatenated in a new pool, level by level.

    Attributes
    ----------
    pool
        Their texts; a text in several corpora, or repeated in one, is contained several times.
    size
        Texts per corpus.
    corpora
        Corpora per level.
    shared
        For each corpus, the share of its texts that are also in others.
    """

    pool: Pool
    tokens: TokenView
    size: int
    corpora: int
    shared: Sequence[float]

    @classmethod
    def of(
        cls,
        pool: Pool,
        tokens: TokenView,
        design: Design,
        corpora: int,
        draw: np.random.Generator,
        *,
        matched: bool,
    ) -> Drawn:
        """Draw the corpora of a design."""
        supply = Supply(design, pool.view(tokens).lengths, draw, matched=matched)
        rows = [supply.corpus(level) for level in range(len(design.levels)) for _ in range(corpora)]
        distinct_rows = np.concatenate([np.unique(corpus) for corpus in rows])
        holders = np.bincount(distinct_rows, minlength=len(pool))
        shared = [float((holders[corpus] > 1).mean()) for corpus in rows]
        return cls(pool.part(np.concatenate(rows)), tokens, len(design.targets), corpora, shared)

    def measured(self, subject: TrialMetric, repetition: int) -> Iterator[Record]:
        """Measure each corpus with a metric, one record per value."""
        places = np.arange(len(self.pool)).reshape(-1, self.size)
        lengths = self.pool.view(self.tokens).lengths[places]
        means, spreads = lengths.mean(axis=1).tolist(), lengths.std(axis=1).tolist()
        for place, score in enumerate(measure_selections(subject, self.pool, places).scores):
            yield from records_of(
                subject,
                score,
                repetition=repetition,
                level=place // self.corpora,
                draw=place % self.corpora,
                sign=subject.sign,
                length=means[place],
                spread=spreads[place],
                shared=self.shared[place],
            )


class Supply:
    """The texts not yet drawn in one repetition; a class with too few texts for a corpus is refilled."""

    def __init__(
        self, design: Design, lengths: Integers, draw: np.random.Generator, *, matched: bool
    ) -> None:
        self._design, self._draw = design, draw
        # Treat all lengths as equal if they are not matched.
        self._lengths = lengths if matched else np.zeros_like(lengths)
        self._stacks_by_class = [self._filled(which) for which in range(len(design.classes))]
        self._used = np.zeros(len(design.classes), np.int64)

    def _filled(self, which: int) -> _Stacks:
        rows = self._design.classes[which]
        return _Stacks(rows, self._lengths[rows], self._draw)

    def corpus(self, level: int) -> Integers:
        """Draw the texts of a corpus, in random order; only repeats occur twice."""
        classes, times = self._slots(level)
        for which, wanted in zip(*np.unique(classes, return_counts=True)):
            if self._stacks_by_class[which].left < wanted:
                self._stacks_by_class[which] = self._filled(which)
            self._used[which] += wanted
        # A text that is repeated stands for as many neighbouring target lengths.
        wanted_lengths = np.add.reduceat(self._design.targets, np.cumsum(times) - times) / times
        rows = np.empty(len(classes), np.int64)
        deficit = 0.0
        for place in self._draw.permutation(len(classes)).tolist():
            often, length = int(times[place]), float(wanted_lengths[place])
            # Compensate for the deviation of the texts before, so that the sums of lengths agree.
            rows[place] = self._stacks_by_class[classes[place]].take(length + deficit / often)
            deficit += often * (length - int(self._lengths[rows[place]]))
        return self._draw.permutation(np.repeat(rows, times))

    def _slots(self, level: int) -> tuple[Integers, Integers]:
        """Return, for each different text of a corpus, its class and the number of its copies."""
        size = len(self._design.targets)
        if self._design.construction == "temperature":
            return np.full(size, level), np.ones(size, np.int64)
        if self._design.construction == "repeats":
            different = round(self._design.levels[level] * size)
            return np.zeros(different, np.int64), self._spread(size, different)
        amount = round(self._design.levels[level])
        chosen = self._least_used(math.ceil(size / amount))[:amount]
        return self._draw.permutation(np.repeat(chosen, self._spread(size, amount))), np.ones(size, np.int64)

    def _least_used(self, wanted: int) -> Integers:
        """Return the classes, first those with enough texts left, in ascending order of use."""
        short = np.array([stacks.left < wanted for stacks in self._stacks_by_class])
        return np.lexsort((self._draw.random(len(short)), self._used, short))

    def _spread(self, texts: int, over: int) -> Integers:
        """Distribute texts as evenly as possible; the remainder is assigned at random."""
        return self._draw.permutation(texts // over + (np.arange(over) < texts % over))


class _Stacks:
    """The texts of a class, in one stack per length, each in random order."""

    def __init__(self, rows: Integers, lengths: Integers, draw: np.random.Generator) -> None:
        shuffled = draw.permutation(len(rows))
        order = shuffled[np.argsort(lengths[shuffled], kind="stable")]
        self._lengths, begins = np.unique(lengths[order], return_index=True)
        self._stacks: list[list[int]] = [stack.tolist() for stack in np.split(rows[order], begins[1:])]
        self._heights = np.array([len(stack) for stack in self._stacks])

    @property
    def left(self) -> int:
        """Number of texts left."""
        return int(self._heights.sum())

    def take(self, length: float) -> int:
        """Remove and return a text of the nearest available length."""
        filled = np.flatnonzero(self._heights)
        nearest = int(filled[np.argmin(np.abs(self._lengths[filled] - length))])
        self._heights[nearest] -= 1
        return self._stacks[nearest].pop()
