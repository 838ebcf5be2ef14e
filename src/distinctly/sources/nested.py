"""Lists of lists in memory: groups of texts, lists of tokens, or lists of token ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from distinctly.batch import Nesting
from distinctly.errors import InputError
from distinctly.sources.arrow_columns import is_string
from distinctly.sources.base import is_null, is_whole_number, plain

# The number of lists that are examined at a time.
LISTS = 4096
# Scripts that are written without white space between words: Thai, Lao, Tibetan, Myanmar, Khmer, Tai Le, New
# Tai Lue, Tai Tham, Balinese, Javanese, Tai Viet; kana, bopomofo, Chinese characters, Yi.
_UNSPACED = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\ua980-\ua9ff\uaa60-\uaadf"
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua000-\ua4cf\uf900-\ufaff\uff66-\uff9f\U00017000-\U00018dff\U0001aff0-\U0001b2ff"
    "\U00020000-\U0003ffff]"
)


def nesting_of(values: Any) -> Nesting | None:
    r"""Return what the lists in a column are; None if it has no lists, or if they cannot be read.

    Lists of whole numbers are token ids. White space in a string shows that strings are texts; a string of
    nothing else, such as the token ``"\n"``, shows nothing.

    Raises
    ------
    InputError
        If there is no white space, and some letters belong to a script that is written without it.

    Examples
    --------
    >>> nesting_of([["a cat", "a dog"], ["the sun"]]), nesting_of([["a", "cat"], ["the", "sun"]])
    ('groups of texts', 'tokens')
    >>> nesting_of([[4, 1], [2]]), nesting_of(["a cat", "the sun"])
    ('token ids', None)
    """
    if not has_lists(values):
        return None
    pieces = _joined_lists(values) if isinstance(values, list) else _arrow_pieces(values)
    first = next(pieces, None)
    if first is None:
        return None
    if isinstance(first[0], (list, tuple)):
        raise InputError(
            "expected texts, lists of texts or lists of tokens, got lists that are nested more deeply. Give "
            "tokens=True for groups of token lists, or tokens=False for groups of texts."
        )
    if not isinstance(first[0], str):
        return "token ids" if is_whole_number(first[0]) else None
    unspaced = ""
    for strings in chain([first], pieces):
        try:
            joined = "".join(strings)
        except TypeError:
            strings = [string for string in strings if not is_null(string)]  # noqa: PLW2901
            if not all(isinstance(string, str) for string in strings):
                return None  # reported with its row when it is read
            joined = "".join(strings)
        if joined and joined.split(None, 1) != [joined] and any(map(_has_inner_space, strings)):
            return "groups of texts"
        if not unspaced and not joined.isascii() and (match := _UNSPACED.search(joined)):
            unspaced = match[0]
    if unspaced:
        raise InputError(
            "a list of lists of strings is read as groups of texts if there is white space in them, and as "
            f"lists of tokens otherwise, but '{unspaced}' belongs to a script that is written without white "
            "space. Give tokens=True if the strings are tokens, or tokens=False if they are texts."
        )
    return "tokens"


def _has_inner_space(string: str) -> bool:
    return len(string) > 1 and not string.isspace() and string.split(None, 1) != [string]


def first_value(values: Any) -> object:
    """Return the first value of a column that is not missing; None if all are."""
    if isinstance(values, list):
        return next((value for value in values if not is_null(value)), None)
    return next((value.as_py() for value in values if value.is_valid), None)


def has_lists(values: Any) -> bool:
    """Return whether the first value of a column that is not missing is a list."""
    if not isinstance(values, list):
        return _has_list_type(values.type)
    first = first_value(values)
    return isinstance(first, (list, tuple)) or (getattr(first, "ndim", 0) == 1 and hasattr(first, "tolist"))


def _joined_lists(values: Iterable[object]) -> Iterator[list[Any]]:
    remaining = iter(values)
    while some := list(islice(remaining, LISTS)):
        lists: Iterable[Any] = some
        if not set(map(type, some)) <= {list, tuple}:
            lists = [value for value in map(plain, some) if isinstance(value, (list, tuple))]
        items = list(chain.from_iterable(lists))
        if items and is_null(items[0]):
            items = [item for item in items if not is_null(item)]
        if items:
            yield items


def _has_list_type(kind: Any) -> bool:
    import pyarrow as pa

    kinds = ("is_list", "is_large_list", "is_fixed_size_list", "is_list_view", "is_large_list_view")
    return any(getattr(pa.types, name, lambda _: False)(kind) for name in kinds)


def _arrow_pieces(values: Any) -> Iterator[list[Any]]:
    import pyarrow as pa

    kind = values.type.value_type
    if not (is_string(kind) or pa.types.is_integer(kind) or _has_list_type(kind)):
        return
    for chunk in values.chunks:
        for start in range(0, len(chunk), LISTS):
            if items := chunk.slice(start, LISTS).flatten().drop_null().to_pylist():
                yield items
