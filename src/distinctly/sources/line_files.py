"""Files of one row per line, which can be cut at any line."""

from __future__ import annotations

import codecs
import copy
from collections.abc import Sequence
from typing import BinaryIO

from distinctly.sources.compressed import CHUNK
from distinctly.sources.files import FileSource, Span, count_feeds

# Error handlers of Python that never consume a line feed; others may.
_SAFE_ERRORS = ("strict", "ignore", "replace", "backslashreplace", "surrogateescape", "surrogatepass")


class LineFile(FileSource):
    """A file whose rows are lines: its partitions are ranges of bytes."""

    def spans(self, size: int) -> list[Span]:
        """Return ranges of whole lines; a line belongs to the range in which it begins."""
        with self.opened() as stream:
            if not can_cut_lines(self.encoding_of(stream.read(CHUNK)), self.reading.errors):
                return []
            starts = line_starts(stream, size)
            end = stream.seek(0, 2)
        return [
            Span(start, next_start, next_start - start)
            for start, next_start in zip(starts, [*starts[1:], end])
        ]

    def numbers_at(self, starts: Sequence[int]) -> list[int]:
        """Return the numbers of the lines that begin at these bytes."""
        numbers, number, position = [], self.first_number, 0
        with copy.copy(self).opened() as stream:
            for start in starts:
                while position < start and (chunk := stream.read(min(CHUNK, start - position))):
                    number += count_feeds(chunk)
                    position += len(chunk)
                numbers.append(number)
        return numbers


def line_starts(stream: BinaryIO, size: int) -> list[int]:
    r"""Return the starts of parts of whole lines, of about `size` bytes each.

    Part i begins with the first line that begins in its range of bytes, ``i * size`` to
    ``(i + 1) * size``. Ranges in which no line begins are left out.

    Examples
    --------
    >>> from io import BytesIO
    >>> line_starts(BytesIO(b"one\ntwo\nthree\n"), 5)
    [0, 8]
    """
    total = stream.seek(0, 2)
    starts, target = [0], size
    while target < total:
        # From one byte earlier, so that a line that begins exactly at `target` is not skipped.
        stream.seek(target - 1)
        while (piece := stream.readline(CHUNK)) and not piece.endswith(b"\n"):
            pass
        start = stream.tell()
        if start >= total:
            break
        starts.append(start)
        target = (start // size + 1) * size
    return starts


def can_cut_lines(encoding: str, errors: str) -> bool:
    """Return whether each byte 10 is a line feed, and decoding can begin after it.

    Examples
    --------
    >>> [can_cut_lines(encoding, "strict") for encoding in ("utf-8", "latin-1", "utf-16")]
    [True, True, False]
    """
    if errors not in _SAFE_ERRORS:
        return False
    codec = codecs.lookup(encoding)
    if codec.name in ("utf-8", "utf-8-sig"):
        return True
    # A decoder without state that makes 256 characters of 256 bytes decodes byte by byte.
    decoder = codec.incrementaldecoder
    if getattr(decoder, "getstate", None) is not codecs.IncrementalDecoder.getstate:
        return False
    try:
        characters = bytes(range(256)).decode(encoding, "replace")
    except UnicodeError:
        return False
    return len(characters) == 256 and characters.find("\n") == characters.rfind("\n") == ord("\n")
