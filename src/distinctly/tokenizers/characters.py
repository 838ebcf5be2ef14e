"""The classes of characters that tokenizers distinguish (Unicode 14, the same under every Python)."""

from __future__ import annotations

import bisect
import functools
import re
import sys

import numpy as np

from distinctly.strings import Bytes
from distinctly.tokenizers import unicode_classes

# In the order of the compiled scan; the last class holds all characters that are in no other.
CLASSES = ("SPACE", "LETTER", "DIGIT", "EXTEND", "IDEOGRAPH", "OTHER")
ASCII, BASIC = 0x7F, 0xFFFF
_BEYOND_BASIC = re.compile("[\U00010000-\U0010ffff]")
# The character that replaces those of each class above U+FFFF; "!" replaces all other characters.
_STAND_INS = {"LETTER": "a", "DIGIT": "0", "EXTEND": "\u0301", "IDEOGRAPH": "一"}


@functools.cache
def class_table() -> Bytes:
    """Return the class of every code point as a number."""
    table = np.full(sys.maxunicode + 1, CLASSES.index("OTHER"), np.uint8)
    for number, name in enumerate(CLASSES[:-1]):
        for first, last in _ranges(name):
            table[first : last + 1] = number
    return table


def members(name: str, limit: int = BASIC) -> str:
    r"""Return the characters of a class up to a limit, as they are written in brackets of a pattern.

    Examples
    --------
    >>> members("DIGIT", ASCII)
    '\\u0030-\\u0039'
    """
    return "".join(
        f"\\u{first:04x}-\\u{min(last, limit):04x}" for first, last in _ranges(name) if first <= limit
    )


def basic(text: str) -> str:
    """Return a text with a character of the same class in place of each character above U+FFFF.

    The `re` engine tests those one range at a time, fifteen times as slowly. Positions stay the same.
    """
    if not _BEYOND_BASIC.search(text):
        return text
    return _BEYOND_BASIC.sub(lambda match: _stand_in(match.group()), text)


@functools.cache
def _stand_in(character: str) -> str:
    classes = _stand_in_ranges()
    first, last, stand_in = classes[bisect.bisect(classes, (ord(character), sys.maxunicode, "")) - 1]
    return stand_in if first <= ord(character) <= last else "!"


@functools.cache
def _stand_in_ranges() -> list[tuple[int, int, str]]:
    return sorted((*pair, stand_in) for name, stand_in in _STAND_INS.items() for pair in _ranges(name))


@functools.cache
def _ranges(name: str) -> list[tuple[int, int]]:
    pairs = (word.partition("-") for word in getattr(unicode_classes, name).split())
    return [(int(first, 16), int(last or first, 16)) for first, _, last in pairs]
