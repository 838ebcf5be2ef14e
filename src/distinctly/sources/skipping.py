"""Lines that cannot be read, for callers that skip them: too long, or with undecodable bytes."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from io import StringIO

from distinctly.sources.files import IsTooLong

# No decoder returns this character: it is the half of a pair.
UNDECODABLE = "\udcff"
MARK = "distinctly.mark"


def _mark(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return UNDECODABLE, error.end


codecs.register_error(MARK, _mark)


def short_lines(pieces: Iterable[str], is_too_long: IsTooLong) -> Iterator[str | int]:
    r"""Split pieces of text into lines, with their ends; of a line that is too long, yield the length alone.

    A line that is too long is dropped as it is read, so that it takes no memory.

    Examples
    --------
    >>> list(short_lines(["a\nlo", "ng", "er\nb"], lambda length: length > 4))
    ['a\n', 7, 'b']
    """
    pending: list[str] = []
    size, is_long = 0, False
    for piece in pieces:
        for part in StringIO(piece, newline="\n"):
            size += len(part)
            is_end = part.endswith("\n")
            is_long = is_long or is_too_long(size - is_end)
            if is_long:
                pending.clear()
            else:
                pending.append(part)
            if is_end:
                yield size if is_long else "".join(pending)
                pending.clear()
                size, is_long = 0, False
    if size:
        yield size if is_long else "".join(pending)


def short_blocks(chunks: Iterable[bytes], is_too_long: IsTooLong) -> Iterator[bytes | int]:
    r"""Cut chunks into blocks of whole lines; of a line that is too long, yield the length alone.

    A line within a chunk is not too long: the limit is larger than a chunk.

    Examples
    --------
    >>> list(short_blocks([b"a\nb\nlo", b"ng", b"er\nc\nd"], lambda length: length > 4))
    [b'a\nb\n', 7, b'c\n', b'd']
    """
    pending: list[bytes] = []
    size, is_long = 0, False
    for chunk in chunks:
        begin = chunk.find(b"\n") + 1
        size += begin or len(chunk)
        is_long = is_long or is_too_long(size - bool(begin))
        if is_long:
            pending.clear()
        if not begin:
            if not is_long:
                pending.append(chunk)
            continue
        if is_long:
            yield size
        start, end = begin if is_long else 0, chunk.rfind(b"\n") + 1
        if start < end:
            yield b"".join([*pending, chunk[start:end]])
        pending = [chunk[end:]] if end < len(chunk) else []
        size, is_long = len(chunk) - end, False
    if size:
        yield size if is_long else b"".join(pending)
