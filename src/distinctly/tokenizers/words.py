"""`words`: words, numbers, and every other visible character, in any script.

The rule, character by character (classes of Unicode 14, the same under every Python):

1. White space separates tokens and is dropped, as are the zero-width space (U+200B) and the byte
   order mark (U+FEFF), which are invisible boundaries.
2. Adjacent letters and digits (all of Unicode's L and N) form a word.
3. An apostrophe (``'`` or ``’``) between two letters, and a ``.`` or ``,`` between two digits, stay
   inside the word: ``don’t``, ``3.14``, ``1,000``.
4. Ideographs and kana are one token each.
5. Combining marks, variation selectors, joiners and other invisible format characters (M and Cf)
   belong to the character before them, and rule 3 ignores them. Without a character before them, they
   begin a word.
6. Every other character (punctuation, symbols, controls, unassigned) is a token of its own.
"""

from __future__ import annotations

import bisect
import functools
import re
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.strings import Bytes
from distinctly.tokenizers import unicode_classes
from distinctly.tokenizers.base import Tokenizer

ASCII, BASIC = 0x7F, 0xFFFF
_BEYOND_BASIC = re.compile("[\U00010000-\U0010ffff]")
# The character that replaces those of each class above U+FFFF; "!" replaces all other characters.
_STAND_INS = {"LETTER": "a", "DIGIT": "0", "EXTEND": "\u0301", "IDEOGRAPH": "一"}


@dataclass(frozen=True, kw_only=True)
class Words(Tokenizer):
    """Unicode-aware words and punctuation; the default.

    Examples
    --------
    >>> Words().tokenize("Don’t pay $1,000.50 — 知道吗？")
    ['Don’t', 'pay', '$', '1,000.50', '—', '知', '道', '吗', '？']
    """

    name: ClassVar[str] = "words"
    cuts_ideographs: ClassVar[bool] = True

    def split(self, text: str) -> list[str]:
        """Split at the boundaries of the rule above."""
        if text.isascii():
            if text.replace(" ", "").isalnum():  # letters, digits and spaces need no pattern
                return text.split()
            return _pattern(ASCII).findall(text)
        if not _BEYOND_BASIC.search(text):
            return _pattern(BASIC).findall(text)
        # The `re` engine tests characters above U+FFFF one range at a time, fifteen times as slowly. So
        # split a copy with a stand-in for each of them, and take the same positions of the text.
        basic = _BEYOND_BASIC.sub(lambda match: _stand_in(match.group()), text)
        return [text[match.start() : match.end()] for match in _pattern(BASIC).finditer(basic)]

    def character_classes(self) -> Bytes:
        """Return the classes of the rule above."""
        return class_table()


# In the order of the compiled scan; the last class holds all characters that are in no other.
CLASSES = ("SPACE", "LETTER", "DIGIT", "EXTEND", "IDEOGRAPH", "OTHER")


@functools.cache
def class_table() -> Bytes:
    """Return the class of every code point as a number."""
    table = np.full(sys.maxunicode + 1, CLASSES.index("OTHER"), np.uint8)
    for number, name in enumerate(CLASSES[:-1]):
        for first, last in _ranges(name):
            table[first : last + 1] = number
    return table


@functools.cache
def _pattern(limit: int) -> re.Pattern[str]:
    """Return the rule as a pattern for texts without characters above `limit`."""
    space, letter, digit, extend = (
        "".join(
            f"\\u{first:04x}-\\u{min(last, limit):04x}" for first, last in _ranges(name) if first <= limit
        )
        for name in ("SPACE", "LETTER", "DIGIT", "EXTEND")
    )
    inside = f"[{letter}{digit}{extend}]"
    marks = f"[{extend}]*" if extend else ""
    joined_letters = f"{inside}*[{letter}]{marks}['’](?=[{letter}])"
    joined_digits = f"{inside}*[{digit}]{marks}[.,](?=[{digit}])"
    return re.compile(f"(?:{joined_letters}|{joined_digits})*{inside}+|[^{space}]{marks}")


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
