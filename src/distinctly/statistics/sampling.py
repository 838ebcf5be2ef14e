"""`SampledKeys` and `SampledTexts`: a seeded sample of texts that depends on their contents alone.

The copies of each text are numbered from 0. The sample of size N has the N smallest values of
``hash(content, number, seed)``, so that neither the order of the texts nor any split of them changes it, and
smaller samples are parts of larger ones. It is found in two readings: the first counts the copies of each
text and chooses, the second keeps the chosen texts. Both are mergeable statistics, which any engine folds.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from distinctly import hashing
from distinctly.batch import Batch
from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.statistics.base import Mergeable
from distinctly.statistics.contents import TextHashes
from distinctly.statistics.tables import Counting, HashCounts, PackedTable, Totals
from distinctly.strings import Strings
from distinctly.views.base import View
from distinctly.views.texts import Texts, TextView

if TYPE_CHECKING:
    from distinctly.statistics.collector import Collector, Spill

# The number of texts whose keys are computed at a time.
_AT_ONCE = 1 << 20
_NO_HASHES: Hashes = np.zeros(0, np.uint64)


@dataclass(frozen=True, eq=False, repr=False)
class Chosen:
    """The texts of a sample, in the order of their keys.

    Attributes
    ----------
    keys
        The keys, ascending.
    contents
        The hash of the text of each key.
    most
        The largest number of texts that are kept when samples are added.
    """

    keys: Hashes = field(default_factory=lambda: _NO_HASHES)
    contents: Hashes = field(default_factory=lambda: _NO_HASHES)
    most: int = sys.maxsize

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chosen) and np.array_equal(self._columns, other._columns)

    def __hash__(self) -> int:
        return self._digest

    def __repr__(self) -> str:
        return f"Chosen({len(self)} texts, {self._digest:016x})"

    @cached_property
    def _digest(self) -> int:
        return int(hashing.sequence(np.concatenate(self._columns), np.array([0, 2 * len(self)]))[0])

    def __len__(self) -> int:
        return len(self.keys)

    def __add__(self, other: Chosen) -> Chosen:
        """Return the smallest keys of both."""
        keys, contents = (np.concatenate(pair) for pair in zip(self._columns, other._columns))
        most = min(self.most, other.most)
        if len(keys) > 2 * most:
            small = keys <= np.partition(keys, most - 1)[most - 1]
            keys, contents = keys[small], contents[small]
        order = np.lexsort((contents, keys))[:most]
        return Chosen(keys[order], contents[order], most)

    @property
    def _columns(self) -> tuple[Hashes, Hashes]:
        return self.keys, self.contents

    def first(self, size: int) -> Chosen:
        """Return the sample of a smaller size."""
        return Chosen(self.keys[:size], self.contents[:size], size)

    @cached_property
    def by_content(self) -> tuple[Hashes, Integers, Integers]:
        """The different contents, ascending; the bounds of their copies; and the rank of each copy."""
        order = np.argsort(self.contents, kind="stable")
        contents, starts = np.unique(self.contents[order], return_index=True)
        return contents, np.append(starts, len(self)), order

    @property
    def hashes(self) -> Hashes:
        """The hashes of the different texts, ascending."""
        return self.by_content[0]

    @property
    def copies(self) -> Integers:
        """How often each of these texts is in the sample."""
        return np.diff(self.by_content[1])


def sample_keys(contents: Hashes, numbers: Integers, seed: int) -> Hashes:
    """Return the keys of copies of texts, given the hash of each text and the number of the copy."""
    copies = hashing.mix(contents + numbers.astype(np.uint64) * hashing.STEP)
    # An odd multiple of the seed, since 0 is mixed to 0.
    offset = hashing.mix(np.array([(2 * seed + 1) & hashing.MASK], np.uint64))
    return hashing.mix(copies + offset)


def choose(counted: Iterator[tuple[Hashes, Integers | Hashes]], size: int, seed: int) -> Chosen:
    """Return the sample of a size, given the hashes of different texts and their counts, in any pieces.

    Examples
    --------
    >>> counts = np.array([7, 8, 9], np.uint64), np.array([1, 5, 1])
    >>> chosen = choose(iter([counts]), 4, seed=0)
    >>> int(chosen.copies.sum()), choose(iter([counts]), 100, seed=0).copies.tolist()
    (4, [1, 5, 1])
    """
    chosen, limit = Chosen(most=size), np.uint64(hashing.MASK)
    for contents, counts in counted:
        ends = np.cumsum(counts.astype(np.int64))
        total = int(ends[-1]) if len(ends) else 0
        for start in range(0, total, _AT_ONCE):
            copies = np.arange(start, min(start + _AT_ONCE, total))
            places = np.searchsorted(ends, copies, "right")
            numbers = copies - (ends[places] - counts[places].astype(np.int64))
            keys = sample_keys(contents[places], numbers, seed)
            small = keys <= limit
            chosen += Chosen(keys[small], contents[places[small]])
            if len(chosen) == size:
                limit = chosen.keys[-1]
    return chosen


@dataclass(frozen=True)
class SampledKeys(Counting[TextHashes, Chosen]):
    """The first reading: count the copies of each text, and choose.

    Examples
    --------
    >>> statistic = SampledKeys(2)
    >>> len(statistic.summarize(statistic.collect(Texts(Batch.of(["a", "b", "b"])))))
    2
    """

    size: int
    seed: int = 0
    view: View[Texts] = field(default=TextView(), kw_only=True)

    def collect(self, texts: Texts) -> TextHashes:
        """Return the hashes of the texts of a batch."""
        return TextHashes((texts.text_hashes,))

    def summarize(self, state: TextHashes) -> Chosen:
        """Choose the texts."""
        hashes, counts = np.unique(np.concatenate(state.pieces), return_counts=True)
        return choose(iter([(hashes, counts)]), self.size, self.seed)

    def keys_in(self, texts: Texts) -> tuple[Hashes, Totals]:
        """Return the hashes of the texts of a batch."""
        return texts.text_hashes, Totals(total=len(texts))

    def tally(self, entries: Iterator[HashCounts]) -> Chosen:
        """Choose of some texts."""
        return choose(entries, self.size, self.seed)

    def summarize_tally(self, tally: Chosen, totals: Totals) -> Chosen:
        """Choose of all texts."""
        return tally.first(self.size)

    def as_table(self, state: TextHashes) -> PackedTable:
        """Return a state as a table."""
        return state.as_table()

    @classmethod
    def collector(cls, statistics: Sequence[SampledKeys], spill: Spill) -> Collector:
        """Return a collector that counts in partitions, and spills them to disk."""
        from distinctly.statistics.ngram_collector import TableCollector

        return TableCollector(statistics, spill)


@dataclass(frozen=True, eq=False)
class Sample:
    """Chosen texts that were found so far.

    Attributes
    ----------
    chosen
        All chosen texts.
    size
        The size of the sample, or a half, a quarter … of it if the texts do not fit.
    most_bytes
        The number of bytes that the texts may have.
    batches
        The texts, in pieces. In each piece, copies of a text are in the order of `_details`.
    """

    chosen: Chosen
    size: int
    most_bytes: float
    batches: tuple[Batch, ...] = ()

    def __add__(self, other: Sample) -> Sample:
        pieces, size = [*self.batches], min(self.size, other.size)
        for batch in other.batches:
            pieces.append(batch)
            while len(pieces) > 1 and len(pieces[-2]) <= 2 * len(pieces[-1]):
                last, before = pieces.pop(), pieces.pop()
                pieces.append(self._kept([before, last], size)[0])
        total = replace(self, size=size, batches=tuple(pieces))
        return total.fitting() if sum(piece.strings.size for piece in pieces) > self.most_bytes else total

    def fitting(self) -> Sample:
        """Return the texts in one piece, of half the size until they fit."""
        size = self.size
        batch = self._kept(self.batches, size)[0]
        while batch.strings.size > self.most_bytes and size > 1:
            size //= 2
            batch = self._kept([batch], size)[0]
        return replace(self, size=size, batches=(batch,))

    def of_size(self, size: int) -> Sample:
        """Return the sample of a size that is not larger."""
        return replace(self, size=min(self.size, size))

    def in_order(self) -> Batch:
        """Return the texts in the order of their keys."""
        batch, ranks = self._kept(self.batches, self.size)
        return batch.select(np.argsort(ranks, kind="stable"))

    def _kept(self, batches: Sequence[Batch], size: int) -> tuple[Batch, Integers]:
        """Return the texts of batches that are in the sample of a size, and their ranks in it.

        Copies of a text may differ in their tags; those with the smallest hashes of tags are kept, so that
        the order of reading changes no value.
        """
        batch = Batch.join(batches)
        texts = Texts(batch)
        hashes = texts.text_hashes
        order = np.lexsort((_details(texts), hashes))
        contents, bounds, ranks = self.chosen.by_content
        _, starts, counts = np.unique(hashes[order], return_index=True, return_counts=True)
        numbers = np.arange(len(order)) - np.repeat(starts, counts)
        places = np.searchsorted(contents, hashes[order])
        copies = bounds[places] + numbers
        kept = copies < bounds[places + 1]
        kept[kept] = ranks[copies[kept]] < size
        rows = order[kept]
        if len(batches) == 1 and len(rows) == len(batch):
            return batch, _unsorted(order, ranks[copies])
        # In the order of reading, so that of equal copies the first ones stay the first.
        back = np.argsort(rows, kind="stable")
        return _copied(batch, rows[back]), ranks[copies[kept]][back]


def _unsorted(order: Integers, values: Integers) -> Integers:
    """Return values in the order that they had before they were sorted."""
    result = np.empty_like(values)
    result[order] = values
    return result


@dataclass(frozen=True)
class SampledTexts(Mergeable[Sample, Sample]):
    """The second reading: keep the chosen texts, as often as they were chosen.

    Attributes
    ----------
    chosen
        The chosen texts.
    size
        The size of the sample; there are fewer texts in it if there are not as many.
    most_bytes
        The number of bytes that their texts may have: if they have more, the sample has half as many texts,
        or a quarter, and so on. By default unlimited.

    Examples
    --------
    >>> texts = Texts(Batch.of(["a", "b", "b"]))
    >>> keys = SampledKeys(2)
    >>> statistic = SampledTexts(keys.summarize(keys.collect(texts)), keys.size)
    >>> len(statistic.summarize(statistic.collect(texts)).in_order())
    2
    """

    chosen: Chosen
    size: int
    most_bytes: float = math.inf
    view: View[Texts] = field(default=TextView(), kw_only=True)

    def collect(self, texts: Texts) -> Sample:
        """Keep the chosen texts of a batch."""
        batch = _copied(texts.batch, select(texts, self.chosen))
        return Sample(self.chosen, self.size, self.most_bytes, (batch,)).fitting()

    def summarize(self, state: Sample) -> Sample:
        """Return the texts that fit."""
        return state.fitting()


def select(texts: Texts, chosen: Chosen) -> Integers:
    """Return the rows of the texts that are chosen, with all their copies.

    Examples
    --------
    >>> texts = Texts(Batch.of(["a", "b", "b"]))
    >>> select(texts, Chosen(np.zeros(1, np.uint64), texts.text_hashes[1:2])).tolist()
    [1, 2]
    """
    if not len(chosen):
        return np.zeros(0, np.int64)
    hashes = texts.text_hashes
    places = np.minimum(np.searchsorted(chosen.hashes, hashes), len(chosen.hashes) - 1)
    return np.flatnonzero(chosen.hashes[places] == hashes)


def _details(texts: Texts) -> Hashes:
    """Return a hash of what metrics may read of each text besides the text itself: tokens, tags, vectors."""
    batch, details = texts.batch, texts.content_hashes
    if batch.tags is not None:
        tags = hashing.sequence(hashing.hash_strings(batch.tags.strings), batch.tags.bounds)
        details = hashing.extend(details, tags)
    if batch.vectors is not None and not batch.only_vectors:
        details = hashing.extend(details, hashing.hash_rows(batch.vectors))
    return details


def _copied(batch: Batch, rows: Integers) -> Batch:
    """Return a copy of some texts that does not hold the bytes of the others."""
    selected = batch.select(rows)
    tags = selected.tags
    return replace(
        selected,
        strings=selected.strings.copy(),
        groups=_copy(selected.groups),
        ids=_copy(selected.ids),
        tags=None if tags is None else replace(tags, strings=tags.strings.copy()),
    )


def _copy(strings: Strings | None) -> Strings | None:
    return None if strings is None else strings.copy()
