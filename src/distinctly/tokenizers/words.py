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

Then `punct=no`, `numbers=no` and `stopwords=FILE` leave out tokens: see `tokenizers/dropping.py`.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import ClassVar

from distinctly.strings import Bytes
from distinctly.tokenizers.characters import ASCII, BASIC, basic, class_table, members
from distinctly.tokenizers.dropping import Dropping


@dataclass(frozen=True, kw_only=True)
class Words(Dropping):
    """Unicode-aware words and punctuation; the default.

    ``punct=no`` leaves out punctuation, symbols and emoji; ``numbers=no`` leaves out ``1,000.50`` and the
    like, but not ``90s``; ``stopwords=FILE`` leaves out the words of a file, one per line.

    Examples
    --------
    >>> Words().tokenize("Don’t pay $1,000.50 — 知道吗？")
    ['Don’t', 'pay', '$', '1,000.50', '—', '知', '道', '吗', '？']
    >>> Words(punct=False, numbers=False, lc=True).tokenize("Don’t pay $1,000.50 — 知道吗？")
    ['don’t', 'pay', '知', '道', '吗']
    """

    name: ClassVar[str] = "words"
    cuts_ideographs: ClassVar[bool] = True
    cuts_at_spaces: ClassVar[bool] = True

    def split(self, text: str) -> list[str]:
        """Split at the boundaries of the rule above."""
        tokens = _split(text)
        return self.kept(tokens) if self.drops else tokens

    def character_classes(self) -> Bytes:
        """Return the classes of the rule above."""
        return class_table()


def _split(text: str) -> list[str]:
    if text.isascii():
        if text.replace(" ", "").isalnum():  # letters, digits and spaces need no pattern
            return text.split()
        return _pattern(ASCII).findall(text)
    plain = basic(text)
    if plain is text:
        return _pattern(BASIC).findall(text)
    return [text[match.start() : match.end()] for match in _pattern(BASIC).finditer(plain)]


@functools.cache
def _pattern(limit: int) -> re.Pattern[str]:
    """Return the rule as a pattern for texts without characters above `limit`."""
    space, letter, digit, extend = (members(name, limit) for name in ("SPACE", "LETTER", "DIGIT", "EXTEND"))
    inside = f"[{letter}{digit}{extend}]"
    marks = f"[{extend}]*" if extend else ""
    joined_letters = f"{inside}*[{letter}]{marks}['’](?=[{letter}])"
    joined_digits = f"{inside}*[{digit}]{marks}[.,](?=[{digit}])"
    return re.compile(f"(?:{joined_letters}|{joined_digits})*{inside}+|[^{space}]{marks}")
