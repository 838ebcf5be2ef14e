"""`Lengths`: how long the texts are, and how much that varies."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from distinctly.ragged import Integers
from distinctly.statistics.base import Mergeable
from distinctly.views.base import View
from distinctly.views.tokens import Tokens
from distinctly.views.words import WORDS


@dataclass(frozen=True)
class LengthSums:
    """Exact sums over texts: how many, their tokens, their squared tokens, how many without any."""

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
        """Standard deviation of the length over its mean; NaN without tokens."""
        if not self.tokens:
            return math.nan
        # Whole numbers to the end: nothing is lost where all texts are equally long.
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

    def collect(self, view: Tokens) -> LengthSums:
        """Add up the lengths of a batch."""
        return _sums(view.lengths)

    def summarize(self, state: LengthSums) -> LengthSums:
        """Return the sums; they are their own summary."""
        return state

    def index(self, view: Tokens) -> LengthIndex:
        """Return the lengths: no token of a selection is looked at."""
        return LengthIndex(view.lengths)


@dataclass(frozen=True)
class LengthIndex:
    """The lengths of texts, of which some are added up."""

    lengths: Integers

    def summarize(self, rows: Integers) -> LengthSums:
        """Add up the lengths of these texts."""
        return _sums(self.lengths[rows])


def _sums(lengths: Integers) -> LengthSums:
    tokens, longest = int(lengths.sum()), int(lengths.max(initial=0))
    # No sum of squares is above this, and below 2**62 no machine number overflows.
    if tokens * longest < 2**62:
        squares = int((lengths * lengths).sum())
    else:
        squares = sum(length * length for length in lengths.tolist())
    return LengthSums(len(lengths), tokens, squares, int((lengths == 0).sum()))
