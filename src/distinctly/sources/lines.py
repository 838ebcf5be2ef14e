"""`.txt`: one text per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np

from distinctly.ragged import Integers
from distinctly.sources.blocks import Block, Row
from distinctly.sources.files import cut_lines, stripped
from distinctly.sources.line_files import LineFile
from distinctly.strings import Bytes, Strings

LINE_FEED, CARRIAGE_RETURN = b"\n\r"


class LinesSource(LineFile):
    """Each line is a text; an empty line is a text without tokens."""

    def items(self) -> Iterator[Row | Block]:
        """Yield the lines, in blocks."""
        self.reading.refuse_fields(self.name, "lines of text", "Use jsonl, csv or tsv.")
        if not self.is_plain:
            yield from _rows(self.lines(), self.first_number)
            return
        for first, block in self.blocks():
            data = np.frombuffer(block, np.uint8)
            yield Block(Strings(data, *line_places(data)), partial(_rows_of, block, first))


def line_places(data: Bytes) -> tuple[Integers, Integers]:
    r"""Return the starts and ends of lines, without their line ends.

    Examples
    --------
    >>> line_places(np.frombuffer(b"one\n\r\ntwo", np.uint8))
    (array([0, 4, 6]), array([3, 4, 9]))
    """
    feeds = np.flatnonzero(data == LINE_FEED)
    starts = np.append(0, feeds + 1)
    ends = feeds - (data[feeds - 1] == CARRIAGE_RETURN)
    # A line feed at the start of the data has no byte before it.
    if len(feeds) and feeds[0] == 0:
        ends[0] = 0
    if starts[-1] == len(data):
        return starts[:-1], ends
    return starts, np.append(ends, len(data))


def _rows_of(block: bytes, first: int) -> Iterator[Row]:
    return _rows(cut_lines([block.decode()]), first)


def _rows(lines: Iterable[str], first: int) -> Iterator[Row]:
    for number, line in enumerate(lines, first):
        yield Row(f"line {number}", stripped(line))
