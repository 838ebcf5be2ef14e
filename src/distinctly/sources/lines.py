"""`.txt`: one text per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from io import BytesIO
from itertools import chain

import numpy as np

from distinctly.errors import InputError
from distinctly.ragged import Integers
from distinctly.sources.blocks import Block, Row
from distinctly.sources.files import cut_lines, stripped
from distinctly.sources.line_files import LineFile
from distinctly.strings import Bytes, Strings

LINE_FEED, CARRIAGE_RETURN = b"\n\r"
NO_FIELDS = "Remove the option, or choose a format that has fields with --input (Python: format=)."
# The number of lines that are checked for JSON.
FIRST_LINES = 5
_BEGINS = ("{", "[", '"')


class LinesSource(LineFile):
    """Each line is a text; an empty line is a text without tokens."""

    def items(self) -> Iterator[Row | Block]:
        """Yield the lines, in blocks."""
        self.reading.refuse_fields(self.name, "lines of text", NO_FIELDS)
        begun = self.begin()
        if not self.is_plain(begun.encoding):
            yield from _rows(self._checked(self.readable_lines(begun)), self.first_number)
            return
        is_first = True
        for item in self.blocks(begun):
            if isinstance(item, Row):
                yield item
                continue
            first, block = item
            if is_first:
                next(self._checked(line.decode() for line in BytesIO(block)), None)
                is_first = False
            data = np.frombuffer(block, np.uint8)
            yield Block(Strings(data, *line_places(data)), partial(_rows_of, block, first))

    def _checked(self, lines: Iterator[str | Row]) -> Iterator[str | Row]:
        """Return the lines; raise if the first are JSON, unless they are to be read as text."""
        if self.reading.format is not None or (self.span is not None and self.span.start):
            return lines
        before: list[str | Row] = []
        first: list[str] = []
        for line in lines:
            before.append(line)
            if isinstance(line, str) and not line.isspace():
                first.append(line)
                if not line.lstrip().startswith(_BEGINS) or len(first) == FIRST_LINES:
                    break
        if first and first[0].lstrip().startswith(("{", "[")):
            from distinctly.sources.jsonl import json_format

            json_input = json_format(first)
            if json_input is not None:
                raise InputError(
                    f"the file has JSON, not one text per line. Choose --input {json_input} "
                    f'(Python: format="{json_input}"), or --input txt to read each line as a text.',
                    source=self.name,
                    row=f"line {self.first_number}",
                )
        return chain(before, lines)


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


def _rows(lines: Iterable[str | Row], first: int) -> Iterator[Row]:
    for number, line in enumerate(lines, first):
        yield Row(f"line {number}", stripped(line)) if isinstance(line, str) else line
