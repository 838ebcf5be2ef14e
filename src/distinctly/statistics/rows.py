"""`Rows`: the texts themselves, kept, for what needs them together."""

from __future__ import annotations

from dataclasses import dataclass

from distinctly.ragged import Integers
from distinctly.statistics.base import Statistic
from distinctly.views.tokens import Tokens


@dataclass(frozen=True)
class Kept:
    """The state of `Rows`: the batches so far."""

    pieces: tuple[Tokens, ...]

    def __add__(self, other: Kept) -> Kept:
        return Kept(self.pieces + other.pieces)


@dataclass(frozen=True)
class Rows(Statistic[Kept, Tokens]):
    """All texts of a corpus as one view, in the order in which they came.

    It is in memory as a whole. What is made from it says itself whether the order matters.

    Examples
    --------
    >>> rows = Rows()
    >>> state = rows.collect(Tokens.of([["a"]])) + rows.collect(Tokens.of([["b", "c"]]))
    >>> rows.summarize(state).lengths.tolist()
    [1, 2]
    """

    def collect(self, view: Tokens) -> Kept:
        """Keep a batch."""
        return Kept((view,))

    def summarize(self, state: Kept) -> Tokens:
        """Put the batches together."""
        return Tokens.join(state.pieces)

    def index(self, view: Tokens) -> RowIndex:
        """Return the view itself: a selection is cut from it."""
        return RowIndex(view)


@dataclass(frozen=True)
class RowIndex:
    """A view of which some texts can be taken."""

    view: Tokens

    def summarize(self, rows: Integers) -> Tokens:
        """Return the view of these texts."""
        return self.view.select(rows)
