"""Files and standard input: opened, decoded strictly, and cut at line feeds."""

from __future__ import annotations

import codecs
import os
import stat
import sys
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np

from distinctly.batch import Batch
from distinctly.errors import InputError
from distinctly.sources.base import BatchBuilder, Reading, Source
from distinctly.sources.blocks import Block, Row
from distinctly.sources.compressed import CHUNK, DamagedError, compression_of, decompressed

State = tuple[int, int, int, int]


class FileSource(Source):
    """A file, or standard input where the path is None; subclasses say what a row is."""

    def __init__(self, path: Path | None, reading: Reading, *, name: str = "", part: str = "") -> None:
        self.path, self.reading, self.part = path, reading, part
        self.name = name or (str(path) if path else "standard input")
        self.title = Path(self.name).name
        self.compression = compression_of(path) if path else None
        self._opened: State | None = None
        if path is not None:
            self.size = self._checked_size(path)
        self.rereadable = self.size is not None  # a pipe is empty the second time

    def _checked_size(self, path: Path) -> int | None:
        shown = self.name if len(self.name) <= 200 else self.name[:197] + "…"
        try:
            found = path.stat()
        except PermissionError as error:
            raise InputError("no permission to read this file.", source=shown) from error
        except (OSError, ValueError) as error:  # ValueError: a NUL, so a text by mistake
            if _is_link(path):
                raise InputError("this link leads nowhere. Mend or remove it.", source=shown) from error
            raise InputError("no such file. (A text goes in a list: ['…'].)", source=shown) from error
        if stat.S_ISDIR(found.st_mode):
            raise InputError("this is a folder. Give a file.", source=shown)
        if not os.access(path, os.R_OK):
            raise InputError("no permission to read this file.", source=shown)
        return found.st_size if stat.S_ISREG(found.st_mode) else None

    @abstractmethod
    def items(self) -> Iterator[Row | Block]:
        """Yield the rows."""

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches."""
        self._opened = None
        try:
            yield from BatchBuilder(self.name, self.reading, rows, part=self.part).build(self.items())
        except InputError as error:
            # What looks wrong may only not have been written to its end.
            if self._has_changed():
                raise self._changed() from error
            raise

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open the file, and raise at the end where it is no longer what was opened.

        Of a file that changed, some rows are old and some new: no number of it is right.
        """
        self.position = 0
        if self.path is None:
            if sys.stdin is None or sys.stdin.closed:
                raise InputError("there is no standard input to read.", source=self.name)
            yield sys.stdin.buffer
            return
        try:
            stream = self.path.open("rb")
        except OSError as error:
            raise InputError(f"cannot be opened: {error.strerror}.", source=self.name) from error
        with stream:
            self._opened = _state(os.fstat(stream.fileno()))
            yield stream
        if self._has_changed():
            raise self._changed()

    def _has_changed(self) -> bool:
        if self.path is None or self._opened is None:
            return False
        try:
            return self._opened != _state(self.path.stat())
        except OSError:
            return True

    def _changed(self) -> InputError:
        return InputError("changed while it was read. Try again when nothing writes to it.", source=self.name)

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes of the file, or of what is compressed in it, in pieces."""
        with self.opened() as stream:
            try:
                if self.compression is None:
                    while chunk := stream.read(CHUNK):
                        self.position += len(chunk)
                        yield chunk
                else:
                    for chunk in decompressed(stream, self.compression):
                        self.position = stream.tell() if stream.seekable() else 0
                        yield chunk
            except OSError as error:
                raise InputError(f"cannot be read: {error.strerror}.", source=self.name) from error
            except DamagedError as error:
                raise InputError(
                    f"cannot be read as .{self.compression} ({error}). It is damaged, cut off, or something "
                    "else. Make or copy it again.",
                    source=self.name,
                ) from error

    @property
    def is_plain(self) -> bool:
        """Whether the bytes are UTF-8, strictly, so that they need no decoding."""
        encoding = codecs.lookup(self.reading.encoding).name
        return encoding in ("utf-8", "utf-8-sig") and self.reading.errors == "strict"

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield whole lines as bytes of valid UTF-8, a block at a time, with the number of the first."""
        lines, at, found = 1, 0, False
        for block in _whole_lines(self.chunks()):
            if not block.isascii():
                try:
                    block.decode()
                except UnicodeDecodeError as error:
                    raise self._undecodable(error, at, lines) from error
            # Windows programs put a mark first.
            text = block if at else block.removeprefix(codecs.BOM_UTF8)
            if text:
                found = True
                yield lines, text
            at += len(block)
            lines += int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))
        if not found:
            raise self.nothing()

    def pieces(self) -> Iterator[str]:
        """Yield the decoded text in pieces; say which line it is where it cannot be decoded."""
        # utf-8-sig reads plain UTF-8 too, and drops the mark that Windows programs put first.
        is_utf8 = codecs.lookup(self.reading.encoding).name == "utf-8"
        decoder = codecs.getincrementaldecoder("utf-8-sig" if is_utf8 else self.reading.encoding)(
            self.reading.errors
        )
        lines, at = 1, 0
        for chunk in _and_end(self.chunks()):
            at += len(chunk)
            try:
                piece = decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                # The decoder may have kept bytes of the chunk before, or dropped a mark at the start.
                raise self._undecodable(error, at - len(error.object), lines) from error
            except UnicodeError as error:
                raise InputError(
                    f"not {self.reading.encoding} ({error}). Name its encoding with --encoding "
                    "(Python: encoding=).",
                    source=self.name,
                    row=f"line {lines}",
                ) from error
            lines += piece.count("\n")
            if piece:
                yield piece

    def lines(self) -> Iterator[str]:
        """Yield the lines with their ends. A line ends at a line feed alone."""
        found = False
        for line in cut_lines(self.pieces()):
            found = True
            yield line
        if not found:
            raise self.nothing()

    def nothing(self) -> InputError:
        """Make the error for a file without anything in it."""
        return InputError("there is nothing in it: no text to measure.", source=self.name)

    def _undecodable(self, error: UnicodeDecodeError, origin: int, lines: int) -> InputError:
        before = error.object[: error.start].decode(self.reading.encoding, "replace")
        wrong = " ".join(f"{byte:02x}" for byte in error.object[error.start : error.end][:4])
        inside = " inside" if self.compression else ""
        return InputError(
            f"not valid {self.reading.encoding.upper()} (byte {origin + error.start} of the file{inside}: "
            f"{wrong}). Name its encoding with --encoding, or choose --errors replace "
            "(Python: encoding=, errors=).",
            source=self.name,
            row=f"line {lines + before.count(chr(10))}",
        )


def cut_lines(pieces: Iterable[str]) -> Iterator[str]:
    """Cut text that comes in pieces into lines, with their ends."""
    pending: list[str] = []
    for piece in pieces:
        *whole, rest = piece.split("\n")
        for line in whole:
            yield "".join([*pending, line, "\n"])
            pending.clear()
        if rest:
            pending.append(rest)
    if pending:
        yield "".join(pending)


def stripped(line: str) -> str:
    """Return a line without its end: a line feed, and a carriage return before it."""
    return line[:-1].removesuffix("\r") if line.endswith("\n") else line


def _whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    pending: list[bytes] = []
    for chunk in chunks:
        end = chunk.rfind(b"\n") + 1
        if end:
            yield b"".join([*pending, chunk[:end]])
            pending.clear()
        if end < len(chunk):
            pending.append(chunk[end:])
    if pending:
        yield b"".join(pending)


def _and_end(chunks: Iterable[bytes]) -> Iterator[bytes]:
    yield from chunks
    yield b""


def _state(found: os.stat_result) -> State | None:
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev


def _is_link(path: Path) -> bool:
    try:
        return path.is_symlink()
    except (OSError, ValueError):
        return False
