"""Guess the encoding of bytes that are not UTF-8, for error messages."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

# Enough to tell encodings apart.
SAMPLE = 1 << 16
# The share of NUL at each of four places, in encodings that have NUL in ASCII characters.
_WIDE = {
    "utf-16-le": (0, 1, 0, 1),
    "utf-16-be": (1, 0, 1, 0),
    "utf-32-le": (0, 1, 1, 1),
    "utf-32-be": (1, 1, 1, 0),
}
_MOST, _FEW = 0.7, 0.1


class Wide(NamedTuple):
    """An encoding with several bytes per character, and the place of the first byte that is NUL."""

    name: str
    place: int


def wide_encoding(head: bytes) -> Wide | None:
    r"""Return the encoding of the first bytes of a file if most of every second byte is NUL.

    Examples
    --------
    >>> wide_encoding("a text".encode("utf-16-le"))
    Wide(name='utf-16-le', place=1)
    >>> wide_encoding(b"a text with \0") is None
    True
    """
    sample = head[:SAMPLE]
    parts = [sample[place::4] for place in range(4)]
    if not parts[-1]:
        return None
    shares = [part.count(0) / len(part) for part in parts]
    for name, pattern in _WIDE.items():
        if all(share >= _MOST if is_nul else share <= _FEW for share, is_nul in zip(shares, pattern)):
            return Wide(name, sample.index(0))
    return None


def likely_encoding(data: bytes, start: int, origin: int) -> str | None:
    r"""Return the likely encoding of bytes that are not UTF-8 from `start` on; None if it is unclear.

    `origin` is the place of the first byte of `data` in the file.

    Examples
    --------
    >>> likely_encoding("un café noir".encode("latin-1"), 6, 0)
    'windows-1252'
    >>> likely_encoding("文字\n和\n文字".encode("utf-16-le"), 0, 0)
    'utf-16-le'
    >>> likely_encoding("это текст".encode("cp1251"), 0, 0) is None
    True
    """
    begin = max(start - SAMPLE, 0)
    begin += (origin + begin) % 2
    sample = data[begin : start + SAMPLE]
    nuls = sample[0::2].count(0), sample[1::2].count(0)
    if min(nuls) == 0 < max(nuls):
        return "utf-16-be" if nuls[0] else "utf-16-le"
    decoded = sample.decode("utf-8", "replace")
    invalid = decoded.count("\ufffd")
    if sum(character > "\x7f" for character in decoded) > 2 * invalid:
        return None  # most of it is UTF-8
    high = [place for place, byte in enumerate(sample) if byte > 0x7F]
    neighbours = sum(after == before + 1 for before, after in pairwise(high))
    try:
        sample.decode("windows-1252")
    except UnicodeDecodeError:
        return None
    # Letters with accents are few among others; in other scripts they follow each other.
    return "windows-1252" if 2 * neighbours < len(high) else None
