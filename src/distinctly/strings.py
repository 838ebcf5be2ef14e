"""A column of strings in Arrow's layout, without Arrow: one buffer of bytes, and offsets.

It holds millions of texts without a Python object each, is cut and joined without copying
characters one by one, and passes to and from Arrow as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers, bounds_of, positions


@dataclass(frozen=True)
class Strings:
    """Strings as UTF-8 bytes: number i is ``data[offsets[i]:offsets[i + 1]]``.

    Lone surrogates, which a Python string can hold and UTF-8 cannot, are kept as Python's
    ``surrogatepass`` writes them.

    Examples
    --------
    >>> column = Strings.encode(["one", "", "二"])
    >>> len(column), column[2], column.take([2, 0]).tolist()
    (3, '二', ['二', 'one'])
    """

    data: NDArray[np.uint8]
    offsets: Integers

    @classmethod
    def encode(cls, strings: Sequence[str]) -> Strings:
        """Make a column of Python strings."""
        joined = "".join(strings)
        if joined.isascii():
            data, lengths = joined.encode(), [len(one) for one in strings]
        else:
            encoded = [one.encode("utf-8", "surrogatepass") for one in strings]
            data, lengths = b"".join(encoded), [len(one) for one in encoded]
        return cls(np.frombuffer(data, np.uint8), bounds_of(np.array(lengths, np.int64)))

    @classmethod
    def concatenate(cls, columns: Sequence[Strings]) -> Strings:
        """Put columns one after the other."""
        lengths = [np.diff(column.offsets) for column in columns]
        data = [column.data[column.offsets[0] : column.offsets[-1]] for column in columns]
        if not columns:
            return cls.encode([])
        return cls(np.concatenate(data), bounds_of(np.concatenate(lengths)))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> str:
        return bytes(self.data[self.offsets[row] : self.offsets[row + 1]]).decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def tolist(self) -> list[str]:
        """Return the strings as Python strings."""
        raw = self.data.tobytes()
        ends = self.offsets.tolist()
        if raw.isascii():
            text = raw.decode("ascii")
            return [text[a:b] for a, b in pairwise(ends)]
        return [raw[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(ends)]

    def take(self, rows: Sequence[int] | Integers) -> Strings:
        """Return the strings of these rows, in this order."""
        where, offsets = positions(self.offsets, np.asarray(rows, np.int64))
        return Strings(self.data[where], offsets)
