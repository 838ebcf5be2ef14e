"""`LeftOutSpread`: how much a value changes without each text, in two readings and any size.

Without a text, the distinct n-grams that no other text has are gone, and so are its n-grams and tokens. So a
formula that reads these sizes is applied to what is left without each text, and only sums are kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from distinctly.statistics.base import TwoPass
from distinctly.statistics.exact_sum import ExactSum
from distinctly.statistics.means import Formula
from distinctly.statistics.ngram_counts import Grams, NgramCounts, Run
from distinctly.statistics.recurrence import TextsPerKey
from distinctly.views.base import View
from distinctly.views.tokens import Tokens


@dataclass(frozen=True)
class Spread:
    """Exact sums over texts of the change of a value without each of them.

    Attributes
    ----------
    texts, undefined
        The number of texts, and of those without which there is no value.
    changes, squares
        The sum of the changes, and of their squares.

    Examples
    --------
    >>> both = Spread.of(np.array([0.1, -0.1])) + Spread.of(np.array([0.2, 0.0]))
    >>> round(both.error, 6)  # the square root of (3/4) · (0.06 − 0.2² / 4)
    0.193649
    """

    texts: int
    undefined: int
    changes: ExactSum
    squares: ExactSum

    @classmethod
    def of(cls, changes: NDArray[np.float64]) -> Spread:
        """Return the sums of some texts; NaN stands for no value."""
        defined = changes[np.isfinite(changes)]
        sums = ExactSum.of(defined), ExactSum.of(defined * defined)
        return cls(len(changes), len(changes) - len(defined), *sums)

    def __add__(self, other: Spread) -> Spread:
        return Spread(
            self.texts + other.texts,
            self.undefined + other.undefined,
            self.changes + other.changes,
            self.squares + other.squares,
        )

    @property
    def error(self) -> float:
        """The standard error by leaving out one text at a time; NaN if a value is not defined."""
        if self.undefined or not self.texts:
            return math.nan
        squares = self.squares.value - self.changes.value**2 / self.texts
        return math.sqrt(max((self.texts - 1) / self.texts * squares, 0.0))


@dataclass(frozen=True)
class LeftOutSpread(TwoPass[Spread, Spread]):
    """The spread of a formula of sizes when each text is left out.

    Attributes
    ----------
    counts
        The counts that the formula reads.
    of
        The metric.
    """

    counts: NgramCounts
    of: Formula

    @property
    def view(self) -> View[Tokens]:
        """The view of the counts."""
        return self.counts.view

    def first(self) -> tuple[TextsPerKey, NgramCounts]:
        """Return the number of texts per n-gram, and the sizes of all texts."""
        return self._texts, self.counts

    @property
    def _texts(self) -> TextsPerKey:
        return TextsPerKey(self.counts.n, again=False, view=self.view)

    def summarize(self, tokens: Tokens) -> Spread:
        """Leave out each text of a corpus in memory."""
        texts = self._texts.summarize(self._texts.collect(tokens))
        return self.collect(tokens, texts, self.counts.summarize(self.counts.collect(tokens)))

    def collect(self, tokens: Tokens, *first: Run | Grams) -> Spread:
        """Leave out each text of a batch, given the texts per n-gram and the sizes of all texts."""
        texts, grams = first
        if not isinstance(texts, Run) or not isinstance(grams, Grams):
            raise TypeError("expected the texts per n-gram, and the sizes of all texts")
        ngrams = np.maximum(tokens.lengths - (self.counts.n - 1), 0)
        left = Grams(
            distinct=grams.distinct - self._texts.alone(tokens, texts),
            total=grams.total - ngrams,
            tokens=grams.tokens - tokens.lengths,
            texts=grams.texts - np.ones(len(tokens), np.int64),
            short=grams.short - (ngrams == 0),
            counts=np.zeros(0, np.int64),
            types=np.zeros(0, np.int64),
            bounds=np.zeros(len(tokens) + 1, np.int64),
        )
        return Spread.of(self.of.formula(left) - self.of.formula(grams))

    def finish(self, state: Spread) -> Spread:
        """Return the sums."""
        return state
