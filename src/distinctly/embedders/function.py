"""Any Python function from a list of texts to rows of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from distinctly.embedders.base import Embedder, Vectors, checked, normalized
from distinctly.errors import DistinctlyError, InputError, reason
from distinctly.loading import full_name
from distinctly.options import written


@dataclass(frozen=True, kw_only=True)
class Function(Embedder):
    """Calls a user-defined function. The signature contains only the name of the function.

    The function takes a list of texts, each distinct text once, and returns one row per text: an array,
    or anything that numpy converts to one.

    Attributes
    ----------
    call
        The function.
    norm
        Scale its vectors to length 1; by default they are unchanged.

    Examples
    --------
    >>> Function(call=lambda texts: [[len(text), 1] for text in texts]).embed(["a", "bcd"]).tolist()
    [[1.0, 1.0], [3.0, 1.0]]
    """

    name: ClassVar[str] = "function"

    call: Callable[[list[str]], Any] = field(metadata={"hidden": True})
    norm: bool = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Call the function and check the result."""
        try:
            returned = self.call(list(texts))
        except DistinctlyError:
            raise
        except (Exception, SystemExit) as error:
            raise InputError(
                f"the embedder '{self.title()}' raised {type(error).__name__}: {reason(error)}."
            ) from error
        rows = checked(returned, len(texts), f"the embedder '{self.title()}'")
        return normalized(rows) if self.norm else rows

    def title(self) -> str:
        """Return the function's full name."""
        return full_name(self.call)

    def options(self) -> dict[str, str]:
        """Return the function's name, and whether its vectors are scaled."""
        return {"call": self.title(), "norm": written(self.norm)}
