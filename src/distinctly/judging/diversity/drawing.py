"""The corpora of a plan, drawn: none shares texts with another while there are enough, and lengths agree."""

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
from distinctly.views.words import TokenView


@dataclass(frozen=True)
class Drawn:
    """The corpora of one repetition, laid end to end in a pool of their own, level by level.

    Attributes
    ----------
    pool
        Their texts; one that is in several corpora, or repeated in one, is there as often.
    size
        How many texts each corpus has.
    corpora
        How many corpora each level has.
    shared
        Which part of each corpus is in others, too.
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
        plan: Design,
        corpora: int,
        draw: np.random.Generator,
        *,
        matched: bool,
    ) -> Drawn:
        """Draw them."""
        supply = Supply(plan, pool.view(tokens).lengths, draw, matched=matched)
        rows = [supply.corpus(level) for level in range(len(plan.levels)) for _ in range(corpora)]
        holders = np.bincount(np.concatenate([np.unique(own) for own in rows]), minlength=len(pool))
        shared = [float((holders[own] > 1).mean()) for own in rows]
        return cls(pool.part(np.concatenate(rows)), tokens, len(plan.targets), corpora, shared)

    def measured(self, subject: TrialMetric, repetition: int) -> Iterator[Record]:
        """Measure each corpus with a metric."""
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
    """The texts that are left in one repetition; a class with too few for a corpus is filled up again."""

    def __init__(self, plan: Design, lengths: Integers, draw: np.random.Generator, *, matched: bool) -> None:
        self._plan, self._draw = plan, draw
        # Where lengths do not matter, all are alike.
        self._lengths = lengths if matched else np.zeros_like(lengths)
        self._shelves = [self._filled(which) for which in range(len(plan.classes))]
        self._used = np.zeros(len(plan.classes), np.int64)

    def _filled(self, which: int) -> _Shelf:
        rows = self._plan.classes[which]
        return _Shelf(rows, self._lengths[rows], self._draw)

    def corpus(self, level: int) -> Integers:
        """Draw the texts of a corpus, in random order; none comes twice but as a repeat."""
        classes, times = self._slots(level)
        for which, wanted in zip(*np.unique(classes, return_counts=True)):
            if self._shelves[which].left < wanted:
                self._shelves[which] = self._filled(which)
            self._used[which] += wanted
        # A text that comes several times stands for as many neighbouring lengths.
        wanted_lengths = np.add.reduceat(self._plan.targets, np.cumsum(times) - times) / times
        rows = np.empty(len(classes), np.int64)
        owed = 0.0
        for place in self._draw.permutation(len(classes)).tolist():
            often, length = int(times[place]), float(wanted_lengths[place])
            # What the texts before were too short or too long by is made up for, so that the sums agree.
            rows[place] = self._shelves[classes[place]].take(length + owed / often)
            owed += often * (length - int(self._lengths[rows[place]]))
        return self._draw.permutation(np.repeat(rows, times))

    def _slots(self, level: int) -> tuple[Integers, Integers]:
        """Return, for each different text of a corpus, which class it is of, and how often it comes."""
        size = len(self._plan.targets)
        if self._plan.construction == "temperature":
            return np.full(size, level), np.ones(size, np.int64)
        if self._plan.construction == "repeats":
            different = round(self._plan.levels[level] * size)
            return np.zeros(different, np.int64), self._spread(size, different)
        amount = round(self._plan.levels[level])
        chosen = self._least_used(math.ceil(size / amount))[:amount]
        return self._draw.permutation(np.repeat(chosen, self._spread(size, amount))), np.ones(size, np.int64)

    def _least_used(self, wanted: int) -> Integers:
        """Return the classes, those first that have texts enough left, and of these the ones used least."""
        short = np.array([shelf.left < wanted for shelf in self._shelves])
        return np.lexsort((self._draw.random(len(short)), self._used, short))

    def _spread(self, texts: int, over: int) -> Integers:
        """Share texts out as evenly as can be; chance decides who has one more."""
        return self._draw.permutation(texts // over + (np.arange(over) < texts % over))


class _Shelf:
    """The texts of a class in stacks, one a length, each in random order."""

    def __init__(self, rows: Integers, lengths: Integers, draw: np.random.Generator) -> None:
        shuffled = draw.permutation(len(rows))
        order = shuffled[np.argsort(lengths[shuffled], kind="stable")]
        self._lengths, begins = np.unique(lengths[order], return_index=True)
        self._stacks: list[list[int]] = [stack.tolist() for stack in np.split(rows[order], begins[1:])]
        self._heights = np.array([len(stack) for stack in self._stacks])

    @property
    def left(self) -> int:
        """How many texts there are."""
        return int(self._heights.sum())

    def take(self, length: float) -> int:
        """Take a text of the nearest length that there is."""
        filled = np.flatnonzero(self._heights)
        nearest = int(filled[np.argmin(np.abs(self._lengths[filled] - length))])
        self._heights[nearest] -= 1
        return self._stacks[nearest].pop()
