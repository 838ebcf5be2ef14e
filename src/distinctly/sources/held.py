"""`HeldSource`: the texts of another source, held in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from distinctly.batch import Batch
from distinctly.sources.base import Source


class HeldSource(Source):
    """Batches that were read from another source, which can be read again here.

    Parameters
    ----------
    source
        The other source.
    batches
        All its batches.
    """

    def __init__(self, source: Source, batches: Sequence[Batch]) -> None:
        self.name, self.title, self.numbers_groups = source.name, source.title, source.numbers_groups
        self._batches = batches
        self.size = sum(batch.strings.size for batch in batches)

    @property
    def text_bytes(self) -> int | None:
        """The number of bytes of the texts."""
        return self.size

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the batches as they were read, whatever `rows` is."""
        del rows
        self.position = 0
        for batch in self._batches:
            self.position += batch.strings.size
            yield batch
