"""Any Python function from a text to its tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from distinctly.errors import InputError
from distinctly.loading import full_name, hash_of
from distinctly.tokenizers.base import Tokenizer


@dataclass(frozen=True, kw_only=True)
class Function(Tokenizer):
    """Calls a user-defined function. The signature contains only the name of the function.

    Examples
    --------
    >>> Function(call=str.split).tokenize("a b")
    ['a', 'b']
    """

    name: ClassVar[str] = "function"

    call: Callable[[str], Iterable[str]] = field(metadata={"hidden": True})

    def split(self, text: str) -> list[str]:
        """Call the function and check the result."""
        returned = self.call(text)
        tokens = [] if isinstance(returned, str) else list(returned)
        if isinstance(returned, str) or not all(isinstance(token, str) for token in tokens):
            raise InputError(
                f"expected the tokenizer '{self.title}' to return a list of strings, got {returned!r:.60}."
            )
        return tokens

    def __hash__(self) -> int:
        return hash_of(self.call)

    @property
    def title(self) -> str:
        """The function's full name."""
        return full_name(self.call)

    def options(self) -> dict[str, str]:
        """Return the options of the signature, with the function's name first."""
        return {"call": self.title, **super().options()}
