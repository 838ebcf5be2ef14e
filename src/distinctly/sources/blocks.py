"""Rows as a source finds them: one by one, or many at once without a Python object each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from distinctly.batch import Batch
from distinctly.ragged import Integers, bounds_of
from distinctly.strings import Strings


class Row(NamedTuple):
    """One row of a source, before anything is known of its values."""

    where: str
    text: object
    group: object = None
    id: object = None


@dataclass(frozen=True)
class Block:
    """Rows whose texts are known to be text: none missing, none a list.

    Attributes
    ----------
    strings, groups, ids
        As in a `Batch`.
    rows
        Makes the same rows one by one, for where they turn out not to go with those before.
    """

    strings: Strings
    rows: Callable[[], Iterator[Row]]
    groups: Strings | None = None
    ids: Strings | None = None

    def batches(self, texts: int, size: int) -> Iterator[Batch]:
        """Cut the block into batches of at most so many texts, and about so many bytes."""
        start, total = 0, len(self.strings)
        bounds = bounds_of(lengths_of(self.strings))
        while start < total:
            fitting = int(np.searchsorted(bounds, bounds[start] + size, "right")) - 1
            end = min(max(fitting, start + 1), start + texts, total)
            groups, ids = (None if c is None else cut_strings(c, start, end) for c in (self.groups, self.ids))
            yield Batch(cut_strings(self.strings, start, end), None, groups, ids)
            start = end


# The three places that know how `Strings` lays its strings out.


def lengths_of(strings: Strings) -> Integers:
    """Return how many bytes each string has."""
    return np.diff(strings.offsets)


def cut_strings(strings: Strings, start: int, end: int) -> Strings:
    """Return the strings from one row to another, without those around them."""
    offsets = strings.offsets[start : end + 1]
    return Strings(strings.data[offsets[0] : offsets[-1]], offsets - offsets[0])


def strings_between(data: NDArray[np.uint8], starts: Integers, ends: Integers) -> Strings:
    """Return the strings that lie between these places, the first at 0, with gaps of a few bytes."""
    gaps = np.append(starts[1:], len(data)) - ends
    kept = np.ones(len(data), bool)
    for width in range(int(gaps.max(initial=0))):
        kept[ends[gaps > width] + width] = False
    return Strings(data[kept], bounds_of(ends - starts))
