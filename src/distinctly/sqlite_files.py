"""The addresses of files in SQLite's own notation, on every system."""

from __future__ import annotations

from pathlib import PurePath


def sqlite_address(path: PurePath, mode: str) -> str:
    """Return the address of a file for `sqlite3.connect` with ``uri=True``.

    Parameters
    ----------
    path
        The absolute path.
    mode
        ``rw`` for a file that exists, ``rwc`` to create it if it does not.

    Examples
    --------
    >>> from pathlib import PurePosixPath, PureWindowsPath
    >>> sqlite_address(PurePosixPath("/data/50%.study"), "rw")
    'file:///data/50%25.study?mode=rw'
    >>> sqlite_address(PureWindowsPath("C:/data/a.study"), "rw")
    'file:///C:/data/a.study?mode=rw'
    >>> sqlite_address(PureWindowsPath("//server/share/a.study"), "rw")
    'file:////server/share/a.study?mode=rw'
    """
    address = path.as_uri()
    # SQLite refuses an address with the name of a server; a network drive is part of the path.
    if not address.startswith("file:///"):
        address = f"file:////{address.removeprefix('file://')}"
    return f"{address}?mode={mode}"
