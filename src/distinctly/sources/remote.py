"""Files of object stores and web servers: named by a URI, opened as streams, and listed."""

from __future__ import annotations

import fnmatch
import glob
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, TypeVar
from urllib.parse import unquote, urlsplit

from distinctly.errors import InputError, MissingFileError
from distinctly.sources.locations import Location, State
from distinctly.sources.stores import (
    Entry,
    Handle,
    Store,
    UnreachableError,
    cut_off,
    find_store,
    retried,
    shown,
)

Result = TypeVar("Result")

# A search for a line end reads this much; longer reads are passed on in one piece.
BUFFER = 1 << 18
_URI = re.compile(r"(s3|gs|gcs|hdfs|hf|https?)://([^/\s]+)(?:/|$)", re.IGNORECASE)
_IN_PATH = re.compile(r"(s3|gs|gcs|hdfs|hf|https?):/(?!/)", re.IGNORECASE)


def remote_uri(path: str | Path) -> str | None:
    """Return the URI of a remote file; None if a path is one of this machine.

    Examples
    --------
    >>> remote_uri("s3://bucket/a.txt"), remote_uri(Path("s3://bucket/a.txt")), remote_uri("a.txt")
    ('s3://bucket/a.txt', 's3://bucket/a.txt', None)
    """
    if isinstance(path, Path):
        # `Path` writes // as /.
        path = _IN_PATH.sub(r"\1://", path.as_posix(), count=1)
    return path if _URI.match(path) else None


@dataclass(frozen=True)
class Address:
    """A URI in its parts: its store, and the path there."""

    scheme: str
    authority: str
    path: str

    @classmethod
    def parse(cls, uri: str) -> Address:
        """Return the parts of a URI.

        Examples
        --------
        >>> Address.parse("s3://bucket/run/a.txt")
        Address(scheme='s3', authority='bucket', path='bucket/run/a.txt')
        >>> Address.parse("hdfs://server:8020/run/a.txt").path
        '/run/a.txt'
        """
        match = _URI.match(uri)
        if match is None:
            raise InputError("expected the address of a remote file.", source=uri)
        scheme, authority = match[1].lower(), match[2]
        scheme = "gs" if scheme == "gcs" else scheme
        if scheme.startswith("http"):
            return cls(scheme, authority, uri)
        inside = uri[match.end(2) :]
        return cls(scheme, authority, inside or "/" if scheme == "hdfs" else authority + inside)

    def ask(self, request: Callable[[Store, str], Result]) -> Result:
        """Return the answer of the store to a request for this path."""
        uri = self.uri_of(self.path)
        store = retried(lambda: find_store(self.scheme, self.authority), self.scheme, uri, repeat=False)
        return retried(lambda: request(store, self.path), self.scheme, uri, repeat=not store.retries)

    def uri_of(self, path: str) -> str:
        """Return the URI of another path of the same store."""
        if self.scheme.startswith("http"):
            return path
        return f"hdfs://{self.authority}{path}" if self.scheme == "hdfs" else f"{self.scheme}://{path}"


class RemoteFile(Location):
    """A file of a store. It is pickled by its URI: each process connects for itself.

    Parameters
    ----------
    uri
        The URI.
    entry
        What the store said of the file; asked for if it is not given.
    """

    def __init__(self, uri: str, entry: Entry | None = None) -> None:
        self.uri, self._address = uri, Address.parse(uri)
        self.name = shown(uri)
        path = urlsplit(uri).path if self._is_web else self._address.path
        self.title = unquote(PurePosixPath(path).name) if self._is_web else PurePosixPath(path).name
        self.ending = PurePosixPath(self.title).suffix.lower().removeprefix(".")
        if entry is None:
            entry = self._address.ask(lambda store, path: store.info(path))
        self._size, self.has_ranges = entry.size, entry.has_ranges

    def checked_size(self) -> int | None:
        """Return the number of bytes."""
        return self._size

    def open(self) -> tuple[BinaryIO, State | None]:
        """Open the file; return it with its state."""
        handle = self._address.ask(lambda store, path: store.open(path))
        stream = io.BufferedReader(_RemoteStream(handle, self._address.scheme, self.name), BUFFER)
        return stream, _state(handle.entry)

    def state(self) -> State | None:
        """Return the present state; raise `MissingFileError` if there is no such file."""
        return _state(self._address.ask(lambda store, path: store.current(path)))

    def for_arrow(self, stream: BinaryIO) -> BinaryIO:
        """Return the stream."""
        return stream

    @property
    def _is_web(self) -> bool:
        return self._address.scheme.startswith("http")


def missing_file(uri: str) -> MissingFileError:
    """Return the error for a file or folder that does not exist, or whose bucket does not exist."""
    address = Address.parse(uri)
    try:
        has_bucket = address.ask(lambda store, path: store.has_bucket(path))
    except InputError:  # who may read its files may not see the bucket itself
        has_bucket = True
    problem = "no such file or folder." if has_bucket else f"there is no bucket '{address.authority}'."
    return MissingFileError(f"{problem} Correct the address.", source=shown(uri))


