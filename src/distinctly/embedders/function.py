"""Any Python function from a list of texts to rows of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.embedders.base import Embedder, Vectors, checked, normalized
from distinctly.options import written


@dataclass(frozen=True, kw_only=True)
class Function(Embedder):
    """Calls a function of yours; the signature has its name, which is all that it can know.

    It is given a list of some texts at a time, each different text once, and returns as many rows:
    an array, or anything that numpy makes one of.

    Attributes
    ----------
    call
        The function.
    norm
        Scale its vectors to length 1; otherwise they are taken as they are.

    Examples
    --------
    >>> Function(call=lambda texts: [[len(text), 1] for text in texts]).embed(["a", "bcd"]).tolist()
    [[1.0, 1.0], [3.0, 1.0]]
    """

    name: ClassVar[str] = "function"

    call: Callable[[list[str]], Any]
    norm: bool = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Call the function and check what it returns."""
        rows = checked(self.call(list(texts)), len(texts), f"the embedder '{self.title()}'")
        return normalized(rows) if self.norm else rows

    def title(self) -> str:
        """Return the function's full name."""
        module = getattr(self.call, "__module__", None) or type(self.call).__module__
        name = getattr(self.call, "__qualname__", None) or type(self.call).__qualname__
        return f"{module}.{name}"

    def options(self) -> dict[str, str]:
        """Return the function's name, and whether its vectors are scaled."""
        return {"call": self.title(), "norm": written(self.norm)}
