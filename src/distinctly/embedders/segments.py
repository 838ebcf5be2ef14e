"""A segment: vectors of texts in one file, written once and never changed.

::

    magic │ checksum │ length of the header │ header │ keys │ checks │ rows

The header is JSON: which embedder, how many rows, of which dimension and type. A key is the 128-bit
hash of a text; keys are sorted. A check is the CRC-32 of a row. The checksum covers everything from
the length of the header to the checks; the checks cover the rows, so that a few rows can be taken from
a large file and be trusted. Whatever is not as it was written is `Damaged`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.embedders.base import Vectors
from distinctly.ragged import Integers

Keys = NDArray[np.uint64]

ENDING = ".vectors"
UNFINISHED = ".unfinished"

_MAGIC = b"distinctly vectors 1\n"
_CHECKSUM = 16
_LENGTH = 4
_TYPES = ("<f4", "<f8")


class Damaged(Exception):  # noqa: N818 - a state that is dealt with, not an error that anyone sees
    """A file is not as it was written."""


def keys_of(texts: Sequence[str]) -> Keys:
    """Return the 128-bit hash of each text, as two numbers.

    Examples
    --------
    >>> keys_of(["a cat", "a dog"]).shape
    (2, 2)
    """
    hashes = [
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts
    ]
    return np.frombuffer(b"".join(hashes), "<u8").astype(np.uint64, copy=False).reshape(-1, 2)


@dataclass(frozen=True)
class Segment:
    """The head of a segment in memory, and where its rows are.

    Attributes
    ----------
    path
        The file.
    title
        The embedder that made the vectors, for a reader.
    keys, checks
        One a row.
    dimension, kind
        Of the rows.
    start
        The byte at which the rows begin.
    """

    path: Path
    title: str
    keys: Keys
    checks: NDArray[np.uint32]
    dimension: int
    kind: np.dtype[Any]
    start: int

    @classmethod
    def open(cls, path: Path) -> Segment:
        """Read and check all but the rows."""
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            try:
                return cls._read(path, file.read, size)
            except (ValueError, KeyError, TypeError) as error:
                raise Damaged(f"{path.name}: {error}") from error

    @classmethod
    def _read(cls, path: Path, read: Any, size: int) -> Segment:
        if read(len(_MAGIC)) != _MAGIC:
            raise ValueError("not a segment of this version")
        checksum, length = read(_CHECKSUM), read(_LENGTH)
        words = read(int.from_bytes(length, "little"))
        header = json.loads(words)
        count, dimension, kind = int(header["count"]), int(header["dimension"]), header["kind"]
        begun = len(_MAGIC) + _CHECKSUM + _LENGTH + len(words)
        start = begun + count * 20  # 16 bytes a key, 4 a check
        if kind not in _TYPES or min(count, dimension) < 1:
            raise ValueError("a header that nobody wrote")
        if size != start + count * dimension * int(kind[-1]):
            raise ValueError(f"{size} bytes")
        table = read(count * 20)
        if _digest(length, words, table) != checksum:
            raise ValueError("another checksum")
        return cls(
            path,
            str(header["embedder"]),
            np.frombuffer(table, "<u8", count * 2).astype(np.uint64, copy=False).reshape(-1, 2),
            np.frombuffer(table, "<u4", count, count * 16).astype(np.uint32, copy=False),
            dimension,
            np.dtype(kind),
            start,
        )

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, keys: Keys) -> Integers:
        """Return the row of each key, −1 where it is not here."""
        # Two texts with the same first half of a hash are not worth a search of their own.
        places = np.minimum(np.searchsorted(self.keys[:, 0], keys[:, 0]), len(self) - 1)
        return np.where((self.keys[places] == keys).all(axis=1), places, -1)

    def take(self, places: Integers) -> Vectors:
        """Read and check some rows."""
        shape = (len(self), self.dimension)
        try:
            mapped = np.memmap(self.path, self.kind, "r", self.start, shape)
        except ValueError as error:  # shorter than a moment ago
            raise Damaged(f"{self.path.name}: {error}") from error
        rows: Vectors = np.asarray(mapped[places])
        if not np.array_equal(_checks(rows), self.checks[places]):
            raise Damaged(f"{self.path.name}: rows with another check")
        return rows.astype(self.kind.newbyteorder("="), copy=False)


def write_segment(folder: Path, title: str, keys: Keys, rows: Vectors) -> Path:
    """Write a segment; it is there as a whole or not at all, whoever else writes at the same time."""
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    kind = "<f4" if rows.dtype == np.float32 else "<f8"
    laid = np.ascontiguousarray(rows[order], kind)
    header = {"embedder": title, "count": len(laid), "dimension": laid.shape[1], "kind": kind}
    words = json.dumps(header).encode()
    length = len(words).to_bytes(_LENGTH, "little")
    table = keys[order].astype("<u8").tobytes() + _checks(laid).astype("<u4").tobytes()
    checksum = _digest(length, words, table)
    # Named by what it holds: written twice, it is the same file.
    path = folder / (checksum.hex() + ENDING)
    unfinished = folder / f"{checksum.hex()}-{os.getpid()}-{threading.get_ident()}{UNFINISHED}"
    try:
        with unfinished.open("wb") as file:
            file.write(_MAGIC + checksum + length + words + table)
            file.write(laid.data)
        unfinished.replace(path)
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
    return path


def _digest(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=_CHECKSUM).digest()


def _checks(rows: Vectors) -> NDArray[np.uint32]:
    return np.fromiter(map(zlib.crc32, rows), np.uint32, len(rows))
