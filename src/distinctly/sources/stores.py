"""Stores of remote files: S3, Google Cloud Storage and HDFS by Arrow, the Hugging Face hub, and web servers.

Credentials and addresses come from the environment, as the programs of these services read them.
"""

from __future__ import annotations

import http.client
import os
import re
import shutil
import tempfile
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import IO, Any, BinaryIO, Literal, TypeVar
from urllib.parse import unquote, urlsplit

from distinctly.errors import InputError, MissingFileError, missing_extra, reason
from distinctly.sources.locations import RemoteError

Result = TypeVar("Result")
Kind = Literal["file", "folder", "missing"]

# A server that does not answer is an error after some seconds, not after minutes.
CONNECT_SECONDS, ANSWER_SECONDS, ARROW_ATTEMPTS = 5, 10, 3
# After a broken connection, a request is repeated after these pauses, within this time.
PAUSES, RETRY_SECONDS = (0.1, 0.5, 1.0), 15.0

# The number of bytes that are copied to a store at a time.
COPIED_AT_ONCE = 1 << 22
_CREDENTIALS = {
    "s3": "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS",
    "hdfs": "HADOOP_USER_NAME, or kinit",
    "hf": "HF_TOKEN",
}
_SETTINGS = ("AWS_", "GOOGLE_", "HADOOP_", "HF_")
_ADDRESSES = {"s3": " and AWS_ENDPOINT_URL", "hf": " and HF_ENDPOINT", "hdfs": " and CLASSPATH"}
_DENIED = re.compile(
    r"ACCESS.?DENIED|FORBIDDEN|INVALID.?ACCESS.?KEY|SIGNATURE|EXPIRED|CREDENTIALS|TOKEN|PERMISSION.?DENIED"
    r"|UNAUTHENTICATED|UNAUTHORIZED|\b40[13]\b",
    re.IGNORECASE,
)
_NO_BUCKET = re.compile(r"NO.?SUCH.?BUCKET|BUCKET.*(?:NOT FOUND|NOT EXIST)", re.IGNORECASE)
_MISSING = re.compile(r"NO.?SUCH.?KEY|NOT.?FOUND|\b404\b", re.IGNORECASE)
_QUOTED = re.compile(r"'[^']*'")
_UNREACHABLE = re.compile(
    r"NETWORK.?CONNECTION|TIMED? ?OUT|RESOLVE|REFUSED|UNREACHABLE|CONNECT|NAME OR SERVICE", re.IGNORECASE
)


@dataclass(frozen=True)
class Entry:
    """What a store knows of a path.

    Attributes
    ----------
    path, kind, size
        The path, what is there, and the number of bytes of a file.
    version
        Something that differs after each change, as far as the store tells.
    has_ranges
        Whether a part of the file can be read without the rest.
    """

    path: str
    kind: Kind
    size: int | None = None
    version: str = ""
    has_ranges: bool = True


class Handle(ABC):
    """A remote file that is open, with its size and version at that time."""

    entry: Entry

    @abstractmethod
    def read(self, start: int, count: int) -> bytes:
        """Return bytes from `start` on; fewer than `count` if the file or the connection ends there."""

    @abstractmethod
    def close(self) -> None:
        """Close the file."""


class Store(ABC):
    """A place of remote files; errors of its own are translated by `translated`.

    Attributes
    ----------
    scheme
        How its addresses begin.
    retries
        Whether its requests are repeated by its own library if a connection breaks off.
    """

    scheme: str
    retries: bool = True

    @abstractmethod
    def info(self, path: str) -> Entry:
        """Return what is at a path."""

    @abstractmethod
    def entries(self, path: str, *, recursive: bool) -> Iterator[Entry]:
        """Yield the files of a folder, by one listing in pages, with their sizes."""

    @abstractmethod
    def open(self, path: str) -> Handle:
        """Open a file."""

    def current(self, path: str) -> Entry:
        """Return the size and version of a file, as `open` would."""
        return self.info(path)

    def has_bucket(self, path: str) -> bool:
        """Return whether the bucket of a path exists, as far as that can be known."""
        del path
        return True

    def write(self, path: str, contents: BinaryIO) -> None:
        """Write a file."""
        raise PermissionError(f"files of {self.scheme}:// cannot be written")

    def delete(self, path: str) -> None:
        """Remove a file."""
        raise PermissionError(f"files of {self.scheme}:// cannot be removed")


