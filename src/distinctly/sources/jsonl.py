"""`.jsonl`: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial

from distinctly.errors import InputError
from distinctly.sources.blocks import Block, Row
from distinctly.sources.fast_json import texts_of
from distinctly.sources.files import FileSource, cut_lines, stripped
from distinctly.sources.records import record_row

# From here on the fast road is worth the import of Arrow.
FAST_FROM = 8_000_000


class JsonlSource(FileSource):
    """The text is in `field`; blank lines are passed over."""

    def items(self) -> Iterator[Row | Block]:
        """Yield the objects, one by one or many at a time."""
        found = False
        for item in self._by_block() if self.is_plain else self._rows(self.lines(), 1):
            found = True
            yield item
        if not found:
            raise InputError("there are only blank lines in it: no text to measure.", source=self.name)

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield every object whole, with where it is."""
        for number, line in enumerate(self.lines(), 1):
            if not line.isspace():
                yield f"line {number}", self._value(line, f"line {number}")

    def _by_block(self) -> Iterator[Row | Block]:
        asks_for_text_alone = self.reading.group is None and self.reading.id is None
        read = 0
        for first, block in self.blocks():
            read += len(block)
            rows = partial(self._rows_of, block, first)
            fast = asks_for_text_alone and read >= FAST_FROM
            strings = texts_of(block, self.reading.field) if fast else None
            if strings is None:
                yield from rows()
            else:
                yield Block(strings, rows)

    def _rows_of(self, block: bytes, first: int) -> Iterator[Row]:
        return self._rows(cut_lines([block.decode()]), first)

    def _rows(self, lines: Iterable[str], first: int) -> Iterator[Row]:
        for number, line in enumerate(lines, first):
            if not line.isspace():
                where = f"line {number}"
                yield record_row(self._value(line, where), self.reading, source=self.name, where=where)

    def _value(self, line: str, where: str) -> object:
        try:
            return loads(stripped(line))
        except ValueError as error:
            problem = getattr(error, "msg", str(error))
            raise InputError(
                f"not valid JSON ({problem}, column {getattr(error, 'colno', 1)}). Mend or remove the line.",
                source=self.name,
                row=where,
            ) from error
        except RecursionError as error:
            raise InputError("the JSON is nested too deeply to read.", source=self.name, row=where) from error


def loads(text: str) -> object:
    """Read JSON; a whole number of any length is one, where Python stops at 4,300 digits."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return json.loads(text, parse_int=float)
