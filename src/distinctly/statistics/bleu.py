"""What BLEU is made of, for each text against all others, or for each pair of texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers
from distinctly.statistics.base import NeedsRows
from distinctly.statistics.ngram_counts import Reals
from distinctly.statistics.pairs import Average, KeySets, draw_pairs
from distinctly.statistics.recurrence import Matches, occurrences
from distinctly.views.base import View
from distinctly.views.tokens import Tokens
from distinctly.views.words import WORDS


@dataclass(frozen=True)
class Matched:
    """Columns, one entry a hypothesis with its reference or references.

    Attributes
    ----------
    matches
        Matched n-grams, clipped: a row for each n from 1 on.
    lengths, references
        The tokens of the hypothesis, and of the reference that is closest in length (the shorter,
        where two are).
    population
        How many hypotheses there are; more than entries, where these are a sample.
    """

    matches: NDArray[np.int64]
    lengths: Integers
    references: Integers
    population: int


class BleuFormula(Protocol):
    """Something that turns the columns into BLEU: a metric."""

    def each_text(self, matched: Matched) -> Reals:
        """Return one value an entry."""


@dataclass(frozen=True)
class AgainstAll(NeedsRows[Matched]):
    """Each text as a hypothesis, all other texts as its references; in the order of the texts.

    Examples
    --------
    >>> view = Tokens.of([["a", "b"], ["a", "b", "c"]])
    >>> matched = AgainstAll(1).summarize(view)
    >>> matched.lengths.tolist(), matched.references.tolist()
    ([2, 3], [3, 2])
    """

    max_n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, view: Tokens) -> Matched:
        """Count the matches for each n, and put the columns side by side."""
        matches = np.stack([Matches(n).summarize(view) for n in range(1, self.max_n + 1)])
        return Matched(matches, view.lengths, closest_lengths(view.lengths), len(view))


@dataclass(frozen=True)
class AgainstEach(NeedsRows[Matched]):
    """Ordered pairs of texts, the first as the hypothesis and the second as its one reference.

    All pairs where there are no more than `pairs`; otherwise so many, drawn from an order that only
    the contents give, so that no order of reading changes them.
    """

    max_n: int
    pairs: int
    seed: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, view: Tokens) -> Matched:
        """Count what the two of each pair share."""
        texts = len(view)
        population = texts * (texts - 1)
        everything = population <= self.pairs
        if everything:
            first, second = np.nonzero(~np.eye(texts, dtype=np.bool_))
        else:
            view = view.select(np.argsort(view.text_hashes, kind="stable"))
            first, second = draw_pairs(texts, self.pairs, self.seed)
        matches = np.empty((self.max_n, len(first)), np.int64)
        for n in range(1, self.max_n + 1):
            sets = KeySets(*occurrences(view, n, again=True), texts)
            matches[n - 1] = sets.shared_by_all()[first, second] if everything else sets.shared(first, second)
        return Matched(matches, view.lengths[first], view.lengths[second], population)


@dataclass(frozen=True)
class BleuMean(NeedsRows[tuple[Average, int]]):
    """The mean of BLEU over texts or pairs, and how many texts have fewer than `max_n` tokens."""

    columns: AgainstAll | AgainstEach
    of: BleuFormula

    @property
    def view(self) -> View[Tokens]:
        """What the columns are of."""
        return self.columns.view

    def summarize(self, view: Tokens) -> tuple[Average, int]:
        """Apply the formula, and add up exactly."""
        matched = self.columns.summarize(view)
        short = int((view.lengths < self.columns.max_n).sum())
        return Average.of(self.of.each_text(matched), matched.population), short


def closest_lengths(lengths: Integers) -> Integers:
    """Return, for each length, which of the others is closest to it; the shorter where two are.

    Where there are no others, it is 0.

    Examples
    --------
    >>> closest_lengths(np.array([3, 5, 9, 7, 9])).tolist()
    [5, 3, 9, 5, 9]
    """
    known, where, counts = np.unique(lengths, return_inverse=True, return_counts=True)
    if len(known) < 2:
        return np.where(counts[where] > 1, lengths, 0)
    gaps = np.diff(known)
    below = np.concatenate([[np.iinfo(np.int64).max], gaps])
    above = np.concatenate([gaps, [np.iinfo(np.int64).max]])
    nearest = np.where(below <= above, known - below, known + above)
    return np.asarray(np.where(counts > 1, known, nearest)[where], np.int64)
