"""`ApproximateCounts`, `ApproximateTexts`: the numbers of distinct n-grams and texts, from sketches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly.statistics.base import Mergeable
from distinctly.statistics.collector import Collector, ReadAgain, Runner
from distinctly.statistics.ngram_counts import Grams
from distinctly.statistics.sketches import INDEX_BITS, REGISTERS, HyperLogLog
from distinctly.views.base import View
from distinctly.views.rows import Rows
from distinctly.views.tokens import WORDS, Tokens

if TYPE_CHECKING:
    from distinctly.statistics.collector import Spill


@dataclass(frozen=True)
class Sketched:
    """The state of `ApproximateCounts`: the sketch, and exact sums over the texts.

    Attributes
    ----------
    sketch
        The sketch of all n-grams.
    total, tokens, texts, short
        The number of n-grams, of tokens, of texts, and of texts with fewer than n tokens.
    """

    sketch: HyperLogLog
    total: int
    tokens: int
    texts: int
    short: int

    def __add__(self, other: Sketched) -> Sketched:
        return Sketched(
            self.sketch + other.sketch,
            self.total + other.total,
            self.tokens + other.tokens,
            self.texts + other.texts,
            self.short + other.short,
        )

    @property
    def estimate(self) -> float:
        """The estimated number of distinct n-grams, which is at most that of all n-grams."""
        return min(self.sketch.estimate, float(self.total))

    @classmethod
    def of(cls, tokens: Tokens, n: int, sketch: HyperLogLog) -> Sketched:
        """Return the sketch of the n-grams of a batch with the sums over its texts."""
        lengths = tokens.lengths
        total, short = int(np.maximum(lengths - (n - 1), 0).sum()), int((lengths < n).sum())
        return cls(sketch, total, len(tokens.hashes), len(tokens), short)


@dataclass(frozen=True)
class ApproximateCounts(Mergeable[Sketched, Grams]):
    """The number of distinct n-grams, estimated in constant memory, with none of the counts of counts.

    The 64-bit hashes of n-grams are sketched, also where others are counted by 128 bits.

    Attributes
    ----------
    n
        The number of tokens per n-gram.

    Examples
    --------
    >>> counts = ApproximateCounts(1)
    >>> grams = counts.summarize(counts.collect(Tokens.of([["a", "b", "a"], ["c"]])))
    >>> grams.distinct.round(2).tolist(), grams.total.tolist()
    ([3.0], [4])
    """

    n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> Sketched:
        """Sketch the n-grams of a batch."""
        return Sketched.of(tokens, self.n, HyperLogLog.of(tokens.grams(self.n)))

    def summarize(self, state: Sketched) -> Grams:
        """Estimate the number of distinct n-grams."""
        return Grams(
            distinct=np.array([state.estimate]),
            total=np.array([state.total]),
            tokens=np.array([state.tokens]),
            texts=np.array([state.texts]),
            short=np.array([state.short]),
            counts=np.zeros(0, np.int64),
            types=np.zeros(0, np.int64),
            bounds=np.zeros(2, np.int64),
        )

    @classmethod
    def collector(cls, statistics: Sequence[ApproximateCounts], spill: Spill) -> Collector:  # noqa: ARG003
        """Return a collector that makes the windows of several n from each other."""
        return SketchCollector(statistics)


@dataclass(frozen=True)
class DistinctTexts:
    """The number of texts with tokens, and the estimated number of different ones."""

    texts: int
    distinct: float

    @property
    def repeated(self) -> float:
        """The estimated number of texts that repeat an earlier one."""
        return self.texts - self.distinct


@dataclass(frozen=True)
class ApproximateTexts(Mergeable[Sketched, DistinctTexts]):
    """The number of different texts, estimated in constant memory; texts without tokens are left out.

    Examples
    --------
    >>> texts = ApproximateTexts()
    >>> summary = texts.summarize(texts.collect(Tokens.of([["a", "b"], ["c"], ["a", "b"], []])))
    >>> summary.texts, round(summary.distinct, 2)
    (3, 2.0)
    """

    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> Sketched:
        """Sketch the texts of a batch."""
        hashes = tokens.text_hashes[tokens.lengths > 0]
        return Sketched(HyperLogLog.of(hashes), len(hashes), 0, 0, 0)

    def summarize(self, state: Sketched) -> DistinctTexts:
        """Estimate the number of different texts."""
        return DistinctTexts(state.total, state.estimate)


class SketchCollector(Collector):
    """Sketches the n-grams of several n at once."""

    def __init__(self, statistics: Sequence[ApproximateCounts]) -> None:
        self._statistics = sorted(statistics, key=lambda statistic: statistic.n)
        self._states: dict[Mergeable[Any, Any], Sketched] = {}

    def prepare(self, rows: Rows) -> dict[ApproximateCounts, Sketched]:
        """Sketch the n-grams of a batch.

        The registers begin with those of the batches so far: few n-grams then raise one, which is faster, and
        the maximum over all batches stays the same.
        """
        from distinctly.kernels.hll import update

        tokens: Tokens = rows[self._statistics[0].view]
        sizes = [statistic.n for statistic in self._statistics]
        states = {}
        for statistic, n, windows in zip(self._statistics, sizes, tokens.windows_in_turn(sizes)):
            known = self._states.get(statistic)
            registers = np.zeros(REGISTERS, np.uint8) if known is None else known.sketch.registers.copy()
            update(registers, windows, tokens.bounds, n, INDEX_BITS)
            states[statistic] = Sketched.of(tokens, n, HyperLogLog(registers))
        return states

    def absorb(self, part: Mapping[ApproximateCounts, Sketched]) -> None:
        """Merge the sketches."""
        for statistic, state in part.items():
            known = self._states.get(statistic)
            self._states[statistic] = state if known is None else known + state

    def states(self) -> Mapping[Mergeable[Any, Any], Any]:
        """Return the sketches of each n."""
        return self._states

    def summaries(self, run: Runner, read_again: ReadAgain) -> Mapping[Any, Any]:
        """Summarize the sketches."""
        return {statistic: statistic.summarize(state) for statistic, state in self._states.items()}
