"""`Lengths`: the lengths of texts, and how much they vary."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from distinctly.ragged import Integers
from distinctly.statistics.base import Mergeable
from distinctly.statistics.ngram_counts import Counted, Run
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens


@dataclass(frozen=True)
class LengthSums:
    """Exact sums over texts.

    Attributes
    ----------
    texts, tokens
        The number of texts and of their tokens.
    squares
        The sum of the squared lengths.
    empty
        The number of texts without tokens.
    """

    texts: int
    tokens: int
    squares: int
    empty: int

    def __add__(self, other: LengthSums) -> LengthSums:
        return LengthSums(
            self.texts + other.texts,
            self.tokens + other.tokens,
            self.squares + other.squares,
            self.empty + other.empty,
        )

    @property
    def variation(self) -> float:
        """The standard deviation of the length divided by its mean; NaN without tokens."""
        if not self.tokens:
            return math.nan
        # Integer arithmetic, so that the result is exactly 0 if all texts are equally long.
        return math.sqrt(self.texts * self.squares - self.tokens**2) / self.tokens


@dataclass(frozen=True)
class Lengths(Mergeable[LengthSums, LengthSums]):
    """The lengths of texts in tokens.

    Examples
    --------
    >>> lengths = Lengths().collect(Tokens.of([["a"], ["a", "b", "c"], []]))
    >>> lengths.texts, lengths.tokens, lengths.empty, round(lengths.variation, 3)
    (3, 4, 1, 0.935)
    """

    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> LengthSums:
        """Add up the lengths of a batch."""
        return _sums(tokens.lengths)

    def summarize(self, state: LengthSums) -> LengthSums:
        """Return the sums: the state is the summary."""
        return state

    def index(self, tokens: Tokens) -> LengthIndex:
        """Return the lengths: a selection is summarized without its tokens."""
        return LengthIndex(tokens.lengths)


@dataclass(frozen=True)
class LengthCounts(Mergeable[Counted, Run]):
    """The number of texts of each length, lengths ascending.

    Examples
    --------
    >>> lengths = LengthCounts()
    >>> run = lengths.summarize(lengths.collect(Tokens.of([["a"], ["a", "b"], ["c"]])))
    >>> run.hashes.tolist(), run.counts.tolist()
    ([1, 2], [2, 1])
    """

    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> Counted:
        """Count the lengths of a batch."""
        return Counted.of_keys(tokens.lengths.astype(np.uint64))

    def summarize(self, state: Counted) -> Run:
        """Merge all counts."""
        return state.merged()


@dataclass(frozen=True)
class LengthIndex:
    """The lengths of texts, any selection of which can be added up."""

    lengths: Integers

    def summarize(self, rows: Integers) -> LengthSums:
        """Add up the lengths of the texts in these rows."""
        return _sums(self.lengths[rows])


def _sums(lengths: Integers) -> LengthSums:
    tokens, longest = int(lengths.sum()), int(lengths.max(initial=0))
    # The sum of squares is at most this product; below 2**62 it cannot overflow.
    if tokens * longest < 2**62:
        squares = int((lengths * lengths).sum())
    else:
        squares = sum(length * length for length in lengths.tolist())
    return LengthSums(len(lengths), tokens, squares, int((lengths == 0).sum()))
