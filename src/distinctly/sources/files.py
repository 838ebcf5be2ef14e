"""Files and standard input: opened, decoded strictly, and split at line feeds."""

from __future__ import annotations

import codecs
import copy
import sys
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO, ClassVar, NamedTuple

import numpy as np

from distinctly.batch import Batch
from distinctly.config import default_memory, parse_memory
from distinctly.errors import InputError, MissingFileError
from distinctly.sources.base import (
    BLOCK_BYTES,
    BatchBuilder,
    Partition,
    Reading,
    Shape,
    Source,
    checked_size,
    shape_of,
)
from distinctly.sources.blocks import Block, Remark, Row, bad_row
from distinctly.sources.compressed import CHUNK, COMPRESSIONS, DamagedError, decompressed
from distinctly.sources.locations import LocalFile, Location, RemoteError, State

IsTooLong = Callable[[int], bool]

# Counting n-grams of five lengths takes up to 35 bytes per byte of a text.
MEMORY_PER_BYTE = 32
# A batch has at most this share of the memory: several are in memory at a time, and the hashes of short
# tokens take many times their bytes. Smaller batches would cost time.
BATCHES_IN_MEMORY, SMALLEST_BATCH = 500, 500_000
MOST_BYTES = 1_000_000_000
# A longer string would not stay in the cache, and would take new memory each time.
DECODED_AT_ONCE = 1 << 16
# The mark of UTF-32 begins with that of UTF-16.
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    codecs.BOM_UTF8: "utf-8",
}


class Begun(NamedTuple):
    """A file whose first bytes have been read: its encoding, and all of its bytes in pieces."""

    encoding: str
    chunks: Iterator[bytes]


class LongRowError(Exception):
    """A row is longer than the memory allows."""


@dataclass(frozen=True)
class Span:
    """A part of a file that consists of whole rows.

    Attributes
    ----------
    start, end
        Its start and end, in units of the format: bytes, row groups, record batches.
    size
        Its approximate number of bytes.
    first
        The number of its first line or row; None if that is counted only when it is needed.
    """

    start: int
    end: int
    size: int
    first: int | None = None