class ArrowStore(Store):
    """S3, Google Cloud Storage and HDFS, by the file systems that are a part of Arrow."""

    def __init__(self, scheme: str, files: Any) -> None:
        self.scheme, self._files = scheme, files

    def info(self, path: str) -> Entry:
        """Return what is at a path."""
        return self._entry(self._files.get_file_info(path))

    def entries(self, path: str, *, recursive: bool) -> Iterator[Entry]:
        """Yield the files of a folder."""
        from pyarrow.fs import FileSelector

        yield from map(self._entry, self._files.get_file_info(FileSelector(path, recursive=recursive)))

    def open(self, path: str) -> Handle:
        """Open a file; one request tells its size and version."""
        file = self._files.open_input_file(path)
        metadata = {str(key).lower(): str(value) for key, value in (file.metadata() or {}).items()}
        version = metadata.get("etag", "")
        if not version:
            version = self.info(path).version
        return _ArrowHandle(file, Entry(path, "file", file.size(), version))

    def current(self, path: str) -> Entry:
        """Return the size and version of a file."""
        handle = self.open(path)
        handle.close()
        return handle.entry

    def has_bucket(self, path: str) -> bool:
        """Return whether the bucket of a path exists."""
        bucket = path.partition("/")[0]
        return self.scheme == "hdfs" or self.info(bucket).kind == "folder"

    def write(self, path: str, contents: BinaryIO) -> None:
        """Write a file; it appears when all of it is written."""
        contents.seek(0)
        with self._files.open_output_stream(path) as stream:
            shutil.copyfileobj(contents, stream, COPIED_AT_ONCE)

    def delete(self, path: str) -> None:
        """Remove a file."""
        self._files.delete_file(path)

    def _entry(self, info: Any) -> Entry:
        from pyarrow.fs import FileType

        kinds: dict[Any, Kind] = {FileType.File: "file", FileType.Directory: "folder"}
        version = "" if info.mtime_ns is None else str(info.mtime_ns)
        return Entry(info.path, kinds.get(info.type, "missing"), info.size, version)


class _ArrowHandle(Handle):
    def __init__(self, file: Any, entry: Entry) -> None:
        self._file, self.entry = file, entry

    def read(self, start: int, count: int) -> bytes:
        data: bytes = self._file.read_at(count, start)
        return data

    def close(self) -> None:
        self._file.close()


class HubStore(Store):
    """The Hugging Face hub, by its file system for fsspec."""

    scheme = "hf"

    def __init__(self, files: Any) -> None:
        self._files = files

    def info(self, path: str) -> Entry:
        """Return what is at a path."""
        try:
            return self._entry(self._files.info(path, refresh=True))
        except FileNotFoundError:
            return Entry(path, "missing")

    def entries(self, path: str, *, recursive: bool) -> Iterator[Entry]:
        """Yield the files of a folder."""
        depth = None if recursive else 1
        for info in self._files.find(path, maxdepth=depth, detail=True).values():
            yield self._entry(info)

    def open(self, path: str) -> Handle:
        """Open a file."""
        return _HubHandle(self._files, self._entry(self._files.info(path, refresh=True)))

    def _entry(self, info: Any) -> Entry:
        kind: Kind = "folder" if info["type"] == "directory" else "file"
        return Entry(info["name"], kind, info["size"], str(info.get("blob_id") or ""))


class _HubHandle(Handle):
    def __init__(self, files: Any, entry: Entry) -> None:
        self._files, self.entry = files, entry

    def read(self, start: int, count: int) -> bytes:
        data: bytes = self._files.cat_file(self.entry.path, start=start, end=start + count)
        return data

    def close(self) -> None:
        """Do nothing: each part is a request of its own."""


class WebStore(Store):
    """Files of a web server: ranges of bytes, or the whole file if the server does not know ranges."""

    scheme = "https"
    retries = False

    def info(self, path: str) -> Entry:
        """Return the size and version of a file, by a request for its first byte."""
        with _answer(path, "bytes=0-0") as response:
            return self._entry(path, response)

    def entries(self, path: str, *, recursive: bool) -> Iterator[Entry]:
        """Raise: a web server has no listing."""
        raise InputError(
            "a web server does not list its files, so folders and patterns cannot be read. Name each file.",
            source=shown(path),
        )

    def open(self, path: str) -> Handle:
        """Open a file; it is downloaded to a temporary file if the server does not know ranges."""
        with _answer(path, "bytes=0-0") as response:
            entry = self._entry(path, response)
        if entry.has_ranges:
            return _WebHandle(entry)
        with _answer(path) as response:
            file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the handle
            try:
                with suppress(http.client.IncompleteRead):  # reported by the length
                    shutil.copyfileobj(response, file, 1 << 20)
                if file.tell() != entry.size:
                    raise cut_off(file.tell(), entry.size or 0)
            except BaseException:
                file.close()
                raise
        return _DownloadedHandle(file, entry)

    def _entry(self, path: str, response: Any) -> Entry:
        headers = response.headers
        total = headers.get("Content-Range", "").rpartition("/")[2]
        size = total if _is_range(response) else headers.get("Content-Length", "")
        packed = headers.get("Content-Encoding", "identity")
        if packed != "identity" and not urlsplit(path).path.endswith(".gz"):
            raise InputError(
                f"the server sends this file compressed ({packed}). Download the file, and read the copy.",
                source=shown(path),
            )
        if not size.isdigit():
            raise InputError(
                "the server does not tell the length of the file, so nobody can see whether it arrives "
                "completely. Download the file, and read the copy.",
                source=shown(path),
            )
        version = headers.get("ETag") or headers.get("Last-Modified") or ""
        return Entry(path, "file", int(size), version, _is_range(response))


