"""`Matches` and `Recurrences`: what of each text other texts have, too. Linear in the tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from distinctly import hashing
from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.statistics.base import NeedsRows
from distinctly.statistics.means import Mean
from distinctly.statistics.ngram_counts import Reals
from distinctly.views.base import View
from distinctly.views.tokens import Tokens
from distinctly.views.words import WORDS

RowNumbers = NDArray[np.uint32]

# So many keys a partition, so that its table stays in the cache; and not more partitions than the
# processor can write to at once.
_A_PARTITION = 1 << 15
_MOST_BITS = 10


@dataclass(frozen=True)
class Matches(NeedsRows[Integers]):
    """How many n-grams of each text are matched by the other texts, as BLEU clips them.

    An n-gram's count is clipped at its highest count in any one other text, which is to say: its
    k-th occurrence in a text is matched where another text has it k times, too. So an n-gram and k
    are one key, and what is matched are the keys that two texts or more have.

    Examples
    --------
    >>> Matches(1).summarize(Tokens.of([["a", "a", "a", "b"], ["a", "a"], ["c"]])).tolist()
    [2, 2, 0]
    """

    n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, view: Tokens) -> Integers:
        """Count the matched n-grams of each text."""
        return in_others(view, self.n, again=True)


@dataclass(frozen=True)
class Recurrences(NeedsRows[Integers]):
    """In how many other texts the distinct n-grams of each text are, added up.

    Examples
    --------
    >>> Recurrences(1).summarize(Tokens.of([["a", "a", "b"], ["a", "b"], ["a", "c"]])).tolist()
    [3, 3, 2]
    """

    n: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, view: Tokens) -> Integers:
        """Add up, for each text, how many others have each of its n-grams."""
        return in_others(view, self.n, again=False)


class RecurrenceFormula(Protocol):
    """Something that turns recurrences into a value a text: a metric."""

    def each_text(self, recurrences: Integers, lengths: Integers) -> Reals:
        """Return one value a text; NaN where it has none."""


@dataclass(frozen=True)
class RecurrenceMean(NeedsRows[Mean]):
    """The mean of a formula of recurrences over texts."""

    columns: Recurrences
    of: RecurrenceFormula

    @property
    def view(self) -> View[Tokens]:
        """What the recurrences are of."""
        return self.columns.view

    def summarize(self, view: Tokens) -> Mean:
        """Apply the formula, and add up exactly."""
        return Mean.of(self.of.each_text(self.columns.summarize(view), view.lengths))


def in_others(view: Tokens, n: int, *, again: bool) -> Integers:
    """Return how many n-grams of each text are matched (`again`), or in how many texts they recur."""
    keys, rows = occurrences(view, n, again=again)
    found = np.zeros(len(view), np.int64)
    if not view.compiled:
        _, where, counts = np.unique(keys, return_inverse=True, return_counts=True)
        others = counts[where] - 1
        np.add.at(found, rows, np.minimum(others, 1) if again else others)
        return found
    from distinctly.kernels import recurrence as kernel

    bits = min(max(len(keys) // _A_PARTITION, 1).bit_length(), _MOST_BITS)
    # Made here, not in the kernel: numpy asks the system for large pages.
    sorted_keys, sorted_rows = np.empty_like(keys), np.empty_like(rows)
    places = kernel.sort_keys(keys, rows, bits, sorted_keys, sorted_rows)
    kernel.in_others(sorted_keys, sorted_rows, places, again, found)
    return found


def occurrences(view: Tokens, n: int, *, again: bool) -> tuple[Hashes, RowNumbers]:
    """Return a key for each n-gram of each text, and the text; texts in order.

    An n-gram that comes again in its text has a key of its own for each time (`again`), or none.
    """
    if not view.compiled:
        return _plain_occurrences(view, n, again=again)
    from distinctly.kernels import recurrence as kernel
    from distinctly.kernels.ngrams import lengthen

    size = min(n, int(view.lengths.max(initial=0)) + 1)  # longer than all texts is long enough
    windows = view.hashes.copy()
    for longer in range(2, size + 1):
        lengthen(windows, view.hashes[longer - 1 :])
    room = int(np.maximum(view.lengths - (size - 1), 0).sum())
    keys, rows = np.empty(room, np.uint64), np.empty(room, np.uint32)
    many = kernel.occurrences(windows, view.bounds, size, again, keys, rows)
    return keys[:many], rows[:many]


def _plain_occurrences(view: Tokens, n: int, *, again: bool) -> tuple[Hashes, RowNumbers]:
    grams = view.grams(n)
    rows = np.repeat(np.arange(len(view), dtype=np.uint32), np.diff(view.gram_bounds(n)))
    order = np.lexsort((grams, rows))
    grams, rows = grams[order], rows[order]
    new = np.ones(len(grams), np.bool_)
    new[1:] = (grams[1:] != grams[:-1]) | (rows[1:] != rows[:-1])
    if not again:
        return grams[new], rows[new]
    starts = np.flatnonzero(new)
    times = np.arange(len(grams)) - np.repeat(starts, np.diff(np.append(starts, len(grams))))
    later = hashing.mix(grams + times.astype(np.uint64) * hashing.STEP)
    return np.where(times > 0, later, grams), rows
