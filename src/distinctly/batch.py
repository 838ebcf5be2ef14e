"""`Batch`: some texts of a corpus, as a source hands them on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from distinctly.ragged import Integers, bounds_of
from distinctly.strings import Strings


@dataclass(frozen=True)
class Batch:
    """Texts in Arrow's layout, with a group and an id each where the source has them.

    Attributes
    ----------
    strings
        One string a text; one a token where `bounds` is given.
    bounds
        Where the tokens of each text begin and end, for texts that came as token lists.
    groups, ids
        One a text, where the source has them.
    nulls_skipped, nulls_emptied
        How many texts were missing, and what was done about it.

    Examples
    --------
    >>> len(Batch.of(["a text", "another"])), len(Batch.of([["a", "text"], ["another"]]))
    (2, 2)
    """

    strings: Strings
    bounds: Integers | None = None
    groups: Strings | None = None
    ids: Strings | None = None
    nulls_skipped: int = 0
    nulls_emptied: int = 0

    @classmethod
    def of(
        cls,
        texts: Sequence[str | list[str]],
        *,
        groups: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
        nulls_skipped: int = 0,
        nulls_emptied: int = 0,
    ) -> Batch:
        """Make a batch of Python strings, or of lists of tokens."""
        lists = [text for text in texts if isinstance(text, list)]
        if lists:
            strings = Strings.encode([token for tokens in lists for token in tokens])
            bounds = bounds_of([len(tokens) for tokens in lists])
        else:
            strings, bounds = Strings.encode([text for text in texts if isinstance(text, str)]), None
        return cls(
            strings,
            bounds,
            None if groups is None else Strings.encode(groups),
            None if ids is None else Strings.encode(ids),
            nulls_skipped,
            nulls_emptied,
        )

    def __len__(self) -> int:
        return len(self.strings) if self.bounds is None else len(self.bounds) - 1