class _WebHandle(Handle):
    def __init__(self, entry: Entry) -> None:
        self.entry = entry

    def read(self, start: int, count: int) -> bytes:
        with _answer(self.entry.path, f"bytes={start}-{start + count - 1}") as response:
            if not response.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
                raise OSError("the server answered with other bytes than those that were requested")
            try:
                data: bytes = response.read(count)
            except http.client.IncompleteRead as error:
                data = error.partial
            return data

    def close(self) -> None:
        """Do nothing: each part is a request of its own."""


class _DownloadedHandle(Handle):
    def __init__(self, file: IO[bytes], entry: Entry) -> None:
        self._file, self.entry = file, entry

    def read(self, start: int, count: int) -> bytes:
        self._file.seek(start)
        return self._file.read(count)

    def close(self) -> None:
        self._file.close()


@contextmanager
def _answer(url: str, byte_range: str = "") -> Iterator[Any]:
    headers = {"Accept-Encoding": "identity", "User-Agent": "distinctly"}
    if byte_range:
        headers["Range"] = byte_range
    parts = urlsplit(url)
    user, _, server = parts.netloc.rpartition("@")
    # The scheme is http or https: `remote_uri` lets no other through.
    request = urllib.request.Request(parts._replace(netloc=server).geturl(), headers=headers)  # noqa: S310
    if user:
        password = b64encode(unquote(user).encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {password}")
    try:
        response = urllib.request.urlopen(request, timeout=ANSWER_SECONDS)  # noqa: S310
    except urllib.error.HTTPError as error:
        if error.code != 416:
            error.close()
            raise
        response = error  # an empty file has no first byte
    with response:
        yield response


def _is_range(response: Any) -> bool:
    return bool(response.headers.get("Content-Range")) and response.status in (206, 416)


class CutOffError(OSError):
    """Fewer bytes arrived than were requested."""


def cut_off(arrived: int, expected: int) -> CutOffError:
    """Return the error for a part of a file that did not arrive completely."""
    return CutOffError(
        f"{arrived:,} of {expected:,} bytes arrived: the connection broke off, or the file is shorter than "
        "its size"
    )


def find_store(scheme: str, authority: str) -> Store:
    """Return the store of addresses that begin with ``scheme://authority``.

    It is kept, unless the credentials change, or the process: connections cannot be used after a fork.

    Parameters
    ----------
    scheme
        ``s3``, ``gs``, ``hdfs``, ``hf``, ``http`` or ``https``.
    authority
        The bucket, or the server.
    """
    settings = sorted(item for item in os.environ.items() if item[0].startswith(_SETTINGS))
    return _new_store(scheme, authority, (os.getpid(), *settings))


@lru_cache(maxsize=64)
def _new_store(scheme: str, authority: str, _: tuple[object, ...]) -> Store:
    if scheme in ("http", "https"):
        return WebStore()
    if scheme == "hf":
        try:
            from huggingface_hub import HfFileSystem
        except ImportError as error:
            raise missing_extra("Reading hf:// files", "huggingface_hub", "remote") from error
        return HubStore(HfFileSystem())
    return ArrowStore(scheme, _ARROW[scheme](authority))


def _s3(bucket: str) -> Any:
    from pyarrow import fs

    options: dict[str, Any] = {
        "connect_timeout": CONNECT_SECONDS,
        "request_timeout": ANSWER_SECONDS,
        "retry_strategy": fs.AwsStandardS3RetryStrategy(max_attempts=ARROW_ATTEMPTS),
    }
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if endpoint:
        address = urlsplit(endpoint if "://" in endpoint else f"https://{endpoint}")
        options |= {"scheme": address.scheme, "endpoint_override": address.netloc + address.path.rstrip("/")}
        region = region or "us-east-1"
    elif not region:
        region = fs.resolve_s3_region(bucket)
    return fs.S3FileSystem(region=region, **options)


def _google(_: str) -> Any:
    try:
        from pyarrow.fs import GcsFileSystem
    except ImportError as error:
        raise InputError(
            "this build of pyarrow cannot read gs:// files. Install another one (pip install pyarrow), or "
            "copy the files."
        ) from error
    return GcsFileSystem(retry_time_limit=timedelta(seconds=ANSWER_SECONDS))


def _hadoop(server: str) -> Any:
    from pyarrow.fs import HadoopFileSystem

    try:
        return HadoopFileSystem.from_uri(f"hdfs://{server}")
    except OSError as error:
        if "Unable to load" not in str(error):
            raise
        raise InputError(
            f"hdfs:// files need Java and libhdfs ({reason(error)}). Set JAVA_HOME, HADOOP_HOME and "
            "CLASSPATH, or copy the files.",
            source=f"hdfs://{server}",
        ) from error


_ARROW: dict[str, Callable[[str], Any]] = {"s3": _s3, "gs": _google, "hdfs": _hadoop}


def shown(uri: str) -> str:
    """Return an address without the secrets in it: a password, or the signature of a query.

    Examples
    --------
    >>> shown("https://me:secret@example.org/a.csv?X-Amz-Signature=1f2e")
    'https://example.org/a.csv'
    >>> shown("s3://bucket/what?.txt")
    's3://bucket/what?.txt'
    """
    if not uri.startswith("http"):
        return uri
    parts = urlsplit(uri)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


class UnreachableError(RemoteError):
    """A server does not answer; it may answer later."""


class BrokenError(InputError):
    """A file does not arrive as it should; another attempt may succeed."""


def retried(request: Callable[[], Result], scheme: str, uri: str, *, repeat: bool = True) -> Result:
    """Return the answer to a request; repeat it if a connection breaks off, and raise in the end."""
    end = time.monotonic() + RETRY_SECONDS
    pauses = iter(PAUSES if repeat else ())
    while True:
        try:
            return request()
        except (InputError, ImportError):
            raise
        except Exception as error:
            problem = translated(error, scheme, uri)
            pause = next(pauses, None)
            is_final = not isinstance(problem, (UnreachableError, BrokenError))
            if pause is None or is_final or time.monotonic() > end:
                raise problem from error
            time.sleep(pause)


def translated(error: Exception, scheme: str, uri: str) -> InputError:
    """Return the error of a store as ours, with what to do about it."""
    source, problem = shown(uri), _reason(error)
    # Names of files may look like a problem.
    code = f"{type(error).__name__} {re.sub(_QUOTED, '', problem)}"
    if isinstance(error, CutOffError):
        return BrokenError(f"{problem}. Try again, or copy the file.", source=source)
    if _NO_BUCKET.search(code):
        return MissingFileError("no such bucket. Correct its name.", source=source)
    if isinstance(error, FileNotFoundError) or _MISSING.search(code):
        return MissingFileError("no such file.", source=source)
    if isinstance(error, PermissionError) or _DENIED.search(code):
        known = _CREDENTIALS.get(scheme)
        remedy = f"Set the credentials ({known})" if known else "Give an address that needs no password"
        return RemoteError(
            f"access is denied ({problem}): the credentials are missing or wrong, or lack the permission; "
            f"or there is no such file. {remedy}, or copy the file.",
            source=source,
        )
    if isinstance(error, (ConnectionError, TimeoutError)) or _UNREACHABLE.search(code):
        return UnreachableError(
            f"the server cannot be reached, or broke off ({problem}). Check the address, the network"
            f"{_ADDRESSES.get(scheme, '')}, and try again.",
            source=source,
        )
    return BrokenError(f"cannot be read ({problem}). Try again, or copy the file.", source=source)


def _reason(error: Exception) -> str:
    """Return the problem in few words."""
    if isinstance(error, urllib.error.HTTPError):
        return f"{error.code} {error.reason}"
    if isinstance(error, urllib.error.URLError):
        return str(error.reason)
    text = reason(error)
    # Arrow: When reading … 'NAME' in bucket 'BUCKET': AWS Error CODE during OPERATION operation: MESSAGE
    code, _, message = text.rpartition("AWS Error ")[2].partition(" operation: ")
    words = f"{code.partition(' during ')[0]}: {message.partition(' (Request ID')[0]}" if message else text
    return words if len(words) <= 160 else words[:157] + "…"
