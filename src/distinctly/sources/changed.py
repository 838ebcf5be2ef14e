"""`ChangedSource`: the texts of another source, each batch of them changed by a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from distinctly.batch import Batch
from distinctly.errors import InputError, SpecError
from distinctly.sources.base import Partition, Source
from distinctly.strings import Strings

Change = Callable[[Batch], Batch]


class ChangedSource(Source):
    """A source whose batches are changed after they have been read.

    Parameters
    ----------
    source
        The source.
    change
        A function from a batch to the batch in its place; one that can be pickled, for other processes.
    """

    def __init__(self, source: Source, change: Change) -> None:
        self._source, self._change = source, change
        self.name, self.title, self.size = source.name, source.title, source.size
        self.rereadable, self.numbers_groups = source.rereadable, source.numbers_groups

    @property
    def position(self) -> int:  # type: ignore[override]
        """The number of bytes read so far."""
        return self._source.position

    @property
    def text_bytes(self) -> int | None:
        """The largest number of bytes that the texts can have."""
        return self._source.text_bytes

    def limit_memory(self, memory: str | int | None) -> None:
        """Set the memory for the whole run."""
        self._source.limit_memory(memory)

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the changed batches."""
        return map(self._change, self._source.batches(rows))

    def partitions(self, size: int | None = None) -> Sequence[Partition]:
        """Return the partitions of the source, whose batches are changed too."""
        return [_ChangedPartition(partition, self._change) for partition in self._source.partitions(size)]


class _ChangedPartition(Partition):
    def __init__(self, partition: Partition, change: Change) -> None:
        self._partition, self._change = partition, change
        self.name, self.title, self.size = partition.name, partition.title, partition.size

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        return map(self._change, self._partition.batches(rows))


@dataclass(frozen=True)
class WithPrompts:
    """Gives each text the prompt of its group.

    Attributes
    ----------
    prompts
        The prompt of each group; None if it has none.
    source
        The name of the source, for errors.
    """

    prompts: Mapping[str, object]
    source: str

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch with prompts."""
        if not len(batch):
            return batch
        if batch.groups is None:
            raise SpecError(
                f"{self.source}: prompts by group need the group of each text. Give groups=, or name the "
                "field of the groups with group=."
            )
        groups = batch.groups.tolist()
        missing = next((group for group in groups if self.prompts.get(group) is None), None)
        if missing is not None:
            raise InputError(
                f"the group '{missing}' has no prompt. Add it to the prompts.", source=self.source
            )
        return replace(batch, prompts=Strings.encode([str(self.prompts[group]) for group in groups]))


@dataclass(frozen=True)
class AtLeast:
    """Keeps the texts whose quality is at least a number.

    Attributes
    ----------
    quality
        The number.
    source
        The name of the source, for errors.
    """

    quality: float
    source: str

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch of the texts that pass."""
        if batch.quality is None:
            if not len(batch):
                return batch
            raise SpecError(
                f"{self.source}: the quality of the texts is not known. Name its field with --quality "
                "(Python: quality=, also one number per text)."
            )
        passing = batch.select(np.flatnonzero(batch.quality >= self.quality))
        return replace(
            passing,
            nulls_skipped=batch.nulls_skipped,
            nulls_emptied=batch.nulls_emptied,
            nested=batch.nested,
            bad_rows=batch.bad_rows,
            remarks=batch.remarks,
        )
