"""Walks through hashed tokens in their order; the plain counterparts are in `statistics/streams.py`.

Tables have one hash per slot, or 0 in a free slot, and are as small as a walk allows, so that they stay
in the nearest cache. New tokens are counted without a branch, which would be unpredictable.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled, inlined

_NONE, _ONE = np.uint64(0), np.uint64(1)
# The initial number of slots of the table of a factor.
_SMALL = 1 << 12
# A factor that is longer than this is searched for in leaps, as in `statistics/streams.py`.
_LONG = 512
# The number of steps taken at once if no factor can end in them.
_STRIDE = 16


@inlined
def _slot(keys: NDArray[np.uint64], x: np.uint64) -> np.uint64:
    """Return the slot of a key in a table, or the slot where it belongs."""
    mask = np.uint64(len(keys) - 1)
    j: np.uint64 = x & mask
    while (keys[j] != _NONE) & (keys[j] != x):  # a single branch, and a predictable one
        j = (j + _ONE) & mask
    return j


@compiled
def recent_places(hashes: NDArray[np.uint64], bounds: NDArray[np.int64], horizon: int) -> NDArray[np.int64]:
    """Return the position of each token's previous occurrence in its stream; −1 if there is none.

    Occurrences farther back than the horizon may also be −1: a table of all tokens of a long stream
    would not fit the cache.
    """
    longest = 1
    for row in range(len(bounds) - 1):
        longest = max(longest, bounds[row + 1] - bounds[row])
    horizon = min(horizon, longest)
    block = max(512, 3 * horizon)
    capacity = min(longest, block + horizon)
    size = 4
    while size < 2 * capacity:
        size *= 2
    keys, places = np.zeros(size, np.uint64), np.empty(size, np.int64)
    used = np.empty(capacity + 1, np.uint64)
    previous = np.empty(len(hashes), np.int64)
    for row in range(len(bounds) - 1):
        start, end = bounds[row], bounds[row + 1]
        block_start = start
        while block_start < end:
            stop = min(block_start + block, end)
            count = np.uintp(0)
            for i in range(np.uintp(max(start, block_start - horizon)), np.uintp(stop)):
                x = hashes[i]
                x += np.uint64(x == _NONE)
                j = _slot(keys, x)
                new = keys[j] == _NONE
                if np.int64(i) >= block_start:  # earlier tokens are only put into the table
                    previous[i] = -1 if new else places[j]
                places[j] = np.int64(i)
                keys[j] = x
                used[count] = j
                count += np.uintp(new)
            for k in range(count):
                keys[used[k]] = _NONE
            block_start = stop
    return previous


@compiled
def window_types(
    hashes: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    windows: NDArray[np.int64],
    used: NDArray[np.int64],
    segments: bool,
) -> NDArray[np.int64]:
    """Return the sum of the types over all windows of each stream, or over its segments.

    `windows` are the sizes of the windows of each stream, and `used` the numbers of tokens that they may
    lie in.
    """
    types = np.zeros(len(bounds) - 1, np.int64)
    if not len(types):
        return types
    previous = recent_places(hashes, bounds, windows.max())
    for row in range(len(bounds) - 1):
        start, end, window = bounds[row], bounds[row] + used[row], windows[row]
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
        types[row] = total
    return types


@compiled
def _limits(threshold: float, inclusive: bool, minimum: int, size: int) -> NDArray[np.int64]:
    """Return, for each length, the largest number of types with which a factor ends; −1 if it cannot end.

    So no division is needed per token, and the rounded quotient still decides, as in the plain path.
    """
    limits = np.full(size, -1, np.int64)
    for length in range(max(minimum, 1), size):
        types = np.int64(threshold * length) + 2
        while types >= 0:
            ratio = types / length
            if ratio < threshold or (inclusive and ratio == threshold):
                break
            types -= 1
        limits[length] = types
    return limits


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
    """Cut a stream into factors until the stream or the limits end, or the table is half full.

    The first factor may have begun already. Return the position reached, the number of finished factors,
    and the number of types and tokens of the unfinished one.
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
    partial_last: bool,
    backward: bool,
) -> NDArray[np.float64]:
    """Return the number of factors of each stream; the unfinished last one counts as a fraction.

    If `partial_last` is true, so does one that ends with the stream.
    """
    limits = _limits(threshold, inclusive, minimum, 4096)
    keys, used = np.zeros(_SMALL, np.uint64), np.empty(_SMALL // 2 + 1, np.uint64)
    numbers = np.zeros(len(bounds) - 1, np.float64)
    # Backward, the position before the first one wraps around; it is never read.
    back, step = np.uintp(1 if backward else 0), np.uintp(-1 if backward else 1)
    for row in range(len(bounds) - 1):
        place, stop = np.uintp(bounds[row]), np.uintp(bounds[row + 1])
        if backward:
            place, stop = stop, place
        place, stop = place - back, stop - back
        whole = 0
        types = length = np.uintp(0)
        last, uncut = stop - step, partial_last and place != stop
        if uncut:
            stop = last
        while place != stop:
            place, more, types, length = _cut(hashes, place, stop, step, keys, used, limits, types, length)
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
        if uncut:
            x = hashes[last]
            x += np.uint64(x == _NONE)
            length += np.uintp(1)
            j = _slot(keys, x)
            used[types] = j
            types += np.uintp(keys[j] == _NONE)
            keys[j] = x
        numbers[row] = whole
        if length:
            numbers[row] += (1 - np.int64(types) / np.int64(length)) / (1 - threshold)
        for k in range(types):
            keys[used[k]] = _NONE
    return numbers


@inlined
def _before(tree: NDArray[np.int64], place: int) -> int:
    """Return the sum of the values of a Fenwick tree before a position."""
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
    to_end: bool,
) -> tuple[int, int]:
    """Find the long factors from given starts, ascending, in one stream that is repeated once.

    A ratio above the threshold stays above it for as many tokens as its types allow. The search leaps
    over those tokens, and a Fenwick tree of the new tokens gives the number of types after the leap.
    Return the number of tokens of the finished factors, and the number of finished factors.
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
        while place < start:  # the next occurrence of a token that is left behind becomes new
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
            # One token less than the types allow, so that rounding does not matter.
            length += max(np.int64(types / threshold - length) - 1, minimum - length, 1)
            if length > (size - start if to_end else tokens):
                break
    return covered, finished


@compiled
def moving_factors(
    hashes: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    threshold: float,
    inclusive: bool,
    minimum: int,
    to_end: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Find one factor from every token of streams that are repeated once, for one round at most.

    If `to_end` is true, a factor may continue to the end of the repeated stream.
    Return, for each stream, the number of tokens of the finished factors, the number of finished
    factors, and, if some are unfinished, the number of types of the stream.
    """
    limits = _limits(threshold, inclusive, minimum, _LONG + _STRIDE + 1)
    previous = recent_places(hashes, bounds, _LONG)
    streams = len(bounds) - 1
    covered, finished = np.zeros(streams, np.int64), np.zeros(streams, np.int64)
    all_types = np.zeros(streams, np.int64)
    for row in range(streams):
        first = bounds[row]
        tokens = (bounds[row + 1] - first) // 2
        late_starts = np.empty(tokens, np.int64)
        unfinished, late = 0, 0
        for i in range(first, first + tokens):
            most = bounds[row + 1] - i if to_end else tokens
            types, length, limit = 0, 0, min(most, _LONG)
            ended = False
            while length < limit:
                if length + _STRIDE <= limit and types > limits[np.uintp(length + _STRIDE)]:
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
                unfinished += 1
                if most > _LONG:
                    late_starts[late] = i - first
                    late += 1
        if unfinished:
            exact_previous = recent_places(
                hashes[first : bounds[row + 1]], np.array([0, 2 * tokens]), 2 * tokens
            )
            for i in range(tokens):
                all_types[row] += exact_previous[i] < 0
            if late:
                more, ends = _leap(exact_previous, late_starts[:late], threshold, inclusive, minimum, to_end)
                covered[row] += more
                finished[row] += ends
    return covered, finished, all_types
