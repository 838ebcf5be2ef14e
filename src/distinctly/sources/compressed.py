"""`.gz`, `.xz`, `.bz2` and `.zst`: decompressed in pieces."""

from __future__ import annotations

import bz2
import io
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

CHUNK = 1 << 22


class DamagedError(Exception):
    """The compressed data is incomplete, or not of the kind that the ending of the file stands for."""


def decompressed(stream: BinaryIO, ending: str) -> Iterator[bytes]:
    """Yield the decompressed bytes in pieces of at most about `CHUNK` bytes.

    A file may contain several compressed streams, as `cat a.gz b.gz` writes them.
    """
    try:
        yield from COMPRESSIONS[ending](stream)
    except (zlib.error, lzma.LZMAError, EOFError) as error:
        raise DamagedError(str(error)) from error


class _Gzip:
    """zlib's decompressor with the interface of the others."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=31)  # gzip: with its header, checksum and length

    def decompress(self, data: bytes, limit: int) -> bytes:
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, limit)

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._zlib.unconsumed_tail and not self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data


def _standard(new: Callable[[], Any]) -> Callable[[BinaryIO], Iterator[bytes]]:
    # Python's own gzip, lzma and bz2 files skip a broken second stream without an error.
    def read(stream: BinaryIO) -> Iterator[bytes]:
        waiting = stream.read(CHUNK)
        if not waiting:
            raise EOFError("the file is empty")
        while waiting:
            decompressor = new()
            while not decompressor.eof:
                if decompressor.needs_input and not waiting:
                    waiting = stream.read(CHUNK)
                    if not waiting:
                        raise EOFError("it ends too early")
                try:
                    piece = decompressor.decompress(waiting, CHUNK)
                except OSError as error:  # how bz2 reports invalid data
                    raise DamagedError(str(error)) from error
                waiting = b""
                if piece:
                    yield piece
            # Zeros between and after streams are padding in gzip and xz.
            waiting = decompressor.unused_data.lstrip(b"\0")
            while not waiting:
                more = stream.read(CHUNK)
                if not more:
                    return
                waiting = more.lstrip(b"\0")

    return read


class _LeftOpen(io.RawIOBase):
    """A stream that is not closed with this one."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._stream.read(size)


def _zstandard(stream: BinaryIO) -> Iterator[bytes]:
    import pyarrow as pa

    # Arrow closes what it reads, but the stream is needed afterwards.
    ours: Any
    try:
        ours = os.fdopen(os.dup(stream.fileno()), "rb")
        is_empty = not os.fstat(stream.fileno()).st_size
    except io.UnsupportedOperation:  # not a file of this machine
        ours = _LeftOpen(stream)
        is_empty = not stream.seek(0, os.SEEK_END)
        stream.seek(0)
    with ours:
        if is_empty:
            raise EOFError("the file is empty")
        try:
            with pa.CompressedInputStream(ours, "zstd") as inside:
                while piece := inside.read(CHUNK):
                    yield piece
        except (OSError, pa.ArrowException) as error:
            raise DamagedError(str(error)) from error


COMPRESSIONS: dict[str, Callable[[BinaryIO], Iterator[bytes]]] = {
    "gz": _standard(_Gzip),
    "xz": _standard(lzma.LZMADecompressor),
    "bz2": _standard(bz2.BZ2Decompressor),
    "zst": _zstandard,
}
