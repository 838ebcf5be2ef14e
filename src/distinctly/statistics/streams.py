"""Walks through tokens in their order: windows, and factors of a type-token ratio.

A *stream* is a text, or several texts joined. A token is new since some position if its previous
occurrence is before that position.
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

# A factor of `MovingFactors` that is longer than this is searched for in leaps.
_LONG = 512
# More plain steps than this take longer than starting the compiler.
_MOST_STEPS = 200_000_000


@dataclass(frozen=True)
class Streams:
    """Tokens in order: stream i is ``hashes[bounds[i]:bounds[i + 1]]``."""

    hashes: Hashes
    bounds: Integers
    compiled: bool

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @classmethod
    def each_text(cls, tokens: Tokens) -> Streams:
        """Return one stream per text."""
        return cls(tokens.hashes, tokens.bounds, tokens.compiled)

    @classmethod
    def whole(cls, tokens: Tokens) -> Streams:
        """Return all texts joined into one stream."""
        return cls(tokens.hashes, np.array([0, len(tokens.hashes)]), tokens.compiled)

    @classmethod
    def each_group(cls, tokens: Tokens) -> Streams:
        """Return one stream per group, with the texts of the group joined."""
        groups = list(rows_by_group(tokens).values())
        rows = np.concatenate([np.zeros(0, np.int64), *groups])
        where, _ = positions(tokens.bounds, rows)
        lengths = [int(tokens.lengths[members].sum()) for members in groups]
        return cls(tokens.hashes[where], bounds_of(lengths), tokens.compiled)

    @cached_property
    def lengths(self) -> Integers:
        """The number of tokens of each stream."""
        return np.diff(self.bounds)

    def twice(self) -> Streams:
        """Return each stream repeated once, for walks that continue at the beginning."""
        rows = np.repeat(np.arange(len(self)), 2)
        where, _ = positions(self.bounds, rows)
        return Streams(self.hashes[where], self.bounds * 2, self.compiled)

    def previous(self) -> Integers:
        """Return the position of each token's previous occurrence in its stream; −1 if there is none.

        Examples
        --------
        >>> Streams.each_text(Tokens.of([["a", "b", "a"], ["a", "a"]])).previous().tolist()
        [-1, -1, 0, -1, 3]
        """
        order = np.argsort(self.hashes, kind="stable")
        repeated = np.flatnonzero(self.hashes[order[1:]] == self.hashes[order[:-1]])
        previous = np.full(len(self.hashes), -1, np.int64)
        previous[order[repeated + 1]] = order[repeated]
        # An occurrence in an earlier stream does not count.
        previous[previous < np.repeat(self.bounds[:-1], self.lengths)] = -1
        return previous


Walked = TypeVar("Walked")


class Walk(ABC, Generic[Walked]):
    """A walk through streams. Subclasses are frozen dataclasses, as statistics are."""

    @abstractmethod
    def each(self, streams: Streams) -> Walked:
        """Return the result of the walk, as columns with one entry per stream."""


@dataclass(frozen=True)
class WindowSums:
    """Sums over the windows of each stream.

    Attributes
    ----------
    tokens
        The number of tokens of the stream.
    windows, types
        The number of windows, and the sum of their numbers of types.
    """

    tokens: Integers
    windows: Integers
    types: Integers


@dataclass(frozen=True)
class Windows(Walk[WindowSums]):
    """All windows of `window` tokens, or only adjacent ones that do not overlap (`segments`).

    Attributes
    ----------
    window, segments
        Tokens per window, and whether windows do not overlap.
    drop_last
        Whether a segment that ends with the stream is left out.
    shrink
        Whether a stream that is shorter than the window is one window.

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
    drop_last: bool = False
    shrink: bool = False

    def each(self, streams: Streams) -> WindowSums:
        """Add up the types of the windows: the number of windows in which each token is new."""
        lengths = streams.lengths
        window = np.full(len(lengths), min(self.window, int(lengths.max(initial=0)) + 1))
        used = lengths - int(self.drop_last)
        if self.shrink:
            window, used = np.clip(lengths, 1, window), np.where(lengths <= window, lengths, used)
        windows = np.maximum(used // window if self.segments else used - window + 1, 0)
        if streams.compiled:
            from distinctly.kernels.streams import window_types

            return WindowSums(
                lengths, windows, window_types(streams.hashes, streams.bounds, window, used, self.segments)
            )
        starts, sizes = (np.repeat(column, lengths) for column in (streams.bounds[:-1], window))
        ends = np.repeat(streams.bounds[:-1] + used, lengths)
        place, previous = np.arange(len(streams.hashes)), streams.previous()
        if self.segments:
            segment = place - (place - starts) % sizes
            first_in = ((previous < segment) & (segment + sizes <= ends)).astype(np.int64)
        else:
            # Token i is new in a window that starts at s if previous < s ≤ i < s + window; and the
            # window must lie in the stream.
            earliest = np.maximum(np.maximum(previous + 1, place - sizes + 1), starts)
            first_in = np.maximum(np.minimum(place, ends - sizes) - earliest + 1, 0)
        running = bounds_of(first_in)
        return WindowSums(lengths, windows, running[streams.bounds[1:]] - running[streams.bounds[:-1]])


@dataclass(frozen=True)
class FactorSums:
    """The number of factors of each stream, and of their tokens.

    Attributes
    ----------
    tokens
        The number of tokens of the stream.
    covered, factors
        The number of tokens in factors, and of factors; an unfinished factor counts as a fraction.
    """

    tokens: Integers
    covered: Integers
    factors: Reals

    def lengths(self) -> Reals:
        """Return the mean length of a factor; the stream's length without factors, NaN without tokens."""
        lengths = np.where(self.tokens > 0, self.tokens.astype(np.float64), np.nan)
        np.divide(self.covered, self.factors, out=lengths, where=self.factors > 0)
        return lengths


@dataclass(frozen=True)
class Both:
    """The factors of streams read forward and backward."""

    forward: FactorSums
    backward: FactorSums


@dataclass(frozen=True)
class Factors(Walk[Both]):
    """Cuts streams into factors: a factor ends where its type-token ratio falls to the threshold.

    Attributes
    ----------
    threshold, inclusive
        The ratio, and whether reaching it is enough; otherwise the ratio must fall below it.
    minimum
        The smallest number of tokens of a factor.
    partial_last
        Whether a factor that ends with the stream counts as `(1 − ratio) / (1 − threshold)`, which is at
        least 1, and not as 1.

    Examples
    --------
    >>> Factors(0.72, False, 0).each(Streams.whole(Tokens.of([list("aabc")]))).forward.factors.tolist()
    [1.0]
    """

    threshold: float
    inclusive: bool
    minimum: int
    partial_last: bool = False

    def each(self, streams: Streams) -> Both:
        """Cut forward and backward."""
        lengths = streams.lengths
        if streams.compiled:
            from distinctly.kernels.streams import factors

            rule = (self.threshold, self.inclusive, self.minimum, self.partial_last)
            both: list[Reals] = [
                factors(streams.hashes, streams.bounds, *rule, back) for back in (False, True)
            ]
        else:
            previous = streams.previous()
            # Read backward, the previous occurrence of a token is its next one read forward.
            end = len(previous) - 1
            following, repeated = np.full(len(previous), -1, np.int64), np.flatnonzero(previous >= 0)
            following[end - previous[repeated]] = end - repeated
            backward = self._plain(following, streams.bounds[-1] - streams.bounds[::-1])[::-1]
            both = [self._plain(previous, streams.bounds), backward]
        return Both(*(FactorSums(lengths, lengths, factors) for factors in both))

    def _plain(self, previous: Integers, bounds: Integers) -> Reals:
        """Return the number of factors of each stream, given the previous position of each token."""
        longest = int(np.diff(bounds).max(initial=0))
        limits = limits_of(self.threshold, self.inclusive, self.minimum, longest).tolist()
        last_places, factors = previous.tolist(), np.zeros(len(bounds) - 1)
        for row, (first, end) in enumerate(pairwise(bounds.tolist())):
            whole = types = 0
            before = first - 1  # the position before the factor's first token
            soonest = before + self.minimum
            uncut = end - 1 if self.partial_last else -1
            for place, last in enumerate(last_places[first:end], first):
                if last <= before:
                    types += 1
                    if place != soonest:  # a new token raises the ratio, so it cannot end a factor
                        continue
                if types <= limits[place - before] and place != uncut:
                    whole, types, before = whole + 1, 0, place
                    soonest = before + self.minimum
            length = end - 1 - before
            factors[row] = whole + ((1 - types / length) / (1 - self.threshold) if length else 0.0)
        return factors


@dataclass(frozen=True)
class MovingFactors(Walk[FactorSums]):
    """One factor from every token on, continuing at the beginning, for one round at most.

    A factor that is not finished after one round counts as a fraction, as the last one of `Factors`
    does. If `to_end` is true, a factor may continue to the end of the stream repeated once, and those that
    are not finished there are left out. The other attributes are those of `Factors`.

    Examples
    --------
    >>> sums = MovingFactors(0.72, False, 0).each(Streams.whole(Tokens.of([list("aab")])))
    >>> sums.covered.tolist(), sums.factors.tolist()   # aa, aba, baa
    ([8], [3.0])
    """

    threshold: float
    inclusive: bool
    minimum: int
    to_end: bool = False

    def each(self, streams: Streams) -> FactorSums:
        """Find one factor from every token on."""
        lengths = streams.lengths
        if not streams.compiled:
            plain = self._plain(streams)
            if plain is not None:
                return plain
        from distinctly.kernels.streams import moving_factors

        twice = streams.twice()
        covered, finished, types = moving_factors(
            twice.hashes, twice.bounds, self.threshold, self.inclusive, self.minimum, self.to_end
        )
        return self._sums(lengths, covered, finished, types)

    def _sums(self, tokens: Integers, covered: Integers, finished: Integers, types: Integers) -> FactorSums:
        if self.to_end:
            return FactorSums(tokens, covered, finished.astype(np.float64))
        unfinished = tokens - finished
        factors = finished.astype(np.float64)
        fraction = (1 - types / np.maximum(tokens, 1)) / (1 - self.threshold)
        factors += unfinished * fraction
        return FactorSums(tokens, covered + unfinished * tokens, factors)

    def _plain(self, streams: Streams) -> FactorSums | None:
        """Advance from all starts at once, one token at a time; return None if that takes too long."""
        twice, tokens = streams.twice(), np.repeat(streams.lengths, streams.lengths)
        previous = twice.previous()
        starts = np.arange(len(tokens)) + np.repeat(streams.bounds[:-1], streams.lengths)
        # The most tokens that the factor from each start may have.
        most = np.repeat(twice.bounds[1:], streams.lengths) - starts if self.to_end else tokens
        limits = limits_of(self.threshold, self.inclusive, self.minimum, _LONG)
        ended = np.zeros(len(tokens), np.int64)  # the length of the factor; 0 if it is unfinished
        active, types = np.arange(len(tokens)), np.zeros(len(tokens), np.int64)
        steps = 0
        for length in range(1, min(int(most.max(initial=0)), _LONG) + 1):
            steps += len(active)
            if steps > _MOST_STEPS:
                return None
            types += previous[starts[active] + (length - 1)] < starts[active]
            done = types <= limits[length]
            ended[active[done]] = length
            unfinished = ~done & (most[active] > length)
            active, types = active[unfinished], types[unfinished]
        if int(most[active].sum()) > _MOST_STEPS:
            return None
        for place in active.tolist():
            start = starts[place]
            ended[place] = self._leap(previous[start : start + most[place]] < start)
        first = previous[starts] < 0
        columns = (ended, (ended > 0).astype(np.int64), first.astype(np.int64))
        sums: list[Integers] = [np.diff(bounds_of(column)[streams.bounds]) for column in columns]
        return self._sums(streams.lengths, *sums)

    def _leap(self, new: NDArray[np.bool_]) -> int:
        """Return the length of a factor, given which tokens are new; 0 if it does not end."""
        size = np.arange(1, len(new) + 1)
        ratios = np.cumsum(new) / size
        low = ratios <= self.threshold if self.inclusive else ratios < self.threshold
        ends = np.flatnonzero(low & (size >= self.minimum))
        return int(ends[0]) + 1 if len(ends) else 0


def limits_of(threshold: float, inclusive: bool, minimum: int, longest: int) -> Integers:
    """Return, for each length, the largest number of types with which a factor ends; −1 if it cannot end.

    Examples
    --------
    >>> limits_of(0.5, False, 2, 4).tolist(), limits_of(0.5, True, 0, 4).tolist()
    ([-1, -1, 0, 1, 1], [-1, 0, 1, 1, 2])
    """
    lengths = np.arange(longest + 1)
    limits = np.full(longest + 1, -1)
    for offset in (-1, 0, 1):  # the rounded quotient decides, as in the paper's definition
        types = np.floor(threshold * lengths).astype(np.int64) + offset
        ratios = types / np.maximum(lengths, 1)
        limits = np.where(ratios <= threshold if inclusive else ratios < threshold, types, limits)
    return np.where(lengths < max(minimum, 1), -1, np.maximum(limits, -1))
