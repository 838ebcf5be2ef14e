"""A column of strings in Arrow's layout, without Arrow: one buffer of bytes, and offsets into it.

It holds millions of texts without one Python object per text, is selected without copying the bytes,
and is exchanged with Arrow without conversion.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers, bounds_of

Bytes = NDArray[np.uint8]
# The largest number of strings, and of bytes of each, in which letters are counted.
_COUNTED_STRINGS, _COUNTED_BYTES = 1000, 2000
# The number of strings that are copied at a time.
_COPIED_STRINGS = 1 << 16
# Strings of at most this mean length are encoded and decoded together: the places of their characters, of 8
# bytes each, take less room than Python strings do. The first two bits of the later bytes of a character.
_SHORT, _CONTINUES = 32, 0x80
# Blocks of 64 code points below U+10000 by kind of letter; the other blocks hold none.
_LATIN = "03-0a 78-7b 29c-29f"
_IDEOGRAPHS = "c1-c3 c7 d0-136 138-27f 3e4-3eb 3fe"
_OTHERS = "0e-76 7c-7f b0-be c4-c6 c8-cf 280-29b 2a0-35f 3ec-3f7 3fa-3fb"
# Those of the others that are written without spaces between words: Thai, Lao, Burmese, Khmer.
_UNSPACED = "38-3b 40-41 5e-5f"
# The same of blocks of 4096 code points above.
_HIGH_IDEOGRAPHS, _HIGH_OTHERS = "17-18 1b 20-31", "10-16 19-1a 1e"

Script = Literal["latin", "ideographs", "others", "unspaced"]


@dataclass(frozen=True)
class Letters:
    """The numbers of letters of strings by script.

    Attributes
    ----------
    latin
        Latin letters.
    ideographs
        Ideographs and kana: Chinese and Japanese characters.
    others
        Letters of all other scripts.
    unspaced
        Those of the others that are written without spaces between words, as in Thai.
    spaces
        Spaces, which are no letters.

    Examples
    --------
    >>> letters = Strings.encode(["naïve", "知道吗？", "да"]).letters()
    >>> letters, letters.share("ideographs")
    (Letters(latin=5, ideographs=3, others=2, unspaced=0, spaces=0), 0.3)
    """

    latin: int = 0
    ideographs: int = 0
    others: int = 0
    unspaced: int = 0
    spaces: int = 0

    def __add__(self, other: Letters) -> Letters:
        return Letters(*(first + second for first, second in zip(astuple(self), astuple(other))))

    def share(self, *scripts: Script) -> float:
        """Return the share of letters of these scripts; 0 without letters."""
        total = self.latin + self.ideographs + self.others
        return sum(int(getattr(self, script)) for script in scripts) / total if total else 0.0


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
            data, lengths = joined.encode(), map(len, strings)
        elif len(joined) <= _SHORT * len(strings):
            lengths_in_characters = np.fromiter(map(len, strings), np.int64, len(strings))
            return cls._of_short(joined, bounds_of(lengths_in_characters))
        else:
            encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
            data, lengths = b"".join(encoded), map(len, encoded)
        bounds = bounds_of(np.fromiter(lengths, np.int64, len(strings)))
        return cls.packed(np.frombuffer(data, np.uint8), bounds)

    @classmethod
    def _of_short(cls, joined: str, bounds: Integers) -> Strings:
        """Encode strings that are short on average together, given their bounds in characters."""
        data = np.frombuffer(joined.encode("utf-8", "surrogatepass"), np.uint8)
        first_bytes = np.append(np.flatnonzero((data & 0xC0) != _CONTINUES), len(data))
        return cls.packed(data, first_bytes[bounds])

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

    def rows_beyond_ascii(self) -> Integers:
        """Return the rows of strings with a character that is not ASCII.

        Examples
        --------
        >>> Strings.encode(["one", "二", "", "é"]).rows_beyond_ascii().tolist()
        [1, 3]
        """
        high = np.flatnonzero(self.data >= 0x80)
        first = np.searchsorted(high, self.starts)
        return np.flatnonzero(first < np.searchsorted(high, self.ends))

    def letters(self) -> Letters:
        """Count letters by script, of many strings in the beginnings of some of them."""
        step = max(len(self) // _COUNTED_STRINGS, 1)
        starts = self.starts[::step]
        data = Strings(self.data, starts, np.minimum(self.ends[::step], starts + _COUNTED_BYTES)).copy().data
        latin = int((((data | 0x20) - 97).astype(np.uint8) < 26).sum())
        first = np.flatnonzero(data >= 0xC2)
        first = first[first + 1 < len(data)]
        spaces = int((data == ord(" ")).sum())
        if not len(first):
            return Letters(latin, spaces=spaces)
        lead, second = data[first].astype(np.int64), data[first + 1].astype(np.int64) & 0x3F
        two, four = lead < 0xE0, lead >= 0xF0
        blocks = np.where(two, lead & 0x1F, (lead & 0xF) << 6 | second)
        kinds = np.where(
            four, _kinds(0x100, high=True)[((lead & 7) << 6 | second) & 0xFF], _kinds(0x400)[blocks & 0x3FF]
        )
        _, more_latin, ideographs, others, unspaced = np.bincount(kinds, minlength=5).tolist()
        return Letters(latin + more_latin, ideographs, others + unspaced, unspaced, spaces)

    def tolist(self) -> list[str]:
        """Return the strings as Python strings."""
        raw = self.data.tobytes()
        places = zip(self.starts.tolist(), self.ends.tolist())
        if raw.isascii():
            text = raw.decode("ascii")
            return [text[start:end] for start, end in places]
        if len(raw) <= _SHORT * len(self) and self._is_packed:
            text = raw.decode("utf-8", "surrogatepass")
            # From places of bytes to places of characters.
            later_bytes = np.flatnonzero((self.data & 0xC0) == _CONTINUES)
            bounds = np.append(self.starts, len(raw))
            bounds -= np.searchsorted(later_bytes, bounds)
            return [text[start:end] for start, end in pairwise(bounds.tolist())]
        return [raw[start:end].decode("utf-8", "surrogatepass") for start, end in places]

    @property
    def _is_packed(self) -> bool:
        """Whether the strings are adjacent, and nothing is before the first and after the last of them."""
        if not len(self) or self.starts[0] != 0 or self.ends[-1] != len(self.data):
            return False
        return np.array_equal(self.starts[1:], self.ends[:-1])

    def encoded(self) -> list[bytes]:
        """Return the strings as bytes of UTF-8."""
        raw = self.data.tobytes()
        return [raw[start:end] for start, end in zip(self.starts.tolist(), self.ends.tolist())]

    def copy(self) -> Strings:
        """Return a copy that holds only the bytes of these strings."""
        lengths = self.ends - self.starts
        bounds = bounds_of(lengths)
        if len(self) and np.array_equal(self.starts[1:], self.ends[:-1]):
            return Strings.packed(self.data[self.starts[0] : self.ends[-1]].copy(), bounds)
        copied = np.empty(int(bounds[-1]), np.uint8)
        # The places of bytes take eight times their room, so that some strings are copied at a time.
        for first in range(0, len(self), _COPIED_STRINGS):
            rows = slice(first, first + _COPIED_STRINGS)
            start, end = int(bounds[first]), int(bounds[: first + _COPIED_STRINGS + 1][-1])
            shifts = np.repeat(self.starts[rows] - bounds[:-1][rows], lengths[rows])
            copied[start:end] = self.data[shifts + np.arange(start, end)]
        return Strings.packed(copied, bounds)

    def take(self, rows: Sequence[int] | Integers) -> Strings:
        """Return the strings of these rows, in this order."""
        selected = np.asarray(rows, np.int64)
        return Strings(self.data, self.starts[selected], self.ends[selected])


@functools.cache
def _kinds(size: int, *, high: bool = False) -> Bytes:
    """Return the kind of letters of each block.

    It is 0 for none, 1 Latin, 2 ideographs and kana, 4 scripts without spaces between words, 3 others.
    """
    table = np.zeros(size, np.uint8)
    named = ("", _HIGH_IDEOGRAPHS, _HIGH_OTHERS) if high else (_LATIN, _IDEOGRAPHS, _OTHERS, _UNSPACED)
    for kind, blocks in enumerate(named, 1):
        for block in blocks.split():
            first, _, last = block.partition("-")
            table[int(first, 16) : int(last or first, 16) + 1] = kind
    return table
