"""`FrequentNgrams`: the most frequent n-grams as text, in constant memory and one reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from distinctly.ragged import Integers
from distinctly.statistics.base import Mergeable
from distinctly.statistics.collector import Collector, ReadAgain, Runner
from distinctly.statistics.sketches import FrequentItems
from distinctly.views.base import View
from distinctly.views.rows import Rows
from distinctly.views.tokens import WORDS, Tokens

if TYPE_CHECKING:
    from distinctly.statistics.collector import Spill


@dataclass(frozen=True)
class Ranked:
    """The most frequent n-grams.

    Attributes
    ----------
    top
        The n-grams as text, with upper bounds of their counts.
    error
        The most by which a bound can be too large, and the largest possible count of an n-gram that is not
        known.
    """

    top: tuple[tuple[str, int], ...]
    error: int


@dataclass(frozen=True)
class FrequentNgrams(Mergeable[FrequentItems, Ranked]):
    """The most frequent n-grams, with bounds of their counts.

    The bounds hold for any order of merging, but their width depends on it.

    Attributes
    ----------
    n
        The number of tokens per n-gram.
    top
        The number of n-grams to list.

    Examples
    --------
    >>> frequent = FrequentNgrams(1, top=2)
    >>> frequent.summarize(frequent.collect(Tokens.of([["a", "b", "a"], ["c"]])))
    Ranked(top=(('a', 2), ('b', 1)), error=0)
    """

    exact: ClassVar[bool] = False

    n: int
    top: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> FrequentItems:
        """Count the n-grams of a batch, and spell the most frequent ones."""
        candidates = Candidates.of(tokens, self.n)
        return candidates.spell(candidates.items)

    def summarize(self, state: FrequentItems) -> Ranked:
        """Rank the n-grams."""
        return Ranked(state.ranked(self.top), state.error)

    @classmethod
    def collector(cls, statistics: Sequence[FrequentNgrams], spill: Spill) -> Collector:  # noqa: ARG003
        """Return a collector that spells only n-grams that are new among the most frequent of all batches."""
        return FrequentCollector(statistics)


@dataclass(frozen=True)
class Candidates:
    """The most frequent n-grams of one batch, not spelled, and where each of them begins."""

    items: FrequentItems
    starts: Integers
    tokens: Tokens
    n: int

    @classmethod
    def of(cls, tokens: Tokens, n: int) -> Candidates:
        """Count the n-grams of a batch."""
        grams = tokens.grams(n)
        if tokens.compiled:
            from distinctly.kernels.ngrams import number

            codes, size = number(grams)
            places = np.empty(size, np.int64)
            places[codes] = np.arange(len(codes))  # of several occurrences, the last
            hashes, counts = grams[places], np.bincount(codes, minlength=size)
        else:
            hashes, places, counts = np.unique(grams, return_index=True, return_counts=True)
        items = FrequentItems.of(hashes, counts)
        order = np.argsort(hashes)
        kept = order[np.searchsorted(hashes, items.hashes, sorter=order)]
        return cls(items, tokens.starts(n)[places[kept]], tokens, n)

    def spell(self, items: FrequentItems) -> FrequentItems:
        """Return items with the text of those that are not spelled yet, all of which are in this batch."""
        missing = np.flatnonzero([text is None for text in items.texts])
        starts = self.starts[np.searchsorted(self.items.hashes, items.hashes[missing])]
        texts = items.texts.copy()
        texts[missing] = [self.tokens.spell(start, self.n) for start in starts.tolist()]
        return replace(items, texts=texts)


class FrequentCollector(Collector):
    """Finds the most frequent n-grams of several n."""

    def __init__(self, statistics: Sequence[FrequentNgrams]) -> None:
        self._statistics = statistics
        self._states: dict[Mergeable[Any, Any], FrequentItems] = {}

    def prepare(self, rows: Rows) -> dict[FrequentNgrams, Candidates]:
        """Count the n-grams of a batch."""
        tokens: Tokens = rows[self._statistics[0].view]
        return {statistic: Candidates.of(tokens, statistic.n) for statistic in self._statistics}

    def absorb(self, part: Mapping[FrequentNgrams, Candidates]) -> None:
        """Merge the counts, and spell the n-grams that are new among the most frequent ones."""
        for statistic, candidates in part.items():
            known = self._states.get(statistic)
            items = candidates.items if known is None else known + candidates.items
            self._states[statistic] = candidates.spell(items)

    def states(self) -> Mapping[Mergeable[Any, Any], Any]:
        """Return the counts of each n."""
        return self._states

    def summaries(self, run: Runner, read_again: ReadAgain) -> Mapping[Any, Any]:
        """Rank the n-grams."""
        return {statistic: statistic.summarize(state) for statistic, state in self._states.items()}
