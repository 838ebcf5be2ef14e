"""`regex:<pattern>`: every match of a pattern is a token."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import ClassVar

from distinctly.errors import SpecError
from distinctly.tokenizers.base import Tokenizer


@dataclass(frozen=True, kw_only=True)
class Regex(Tokenizer):
    r"""Every non-empty match of a pattern of Python's `re` is a token.

    The characters that ``\w`` and ``\d`` match depend on the Unicode version of Python.

    Examples
    --------
    >>> Regex(pattern=r"[a-z]+|\d").tokenize("abc 42!")
    ['abc', '4', '2']
    """

    name: ClassVar[str] = "regex"
    bare: ClassVar[str] = "pattern"

    pattern: str

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pattern:
            raise SpecError(r"Expected a pattern after 'regex:', as in regex:\w+, got nothing.")
        try:
            _compiled(self.pattern)
        except re.error as error:
            raise SpecError(
                f"Expected a pattern of Python's `re` after 'regex:', got '{self.pattern}': {error}."
            ) from error

    def split(self, text: str) -> list[str]:
        """Return the matches."""
        return [token for match in _compiled(self.pattern).finditer(text) if (token := match.group())]


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
