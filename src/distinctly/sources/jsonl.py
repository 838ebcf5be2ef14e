"""`.jsonl`: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from distinctly.batch import Batch
from distinctly.errors import InputError
from distinctly.sources.base import BatchBuilder, Row, column, describe
from distinctly.sources.files import FileSource, stripped


class JsonlSource(FileSource):
    """The text is in `field`; blank lines are passed over."""

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the objects' texts in batches."""
        yield from BatchBuilder(self.name, self.reading, rows).build(self._rows())

    def _rows(self) -> Iterator[Row]:
        reading, found = self.reading, False
        for number, line in enumerate(self.lines(), 1):
            if line.isspace():
                continue
            found = True
            where = f"line {number}"
            record = self._record(line, where)
            for flag in ("field", "group", "id"):
                name = getattr(reading, flag)
                if name is not None and name not in record:
                    raise column(name, record, source=self.name, row=where, flag=flag)
            yield Row(
                where,
                record[reading.field],
                None if reading.group is None else record[reading.group],
                None if reading.id is None else record[reading.id],
            )
        if not found:
            raise InputError("there are only blank lines in it: no text to measure.", source=self.name)

    def _record(self, line: str, where: str) -> dict[str, object]:
        try:
            record = json.loads(stripped(line))
        except ValueError as error:
            problem = getattr(error, "msg", str(error))
            raise InputError(
                f"not valid JSON ({problem}, column {getattr(error, 'colno', 1)}). Mend or remove the line.",
                source=self.name,
                row=where,
            ) from error
        except RecursionError as error:
            raise InputError("the JSON is nested too deeply to read.", source=self.name, row=where) from error
        if not isinstance(record, dict):
            raise InputError(
                f'expected an object such as {{"{self.reading.field}": "…"}}, got {describe(record)}.',
                source=self.name,
                row=where,
            )
        return record
