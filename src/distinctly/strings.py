"""A column of strings in Arrow's layout, without Arrow: one buffer of bytes, and offsets into it.

It holds millions of texts without one Python object per text, is selected without copying the bytes,
and is exchanged with Arrow without conversion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers, bounds_of

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Strings:
    """Strings as UTF-8 bytes: string i is ``data[starts[i]:ends[i]]``.

    Lone surrogates, which a Python string can hold and UTF-8 cannot, are encoded with Python's
    ``surrogatepass``.

    Examples
    --------
    >>> column = Strings.encode(["one", "", "二"])
    >>> len(column), column[2], column.take([2, 0]).tolist()
    (3, '二', ['二', 'one'])
    """

    data: Bytes
    starts: Integers
    ends: Integers

    @classmethod
    def packed(cls, data: Bytes, offsets: Integers) -> Strings:
        """Return a column of adjacent strings, as in Arrow."""
        return cls(data, offsets[:-1], offsets[1:])

    @classmethod
    def encode(cls, strings: Sequence[str]) -> Strings:
        """Return a column of Python strings."""
        joined = "".join(strings)
        if joined.isascii():
            data, lengths = joined.encode(), list(map(len, strings))
        else:
            encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
            data, lengths = b"".join(encoded), list(map(len, encoded))
        return cls.packed(np.frombuffer(data, np.uint8), bounds_of(lengths))

    @classmethod
    def concatenate(cls, columns: Sequence[Strings]) -> Strings:
        """Concatenate several columns.

        Examples
        --------
        >>> Strings.concatenate([Strings.encode(["one"]), Strings.encode(["", "二"])]).tolist()
        ['one', '', '二']
        """
        shifts = bounds_of([len(column.data) for column in columns])
        return cls(
            np.concatenate([np.zeros(0, np.uint8), *(column.data for column in columns)]),
            np.concatenate([np.zeros(0, np.int64), *(c.starts + shift for c, shift in zip(columns, shifts))]),
            np.concatenate([np.zeros(0, np.int64), *(c.ends + shift for c, shift in zip(columns, shifts))]),
        )

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, row: int) -> str:
        return bytes(self.data[self.starts[row] : self.ends[row]]).decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    @property
    def size(self) -> int:
        """The number of bytes of all strings."""
        return int((self.ends - self.starts).sum())

    def tolist(self) -> list[str]:
        """Return the strings as Python strings."""
        raw = self.data.tobytes()
        places = zip(self.starts.tolist(), self.ends.tolist())
        if raw.isascii():
            text = raw.decode("ascii")
            return [text[start:end] for start, end in places]
        return [raw[start:end].decode("utf-8", "surrogatepass") for start, end in places]

    def encoded(self) -> list[bytes]:
        """Return the strings as bytes of UTF-8."""
        raw = self.data.tobytes()
        return [raw[start:end] for start, end in zip(self.starts.tolist(), self.ends.tolist())]

    def take(self, rows: Sequence[int] | Integers) -> Strings:
        """Return the strings of these rows, in this order."""
        selected = np.asarray(rows, np.int64)
        return Strings(self.data, self.starts[selected], self.ends[selected])
