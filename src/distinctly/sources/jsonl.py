"""`.jsonl`: one JSON object per line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Literal

from distinctly.errors import InputError
from distinctly.sources.base import FLAGS
from distinctly.sources.blocks import Block, Row, Unreadable, bad_row
from distinctly.sources.fast_json import texts_of
from distinctly.sources.files import Begun, cut_lines, stripped
from distinctly.sources.line_files import LineFile
from distinctly.sources.records import record_row

# From this number of bytes on, parsing with Arrow is worth its import.
FAST_FROM = 8_000_000


class JsonlSource(LineFile):
    """The text is in `field`; blank lines are skipped."""

    def items(self) -> Iterator[Row | Block]:
        """Yield the objects, one by one or in blocks."""
        is_empty = True
        begun = self.begin()
        by_block = self.is_plain(begun.encoding)
        for item in (
            self._by_block(begun) if by_block else self._rows(self.readable_lines(begun), self.first_number)
        ):
            is_empty = False
            yield item
        if is_empty:
            self.refuse_empty("the file has only blank lines: no text to measure.")

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield each object with all of its fields, and its place as text."""
        for number, line in enumerate(self.readable_lines(), 1):
            if isinstance(line, Row):
                yield line.where, line.text
            elif not line.isspace():
                yield f"line {number}", self._value_or_skip(line, f"line {number}")

    def _by_block(self, begun: Begun) -> Iterator[Row | Block]:
        reading = self.reading
        needs_text_only = all(getattr(reading, flag) is None for flag in FLAGS[1:])
        position = 0 if self.span is None else self.span.start
        for item in self.blocks(begun):
            if isinstance(item, Row):
                yield item
                continue
            first, block = item
            position += len(block)
            rows = partial(self._rows_of, block, first)
            fast = needs_text_only and position >= FAST_FROM
            strings = texts_of(block, self.reading.field) if fast else None
            if strings is None:
                yield from rows()
            else:
                yield Block(strings, rows)

    def _rows_of(self, block: bytes, first: int) -> Iterator[Row]:
        return self._rows(cut_lines([block.decode()]), first)

    def _rows(self, lines: Iterable[str | Row], first: int) -> Iterator[Row]:
        for number, line in enumerate(lines, first):
            if isinstance(line, Row):
                yield line
            elif not line.isspace():
                where = f"line {number}"
                try:
                    row = record_row(self._value(line, where), self.reading, source=self.name, where=where)
                except InputError as error:
                    if not self.reading.skip_bad:
                        raise
                    row = bad_row(error)
                yield row

    def _value_or_skip(self, line: str, where: str) -> object:
        """Return the value of a line; if it is not valid and bad rows are skipped, the reason."""
        try:
            return self._value(line, where)
        except InputError as error:
            if not self.reading.skip_bad:
                raise
            return Unreadable(error)

    def _value(self, line: str, where: str) -> object:
        is_array = line.lstrip().startswith("[") and where == f"line {type(self).first_number}"
        array = 'If the file is one array, choose --input json (Python: format="json").'
        try:
            value = loads(stripped(line))
        except ValueError as error:
            problem = getattr(error, "msg", str(error))
            raise InputError(
                f"not valid JSON ({problem}, column {getattr(error, 'colno', 1)}). "
                + (array if is_array else "Correct or remove the line."),
                source=self.name,
                row=where,
            ) from error
        except RecursionError as error:
            raise InputError("the JSON is nested too deeply to read.", source=self.name, row=where) from error
        if is_array and isinstance(value, list) and any(isinstance(item, (dict, str)) for item in value):
            problem = f"expected one object per line, got an array. {array}"
            raise InputError(problem, source=self.name, row=where)
        return value


def json_format(lines: Sequence[str]) -> Literal["json", "jsonl"] | None:
    r"""Return the format of a file by its first lines that are not blank, if they are JSON.

    JSON of numbers alone, or without contents, may also be text.

    Examples
    --------
    >>> json_format(['{"text": "a"}\n', '{"text": "b"}\n'])
    'jsonl'
    >>> json_format(["[\n", ' {"text": "a"},\n'])
    'json'
    >>> json_format(["[1]\n"]) is None
    True
    """
    first = lines[0].strip()
    if first in ("[", "{", "[{"):
        second = lines[1].lstrip()[:1] if len(lines) > 1 else ""
        return "json" if second in ('"', *("{" if first == "[" else "")) else None
    values: list[object] = []
    for line in lines:
        try:
            values.append(loads(line))
        except (ValueError, RecursionError):
            values.append(None)
    if all(isinstance(value, dict) and value for value in values):
        return "jsonl"
    if not all(
        isinstance(value, list) and value and all(isinstance(part, (dict, str)) and part for part in value)
        for value in values
    ):
        return None
    return "json" if len(values) == 1 else "jsonl"


def loads(text: str) -> object:
    """Parse JSON with integers of any length; Python alone allows 4,300 digits."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return json.loads(text, parse_int=float)
