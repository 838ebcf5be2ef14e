"""What is found on a walk through tokens in their order: windows, and factors of a type-token ratio.

A *stream* is a text, or texts run on into each other. Whether a token is new since some place is told
by where it came last.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import Hashes
from distinctly.ragged import Integers, bounds_of, positions
from distinctly.statistics.means import rows_by_group
from distinctly.statistics.ngram_counts import Reals
from distinctly.views.tokens import Tokens

# Steps beyond which a factor of `MovingFactors` is looked for by leaps.
_LONG = 512
# So many plain steps take longer than starting the compiler.
_TOO_MANY = 200_000_000


@dataclass(frozen=True)
class Streams:
    """Tokens in order: stream i is ``hashes[bounds[i]:bounds[i + 1]]``."""

    hashes: Hashes
    bounds: Integers
    compiled: bool

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @classmethod
    def each_text(cls, view: Tokens) -> Streams:
        """Make a stream of each text."""
        return cls(view.hashes, view.bounds, view.compiled)

    @classmethod
    def whole(cls, view: Tokens) -> Streams:
        """Run all texts on as one stream."""
        return cls(view.hashes, np.array([0, len(view.hashes)]), view.compiled)

    @classmethod
    def each_group(cls, view: Tokens) -> Streams:
        """Run the texts of each group on as a stream."""
        groups = list(rows_by_group(view).values())
        rows = np.concatenate([np.zeros(0, np.int64), *groups])
        where, _ = positions(view.bounds, rows)
        lengths = [int(view.lengths[own].sum()) for own in groups]
        return cls(view.hashes[where], bounds_of(lengths), view.compiled)

    @cached_property
    def lengths(self) -> Integers:
        """How many tokens each stream has."""
        return np.diff(self.bounds)

    def twice(self) -> Streams:
        """Return each stream with itself after it: the way round, and on."""
        rows = np.repeat(np.arange(len(self)), 2)
        where, _ = positions(self.bounds, rows)
        return Streams(self.hashes[where], self.bounds * 2, self.compiled)

    def previous(self) -> Integers:
        """Return where in its stream each token came last, as a position of all; −1 where nowhere.

        Examples
        --------
        >>> Streams.each_text(Tokens.of([["a", "b", "a"], ["a", "a"]])).previous().tolist()
        [-1, -1, 0, -1, 3]
        """
        order = np.argsort(self.hashes, kind="stable")
        again = np.flatnonzero(self.hashes[order[1:]] == self.hashes[order[:-1]])
        found = np.full(len(self.hashes), -1, np.int64)
        found[order[again + 1]] = order[again]
        # The same token in an earlier stream is another one.
        found[found < np.repeat(self.bounds[:-1], self.lengths)] = -1
        return found


Walked = TypeVar("Walked")
Found = TypeVar("Found", contravariant=True)


class Walk(ABC, Generic[Walked]):
    """A walk through streams. Subclasses are frozen dataclasses, as statistics are."""

    @abstractmethod
    def each(self, streams: Streams) -> Walked:
        """Return what is found; columns with one entry a stream."""


@dataclass(frozen=True)
class WindowSums:
    """What windows of a stream come to.

    Attributes
    ----------
    tokens
        In the stream.
    windows, types
        How many windows it has, and the sum of how many tokens differ in each.
    """

    tokens: Integers
    windows: Integers
    types: Integers


@dataclass(frozen=True)
class Windows(Walk[WindowSums]):
    """All windows of so many tokens; or only those next to each other: `segments`.

    Examples
    --------
    >>> streams = Streams.whole(Tokens.of([["a", "b", "a", "c", "c"]]))
    >>> moving = Windows(2).each(streams)   # ab, ba, ac, cc
    >>> moving.windows.tolist(), moving.types.tolist()
    ([4], [7])
    >>> Windows(2, segments=True).each(streams).types.tolist()   # ab, ac
    [4]
    """

    window: int
    segments: bool = False

    def each(self, streams: Streams) -> WindowSums:
        """Add up the types of the windows: in how many of them each token is the first of its kind."""
        lengths, window = streams.lengths, min(self.window, int(streams.lengths.max(initial=0)) + 1)
        windows = lengths // window if self.segments else np.maximum(lengths - window + 1, 0)
        if streams.compiled:
            from distinctly.kernels.streams import window_types

            return WindowSums(
                lengths, windows, window_types(streams.hashes, streams.bounds, window, self.segments)
            )
        starts, ends = (np.repeat(edge, lengths) for edge in (streams.bounds[:-1], streams.bounds[1:]))
        place, previous = np.arange(len(streams.hashes)), streams.previous()
        if self.segments:
            segment = place - (place - starts) % window
            first_in = ((previous < segment) & (segment + window <= ends)).astype(np.int64)
        else:
            # A window from s has token i, and not the one before it of its kind, where
            # previous < s ≤ i < s + window; and it must lie in the stream.
            earliest = np.maximum(np.maximum(previous + 1, place - window + 1), starts)
            first_in = np.maximum(np.minimum(place, ends - window) - earliest + 1, 0)
        running = bounds_of(first_in)
        return WindowSums(lengths, windows, running[streams.bounds[1:]] - running[streams.bounds[:-1]])


@dataclass(frozen=True)
class FactorSums:
    """How many factors a stream has, and how many tokens these have.

    Attributes
    ----------
    tokens
        In the stream.
    covered, factors
        The tokens of the factors, and how many factors; an unfinished one counts as a part.
    """

    tokens: Integers
    covered: Integers
    factors: Reals

    def lengths(self) -> Reals:
        """Return the mean length of a factor; all tokens where there is none, NaN without tokens."""
        found = np.where(self.tokens > 0, self.tokens.astype(np.float64), np.nan)
        np.divide(self.covered, self.factors, out=found, where=self.factors > 0)
        return found


@dataclass(frozen=True)
class Both:
    """The factors of streams read forward and backward."""

    forward: FactorSums
    backward: FactorSums


@dataclass(frozen=True)
class Factors(Walk[Both]):
    """Cut streams into factors: a factor ends where its type-token ratio falls to the threshold.

    Attributes
    ----------
    threshold, inclusive
        The ratio, and whether reaching it is enough; otherwise it must fall below.
    minimum
        Tokens that a factor has at least.

    Examples
    --------
    >>> Factors(0.72, False, 0).each(Streams.whole(Tokens.of([list("aabc")]))).forward.factors.tolist()
    [1.0]
    """

    threshold: float
    inclusive: bool
    minimum: int

    def each(self, streams: Streams) -> Both:
        """Cut forward and backward."""
        lengths = streams.lengths
        if streams.compiled:
            from distinctly.kernels.streams import factors

            made: list[Reals] = [
                factors(streams.hashes, streams.bounds, self.threshold, self.inclusive, self.minimum, back)
                for back in (False, True)
            ]
        else:
            previous = streams.previous()
            # From the end, a token came last where it comes next from the beginning.
            end = len(previous) - 1
            following, again = np.full(len(previous), -1, np.int64), np.flatnonzero(previous >= 0)
            following[end - previous[again]] = end - again
            backward = self._plain(following, streams.bounds[-1] - streams.bounds[::-1])[::-1]
            made = [self._plain(previous, streams.bounds), backward]
        return Both(*(FactorSums(lengths, lengths, found) for found in made))

    def _plain(self, previous: Integers, bounds: Integers) -> Reals:
        """Cut streams of which is told where each token came last."""
        longest = int(np.diff(bounds).max(initial=0))
        limits = limits_of(self.threshold, self.inclusive, self.minimum, longest).tolist()
        came, found = previous.tolist(), np.zeros(len(bounds) - 1)
        for row, (first, end) in enumerate(pairwise(bounds.tolist())):
            whole = types = 0
            before = first - 1  # the place before the factor's first token
            soonest = before + self.minimum
            for place, last in enumerate(came[first:end], first):
                if last <= before:
                    types += 1
                    if place != soonest:  # a new token raises the ratio, and so ends no factor
                        continue
                if types <= limits[place - before]:
                    whole, types, before = whole + 1, 0, place
                    soonest = before + self.minimum
            length = end - 1 - before
            found[row] = whole + ((1 - types / length) / (1 - self.threshold) if length else 0.0)
        return found


@dataclass(frozen=True)
class MovingFactors(Walk[FactorSums]):
    """One factor from every token on, round to the beginning after the end, for one round at most.

    A factor that is not finished after a round counts as a part, as the last one of `Factors` does.
    The attributes are those of `Factors`.

    Examples
    --------
    >>> found = MovingFactors(0.72, False, 0).each(Streams.whole(Tokens.of([list("aab")])))
    >>> found.covered.tolist(), found.factors.tolist()   # aa, aba, baa
    ([8], [3.0])
    """

    threshold: float
    inclusive: bool
    minimum: int

    def each(self, streams: Streams) -> FactorSums:
        """Find the factors from every token on."""
        lengths = streams.lengths
        if not streams.compiled:
            plain = self._plain(streams)
            if plain is not None:
                return plain
        from distinctly.kernels.streams import moving_factors

        twice = streams.twice()
        covered, finished, types = moving_factors(
            twice.hashes, twice.bounds, self.threshold, self.inclusive, self.minimum
        )
        return self._sums(lengths, covered, finished, types)

    def _sums(self, tokens: Integers, covered: Integers, finished: Integers, types: Integers) -> FactorSums:
        unfinished = tokens - finished
        factors = finished.astype(np.float64)
        part = (1 - types / np.maximum(tokens, 1)) / (1 - self.threshold)
        factors += unfinished * part
        return FactorSums(tokens, covered + unfinished * tokens, factors)

    def _plain(self, streams: Streams) -> FactorSums | None:
        """Take a step from all starts at once, again and again; None where that would take too long."""
        twice, tokens = streams.twice(), np.repeat(streams.lengths, streams.lengths)
        previous = twice.previous()
        starts = np.arange(len(tokens)) + np.repeat(streams.bounds[:-1], streams.lengths)
        limits = limits_of(self.threshold, self.inclusive, self.minimum, _LONG)
        ended = np.zeros(len(tokens), np.int64)  # after how many tokens; 0 where not yet
        going, types = np.arange(len(tokens)), np.zeros(len(tokens), np.int64)
        steps = 0
        for length in range(1, min(int(streams.lengths.max(initial=0)), _LONG) + 1):
            steps += len(going)
            if steps > _TOO_MANY:
                return None
            types += previous[starts[going] + (length - 1)] < starts[going]
            done = types <= limits[length]
            ended[going[done]] = length
            on = ~done & (tokens[going] > length)
            going, types = going[on], types[on]
        if int(tokens[going].sum()) > _TOO_MANY:
            return None
        for one in going.tolist():
            ended[one] = self._leap(previous[starts[one] : starts[one] + tokens[one]] < starts[one])
        first = previous[starts] < 0
        columns = (ended, (ended > 0).astype(np.int64), first.astype(np.int64))
        sums: list[Integers] = [np.diff(bounds_of(column)[streams.bounds]) for column in columns]
        return self._sums(streams.lengths, *sums)

    def _leap(self, new: NDArray[np.bool_]) -> int:
        """Return where a factor ends, of which is told which tokens are new; 0 where nowhere."""
        size = np.arange(1, len(new) + 1)
        ratios = np.cumsum(new) / size
        low = ratios <= self.threshold if self.inclusive else ratios < self.threshold
        ended = np.flatnonzero(low & (size >= self.minimum))
        return int(ended[0]) + 1 if len(ended) else 0


def limits_of(threshold: float, inclusive: bool, minimum: int, longest: int) -> Integers:
    """Return, by length, with how many types at most a factor ends; −1 where with none.

    Examples
    --------
    >>> limits_of(0.5, False, 2, 4).tolist(), limits_of(0.5, True, 0, 4).tolist()
    ([-1, -1, 0, 1, 1], [-1, 0, 1, 1, 2])
    """
    lengths = np.arange(longest + 1)
    found = np.full(longest + 1, -1)
    for near in (-1, 0, 1):  # the quotient decides, to its last bit, as it does for a reader of the paper
        types = np.floor(threshold * lengths).astype(np.int64) + near
        ratios = types / np.maximum(lengths, 1)
        found = np.where(ratios <= threshold if inclusive else ratios < threshold, types, found)
    return np.where(lengths < max(minimum, 1), -1, np.maximum(found, -1))
