"""The base class of taggers: from texts to one list of tags per text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from distinctly.batch import Batch, TokenColumn


class Tagger(ABC):
    """Assigns a list of tags to each text. Subclasses are frozen dataclasses.

    Attributes
    ----------
    name
        The name in a signature.
    """

    name: ClassVar[str]

    @abstractmethod
    def tag(self, batch: Batch) -> TokenColumn:
        """Return one list of tags per text."""

    @abstractmethod
    def options(self) -> Mapping[str, str]:
        """Return everything else that can change a tag, for the signature."""
