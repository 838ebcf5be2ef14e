"""Field paths, such as ``choices[*].message.content``: values within nested objects and lists."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from distinctly.errors import FieldError
from distinctly.sources.base import column, describe, is_null, plain
from distinctly.sources.blocks import Unreadable

# A step into an object is a name, a step into a list is an index, and this is a step to each item of a list.
EVERY: Final = None
Step = str | int | None

_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]]+) | \[(?P<index>-?[0-9]+)\] | \[(?P<every>\*)\]
    | \['(?P<single>[^']+)'\] | \["(?P<double>[^"]+)"\]""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class FieldPath:
    """The path of a field: names of nested objects, indices of lists, and ``[*]`` for each item of a list.

    A field whose name is the whole path is preferred, so that a column ``response.output`` is found by its
    name. A name that contains a dot or a bracket is quoted within a longer path: ``['a.b'].c``.

    Attributes
    ----------
    text
        The path as it was written.
    steps
        The path in steps; the text alone if it is not a path.

    Examples
    --------
    >>> path = FieldPath.parse("choices[*].message.content")
    >>> path.steps
    ('choices', None, 'message', 'content')
    >>> path.select({"choices": [{"message": {"content": "a"}}, {"message": {"content": "b"}}]})
    ['a', 'b']
    >>> FieldPath.parse("resps[0][-1]").select({"resps": [["a", "b"], ["c"]]})
    'b'
    >>> FieldPath.parse("response.output").select({"response.output": "a", "response": {"output": "b"}})
    'a'
    """

    text: str
    steps: tuple[Step, ...]

    @staticmethod
    @lru_cache(maxsize=256)
    def parse(text: str) -> FieldPath:
        """Return the path that a text describes; a text that is no path is the name of a field."""
        rest = text if text.startswith("[") else f".{text}"
        steps: list[Step] = []
        position = 0
        while match := _STEP.match(rest, position):
            position = match.end()
            if match["index"]:
                steps.append(int(match["index"]))
            elif match["every"]:
                steps.append(EVERY)
            else:
                steps.append(match["name"] or match["single"] or match["double"])
        is_path = position == len(rest) and isinstance(steps[0], str)
        return FieldPath(text, tuple(steps) if is_path else (text,))

    @property
    def takes_every(self) -> bool:
        """Whether the path leads to several values, as a list."""
        return EVERY in self.steps

    def select(
        self, record: Mapping[str, object], *, source: str = "", row: str = "", option: str = "field"
    ) -> object:
        """Return the value of this field in a row; raise if the row does not have it.

        Parameters
        ----------
        record
            The fields of the row.
        source, row
            The name of the file, and the place of the row in it, for errors.
        option
            The option that named the field, for errors.
        """
        if self.text in record:
            return record[self.text]
        if self.steps[0] not in record:
            raise self.missing(record, source=source, row=row, option=option)
        return descend(record, self.steps, asked=Asked(source, row, option))

    def root(self, names: Sequence[str]) -> tuple[str, tuple[Step, ...]] | None:
        """Return the column that the path begins with, and the steps within it; None if there is none."""
        if self.text in names:
            return self.text, ()
        first, *rest = self.steps
        return (first, tuple(rest)) if isinstance(first, str) and first in names else None

    def missing(
        self, names: Iterable[str], *, source: str = "", row: str = "", option: str = "field"
    ) -> FieldError:
        """Return the error for a row without this field."""
        known = [str(name) for name in names]
        # A misspelled name that contains dots, or a path whose first name is not known.
        is_close = difflib.get_close_matches(self.text, known, n=1, cutoff=0.8)
        name = self.text if is_close else str(self.steps[0])
        return column(name, known, source=source, row=row, flag=option)


@dataclass(frozen=True)
class Asked:
    """Where a field was asked for, for errors: the file, the row, and the option that named the field."""

    source: str = ""
    row: str = ""
    option: str = "field"


def descend(value: object, steps: Sequence[Step], *, asked: Asked, reached: str = "") -> object:
    """Return the value that steps lead to; None if a value on the way is missing (null).

    Parameters
    ----------
    value
        The value to begin with.
    steps
        Names, indices, and `EVERY` for each item of a list. The values of nested lists form one list.
    asked
        For errors.
    reached
        The path of `value`, for errors.
    """
    for place, step in enumerate(steps):
        value = plain(value)
        if is_null(value):
            return None
        if isinstance(step, str):
            value = _member(value, step, reached, asked)
            reached = f"{reached}.{step}" if reached else step
            continue
        if not isinstance(value, (list, tuple)):
            raise _problem(
                f"expected '{reached}' to be a list, got {describe(value)}. Leave out "
                f"[{'*' if step is EVERY else step}] in --{{option}} (Python: {{option}}=).",
                asked,
            )
        if step is EVERY:
            rest = steps[place + 1 :]
            values = [
                descend(item, rest, asked=asked, reached=f"{reached}[{number}]")
                for number, item in enumerate(value)
            ]
            return _flattened(values) if EVERY in rest else values
        if not -len(value) <= step < len(value):
            items = f"{len(value)} item" + ("s" if len(value) != 1 else "")
            raise _problem(
                f"'{reached}' has {items}, so no item [{step}]. Choose another one with --{{option}} "
                "(Python: {option}=), or each of them with [*].",
                asked,
            )
        value, reached = value[step], f"{reached}[{step}]"
    return value


def descend_or_skip(
    value: object, steps: Sequence[Step], asked: Asked, *, reached: str, skip_bad: bool
) -> object:
    """Return the value that steps lead to; if there is none and bad rows are skipped, the reason."""
    if not skip_bad:
        return descend(value, steps, asked=asked, reached=reached)
    try:
        return descend(value, steps, asked=asked, reached=reached)
    except FieldError as error:
        return Unreadable(error)


def _member(value: object, name: str, reached: str, asked: Asked) -> object:
    if isinstance(value, Mapping):
        if name in value:
            return value[name]
        raise column(
            name, map(str, value), source=asked.source, row=asked.row, flag=asked.option, inside=reached
        )
    remedy = f"Choose '{reached}' with --{{option}} (Python: {{option}}=)."
    if isinstance(value, (list, tuple)):
        remedy = f"Write {reached}[0] for its first item, or {reached}[*] for each of its items."
    raise _problem(f"'{reached}' has no field '{name}', since it is {describe(value)}. {remedy}", asked)


def _flattened(values: Iterable[object]) -> list[object]:
    return [part for value in values for part in (value if isinstance(value, list) else [value])]


def _problem(template: str, asked: Asked) -> FieldError:
    return FieldError(template, asked.option, source=asked.source, row=asked.row)
