"""Text cells that a spreadsheet would run as formulas, and how they are written so that it does not."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

# Beginnings of a formula, as OWASP lists them, also as full-width characters, after any white space; and the
# white space that a spreadsheet may remove. Apostrophes before them are counted, so that the original text
# can be restored.
_FORMULA = re.compile(r"'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])")
# Strings of a line of settings, and separators of cells that would begin a new cell in them.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SEPARATORS = {",": r"\u002c", ";": r"\u003b"}


def guarded(text: str) -> str:
    """Return a text with an apostrophe before it if a spreadsheet would read it as a formula.

    Examples
    --------
    >>> guarded("=1+1"), guarded("-3"), guarded("a-b"), guarded("'=1+1")
    ("'=1+1", "'-3", 'a-b', "''=1+1")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """Return the text that `guarded` was given.

    Examples
    --------
    >>> [unguarded(guarded(text)) for text in ("=1+1", "'=1+1", "'tis", "a")]
    ['=1+1', "'=1+1", "'tis", 'a']
    """
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def plain_cell(value: object) -> object:
    """Return what a cell of a spreadsheet can hold: None, a number, a truth value, a date or text.

    NaN and infinite numbers are None; lists and mappings are written as JSON.
    """
    if value is None or isinstance(value, (bool, int, date, datetime)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    text = value if isinstance(value, str) else _as_text(value)
    # Lone surrogates cannot be encoded.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _as_text(value: object) -> str:
    if isinstance(value, (list, tuple, dict)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def cells_of(
    records: Sequence[Mapping[str, Any]], columns: Sequence[str] = (), *, raw_cells: bool = False
) -> tuple[list[str], list[list[object]]]:
    """Return the names of the columns of all records, and the rows of cells under them.

    Parameters
    ----------
    records
        One mapping per row.
    columns
        Columns that are always there, before the others.
    raw_cells
        Whether text that looks like a formula is written as it is.
    """
    names = list(dict.fromkeys([*columns, *(name for record in records for name in record)]))
    rows = [[plain_cell(record.get(name)) for name in names] for record in records]
    titles = [str(plain_cell(name)) for name in names]
    if raw_cells:
        return titles, rows
    safe = [[guarded(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return [guarded(title) for title in titles], safe


def settings_line(settings: Mapping[str, Any]) -> str:
    r"""Return settings as one line of JSON after ``#``, none of whose strings begins a new cell.

    Examples
    --------
    >>> print(settings_line({"name": "a,=1+1", "n": 2}))
    # {"name": "a\u002c=1+1", "n": 2}
    """
    text = json.dumps(settings, allow_nan=False)
    safe = _STRING.sub(lambda string: re.sub("[,;]", lambda mark: _SEPARATORS[mark[0]], string[0]), text)
    return f"# {safe}"
