"""Spilled runs of counts: kept in memory up to a limit, and beyond it in a temporary folder."""

from __future__ import annotations

import contextlib
import errno
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from distinctly.errors import ResourceError
from distinctly.ragged import Integers, bounds_of
from distinctly.statistics.collector import HashCounts


@dataclass(frozen=True)
class InMemory:
    """A run in memory, by partition."""

    partitions: list[HashCounts]

    def length(self, p: int) -> int:
        """Return the number of entries of a partition."""
        return len(self.partitions[p][0])

    def read(self, p: int) -> HashCounts:
        """Return a partition."""
        return self.partitions[p]


@dataclass(frozen=True)
class OnDisk:
    """A run in a file: the hashes of each partition, of `width` words, followed by its counts."""

    path: Path
    offset: int
    bounds: Integers
    width: int

    def length(self, p: int) -> int:
        """Return the number of entries of a partition."""
        return int(self.bounds[p + 1] - self.bounds[p])

    def read(self, p: int) -> HashCounts:
        """Read a partition."""
        with self.path.open("rb") as file:
            file.seek(self.offset + (self.width + 1) * 8 * int(self.bounds[p]))
            entries = np.fromfile(file, np.uint64, (self.width + 1) * self.length(p))
        if len(entries) != (self.width + 1) * self.length(p):
            raise ResourceError(f"The temporary file {self.path.name} was truncated while it was in use.")
        hashes, counts = np.split(entries, [self.width * self.length(p)])
        return hashes if self.width == 1 else hashes.reshape(-1, 2), counts


class SpillFolder:
    """Storage of runs, in memory and in a temporary folder.

    Parameters
    ----------
    limit
        The number of bytes to keep in memory.
    """

    def __init__(self, limit: int) -> None:
        self._limit, self._used = limit, 0
        self._folder: Path | None = None

    def put(self, run: list[HashCounts]) -> InMemory | OnDisk:
        """Store a run."""
        size = sum(hashes.nbytes + counts.nbytes for hashes, counts in run)
        if self._used + size <= self._limit:
            self._used += size
            return InMemory(run)
        return self._write(run)

    def _write(self, run: list[HashCounts]) -> OnDisk:
        try:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="distinctly-"))
            path = self._folder / "runs"
            with path.open("ab") as file:
                offset = file.tell()
                for hashes, counts in run:
                    # Not with numpy's `tofile`, which does not report a disk that is full at the end.
                    file.write(hashes.data)
                    file.write(counts.data)
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
            reason = "is full" if full else f"cannot be written ({error.strerror or error})"
            raise ResourceError(
                f"The temporary folder {tempfile.gettempdir()} {reason}. Set TMPDIR to another folder, or "
                "allow more memory with --memory (Python: memory=)."
            ) from error
        return OnDisk(path, offset, bounds_of([len(hashes) for hashes, _ in run]), run[0][0].ndim)

    def clear(self) -> None:
        """Remove the temporary folder."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


@contextlib.contextmanager
def spill_beyond(memory: int) -> Iterator[SpillFolder]:
    """Keep runs in memory up to a number of bytes and on disk beyond it; remove the files at the end."""
    spill = SpillFolder(memory)
    try:
        yield spill
    finally:
        spill.clear()
