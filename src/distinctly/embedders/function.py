"""Any Python function from a list of texts to rows of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.embedders.base import Embedder, Vectors, checked


@dataclass(frozen=True, kw_only=True)
class Function(Embedder):
    """Calls a function of yours; the signature has its name, which is all that it can know.

    It is given a list of some texts at a time, each different text once, and returns as many rows:
    an array, or anything that numpy makes one of. Its rows are taken as they are.

    Examples
    --------
    >>> Function(call=lambda texts: [[len(text), 1] for text in texts]).embed(["a", "bcd"]).tolist()
    [[1.0, 1.0], [3.0, 1.0]]
    """

    name: ClassVar[str] = "function"

    call: Callable[[list[str]], Any]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Call the function and check what it returns."""
        return checked(self.call(list(texts)), len(texts), f"the embedder '{self.title}'")

    @property
    def title(self) -> str:
        """The function's full name."""
        module = getattr(self.call, "__module__", None) or type(self.call).__module__
        name = getattr(self.call, "__qualname__", None) or type(self.call).__qualname__
        return f"{module}.{name}"

    def options(self) -> dict[str, str]:
        """Return the function's name; its vectors are as it made them."""
        return {"call": self.title, "norm": "no"}
