"""Tags that came with the texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from distinctly.batch import Batch, TokenColumn
from distinctly.errors import InputError
from distinctly.taggers.base import Tagger


@dataclass(frozen=True, kw_only=True)
class GivenTags(Tagger):
    """Tags that came with the texts: one list of strings per text."""

    name: ClassVar[str] = "given"

    def tag(self, batch: Batch) -> TokenColumn:
        """Return the tags of the texts."""
        if batch.tags is not None:
            return batch.tags
        if len(batch):
            raise InputError(
                "tags are needed (for of=tags and templates): choose a tagger with --tagger hanta, "
                "spacy:MODEL or MODULE:FUNCTION (Python: tagger=), or name the field with a list of tags per "
                "text with --tags (Python: tags=)."
            )
        return TokenColumn.encode([])

    def options(self) -> dict[str, str]:
        """Return no options: the hash of the tags identifies them."""
        return {}
