"""What all taggers share: texts in, one list of tags per text out, and a signature."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from distinctly.batch import Batch, TokenColumn


class Tagger(ABC):
    """Gives each text a list of tags. Subclasses are frozen dataclasses.

    Attributes
    ----------
    name
        As in a signature.
    """

    name: ClassVar[str]

    @abstractmethod
    def tag(self, batch: Batch) -> TokenColumn:
        """Return one list of tags per text."""

    @abstractmethod
    def options(self) -> Mapping[str, str]:
        """Return what else can change a tag, for the signature."""
