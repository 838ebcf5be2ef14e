"""`given`: the texts came as lists of tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from distinctly.errors import InputError
from distinctly.tokenizers.dropping import Dropping


@dataclass(frozen=True, kw_only=True)
class Given(Dropping):
    """Takes token lists as they are; the options apply to each token."""

    name: ClassVar[str] = "given"

    def split(self, text: str) -> list[str]:
        """Raise an error: a text is not a list of tokens."""
        raise InputError(
            "expected lists of tokens for the tokenizer 'given', got texts. Choose another tokenizer."
        )
