"""`whitespace`: exactly Python's `str.split()`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from distinctly.tokenizers.base import Tokenizer


@dataclass(frozen=True, kw_only=True)
class Whitespace(Tokenizer):
    """Split at white space and nothing else: for text that is tokenised already.

    Examples
    --------
    >>> Whitespace().tokenize("The cat sat on the mat.")
    ['The', 'cat', 'sat', 'on', 'the', 'mat.']
    """

    name: ClassVar[str] = "whitespace"

    def split(self, text: str) -> list[str]:
        """Split at white space."""
        return text.split()
