"""`char`: every code point is a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from distinctly.tokenizers.base import Tokenizer


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
        """Take the characters apart."""
        return list(text)
