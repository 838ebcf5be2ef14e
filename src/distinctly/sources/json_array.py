"""`.json`: one array of objects, or of texts."""

from __future__ import annotations

from collections.abc import Iterator

from distinctly.errors import InputError
from distinctly.sources.base import describe
from distinctly.sources.blocks import Row
from distinctly.sources.files import FileSource
from distinctly.sources.jsonl import loads
from distinctly.sources.records import record_row


class JsonSource(FileSource):
    """The whole file is read into memory, since an array cannot be read in pieces."""

    def items(self) -> Iterator[Row]:
        """Yield the items of the array."""
        for where, item in self.objects():
            if isinstance(item, str):
                self.reading.refuse_fields(f"{self.name}, {where}", "texts without objects", "Use objects.")
                yield Row(where, item)
            else:
                yield record_row(item, self.reading, source=self.name, where=where)

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield the items of the array with all of their fields, and their places as text."""
        for number, item in enumerate(self._array()):
            yield f"row {number}", item

    def _array(self) -> list[object]:
        text = "".join(self.pieces())
        if not text.strip():
            raise self.nothing()
        try:
            array = loads(text)
        except ValueError as error:
            problem, line = getattr(error, "msg", str(error)), getattr(error, "lineno", 1)
            hint = " If it has one object per line, choose --input jsonl (Python: format=)."
            raise InputError(
                f"not valid JSON ({problem}, column {getattr(error, 'colno', 1)})."
                + (hint if problem == "Extra data" else " Correct it."),
                source=self.name,
                row=f"line {line}",
            ) from error
        except RecursionError as error:
            raise InputError("the JSON is nested too deeply to read.", source=self.name) from error
        if not isinstance(array, list):
            raise InputError(
                f"expected an array of objects, got {describe(array)}. If it has one object per line, choose "
                "--input jsonl (Python: format=).",
                source=self.name,
            )
        if not array:
            raise InputError("the file has only an empty array: no text to measure.", source=self.name)
        return array
