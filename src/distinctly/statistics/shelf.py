"""A shelf for arrays: in memory as long as there is room, then in a temporary folder."""

from __future__ import annotations

import contextlib
import errno
import shutil
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import ResourceError

Array = NDArray[Any]


@dataclass(frozen=True)
class InMemory:
    """An array that found room."""

    array: Array

    def read(self, start: int, end: int) -> Array:
        """Return a slice."""
        return self.array[start:end]


@dataclass(frozen=True)
class OnDisk:
    """An array in a file."""

    path: Path
    offset: int
    dtype: np.dtype[Any]

    def read(self, start: int, end: int) -> Array:
        """Read a slice."""
        with self.path.open("rb") as file:
            file.seek(self.offset + start * self.dtype.itemsize)
            found = np.fromfile(file, self.dtype, end - start)
        if len(found) != end - start:
            raise ResourceError(f"The temporary file {self.path.name} was cut short while it was in use.")
        return found


Shelved = InMemory | OnDisk


class Shelf:
    """Keeps arrays; the folder goes with it, whatever happens."""

    def __init__(self, room: int) -> None:
        self._room, self._used = room, 0
        self._folder: Path | None = None
        self._lock = threading.Lock()

    def put(self, array: Array) -> Shelved:
        """Keep an array."""
        with self._lock:
            if self._used + array.nbytes <= self._room:
                self._used += array.nbytes
                return InMemory(array)
            return self._write(array)

    def _write(self, array: Array) -> OnDisk:
        try:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="distinctly-"))
            path = self._folder / "runs"
            with path.open("ab") as file:
                offset = file.tell()
                array.tofile(file)
        except OSError as error:
            full = error.errno == errno.ENOSPC or "requested and" in str(error)
            reason = "is full" if full else f"cannot be written ({error.strerror or error})"
            raise ResourceError(
                f"The temporary folder {tempfile.gettempdir()} {reason}. Choose another with the variable "
                "TMPDIR, or allow more with --memory (Python: memory=)."
            ) from error
        return OnDisk(path, offset, array.dtype)

    def clear(self) -> None:
        """Forget everything and remove the folder."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


@contextlib.contextmanager
def shelf(room: int) -> Iterator[Shelf]:
    """Open a shelf, and clear it in the end."""
    made = Shelf(room)
    try:
        yield made
    finally:
        made.clear()
