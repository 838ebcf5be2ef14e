"""Walks through hashed tokens in their order; the plain twins are in `statistics/streams.py`.

Tables have a hash a slot, or 0 where it is free, and are as small as a walk allows, so that they stay
in the nearest cache. New or not is added up without a branch: it goes either way by chance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled, inlined

_NONE, _ONE = np.uint64(0), np.uint64(1)
# Slots of a factor's table to begin with.
_SMALL = 1 << 12
# Steps beyond which a factor is looked for by leaps, as in `statistics/streams.py`.
_LONG = 512
# Steps taken at once where no factor can end.
_STRIDE = 16


@inlined
def _slot(keys: NDArray[np.uint64], x: np.uint64) -> np.uint64:
    """Return where a key is in a table, or is to go."""
    mask = np.uint64(len(keys) - 1)
    j: np.uint64 = x & mask
    while (keys[j] != _NONE) & (keys[j] != x):  # one branch, that seldom goes the other way
        j = (j + _ONE) & mask
    return j


@compiled
def recent_places(hashes: NDArray[np.uint64], bounds: NDArray[np.int64], horizon: int) -> NDArray[np.int64]:
    """Return where in its stream each token came last; −1 where nowhere.

    Of those that lie farther back than the horizon, some are told and some are −1: a table of all
    tokens of a long stream would not fit the cache.
    """
    longest = 1
    for row in range(len(bounds) - 1):
        longest = max(longest, bounds[row + 1] - bounds[row])
    horizon = min(horizon, longest)
    block = max(512, 3 * horizon)
    room = min(longest, block + horizon)
    size = 4
    while size < 2 * room:
        size *= 2
    keys, places = np.zeros(size, np.uint64), np.empty(size, np.int64)
    used = np.empty(room + 1, np.uint64)
    found = np.empty(len(hashes), np.int64)
    for row in range(len(bounds) - 1):
        start, end = bounds[row], bounds[row + 1]
        at = start
        while at < end:
            stop = min(at + block, end)
            many = np.uintp(0)
            for i in range(np.uintp(max(start, at - horizon)), np.uintp(stop)):
                x = hashes[i]
                x += np.uint64(x == _NONE)
                j = _slot(keys, x)
                new = keys[j] == _NONE
                if np.int64(i) >= at:  # those before are only put into the table
                    found[i] = -1 if new else places[j]
                places[j] = np.int64(i)
                keys[j] = x
                used[many] = j
                many += np.uintp(new)
            for k in range(many):
                keys[used[k]] = _NONE
            at = stop
    return found


@compiled
def window_types(
    hashes: NDArray[np.uint64], bounds: NDArray[np.int64], window: int, segments: bool
) -> NDArray[np.int64]:
    """Return the sum of the types over all windows of each stream, or over its segments."""
    previous = recent_places(hashes, bounds, window)
    found = np.zeros(len(bounds) - 1, np.int64)
    for row in range(len(bounds) - 1):
        start, end = bounds[row], bounds[row + 1]
        total = 0
        if segments:
            segment = start
            while segment + window <= end:
                for i in range(np.uintp(segment), np.uintp(segment + window)):
                    total += np.int64(previous[i] < segment)
                segment += window
        else:
            last = end - window
            for i in range(np.uintp(start), np.uintp(end)):
                place = np.int64(i)
                earliest = max(previous[i] + 1, place - window + 1, start)
                total += max(min(place, last) - earliest + 1, 0)
        found[row] = total
    return found


@compiled
def _limits(threshold: float, inclusive: bool, minimum: int, size: int) -> NDArray[np.int64]:
    """Return, by length, with how many types at most a factor ends; −1 where with none.

    So that no division is needed a token, and yet the quotient decides, as in the plain road.
    """
    found = np.full(size, -1, np.int64)
    for length in range(max(minimum, 1), size):
        types = np.int64(threshold * length) + 2
        while types >= 0:
            ratio = types / length
            if ratio < threshold or (inclusive and ratio == threshold):
                break
            types -= 1
        found[length] = types
    return found


@compiled
def _cut(
    hashes: NDArray[np.uint64],
    place: np.uintp,
    stop: np.uintp,
    step: np.uintp,
    keys: NDArray[np.uint64],
    used: NDArray[np.uint64],
    limits: NDArray[np.int64],
    types: np.uintp,
    length: np.uintp,
) -> tuple[np.uintp, int, np.uintp, np.uintp]:
    """Cut a stream into factors until it ends, or the table is half full, or the limits end.

    A factor may have begun already. Returns where it stopped, how many factors ended, and the types
    and tokens of the one that has not.
    """
    whole = 0
    full, long = np.uintp(len(used) - 1), np.uintp(len(limits) - 1)
    while place != stop:
        x = hashes[place]
        x += np.uint64(x == _NONE)
        place += step
        length += np.uintp(1)
        j = _slot(keys, x)
        used[types] = j
        types += np.uintp(keys[j] == _NONE)
        keys[j] = x
        if np.int64(types) <= limits[length]:
            for k in range(types):
                keys[used[k]] = _NONE
            whole += 1
            types = length = np.uintp(0)
        elif (types == full) | (length == long):
            break
    return place, whole, types, length


@compiled
def factors(
    hashes: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    threshold: float,
    inclusive: bool,
    minimum: int,
    backward: bool,
) -> NDArray[np.float64]:
    """Return how many factors each stream has, the last one in part."""
    limits = _limits(threshold, inclusive, minimum, 4096)
    keys, used = np.zeros(_SMALL, np.uint64), np.empty(_SMALL // 2 + 1, np.uint64)
    found = np.zeros(len(bounds) - 1, np.float64)
    # Backward, one before the first wraps around, and is not read.
    back, on = np.uintp(1 if backward else 0), np.uintp(-1 if backward else 1)
    for row in range(len(bounds) - 1):
        place, stop = np.uintp(bounds[row]), np.uintp(bounds[row + 1])
        if backward:
            place, stop = stop, place
        place, stop = place - back, stop - back
        whole = 0
        types = length = np.uintp(0)
        while place != stop:
            place, more, types, length = _cut(hashes, place, stop, on, keys, used, limits, types, length)
            whole += more
            if length == np.uintp(len(limits) - 1):
                limits = _limits(threshold, inclusive, minimum, 4 * len(limits))
            if types == np.uintp(len(used) - 1):
                larger = np.zeros(4 * len(keys), np.uint64)
                slots = np.empty(len(larger) // 2 + 1, np.uint64)
                for k in range(types):
                    x = keys[used[k]]
                    j = _slot(larger, x)
                    larger[j] = x
                    slots[k] = j
                keys, used = larger, slots
        found[row] = whole
        if length:
            found[row] += (1 - np.int64(types) / np.int64(length)) / (1 - threshold)
        for k in range(types):
            keys[used[k]] = _NONE
    return found


@inlined
def _before(tree: NDArray[np.int64], place: int) -> int:
    """Return the sum of a Fenwick tree's values before a place."""
    total = 0
    while place > 0:
        total += tree[place]
        place &= place - 1
    return total