class FileSource(Source):
    """A file, or standard input if the path is None; subclasses define what a row is.

    Attributes
    ----------
    span
        The part of the file that is read; None for all of it.
    first_number
        The number of the first line (from 1) or row (from 0).
    plain
        Whether the texts have at most as many bytes as the file.
    """

    span: Span | None = None
    first_number: int = 1
    plain: ClassVar[bool] = True
    _shape: Shape | None = None
    _planned: State | None = None

    def __init__(
        self, path: Path | Location | None, reading: Reading, *, name: str = "", part: str = ""
    ) -> None:
        self.location = LocalFile(path) if isinstance(path, Path) else path
        self.reading, self.part = reading, part
        self.name = self.title = name or "standard input"
        self.compression: str | None = None
        self._opened: State | None = None
        if self.location is not None:
            self.name, self.title = name or self.location.name, name or self.location.title
            ending = self.location.ending
            self.compression = ending if ending in COMPRESSIONS else None
            self.size = self.location.checked_size()
        self.rereadable = self.size is not None  # a pipe is empty the second time

    @property
    def text_bytes(self) -> int | None:
        """The size of the file, unless it is compressed or of a format that may be."""
        return self.size if self.plain and self.compression is None else None

    @abstractmethod
    def items(self) -> Iterator[Row | Block | Remark]:
        """Yield the rows."""

    def spans(self, size: int) -> list[Span]:
        """Return the parts that the file can be cut into; none if it has to be read as a whole."""
        del size
        return []

    def numbers_at(self, starts: Sequence[int]) -> list[int]:
        """Return the number of the first line or row of the parts that begin at `starts`, in order."""
        raise TypeError(f"{type(self).__name__} is not cut into parts, so it numbers none")

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches."""
        self._opened = None
        size = max(min(BLOCK_BYTES, self.memory_limit // BATCHES_IN_MEMORY), SMALLEST_BATCH)
        builder = BatchBuilder(
            self.name, self.reading, rows, part=self.part, shape=self._shape, block_bytes=size
        )
        try:
            yield from builder.build(self.items())
        except InputError as error:
            # A row that looks wrong may still be being written.
            if not isinstance(error, RemoteError) and self._has_changed():
                raise self._changed() from error
            located = self._located(error)
            if located is not error:
                raise located from error.__cause__
            raise

    def partitions(self, size: int | None = None) -> Sequence[Partition]:
        """Cut the file into parts of about `size` bytes; into one part if its format cannot be cut."""
        size = checked_size(size)
        is_cut = self.rereadable and self.compression is None and self._has_ranges
        spans = self.spans(size) if is_cut else []
        if len(spans) < 2:
            return [self]
        shape = self._first_shape()
        is_numbered = all(span.first is not None for span in spans)
        are_named = shape == "list of texts" and self.reading.group is None
        if (are_named or self.reading.skip_bad) and not is_numbered:
            # Groups are named by the number of their row, and bad rows listed: it has to be known.
            numbers = self.numbers_at([span.start for span in spans])
            spans = [replace(span, first=number) for span, number in zip(spans, numbers)]
        return [self._part(span, shape) for span in spans]

    def whole(self) -> FileSource:
        """Return a source of the whole file."""
        source = copy.copy(self)
        source.span, source._shape, source._planned = None, None, None
        source.first_number = type(self).first_number
        return source

    def refuse_empty(self, problem: str) -> None:
        """Raise if the file has no rows; to be called if no row was read."""
        if self.span is None:
            raise InputError(problem, source=self.name)
        if self.span.start == 0:
            # Other parts may have rows, so the whole file is checked.
            next(self.whole().items(), None)

    def __getstate__(self) -> dict[str, object]:
        if not self.rereadable:
            raise InputError(
                "it can be read only once, so no other process can read it. Save it as a file.",
                source=self.name,
            )
        return {**self.__dict__, "_opened": None, "position": 0}

    def _part(self, span: Span, shape: Shape | None) -> FileSource:
        source = copy.copy(self)
        source.span, source.size, source._shape = span, span.size, shape
        source.first_number = type(self).first_number if span.first is None else span.first
        source._planned = None if self._opened is None else self._opened[:2]
        return source

    def _first_shape(self) -> Shape | None:
        try:
            return shape_of(self.whole().items(), self.reading)
        except InputError:  # raised again when the row is read
            return None

    def _located(self, error: InputError) -> InputError:
        """Return the same error with the number of its line, for a part whose first number is unknown."""
        if self.span is None or self.span.first is not None or not self.span.start:
            return error
        try:
            number = self.whole().numbers_at([self.span.start])[0]
            for _ in self._part(replace(self.span, first=number), self._shape).batches():
                pass
        except InputError as located:
            return located
        return error

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open the file, and raise at the end if it has changed in the meantime.

        Some rows of a changed file are old and others new, so its numbers would be wrong.
        """
        self.position = 0
        if self.location is None:
            if sys.stdin is None or sys.stdin.closed:
                raise InputError("there is no standard input to read.", source=self.name)
            yield sys.stdin.buffer
            return
        stream, self._opened = self.location.open()
        with stream:
            # Other machines see the same size and time, but not the same numbers of file and device.
            if self._planned is not None and (self._opened is None or self._opened[:2] != self._planned):
                raise InputError(
                    "changed after it was cut into partitions. Cut it again when nothing writes to it; a "
                    "copy has to keep the time of the last change.",
                    source=self.name,
                )
            yield stream
        if self._has_changed():
            raise self._changed()

    def present_state(self) -> State | None:
        """Return the size of the file and the time of its last change; None for a pipe."""
        try:
            state = None if self.location is None else self.location.state()
        except OSError as error:
            raise InputError(f"cannot be opened: {error.strerror}.", source=self.name) from error
        return None if state is None else state[:2]

    @property
    def _has_ranges(self) -> bool:
        return self.location is not None and self.location.has_ranges

    def _has_changed(self) -> bool:
        if self.location is None or self._opened is None:
            return False
        try:
            return self._opened != self.location.state()
        except (OSError, MissingFileError):
            return True

    def _changed(self) -> InputError:
        return InputError("changed while it was read. Try again when nothing writes to it.", source=self.name)

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes of the file, or of its decompressed contents, in pieces."""
        with self.opened() as stream:
            try:
                if self.span is not None:
                    stream.seek(self.span.start)
                    while chunk := stream.read(min(CHUNK, self.span.end - self.span.start - self.position)):
                        self.position += len(chunk)
                        yield chunk
                elif self.compression is None:
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
                    f"cannot be read as .{self.compression} ({error}). It is damaged, incomplete, or of "
                    "another kind. Create or copy it again.",
                    source=self.name,
                ) from error

    @property
    def longest(self) -> int:
        """The number of bytes that a row may have: 1/32 of the memory, and at most 1 GB.

        Pieces of a file are larger than very short limits, so that a limit below their size saves nothing.
        """
        return max(min(self.memory_limit // MEMORY_PER_BYTE, MOST_BYTES), CHUNK)

    def is_too_long(self, size: int) -> bool:
        """Return whether a row of this number of bytes, or of characters, takes too much memory."""
        return size > CHUNK and size > self.longest

    @property
    def memory_limit(self) -> int:
        """The number of bytes of memory for the whole run."""
        return default_memory() if self.memory is None else parse_memory(self.memory)

    def refuse_stream(self, kind: str) -> None:
        """Raise if a format that needs a file of its own is read from standard input or a compressed file."""
        if self.location is None:
            raise InputError(
                f"{kind} cannot be read from standard input. Save it as a file.", source=self.name
            )
        if self.compression:
            raise InputError(
                f"{kind} cannot be read from .{self.compression} files, since it is compressed itself. "
                "Decompress the file.",
                source=self.name,
            )

    def too_long(
        self, row: str, what: str = "the text", remedy: str = "Split it into several texts"
    ) -> InputError:
        """Make the error for a row that takes too much memory."""
        longest, memory = (f"{size / 1e6:,.0f} MB" for size in (self.longest, self.memory_limit))
        return InputError(
            f"{what} is longer than {longest}, the limit for {memory} of memory. {remedy}, or raise "
            "--memory (Python: memory=).",
            source=self.name,
            row=row,
        )

    def begin(self) -> Begun:
        """Begin to read the file, and determine its encoding."""
        chunks, head = self.chunks(), b""
        while len(head) < 4 and (chunk := next(chunks, b"")):
            head += chunk
        return Begun(self.encoding_of(head), chain([head] if head else [], chunks))

    def encoding_of(self, head: bytes) -> str:
        """Return the encoding that is given, or that of the byte order mark, or UTF-8."""
        if self.reading.encoding is not None or self._start:
            return codecs.lookup(self.reading.encoding or "utf-8").name
        for mark, encoding in BYTE_ORDER_MARKS.items():
            if head.startswith(mark):
                return encoding
        if b"\0" in head[:CHUNK]:
            from distinctly.sources.encodings import wide_encoding

            wide = wide_encoding(head)
            if wide is not None:
                raise InputError(
                    f"not UTF-8, but {wide.name} without a byte order mark (byte {wide.place} of the file is "
                    f'NUL, as are many). Choose --encoding {wide.name} (Python: encoding="{wide.name}").',
                    source=self.name,
                    row="line 1",
                )
        return "utf-8"

    def is_plain(self, encoding: str) -> bool:
        """Return whether the bytes have to be valid UTF-8, and need no decoding."""
        return encoding in ("utf-8", "utf-8-sig") and self.reading.errors == "strict"

    def blocks(self, begun: Begun) -> Iterator[tuple[int, bytes] | Row]:
        """Yield blocks of whole lines as bytes of valid UTF-8, each with the number of its first line.

        If bad rows are skipped, lines that are too long or not valid are yielded as such rows.
        """
        lines, at, is_empty = self.first_number, self._start, True
        try:
            for block in self._whole_lines(begun.chunks):
                if isinstance(block, int):
                    is_empty = False
                    yield bad_row(self.too_long(f"line {lines}"))
                    lines, at = lines + 1, at + block
                    continue
                # Windows programs write a byte order mark at the start of a file.
                text = block if at else block.removeprefix(codecs.BOM_UTF8)
                is_valid = True
                if not block.isascii():
                    try:
                        check_utf8(block)
                    except UnicodeDecodeError as error:
                        if not self.reading.skip_bad:
                            raise self._undecodable(error, at, lines, "utf-8") from error
                        is_valid = False
                if text:
                    is_empty = False
                    yield from [(lines, text)] if is_valid else self._decodable(text, lines)
                at += len(block)
                lines += count_feeds(block)
        except LongRowError as error:
            raise self.too_long(f"line {lines}") from error
        if is_empty:
            raise self.nothing()

    def _whole_lines(self, chunks: Iterable[bytes]) -> Iterator[bytes | int]:
        if not self.reading.skip_bad:
            return _whole_lines(chunks, self.is_too_long)
        from distinctly.sources.skipping import short_blocks

        return short_blocks(chunks, self.is_too_long)

    def _decodable(self, block: bytes, first: int) -> Iterator[tuple[int, bytes] | Row]:
        """Yield the lines of a block that are valid UTF-8, in runs, and a bad row for each of the others."""
        run: list[bytes] = []
        for number, line in enumerate(BytesIO(block), first):
            try:
                line.decode()
            except UnicodeDecodeError:
                if run:
                    yield number - len(run), b"".join(run)
                yield bad_row(self.undecodable(f"line {number}"))
                run = []
            else:
                run.append(line)
        if run:
            yield number + 1 - len(run), b"".join(run)

    def pieces(self, begun: Begun | None = None) -> Iterator[str]:
        """Yield the decoded text in pieces; an error names the line that cannot be decoded.

        If bad rows are skipped, undecodable bytes are marked, for `is_marked`.
        """
        encoding, chunks = begun or self.begin()
        errors = self.reading.errors
        if self.reading.skip_bad and errors == "strict":
            from distinctly.sources.skipping import MARK

            errors = MARK
        decoder = codecs.getincrementaldecoder(encoding)(errors)
        lines, at, is_start = self.first_number, self._start, not self._start
        for chunk in _with_end(chunks):
            at += len(chunk)
            try:
                piece = decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                # The decoder may have kept bytes of the chunk before, or dropped the byte order mark.
                raise self._undecodable(error, at - len(error.object), lines, encoding) from error
            except UnicodeError as error:
                raise InputError(
                    f"not {encoding} ({error}). Name its encoding with --encoding (Python: encoding=).",
                    source=self.name,
                    row=f"line {lines}",
                ) from error
            lines += piece.count("\n")
            if is_start and piece:
                # Windows programs write a byte order mark at the start of a file.
                piece, is_start = piece.removeprefix("\ufeff"), False
            if piece:
                yield piece

    def lines(self, begun: Begun | None = None) -> Iterator[str]:
        """Yield the lines with their ends. Only a line feed ends a line."""
        count = 0
        try:
            for line in cut_lines(self.pieces(begun), self.is_too_long):
                count += 1
                yield line
        except LongRowError as error:
            raise self.too_long(f"line {self.first_number + count}") from error
        if not count:
            raise self.nothing()

    def readable_lines(self, begun: Begun | None = None) -> Iterator[str | Row]:
        """Yield the lines with their ends; if bad rows are skipped, such a row for each bad line."""
        if not self.reading.skip_bad:
            yield from self.lines(begun)
            return
        from distinctly.sources.skipping import short_lines

        number = self.first_number
        for line in short_lines(self.pieces(begun), self.is_too_long):
            if isinstance(line, int):
                yield bad_row(self.too_long(f"line {number}"))
            elif self.is_marked(line):
                yield bad_row(self.undecodable(f"line {number}"))
            else:
                yield line
            number += 1
        if number == self.first_number:
            raise self.nothing()

    def is_marked(self, text: str) -> bool:
        """Return whether bytes of a text could not be decoded, if bad rows are skipped."""
        if not self.reading.skip_bad:
            return False
        from distinctly.sources.skipping import UNDECODABLE

        return UNDECODABLE in text

    def undecodable(self, row: str) -> InputError:
        """Make the error for a row with undecodable bytes, if bad rows are skipped."""
        return InputError(
            "bytes that cannot be decoded. Name the encoding with --encoding (Python: encoding=).",
            source=self.name,
            row=row,
        )

    def joined(self, what: str, remedy: str) -> str:
        """Return the whole decoded text; raise if it is too long."""
        pieces, size = [], 0
        for piece in self.pieces():
            pieces.append(piece)
            size += len(piece)
            if self.is_too_long(size):
                raise self.too_long("", what, remedy)
        return "".join(pieces)

    def nothing(self) -> InputError:
        """Make the error for an empty file."""
        return InputError("the file is empty: no text to measure.", source=self.name)

    @property
    def _start(self) -> int:
        return 0 if self.span is None else self.span.start

    def _undecodable(self, error: UnicodeDecodeError, origin: int, lines: int, encoding: str) -> InputError:
        from distinctly.sources.encodings import likely_encoding

        before = error.object[: error.start].decode(encoding, "replace")
        shown = " ".join(f"{byte:02x}" for byte in error.object[error.start : error.end][:4])
        inside = " inside" if self.compression else ""
        likely = likely_encoding(error.object, error.start, origin) if encoding.startswith("utf-8") else None
        remedy = "Name its encoding with --encoding" if likely is None else f"Choose --encoding {likely}"
        python = "encoding=" if likely is None else f'encoding="{likely}"'
        return InputError(
            f"not valid {encoding.upper()} (byte {origin + error.start} of the file{inside}: {shown}). "
            f"{remedy}, or --errors replace (Python: {python}, errors=).",
            source=self.name,
            row=f"line {lines + before.count(chr(10))}",
        )


def cut_lines(pieces: Iterable[str], is_too_long: IsTooLong = lambda _: False) -> Iterator[str]:
    """Split pieces of text into lines, with their ends; raise if one is too long."""
    pending: list[str] = []
    size = 0
    for piece in pieces:
        *whole, rest = piece.split("\n")
        for line in whole:
            if is_too_long(size + len(line)):
                raise LongRowError
            yield "".join([*pending, line, "\n"])
            pending.clear()
            size = 0
        if rest:
            pending.append(rest)
            size += len(rest)
            if is_too_long(size):
                raise LongRowError
    if pending:
        yield "".join(pending)


def stripped(line: str) -> str:
    """Return a line without its end: a line feed, and a carriage return before it."""
    return line[:-1].removesuffix("\r") if line.endswith("\n") else line


def check_utf8(data: bytes) -> None:
    """Raise a UnicodeDecodeError if bytes are not valid UTF-8."""
    pieces, at = memoryview(data), 0
    try:
        while at < len(data):
            is_last = at + DECODED_AT_ONCE >= len(data)
            at += codecs.utf_8_decode(pieces[at : at + DECODED_AT_ONCE], "strict", is_last)[1]
    except UnicodeDecodeError:
        data.decode()  # raises the error with the place in all of the data


def count_feeds(block: bytes) -> int:
    """Return the number of line feeds."""
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))


def _whole_lines(chunks: Iterable[bytes], is_too_long: IsTooLong) -> Iterator[bytes]:
    pending: list[bytes] = []
    size = 0
    for chunk in chunks:
        end = chunk.rfind(b"\n") + 1
        if end:
            if is_too_long(size + chunk.index(b"\n")):
                raise LongRowError
            yield b"".join([*pending, chunk[:end]])
            pending.clear()
            size = 0
        if end < len(chunk):
            pending.append(chunk[end:])
            size += len(chunk) - end
            if is_too_long(size):
                raise LongRowError
    if pending:
        yield b"".join(pending)


def _with_end(chunks: Iterable[bytes]) -> Iterator[bytes]:
    yield from chunks
    yield b""
