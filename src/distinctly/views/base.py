"""`View`: the form of texts that a statistic reads; and `ViewData`, the data of a view."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.strings import Strings

# What a value depends on in a text.
ViewKind = Literal["tokens", "texts", "vectors"]
# A view in a signature: its kind, its name and its options.
Described = tuple[str, str, Mapping[str, str]]
D = TypeVar("D", bound="ViewData")
# What a derived view is made from, and what it makes.
Base = TypeVar("Base", contravariant=True)
Made = TypeVar("Made", covariant=True)


class ViewData(Protocol):
    """The data of some texts in one view."""

    @property
    def groups(self) -> Strings | None:
        """The group of each text, if there are groups."""

    @property
    def text_hashes(self) -> Hashes:
        """The hash of each text in this view."""

    def __len__(self) -> int:
        """Return the number of texts."""

    def select(self: D, rows: Integers, /) -> D:
        """Return the data of the texts in these rows."""


class View(ABC, Generic[D]):
    """A form of texts, such as tokens. Subclasses are frozen dataclasses, so that equal views share data.

    Attributes
    ----------
    kind
        What the view shows of a text.
    """

    kind: ClassVar[ViewKind]

    @abstractmethod
    def make(self, batch: Batch, config: RunConfig) -> D:
        """Return the data of the texts of a batch."""

    @abstractmethod
    def join(self, pieces: Sequence[D]) -> D:
        """Concatenate the data of several batches."""

    @abstractmethod
    def describe(self, *, came_as_tokens: bool) -> Described:
        """Return the view as it appears in a signature, given whether the texts came as token lists."""


class DerivedView(ABC, Generic[Base, Made]):
    """A view that is made from another view of the same texts, which is made once for both.

    Attributes
    ----------
    base
        The other view.
    """

    base: View[Any]

    @abstractmethod
    def derive(self, data: Base) -> Made:
        """Return the data of the texts, given those in the other view."""
