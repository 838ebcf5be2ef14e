"""`.state`: what is known of texts that were read before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from distinctly.batch import Batch
from distinctly.errors import InputError
from distinctly.sources.base import Source

ENDING = ".state"


class StateSource(Source):
    """A file of `distinctly state save`, which holds counts and no texts.

    Attributes
    ----------
    path
        Its path, or its address in an object store.
    """

    engine = "stored"

    def __init__(self, path: str) -> None:
        self.path = self.name = path
        self.title = PurePath(path).name

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Raise: there are no texts."""
        raise self.without_texts()

    def without_texts(self) -> InputError:
        """Return the error for what needs texts."""
        return InputError(
            "a state holds counts, not texts, and texts are needed here (intervals, tests, groups, "
            "explanations, metrics that compare texts). Give the texts instead.",
            source=self.name,
        )
