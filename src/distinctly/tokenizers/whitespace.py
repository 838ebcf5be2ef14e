"""`whitespace`: exactly Python's `str.split()`."""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.strings import Bytes
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.characters import CLASSES


@dataclass(frozen=True, kw_only=True)
class Whitespace(Tokenizer):
    """Split at white space only: for text that is already tokenized.

    Examples
    --------
    >>> Whitespace().tokenize("The cat sat on the mat.")
    ['The', 'cat', 'sat', 'on', 'the', 'mat.']
    """

    name: ClassVar[str] = "whitespace"
    cuts_at_spaces: ClassVar[bool] = True

    def split(self, text: str) -> list[str]:
        """Split at white space."""
        return text.split()

    def character_classes(self) -> Bytes:
        """Return a table in which every run of visible characters is a word."""
        return _class_table()


# The characters for which `str.isspace` is true; Unicode has added none since 2002.
_SPACES = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


@functools.cache
def _class_table() -> Bytes:
    table = np.full(sys.maxunicode + 1, CLASSES.index("LETTER"), np.uint8)
    table[[ord(space) for space in _SPACES]] = CLASSES.index("SPACE")
    return table
