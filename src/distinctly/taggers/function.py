"""Any Python function from a text to its tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.batch import Batch, TokenColumn
from distinctly.errors import DistinctlyError, InputError, reason
from distinctly.loading import full_name, hash_of
from distinctly.taggers.base import Tagger


@dataclass(frozen=True, kw_only=True)
class FunctionTagger(Tagger):
    """Calls a function with each text, or with its list of tokens if the texts came as token lists.

    The function returns the tags, or pairs of a token and its tag. The signature contains its name.

    Examples
    --------
    >>> tagger = FunctionTagger(call=lambda text: [(word, "N") for word in text.split()])
    >>> tagger.tag(Batch.of(["cats sleep"])).tolist()
    [['N', 'N']]
    """

    name: ClassVar[str] = "function"

    call: Callable[[Any], Iterable[Any]]

    def tag(self, batch: Batch) -> TokenColumn:
        """Call the function with each text, and check the result."""
        if batch.bounds is None:
            texts: list[Any] = batch.strings.tolist()
        else:
            texts = TokenColumn(batch.strings, batch.bounds).tolist()
        return TokenColumn.encode([self._checked(self._called(text)) for text in texts])

    def _called(self, text: Any) -> Any:
        try:
            return self.call(text)
        except DistinctlyError:
            raise
        except (Exception, SystemExit) as error:
            raise InputError(
                f"the tagger '{self.title}' raised {type(error).__name__}: {reason(error)} for {text!r:.60}."
            ) from error

    def _checked(self, returned: Any) -> list[str]:
        tags = None if isinstance(returned, str) or not isinstance(returned, Iterable) else list(returned)
        if tags and all(isinstance(tag, tuple) and len(tag) == 2 for tag in tags):
            tags = [tag for _, tag in tags]
        if tags is None or not all(isinstance(tag, str) for tag in tags):
            raise InputError(
                f"expected the tagger '{self.title}' to return a list of strings, got {returned!r:.60}."
            )
        return tags

    def __hash__(self) -> int:
        return hash_of(self.call)

    @property
    def title(self) -> str:
        """The function's full name."""
        return full_name(self.call)

    def options(self) -> dict[str, str]:
        """Return the function's name, the only thing that is known of it."""
        return {"call": self.title}
