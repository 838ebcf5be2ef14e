"""Rows as a source finds them: one by one, or many at once without a Python object each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from distinctly.batch import Batch
from distinctly.ragged import bounds_of
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
        bounds = bounds_of(self.strings.ends - self.strings.starts)
        while start < total:
            fitting = int(np.searchsorted(bounds, bounds[start] + size, "right")) - 1
            end = min(max(fitting, start + 1), start + texts, total)
            groups, ids = (None if c is None else cut_strings(c, start, end) for c in (self.groups, self.ids))
            yield Batch(cut_strings(self.strings, start, end), None, groups, ids)
            start = end


def cut_strings(strings: Strings, start: int, end: int) -> Strings:
    """Return the strings from one row to another, without those around them; they lie in order."""
    starts, ends = strings.starts[start:end], strings.ends[start:end]
    return Strings(strings.data[starts[0] : ends[-1]], starts - starts[0], ends - starts[0])
