"""Any Python function from a text to its tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, ClassVar

from distinctly.errors import DistinctlyError, InputError, reason
from distinctly.loading import full_name, hash_of
from distinctly.tokenizers.base import Tokenizer


@dataclass(frozen=True, kw_only=True)
class Function(Tokenizer):
    """Calls a user-defined function. The signature contains only the name of the function.

    The function returns the tokens as strings or as token ids: a list or a column of numbers, or what the
    tokenizers of Hugging Face return (``tokenizer(text)``, ``tokenizer.encode(text)``).

    Examples
    --------
    >>> Function(call=str.split).tokenize("a b")
    ['a', 'b']
    >>> Function(call=lambda text: [ord(letter) for letter in text]).tokenize("ab")
    ['97', '98']
    """

    name: ClassVar[str] = "function"

    call: Callable[[str], Iterable[str | int]] = field(metadata={"hidden": True})

    def split(self, text: str) -> list[str]:
        """Call the function and check the result."""
        try:
            returned = self.call(text)
            tokens = _listed(returned)
        except DistinctlyError:
            raise
        except (Exception, SystemExit) as error:
            raise InputError(
                f"the tokenizer '{self.title}' raised {type(error).__name__}: {reason(error)} for "
                f"{text!r:.60}."
            ) from error
        if set(map(type, tokens)) <= {str} and not isinstance(returned, str):
            return [token for token in tokens if isinstance(token, str)]
        if isinstance(returned, str) or not all(map(_is_token, tokens)):
            raise InputError(
                f"expected the tokenizer '{self.title}' to return a list of strings or of whole numbers "
                f"(token ids), got {returned!r:.60}."
            )
        return list(map(str, tokens))

    def __hash__(self) -> int:
        return hash_of(self.call)

    @property
    def title(self) -> str:
        """The function's full name."""
        return full_name(self.call)

    def options(self) -> dict[str, str]:
        """Return the options of the signature, with the function's name first."""
        return {"call": self.title, **super().options()}


def _listed(returned: Any) -> list[object]:
    """Return the tokens or token ids that a function returned."""
    if isinstance(returned, Mapping) and "input_ids" in returned:  # of transformers
        returned = returned["input_ids"]
    elif hasattr(returned, "ids") and hasattr(returned, "tokens"):  # of tokenizers
        returned = returned.tokens
    if hasattr(returned, "tolist"):
        returned = returned.tolist()
    return list(returned)


def _is_token(value: object) -> bool:
    return isinstance(value, (str, Integral)) and not isinstance(value, bool)
