"""Files and standard input: opened, decoded strictly, and cut at line feeds."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from distinctly.errors import InputError
from distinctly.sources.base import Reading, Source

CHUNK = 1 << 20


class FileSource(Source):
    """A file, or standard input where the path is ``-``; subclasses say what a row is."""

    def __init__(self, path: Path | None, reading: Reading, *, name: str = "") -> None:
        self.path, self.reading = path, reading
        self.rereadable = path is not None
        self.name = name or (str(path) if path else "standard input")
        if path is not None:
            self._check(path)
            self.size = path.stat().st_size

    def _check(self, path: Path) -> None:
        try:
            is_folder, exists = path.is_dir(), path.exists()
        except (OSError, ValueError):  # too long for a path, or with a NUL: a text by mistake
            is_folder = exists = False
        if is_folder:
            raise InputError("this is a folder. Give a file.", source=self.name)
        if not exists:
            shown = self.name if len(self.name) <= 200 else self.name[:197] + "…"
            raise InputError("no such file. (A text goes in a list: ['…'].)", source=shown)
        if not os.access(path, os.R_OK):
            raise InputError("no permission to read this file.", source=self.name)

    def _open(self) -> BinaryIO:
        if self.path is None:
            if sys.stdin is None or sys.stdin.closed:
                raise InputError("there is no standard input to read.", source=self.name)
            return sys.stdin.buffer
        try:
            return self.path.open("rb")
        except OSError as error:
            raise InputError(f"cannot be opened: {error.strerror}.", source=self.name) from error

    def pieces(self) -> Iterator[str]:
        """Yield the decoded text in pieces; say which line it is where it cannot be decoded."""
        # utf-8-sig reads plain UTF-8 too, and drops the mark that Windows programs put first.
        is_utf8 = codecs.lookup(self.reading.encoding).name == "utf-8"
        decoder = codecs.getincrementaldecoder("utf-8-sig" if is_utf8 else self.reading.encoding)(
            self.reading.errors
        )
        self.position, lines, empty, stream = 0, 1, True, self._open()
        try:
            while True:
                chunk = stream.read(CHUNK)
                try:
                    piece = decoder.decode(chunk, final=not chunk)
                except UnicodeDecodeError as error:
                    raise self._undecodable(error, chunk, lines) from error
                except UnicodeError as error:
                    raise InputError(
                        f"not {self.reading.encoding} ({error}). Name its encoding with --encoding "
                        "(Python: encoding=).",
                        source=self.name,
                        row=f"line {lines}",
                    ) from error
                self.position += len(chunk)
                lines += piece.count("\n")
                if piece:
                    empty = False
                    yield piece
                if not chunk:
                    break
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}.", source=self.name) from error
        finally:
            if self.path is not None:
                stream.close()
        if empty:
            raise InputError("there is nothing in it: no text to measure.", source=self.name)

    def lines(self) -> Iterator[str]:
        """Yield the lines with their ends. A line ends at a line feed alone."""
        pending: list[str] = []
        for piece in self.pieces():
            *whole, rest = piece.split("\n")
            for line in whole:
                yield "".join([*pending, line, "\n"])
                pending.clear()
            if rest:
                pending.append(rest)
        if pending:
            yield "".join(pending)

    def _undecodable(self, error: UnicodeDecodeError, chunk: bytes, lines: int) -> InputError:
        # The decoder may have kept bytes of the chunk before, or dropped a mark at the start.
        at = self.position + len(chunk) - len(error.object) + error.start
        row = lines + error.object[: error.start].decode(self.reading.encoding, "replace").count("\n")
        wrong = " ".join(f"{byte:02x}" for byte in error.object[error.start : error.end][:4])
        return InputError(
            f"not valid {self.reading.encoding.upper()} (byte {at} of the file: {wrong}). "
            "Name its encoding with --encoding, or choose --errors replace (Python: encoding=, errors=).",
            source=self.name,
            row=f"line {row}",
        )


def stripped(line: str) -> str:
    """Return a line without its end: a line feed, and a carriage return before it."""
    return line[:-1].removesuffix("\r") if line.endswith("\n") else line
