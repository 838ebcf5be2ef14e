"""`.json`: one array of objects, or of texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from distinctly.errors import InputError
from distinctly.sources.base import describe
from distinctly.sources.blocks import Row, Unreadable
from distinctly.sources.files import FileSource, IsTooLong, LongRowError
from distinctly.sources.records import row_or_skip

_SPACE = re.compile(r"[ \t\n\r]*")
# A value that is cut off is an error at most this number of characters before the end, or a string.
_NEAR_END = 16
_JSONL = 'choose --input jsonl (Python: format="jsonl").'


class JsonSource(FileSource):
    """The items of the array are parsed one after another, so that only a part of it is in memory."""

    def items(self) -> Iterator[Row]:
        """Yield the items of the array."""
        for where, item in self.objects():
            if isinstance(item, Unreadable):
                yield Row(where, item)
            elif isinstance(item, str):
                self.reading.refuse_fields(f"{self.name}, {where}", "texts without objects", "Use objects.")
                yield Row(where, item)
            else:
                yield row_or_skip(item, self.reading, source=self.name, where=where)

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield the items of the array with all of their fields, and their places as text."""
        number = 0
        is_marked = self.is_marked if self.reading.skip_bad else None
        try:
            text = _JsonText(self.pieces(), self.is_too_long, is_marked)
            for item in self._array(text):
                where = f"row {number}"
                yield where, Unreadable(self.undecodable(where)) if text.was_marked else item
                number += 1
        except LongRowError as error:
            raise self.too_long(f"row {number}") from error
        except RecursionError as error:
            raise InputError(
                "the JSON is nested too deeply to read.", source=self.name, row=f"row {number}"
            ) from error
        except json.JSONDecodeError as error:
            raise InputError(
                f"not valid JSON ({error.msg}, column {error.colno}). Correct it.",
                source=self.name,
                row=f"line {error.lineno}",
            ) from error
        if not number:
            raise InputError("the file has only an empty array: no text to measure.", source=self.name)

    def _array(self, text: _JsonText) -> Iterator[object]:
        begin = text.next_character()
        if not begin:
            raise self.nothing()
        if begin != "[":
            value = text.value()
            if not text.next_character():
                raise InputError(
                    f"expected an array of objects, got {describe(value)}. If it has one object per line, "
                    + _JSONL,
                    source=self.name,
                )
            if not isinstance(value, dict):
                raise text.error("Extra data")
            raise InputError(
                f"expected an array of objects, got objects one after another. If each has a line, {_JSONL}",
                source=self.name,
                row=f"line {text.error('').lineno}",
            )
        text.place += 1
        is_end = text.next_character() == "]"
        while not is_end:
            yield text.value()
            after = text.next_character()
            if after not in (",", "]"):
                raise text.error("Expecting ',' delimiter")
            is_end = after == "]"
            text.place += not is_end
            if not is_end:
                text.next_character()
        text.place += 1
        if text.next_character():
            raise text.error("Extra data")


@dataclass
class _JsonText:
    """JSON that is read in pieces, as the values in it are needed.

    Attributes
    ----------
    pieces
        The text that is not read yet.
    is_too_long
        Whether a value of a number of characters takes too much memory.
    is_marked
        Whether bytes of a text could not be decoded; None if that is an error.
    waiting
        The text that is read, from the line and column `line` and `column` on.
    place
        The place in `waiting` of the next value.
    was_marked
        Whether bytes of the last value could not be decoded.
    """

    pieces: Iterator[str]
    is_too_long: IsTooLong
    is_marked: Callable[[str], bool] | None
    waiting: str = ""
    place: int = 0
    line: int = 1
    column: int = 1
    was_marked: bool = False

    def next_character(self) -> str:
        """Return the next character that is not white space, and move to it; nothing at the end."""
        while True:
            space = _SPACE.match(self.waiting, self.place)
            self.place = self.place if space is None else space.end()
            if self.place < len(self.waiting):
                return self.waiting[self.place]
            if not self._read_more():
                return ""

    def value(self) -> object:
        """Return the value at `place`, and move behind it."""
        while True:
            try:
                value, end = _parse(self.waiting, self.place)
            except json.JSONDecodeError as error:
                is_cut = error.pos + _NEAR_END > len(self.waiting) or error.msg.startswith("Unterminated")
                located = self.error(error.msg, error.pos)
                if not is_cut or not self._read_more():
                    raise located from error
            else:
                # A number at the end may have more digits.
                place = self.place
                if self.is_too_long(end - place):
                    raise LongRowError
                if end < len(self.waiting) or not self._read_more():
                    start, self.place = self.place, self.place + end - place
                    if self.is_marked is not None:
                        self.was_marked = self.is_marked(self.waiting[start : self.place])
                    return value

    def error(self, problem: str, place: int | None = None) -> json.JSONDecodeError:
        """Return an error with the line and column in the file of a place in `waiting`."""
        place = self.place if place is None else place
        error = json.JSONDecodeError(problem, self.waiting, place)
        error.colno += self.column - 1 if error.lineno == 1 else 0
        error.lineno += self.line - 1
        return error

    def _read_more(self) -> bool:
        """Drop the text before `place`, and read at least as much as there is after it."""
        here = self.error("", self.place)
        self.line, self.column = here.lineno, here.colno
        self.waiting, self.place = self.waiting[self.place :], 0
        if self.is_too_long(len(self.waiting)):
            raise LongRowError
        read, size = [self.waiting], 0
        while size <= len(self.waiting) and (piece := next(self.pieces, "")):
            read.append(piece)
            size += len(piece)
        self.waiting = "".join(read)
        return size > 0


def _parse(text: str, place: int) -> tuple[object, int]:
    """Parse the JSON value that begins at `place`; integers may be of any length, as in JSON lines."""
    try:
        return json.JSONDecoder().raw_decode(text, place)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return json.JSONDecoder(parse_int=float).raw_decode(text, place)
