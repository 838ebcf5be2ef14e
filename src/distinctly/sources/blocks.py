"""Rows as a source reads them: one by one, or in blocks without one Python object per row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from distinctly.batch import Batch
from distinctly.errors import InputError
from distinctly.ragged import bounds_of
from distinctly.strings import Strings

# The quality of a text that has none, in a log that has scores of others.
UNSCORED: Final = object()


class Row(NamedTuple):
    """One row of a source, before its values are checked; `where` describes its place."""

    where: str
    text: object
    group: object = None
    id: object = None
    tags: object = None
    prompt: object = None
    quality: object = None
    partition: object = None


class Remark(NamedTuple):
    """What a reader did with some rows, to be said in a note, and with how many; equal ones are added."""

    text: str
    rows: int = 1


@dataclass(frozen=True)
class Unreadable:
    """In place of a value, or of a row: the reason why it cannot be read."""

    error: InputError


def bad_row(error: InputError) -> Row:
    """Return a row that cannot be read; it is skipped and counted when its texts are gathered."""
    return Row(error.row, Unreadable(error))


@dataclass(frozen=True)
class Block:
    """Rows whose texts are known to be strings: none is missing, none is a list.

    Attributes
    ----------
    strings, groups, ids
        As in a `Batch`.
    rows
        Return the same rows one by one, if they do not match the rows before them.
    """

    strings: Strings
    rows: Callable[[], Iterator[Row]]
    groups: Strings | None = None
    ids: Strings | None = None

    def batches(self, most_texts: int, size: int) -> Iterator[Batch]:
        """Cut the block into batches of at most `most_texts` texts and about `size` bytes."""
        start, total = 0, len(self.strings)
        bounds = bounds_of(self.strings.ends - self.strings.starts)
        while start < total:
            fitting = int(np.searchsorted(bounds, bounds[start] + size, "right")) - 1
            end = min(max(fitting, start + 1), start + most_texts, total)
            groups, ids = (
                None if column is None else cut_strings(column, start, end)
                for column in (self.groups, self.ids)
            )
            yield Batch(cut_strings(self.strings, start, end), None, groups, ids)
            start = end


def cut_strings(strings: Strings, start: int, end: int) -> Strings:
    """Return the strings of rows `start` to `end` without the bytes around them; they must be in order."""
    starts, ends = strings.starts[start:end], strings.ends[start:end]
    return Strings(strings.data[starts[0] : ends[-1]], starts - starts[0], ends - starts[0])
