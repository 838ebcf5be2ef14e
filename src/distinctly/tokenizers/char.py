"""`char`: every code point is a token."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.strings import Bytes
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.characters import CLASSES


@dataclass(frozen=True, kw_only=True)
class Char(Tokenizer):
    """Every character (code point) is a token, white space included: exactly `list(text)`.

    Examples
    --------
    >>> Char().tokenize("a b")
    ['a', ' ', 'b']
    """

    name: ClassVar[str] = "char"

    def split(self, text: str) -> list[str]:
        """Return the characters."""
        return list(text)

    def character_classes(self) -> Bytes:
        """Return a table in which every character is a token of its own."""
        return np.full(sys.maxunicode + 1, CLASSES.index("OTHER"), np.uint8)
