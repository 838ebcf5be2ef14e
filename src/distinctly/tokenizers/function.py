"""Any Python function from a text to its tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from distinctly.errors import InputError
from distinctly.tokenizers.base import Tokenizer


@dataclass(frozen=True, kw_only=True)
class Function(Tokenizer):
    """Calls a function of yours; the signature has its name, which is all that it can know.

    Examples
    --------
    >>> Function(call=str.split).tokenize("a b")
    ['a', 'b']
    """

    name: ClassVar[str] = "function"

    call: Callable[[str], Iterable[str]] = field(metadata={"hidden": True})

    def split(self, text: str) -> list[str]:
        """Call the function and check what it returns."""
        tokens = self.call(text)
        found = [] if isinstance(tokens, str) else list(tokens)
        if isinstance(tokens, str) or not all(isinstance(token, str) for token in found):
            raise InputError(
                f"expected the tokenizer '{self.title}' to return a list of strings, got {tokens!r:.60}."
            )
        return found

    @property
    def title(self) -> str:
        """The function's full name."""
        module = getattr(self.call, "__module__", None) or type(self.call).__module__
        name = getattr(self.call, "__qualname__", None) or type(self.call).__qualname__
        return f"{module}.{name}"

    def options(self) -> dict[str, str]:
        """Return the options as a signature shows them, the function's name first."""
        return {"call": self.title, **super().options()}