@compiled
def _leap(
    previous: NDArray[np.int64],
    starts: NDArray[np.int64],
    threshold: float,
    inclusive: bool,
    minimum: int,
) -> tuple[int, int]:
    """Find the factors from some starts, ascending, of one stream twice over, that are long.

    A ratio above the threshold stays there for as many tokens as its types allow: those are leapt
    over, and a Fenwick tree of which tokens are new from the start on tells how many types there are
    beyond. Returns the tokens of the factors that end, and how many end.
    """
    size = len(previous)
    tokens = size // 2
    following = np.full(size, size, np.int64)
    tree = np.zeros(size + 1, np.int64)
    for i in range(size):
        if previous[i] >= 0:
            following[previous[i]] = i
        tree[i + 1] += previous[i] < 0
        above = (i + 1) + ((i + 1) & -(i + 1))
        if above <= size:
            tree[above] += tree[i + 1]
    covered, finished, place = 0, 0, 0
    for start in starts:
        while place < start:  # what comes again after a token that is left behind is new from now on
            i = following[place] + 1
            while i <= size:
                tree[i] += 1
                i += i & -i
            place += 1
        before = _before(tree, start)
        length = _LONG
        while True:
            types = _before(tree, start + length) - before
            ratio = types / length
            if (ratio < threshold or (inclusive and ratio == threshold)) and length >= minimum:
                covered += length
                finished += 1
                break
            # One less than the types allow, so that no rounding matters.
            length += max(np.int64(types / threshold - length) - 1, minimum - length, 1)
            if length > tokens:
                break
    return covered, finished


@compiled
def moving_factors(
    hashes: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    threshold: float,
    inclusive: bool,
    minimum: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Find a factor from every token of streams that are laid twice over, for one round at most.

    Returns, a stream: the tokens of the factors that end, how many end, and, where not all do, how many
    types the stream has.
    """
    limits = _limits(threshold, inclusive, minimum, _LONG + _STRIDE + 1)
    previous = recent_places(hashes, bounds, _LONG)
    streams = len(bounds) - 1
    covered, finished = np.zeros(streams, np.int64), np.zeros(streams, np.int64)
    all_types = np.zeros(streams, np.int64)
    for row in range(streams):
        first = bounds[row]
        tokens = (bounds[row + 1] - first) // 2
        late = np.empty(tokens, np.int64)
        many = 0
        for i in range(first, first + tokens):
            types, length, most = 0, 0, min(tokens, _LONG)
            ended = False
            while length < most:
                if length + _STRIDE <= most and types > limits[np.uintp(length + _STRIDE)]:
                    for k in range(np.uintp(i + length), np.uintp(i + length + _STRIDE)):
                        types += np.int64(previous[k] < i)
                    length += _STRIDE
                    continue
                types += np.int64(previous[np.uintp(i + length)] < i)
                length += 1
                if types <= limits[np.uintp(length)]:
                    covered[row] += length
                    finished[row] += 1
                    ended = True
                    break
            if not ended:
                late[many] = i - first
                many += 1
        if many:
            own = recent_places(hashes[first : bounds[row + 1]], np.array([0, 2 * tokens]), 2 * tokens)
            for i in range(tokens):
                all_types[row] += own[i] < 0
            if tokens > _LONG:
                more, ends = _leap(own, late[:many], threshold, inclusive, minimum)
                covered[row] += more
                finished[row] += ends
    return covered, finished, all_types
