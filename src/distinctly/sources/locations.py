"""Where the bytes of a file are: on this machine, or in an object store (`sources/remote.py`)."""

from __future__ import annotations

import difflib
import os
import stat
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, BinaryIO

from distinctly.errors import InputError, MissingFileError

# Size and time of the last change, then whatever else tells two files apart on this machine.
State = tuple[int | str, ...]


class RemoteError(InputError):
    """A remote file cannot be read, since its server does not answer, or refuses to."""


class Location(ABC):
    """A file that can be opened, and whose state tells whether it has changed.

    Attributes
    ----------
    name, title
        The name in errors, and the name in reports.
    ending
        The ending of the name in lower case, without the dot.
    has_ranges
        Whether a part of the file can be read without the part before it.
    """

    name: str
    title: str
    ending: str
    has_ranges: bool = True

    @abstractmethod
    def checked_size(self) -> int | None:
        """Return the number of bytes, None if it is unknown (a pipe); raise if it cannot be read."""

    @abstractmethod
    def open(self) -> tuple[BinaryIO, State | None]:
        """Open the file; return it with its state, None if it has none (a pipe)."""

    @abstractmethod
    def state(self) -> State | None:
        """Return the present state; raise `OSError` or `MissingFileError` if there is no such file."""

    @abstractmethod
    def for_arrow(self, stream: BinaryIO) -> Any:
        """Return what Arrow opens instead of the stream."""


class LocalFile(Location):
    """A file of this machine."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name, self.title = str(path), path.name
        self.ending = path.suffix.lower().removeprefix(".")

    def checked_size(self) -> int | None:
        """Return the number of bytes, None if it is unknown; raise if the file cannot be read."""
        shown = self.name if len(self.name) <= 200 else self.name[:197] + "…"
        try:
            status = self.path.stat()
        except PermissionError as error:
            raise InputError("no permission to read this file.", source=shown) from error
        except (OSError, ValueError) as error:  # ValueError: a NUL, so a text given by mistake
            if _is_link(self.path):
                raise InputError(
                    "the target of this link does not exist. Correct or remove the link.", source=shown
                ) from error
            raise MissingFileError(f"no such file.{_near(self.path)}", source=shown) from error
        if stat.S_ISDIR(status.st_mode):
            raise InputError("this is a folder. Give a file.", source=shown)
        if not os.access(self.path, os.R_OK):
            raise InputError("no permission to read this file.", source=shown)
        return status.st_size if stat.S_ISREG(status.st_mode) else None

    def open(self) -> tuple[BinaryIO, State | None]:
        """Open the file; return it with its state."""
        try:
            stream = self.path.open("rb")
        except OSError as error:
            raise InputError(f"cannot be opened: {error.strerror}.", source=self.name) from error
        return stream, _state(os.fstat(stream.fileno()))

    def state(self) -> State | None:
        """Return the present state."""
        return _state(self.path.stat())

    def for_arrow(self, stream: BinaryIO) -> str:
        """Return the name of the file: reading a Python stream would block other threads."""
        return stream.name


def _state(status: os.stat_result) -> State | None:
    if not stat.S_ISREG(status.st_mode):
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev


def _near(path: Path) -> str:
    """Return a hint to the files of the folder with names close to that of a missing file."""
    try:
        if not path.parent.is_dir():
            return f" There is no folder '{path.parent}' either." if len(path.parts) > 1 else ""
        names = [entry.name for entry in path.parent.iterdir() if not entry.name.startswith(".")]
    except (OSError, ValueError):  # no permission, or a text given by mistake
        return ""
    same_stem = [name for name in sorted(names) if name.partition(".")[0] == path.name.partition(".")[0]]
    close = dict.fromkeys([*same_stem, *difflib.get_close_matches(path.name, names, cutoff=0.75)])
    known = " or ".join(f"'{path.with_name(name)}'" for name in list(close)[:3])
    return f" Did you mean {known}?" if known else ""


def _is_link(path: Path) -> bool:
    try:
        return path.is_symlink()
    except (OSError, ValueError):
        return False