class _RemoteStream(io.RawIOBase):
    """The bytes of an open file; a part that does not arrive is requested again."""

    def __init__(self, handle: Handle, scheme: str, name: str) -> None:
        self._handle, self._scheme, self._name = handle, scheme, name
        self._size, self._position = handle.entry.size or 0, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        origin = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(origin + offset, 0)
        return self._position

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        count = min(len(view), self._size - self._position)
        if count <= 0:
            return 0
        data = retried(lambda: self._part(self._position, count), self._scheme, self._name)
        view[:count] = data
        self._position += count
        return count

    def _part(self, start: int, count: int) -> bytes:
        data = self._handle.read(start, count)
        if len(data) != count:
            raise cut_off(start + len(data), self._size)
        return data

    def close(self) -> None:
        if not self.closed:
            self._handle.close()
        super().close()


def _state(entry: Entry) -> State:
    return entry.size or 0, entry.version


def has_pattern(uri: str) -> bool:
    """Return whether a URI has wildcards; those of the web have none, since ``?`` begins a query."""
    address = Address.parse(uri)
    return not address.scheme.startswith("http") and glob.has_magic(address.path)


def files_at(uri: str) -> tuple[list[RemoteFile], bool]:
    """Return the files of a pattern or folder, sorted, or one file; and whether there may be several.

    A pattern or folder takes one listing, in pages; sizes come from it.
    """
    address = Address.parse(uri)
    if has_pattern(uri):
        return _matching(address, uri)
    if address.scheme.startswith("http"):
        if re.search(r"\s", uri):  # a text given by mistake
            raise MissingFileError("no such file.", source=shown(uri)[:200])
        if "*" in urlsplit(uri).path or urlsplit(uri).path in ("", "/"):
            _listed(address, recursive=True)  # which raises
        return [RemoteFile(uri)], False
    folder = replace(address, path=address.path.rstrip("/") or "/")
    entry = folder.ask(lambda store, path: store.info(path))
    if entry.kind == "missing":
        raise missing_file(uri)
    if entry.kind == "file" and not address.path.endswith("/"):
        return [RemoteFile(uri, entry)], False
    files = [file for file in _listed(folder, recursive=True) if not _is_hidden(file, folder.path)]
    if not files:
        raise InputError("there is no file in this folder.", source=uri)
    return [RemoteFile(address.uri_of(file.path), file) for file in files], True


def exists(uri: str) -> bool:
    """Return whether there is a file, folder, or match of a pattern at a URI, as far as can be seen."""
    try:
        return bool(files_at(uri)[0])
    except UnreachableError:
        raise
    except InputError:  # a store may deny access to a file that does not exist
        return False


def end_of_host(uri: str) -> int:
    """Return the place after the server or bucket of a URI; 0 if it has none.

    Examples
    --------
    >>> end_of_host("http://[::1]:8000/a.csv"), end_of_host("a.csv")
    (17, 0)
    """
    match = _URI.match(uri)
    return match.end(2) if match else 0


def _matching(address: Address, uri: str) -> tuple[list[RemoteFile], bool]:
    pattern = address.path.split("/")
    first = next(place for place, part in enumerate(pattern) if glob.has_magic(part))
    if first == 0:
        raise InputError("the name of a bucket cannot be a pattern. Write it out.", source=uri)
    folder = replace(address, path="/".join(pattern[:first]) or "/")
    try:
        entries = _listed(folder, recursive=first < len(pattern) - 1 or pattern[-1] == "**")
    except MissingFileError as error:
        if "bucket" in error.problem:
            raise MissingFileError(error.problem, source=uri) from error
        entries = []
    for entry in entries:
        if entry.path == address.path:
            return [RemoteFile(uri, entry)], False
    matches = [entry for entry in entries if matches_pattern(entry.path.split("/"), pattern)]
    if not matches:
        raise MissingFileError("no file matches this pattern.", source=uri)
    return [RemoteFile(address.uri_of(entry.path), entry) for entry in matches], True


def _listed(folder: Address, *, recursive: bool) -> list[Entry]:
    entries = folder.ask(lambda store, path: list(store.entries(path, recursive=recursive)))
    return sorted((entry for entry in entries if entry.kind == "file"), key=lambda entry: entry.path)


def _is_hidden(entry: Entry, folder: str) -> bool:
    inside = entry.path.removeprefix(folder).strip("/")
    return any(part.startswith(".") for part in inside.split("/"))


def matches_pattern(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Return whether a path matches a pattern, as for files of this machine.

    ``*`` stays within a folder, ``**`` stands for folders of any depth, and hidden names have to be named.

    Examples
    --------
    >>> [matches_pattern(["run", name], ["run", "*.txt"]) for name in ("a.txt", ".a.txt", "a.csv")]
    [True, False, False]
    >>> matches_pattern(["run", "b", "a.txt"], ["run", "**", "a.*"])
    True
    """
    if not pattern:
        return not parts
    first, *rest = pattern
    if first == "**":
        if not rest:
            return all(not part.startswith(".") for part in parts)
        is_deeper = bool(parts) and not parts[0].startswith(".") and matches_pattern(parts[1:], pattern)
        return matches_pattern(parts, rest) or is_deeper
    if not parts or (parts[0].startswith(".") and not first.startswith(".")):
        return False
    return fnmatch.fnmatchcase(parts[0], first) and matches_pattern(parts[1:], rest)
