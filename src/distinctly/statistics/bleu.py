"""The components of BLEU, for each text against all others, or for each pair of texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers
from distinctly.statistics.base import Mergeable, NeedsRows, TwoPass
from distinctly.statistics.lengths import LengthCounts
from distinctly.statistics.ngram_counts import Reals, Run
from distinctly.statistics.pairs import Average, KeySets, draw_pairs
from distinctly.statistics.recurrence import Matches, TextsPerKey, matches_without, occurrences
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens


@dataclass(frozen=True)
class Matched:
    """Columns with one entry per hypothesis and its reference or references.

    Attributes
    ----------
    matches
        The number of matched n-grams, clipped: one row per n, from 1 on.
    lengths, references
        The length of the hypothesis in tokens, and of the reference that is closest in length (the
        shorter one of two).
    population
        The number of all hypotheses; larger than the number of entries if these are a sample.
    """

    matches: NDArray[np.int64]
    lengths: Integers
    references: Integers
    population: int


class BleuFormula(Protocol):
    """A metric that turns the columns into BLEU."""

    def each_text(self, matched: Matched) -> Reals:
        """Return one value per entry."""


@dataclass(frozen=True)
class AgainstAll(NeedsRows[Matched]):
    """Each text as a hypothesis with all other texts as references, in the order of the texts.

    Examples
    --------
    >>> tokens = Tokens.of([["a", "b"], ["a", "b", "c"]])
    >>> matched = AgainstAll(1).summarize(tokens)
    >>> matched.lengths.tolist(), matched.references.tolist()
    ([2, 3], [3, 2])
    """

    max_n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, tokens: Tokens) -> Matched:
        """Count the matches for each n."""
        matches = np.stack([Matches(n).summarize(tokens) for n in range(1, self.max_n + 1)])
        return Matched(matches, tokens.lengths, closest_lengths(tokens.lengths), len(tokens))

    def without_blocks(self, tokens: Tokens, labels: Integers, blocks: int) -> Iterator[Matched]:
        """Yield what `summarize` returns for the texts without each block, counted once for all of them."""
        counted = [matches_without(tokens, n, labels, blocks) for n in range(1, self.max_n + 1)]
        for block in range(blocks):
            kept = labels != block
            matches = np.stack([matched[kept] - losses[kept, block] for matched, losses in counted])
            lengths = tokens.lengths[kept]
            yield Matched(matches, lengths, closest_lengths(lengths), len(lengths))


@dataclass(frozen=True)
class AgainstEach(NeedsRows[Matched]):
    """Ordered pairs of texts, the first as the hypothesis and the second as its only reference.

    All pairs are compared if there are at most `pairs` of them. Otherwise `pairs` of them are drawn from
    an order that depends only on the contents, so the order of reading does not matter.
    """

    max_n: int
    pairs: int
    seed: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, tokens: Tokens) -> Matched:
        """Count the n-grams that the two texts of each pair share."""
        texts = len(tokens)
        population = texts * (texts - 1)
        all_pairs = population <= self.pairs
        if all_pairs:
            first, second = np.nonzero(~np.eye(texts, dtype=np.bool_))
        else:
            tokens = tokens.select(np.argsort(tokens.text_hashes, kind="stable"))
            first, second = draw_pairs(texts, self.pairs, self.seed)
        matches = np.empty((self.max_n, len(first)), np.int64)
        for n in range(1, self.max_n + 1):
            sets = KeySets(*occurrences(tokens, n, again=True), texts)
            matches[n - 1] = sets.shared_by_all()[first, second] if all_pairs else sets.shared(first, second)
        return Matched(matches, tokens.lengths[first], tokens.lengths[second], population)


@dataclass(frozen=True)
class BleuTotal:
    """The mean BLEU, and the number of texts with fewer than `max_n` tokens."""

    mean: Average
    short: int

    @classmethod
    def of(cls, formula: BleuFormula, matched: Matched, tokens: Tokens, max_n: int) -> BleuTotal:
        """Apply the formula, and add up the values exactly."""
        short = int((tokens.lengths < max_n).sum())
        return cls(Average.of(formula.each_text(matched), matched.population), short)

    def __add__(self, other: BleuTotal) -> BleuTotal:
        return BleuTotal(self.mean + other.mean, self.short + other.short)


@dataclass(frozen=True)
class BleuMean(TwoPass[BleuTotal, BleuTotal]):
    """The mean BLEU of each text against all others."""

    columns: AgainstAll
    of: BleuFormula

    @property
    def view(self) -> View[Tokens]:
        """The view of the columns."""
        return self.columns.view

    def summarize(self, tokens: Tokens) -> BleuTotal:
        """Apply the formula, and add up the values exactly."""
        return BleuTotal.of(self.of, self.columns.summarize(tokens), tokens, self.columns.max_n)

    def first(self) -> tuple[Mergeable[Any, Any], ...]:
        """Return the number of texts per n-gram for each n, and per length."""
        sizes = range(1, self.columns.max_n + 1)
        tables = (TextsPerKey(n, again=True, view=self.view) for n in sizes)
        return (*tables, LengthCounts(view=self.view))

    def collect(self, tokens: Tokens, *first: Run) -> BleuTotal:
        """Apply the formula to the texts of a batch."""
        *tables, lengths = first
        matches = [
            TextsPerKey(n, again=True, view=self.view).in_others(tokens, table)
            for n, table in enumerate(tables, 1)
        ]
        known, counts = lengths.hashes.astype(np.int64), lengths.counts
        references = closest_among(known, counts)[np.searchsorted(known, tokens.lengths)]
        matched = Matched(np.stack(matches), tokens.lengths, references, len(tokens))
        return BleuTotal.of(self.of, matched, tokens, self.columns.max_n)

    def finish(self, state: BleuTotal) -> BleuTotal:
        """Return the total; it is its own summary."""
        return state


@dataclass(frozen=True)
class PairwiseBleuMean(NeedsRows[BleuTotal]):
    """The mean BLEU over ordered pairs of texts."""

    columns: AgainstEach
    of: BleuFormula

    @property
    def view(self) -> View[Tokens]:
        """The view of the columns."""
        return self.columns.view

    def summarize(self, tokens: Tokens) -> BleuTotal:
        """Apply the formula, and add up the values exactly."""
        return BleuTotal.of(self.of, self.columns.summarize(tokens), tokens, self.columns.max_n)


def closest_lengths(lengths: Integers) -> Integers:
    """Return, for each length, the closest of the other lengths; the shorter one of two.

    It is 0 if there are no others.

    Examples
    --------
    >>> closest_lengths(np.array([3, 5, 9, 7, 9])).tolist()
    [5, 3, 9, 5, 9]
    """
    known, where, counts = np.unique(lengths, return_inverse=True, return_counts=True)
    return closest_among(known, counts)[where]


def closest_among(known: Integers, counts: Integers) -> Integers:
    """Return the same for distinct lengths, ascending, given the number of texts of each."""
    if len(known) < 2:
        return np.where(counts > 1, known, 0)
    gaps = np.diff(known)
    below = np.concatenate([[np.iinfo(np.int64).max], gaps])
    above = np.concatenate([gaps, [np.iinfo(np.int64).max]])
    nearest = np.where(below <= above, known - below, known + above)
    return np.asarray(np.where(counts > 1, known, nearest), np.int64)
