"""`View`: what a statistic reads of texts; and what the data of every view has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, Literal, Protocol, TypeVar

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.strings import Strings

# What of a text a number depends on.
ViewKind = Literal["tokens", "texts", "vectors"]
# A view as a signature has it: which kind, its name, its options.
Described = tuple[str, str, Mapping[str, str]]
D = TypeVar("D", bound="ViewData")


class ViewData(Protocol):
    """Some texts as one view shows them."""

    @property
    def groups(self) -> Strings | None:
        """The group of each text, where there are groups."""

    @property
    def text_hashes(self) -> Hashes:
        """A hash of each text, of what the view shows of it."""

    def __len__(self) -> int:
        """Return the number of texts."""

    def select(self: D, rows: Integers, /) -> D:
        """Return the data of these texts."""


class View(ABC, Generic[D]):
    """A way of looking at texts. Subclasses are frozen dataclasses, so that equal views are made once.

    Attributes
    ----------
    kind
        What of a text it shows.
    """

    kind: ClassVar[ViewKind]

    @abstractmethod
    def make(self, batch: Batch, config: RunConfig) -> D:
        """Make the data of some texts."""

    @abstractmethod
    def join(self, pieces: Sequence[D]) -> D:
        """Put the data of several batches one after the other."""

    @abstractmethod
    def describe(self, *, came_as_tokens: bool) -> Described:
        """Return the view as a signature shows it, given whether the texts came as token lists."""
