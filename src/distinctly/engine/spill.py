"""Spilled runs of counts, and texts: kept in memory up to a limit, and beyond it in a temporary folder.

A process holds a lock on its folder for as long as it lives. So a folder that can be locked was left by a
process that was killed, and the next run removes it. Systems without such locks (Windows) remove none.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import socket
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from distinctly.errors import ResourceError, is_full
from distinctly.hashing import Hashes
from distinctly.ragged import Integers, bounds_of
from distinctly.statistics.collector import SpilledRun
from distinctly.statistics.hashed_texts import HashedTexts, Piece, StoredTexts
from distinctly.statistics.tables import HashCounts

if sys.platform != "win32":
    import fcntl

# The number of bytes below which a run is packed; copying so few takes no time.
SMALL_RUN = 4_000_000
# The only file in a temporary folder.
_FILE = "runs"


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
class Packed:
    """A small run in memory, in two arrays: one array per partition would take more than its entries."""

    hashes: Hashes
    counts: Hashes
    bounds: Integers

    @classmethod
    def of(cls, run: list[HashCounts]) -> Packed:
        """Join the partitions of a run."""
        hashes, counts = (np.concatenate(column) for column in zip(*run))
        return cls(hashes, counts, bounds_of([len(part) for part, _ in run]))

    def length(self, p: int) -> int:
        """Return the number of entries of a partition."""
        return int(self.bounds[p + 1] - self.bounds[p])

    def read(self, p: int) -> HashCounts:
        """Return a partition."""
        part = slice(self.bounds[p], self.bounds[p + 1])
        return self.hashes[part], self.counts[part]


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


class _TextFile:
    """A temporary file of texts that has no name: it is there for as long as something refers to it."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed when nothing refers to it
        weakref.finalize(self, self._file.close)
        self._lock = threading.Lock()

    def append(self, texts: HashedTexts) -> StoredTexts:
        """Write texts at the end."""
        with self._lock:
            start = self._file.seek(0, os.SEEK_END)
            self._file.write(texts.hashes.tobytes())
            self._file.write(texts.lengths.tobytes())
            self._file.flush()
        return StoredTexts(functools.partial(self._read, start, len(texts.hashes), len(texts)))

    def _read(self, start: int, tokens: int, texts: int) -> HashedTexts:
        data = bytearray(8 * (tokens + texts))
        with self._lock:
            self._file.seek(start)
            size = self._file.readinto(data)
        if size != len(data):
            raise ResourceError("A temporary file was truncated while it was in use.")
        return HashedTexts(
            np.frombuffer(data, np.uint64, tokens), np.frombuffer(data, np.int64, -1, 8 * tokens)
        )


class SpillFolder:
    """Storage of runs and texts, in memory and in a temporary folder.

    Parameters
    ----------
    limit
        The number of bytes to keep in memory.
    """

    def __init__(self, limit: int) -> None:
        self._limit, self._used = limit, 0
        self._folder: _LockedFolder | None = None
        self._texts: _TextFile | None = None

    def put(self, run: list[HashCounts]) -> SpilledRun:
        """Store a run."""
        size = sum(hashes.nbytes + counts.nbytes for hashes, counts in run)
        if self._used + size <= self._limit:
            self._used += size
            return Packed.of(run) if size < SMALL_RUN else InMemory(run)
        return self._write(run)

    def keep(self, texts: HashedTexts) -> Piece:
        """Store texts, which can be read as long as something refers to them."""
        size = texts.hashes.nbytes + texts.lengths.nbytes
        if self._used + size <= self._limit:
            self._used += size
            return texts
        with _errors():
            self._texts = self._texts or _TextFile()
            return self._texts.append(texts)

    def _write(self, run: list[HashCounts]) -> OnDisk:
        with _errors():
            if self._folder is None:
                self._folder = _LockedFolder.create()
            path = self._folder.path / _FILE
            with path.open("ab") as file:
                offset = file.tell()
                for hashes, counts in run:
                    # Not with numpy's `tofile`, which does not report a disk that is full at the end.
                    file.write(hashes.data)
                    file.write(counts.data)
        return OnDisk(path, offset, bounds_of([len(hashes) for hashes, _ in run]), run[0][0].ndim)

    def clear(self) -> None:
        """Remove the temporary folder."""
        if self._folder is not None:
            self._folder.remove()
            self._folder = None


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    """Raise an error with a remedy if a temporary file cannot be written."""
    try:
        yield
    except OSError as error:
        reason = "is full" if is_full(error) else f"cannot be written ({error.strerror or error})"
        raise ResourceError(
            f"The temporary folder{_temporary_folder()} {reason}. Set TMPDIR to another folder, or allow "
            "more memory with --memory (Python: memory=)."
        ) from error


@dataclass(frozen=True)
class _LockedFolder:
    """A temporary folder that this process has locked.

    Attributes
    ----------
    path
        The folder.
    descriptor
        The open folder, which holds the lock; None on a system without such locks.
    """

    path: Path
    descriptor: int | None

    @classmethod
    def create(cls) -> _LockedFolder:
        """Create a folder whose name has the name of this machine and the number of this process."""
        while True:
            path = Path(tempfile.mkdtemp(prefix=f"{_prefix()}{os.getpid()}-"))
            try:
                return cls.lock(path)
            except (BlockingIOError, FileNotFoundError):
                continue  # another process has taken the new folder for an abandoned one
            except OSError:
                return cls(path, None)  # there are no locks

    @classmethod
    def lock(cls, path: Path) -> _LockedFolder:
        """Lock a folder of this user.

        Raises
        ------
        BlockingIOError
            If another process has locked it.
        OSError
            If the folder is not there, is not of this user, or cannot be locked.
        """
        if sys.platform == "win32":
            raise OSError("folders cannot be locked")
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            opened = os.fstat(descriptor)
            if not os.path.samestat(opened, path.lstat()):
                raise FileNotFoundError
            if opened.st_uid != os.geteuid():
                raise PermissionError
        except OSError:
            os.close(descriptor)
            raise
        return cls(path, descriptor)

    def remove(self) -> None:
        """Remove the folder, unless there is anything in it that this program does not write."""
        with contextlib.suppress(OSError):
            (self.path / _FILE).unlink(missing_ok=True)
            self.path.rmdir()
        if self.descriptor is not None:
            os.close(self.descriptor)


@functools.cache
def remove_abandoned() -> None:
    """Remove the temporary folders that killed processes of this user and machine left; once per process."""
    name = re.compile(rf"{re.escape(_prefix())}\d+-\w+")
    with contextlib.suppress(OSError):
        for entry in os.scandir(tempfile.gettempdir()):
            if name.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _LockedFolder.lock(Path(entry.path)).remove()


def _prefix() -> str:
    """Return how the names of temporary folders of this machine begin: folders may be shared in a network."""
    return f"distinctly-{re.sub(r'[^A-Za-z0-9]+', '-', socket.gethostname())}-"


def _temporary_folder() -> str:
    """Return the name of the folder for temporary files after a space; empty if none can be written."""
    try:
        return f" {tempfile.gettempdir()}"
    except OSError:
        return ""


@contextlib.contextmanager
def spill_beyond(memory: int) -> Iterator[SpillFolder]:
    """Keep runs in memory up to a number of bytes and on disk beyond it; remove the files at the end."""
    spill = SpillFolder(memory)
    try:
        yield spill
    finally:
        spill.clear()
