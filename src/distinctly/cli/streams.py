"""Standard output and standard error, with the same bytes on every system."""

from __future__ import annotations

import contextlib
import errno
import importlib
import io
import os
import sys
from typing import TextIO

WINDOWS = sys.platform == "win32"


def prepare() -> None:
    """Prepare both streams; standard error that the caller has closed is opened again, and leads nowhere.

    A terminal of Windows shows any character. But a file or pipe would there be written in the code page of
    the system, which lacks χ² and most scripts, and with a carriage return before each line feed, even where
    CSV has one already. So both are written in UTF-8, as everywhere else, and line ends stay as they are.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - for as long as the process
    if not WINDOWS:
        return
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            encoding = None if os.environ.get("PYTHONIOENCODING") else "utf-8"
            stream.reconfigure(encoding=encoding, newline="\n")
    # An older console obeys colours only if it is told to; click brings colorama along on Windows.
    with contextlib.suppress(ImportError, AttributeError):
        importlib.import_module("colorama").just_fix_windows_console()


def is_left(problem: OSError) -> bool:
    """Return whether a stream cannot be written since the reader of the pipe has closed it.

    Examples
    --------
    >>> is_left(BrokenPipeError()), is_left(OSError(errno.ENOSPC, "full"))
    (True, False)
    """
    # Windows reports a pipe without a reader as an invalid argument.
    return isinstance(problem, BrokenPipeError) or (WINDOWS and problem.errno == errno.EINVAL)


def discard(stream: TextIO) -> None:
    """Leave nothing for the interpreter to write at its end, where it could only fail again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
