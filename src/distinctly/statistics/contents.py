"""`Contents`, `TextOrder`, `TextCounts`: the identity of texts, for signatures and repeated texts.

`ColumnContents`: of a column beside them. `SomeTexts`: a few of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from distinctly import hashing
from distinctly.batch import Column
from distinctly.errors import SpecError
from distinctly.hashing import Bits, Hashes, Keys
from distinctly.ragged import Integers
from distinctly.statistics.base import Mergeable, NeedsRows
from distinctly.statistics.tables import Counting, PackedTable, Tally, Totals, words_of
from distinctly.strings import Strings
from distinctly.views.base import View, ViewData
from distinctly.views.texts import Texts, TextView
from distinctly.views.tokens import WORDS, Tokens

if TYPE_CHECKING:
    from distinctly.statistics.collector import Collector, Spill

# The number of texts of a sample.
_SOME = 200


@dataclass(frozen=True)
class Content:
    """The number of texts, and a hash of all of them that does not depend on their order or batches.

    A text is hashed as the metrics see it, by its tokens. Equal hashes and tokenizers mean equal
    values, whether the texts came from a file, a list or a table.
    """

    texts: int
    hash: int
    grouped_hash: int
    bits: Bits = 64

    def __add__(self, other: Content) -> Content:
        if self.bits != other.bits:
            raise SpecError("Hashes of 64 and of 128 bits cannot be added: give all hash_bits=128.")
        return Content(
            self.texts + other.texts,
            (self.hash + other.hash) % 2**self.bits,
            (self.grouped_hash + other.grouped_hash) % 2**self.bits,
            self.bits,
        )

    @property
    def hex(self) -> str:
        """The hash of the texts, in hexadecimal."""
        return f"{self.hash:0{self.bits // 4}x}"

    @property
    def grouped_hex(self) -> str:
        """The hash of the texts with their groups, in hexadecimal."""
        return f"{self.grouped_hash:0{self.bits // 4}x}"


@dataclass(frozen=True)
class Contents(Mergeable[Content, Content]):
    """The identity of texts in a view.

    Examples
    --------
    >>> from distinctly.views.tokens import Tokens
    >>> first, second = (Contents().collect(Tokens.of([text])) for text in (["a", "b"], ["c"]))
    >>> (first + second).hash == Contents().collect(Tokens.of([["c"], ["a", "b"]])).hash
    True
    """

    view: View[Any] = field(default=WORDS, kw_only=True)

    def collect(self, data: ViewData) -> Content:
        """Hash the texts of a batch."""
        hashes = data.wide_text_hashes if isinstance(data, Tokens) else data.text_hashes
        bits: Bits = 64 if hashes.ndim == 1 else 128
        grouped = 0
        if data.groups is not None:
            grouped = _total(hashing.extend(hashing.hash_strings(data.groups, bits), hashes))
        return Content(len(data), _total(hashes), grouped, bits)

    def summarize(self, state: Content) -> Content:
        """Return the content: the state is the summary."""
        return state


@dataclass(frozen=True)
class ColumnHash:
    """A hash of the entries of a column, each with its text, that does not depend on order or batches."""

    hash: int

    def __add__(self, other: ColumnHash) -> ColumnHash:
        return ColumnHash((self.hash + other.hash) % 2**64)


@dataclass(frozen=True)
class ColumnContents(Mergeable[ColumnHash, str]):
    """The identity of a column beside the texts, such as their prompts; 0 if there is no such column.

    Attributes
    ----------
    column
        The attribute of a `Batch`: ``prompts``, ``quality`` or ``partition``.

    Examples
    --------
    >>> from distinctly.batch import Batch
    >>> prompts = ColumnContents("prompts")
    >>> first, second = (
    ...     prompts.collect(Texts(Batch.of(["a", "b"], prompts=given))) for given in (["p", "q"], ["q", "p"])
    ... )
    >>> first == second
    False
    """

    column: Column
    view: View[Texts] = field(default=TextView(), kw_only=True)

    def collect(self, texts: Texts) -> ColumnHash:
        """Hash the entries of a batch with their texts."""
        entries = getattr(texts.batch, self.column)
        if entries is None:
            return ColumnHash(0)
        of_entries = (
            hashing.hash_strings(entries)
            if isinstance(entries, Strings)
            else hashing.hash_rows(entries.reshape(-1, 1))
        )
        return ColumnHash(_total(hashing.extend(of_entries, texts.text_hashes)))

    def summarize(self, state: ColumnHash) -> str:
        """Return the hash in hexadecimal."""
        return f"{state.hash:016x}"


def _total(hashes: Hashes) -> int:
    """Return the sum of hashes, modulo 2 to the power of their bits."""
    if hashes.ndim == 1:
        return int(hashes.sum(dtype=np.uint64))
    # Halves of words, whose sums cannot overflow.
    halves = np.ascontiguousarray(hashes).view(np.uint32).sum(axis=0, dtype=np.uint64)
    return sum(int(total) << (32 * place) for place, total in enumerate(halves)) % 2**128


@dataclass(frozen=True)
class Few:
    """The different texts with the smallest hashes, so that order and batches do not change the sample."""

    by_hash: Mapping[int, str]

    def __add__(self, other: Few) -> Few:
        both = {**self.by_hash, **other.by_hash}
        return Few({key: both[key] for key in sorted(both)[:_SOME]})


@dataclass(frozen=True)
class SomeTexts(Mergeable[Few, list[str]]):
    """A sample of the different texts, to look at what an embedder knows of them.

    Examples
    --------
    >>> from distinctly.batch import Batch
    >>> some = SomeTexts()
    >>> some.summarize(some.collect(Texts(Batch.of(["a text", "a text"]))))
    ['a text']
    """

    view: View[Texts] = field(default=TextView(), kw_only=True)

    def collect(self, texts: Texts) -> Few:
        """Take the texts of a batch with the smallest hashes."""
        hashes, first = np.unique(texts.text_hashes, return_index=True)
        chosen = texts.select(first[:_SOME]).texts.tolist()
        return Few(dict(zip(hashes[:_SOME].tolist(), chosen)))

    def summarize(self, state: Few) -> list[str]:
        """Return the texts."""
        return list(state.by_hash.values())


@dataclass(frozen=True)
class TextOrder(NeedsRows[int]):
    """A hash of the texts in their order, for metrics that depend on the order."""

    view: View[Any] = field(default=WORDS, kw_only=True)

    def summarize(self, data: ViewData) -> int:
        """Hash the hashes of the texts."""
        return int(hashing.sequence(data.text_hashes, np.array([0, len(data)]))[0])


@dataclass(frozen=True)
class Copies:
    """How often texts are repeated; texts without tokens are left out.

    Attributes
    ----------
    texts, distinct
        The number of texts, and of different texts.
    most
        How often the most frequent text occurs; 0 if there are no texts.
    key
        The hash of the most frequent text, as 8 or 16 bytes; of several, the smallest hash.
    """

    texts: int
    distinct: int
    most: int
    key: bytes

    @property
    def repeated(self) -> int:
        """The number of texts that repeat an earlier one."""
        return self.texts - self.distinct

    @classmethod
    def of(cls, hashes: Keys, counts: Integers) -> Copies:
        """Return the summary of the counts of texts, given their hashes in ascending order."""
        if not len(hashes):
            return cls(0, 0, 0, b"")
        place = int(np.argmax(counts))  # of several, the first: its hash is the smallest
        return cls(int(counts.sum()), len(hashes), int(counts[place]), hashes[place : place + 1].tobytes())


@dataclass(frozen=True)
class TextHashes:
    """The state of `TextCounts`: hashes in pieces, joined when their sizes are similar."""

    pieces: tuple[Keys, ...]

    def __add__(self, other: TextHashes) -> TextHashes:
        pieces: list[Keys] = []
        for piece in sorted((*self.pieces, *other.pieces), key=len, reverse=True):
            pieces.append(piece)
            # Each hash is copied a logarithmic number of times in the number of batches.
            while len(pieces) > 1 and len(pieces[-2]) <= 2 * len(pieces[-1]):
                pieces.append(np.concatenate([pieces.pop(), pieces.pop()]))
        return TextHashes(tuple(pieces))

    def as_table(self) -> PackedTable:
        """Return how often each hash occurs, as a table."""
        keys, counts = np.unique(np.concatenate(self.pieces), return_counts=True)
        return PackedTable.of(words_of(keys), np.asarray(counts, np.int64), Totals(total=int(counts.sum())))


@dataclass(frozen=True)
class TextCounts(Counting[TextHashes, Copies]):
    """How often each text occurs, token for token.

    Examples
    --------
    >>> counts = TextCounts()
    >>> copies = counts.summarize(counts.collect(Tokens.of([["a", "b"], ["c"], ["a", "b"], []])))
    >>> copies.texts, copies.distinct, copies.most
    (3, 2, 2)
    """

    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> TextHashes:
        """Return the hashes of the texts of a batch."""
        return TextHashes((hashing.keys_of(tokens.wide_text_hashes)[tokens.lengths > 0],))

    def summarize(self, state: TextHashes) -> Copies:
        """Count the texts."""
        return Copies.of(*np.unique(np.concatenate(state.pieces), return_counts=True))

    def keys_in(self, tokens: Tokens) -> tuple[Hashes, Totals]:
        """Return the hashes of the texts of a batch that have tokens."""
        texts = tokens.wide_text_hashes[tokens.lengths > 0]
        return texts, Totals(total=len(texts))

    def summarize_tally(self, tally: Tally, totals: Totals) -> Copies:
        """Return how often texts are repeated."""
        return Copies(totals.total, tally.distinct, tally.most, tally.key)

    def as_table(self, state: TextHashes) -> PackedTable:
        """Return a state as a table."""
        return state.as_table()

    def index(self, tokens: Tokens) -> TextIndex:
        """Number the texts once, for any selection of them."""
        return TextIndex(tokens)

    @classmethod
    def collector(cls, statistics: Sequence[TextCounts], spill: Spill) -> Collector:
        """Return a collector that counts in partitions, and spills them to disk."""
        from distinctly.statistics.ngram_collector import TableCollector

        return TableCollector(statistics, spill)


class TextIndex:
    """The texts as small numbers, so that a selection is counted without hashing."""

    def __init__(self, tokens: Tokens) -> None:
        keys = hashing.keys_of(tokens.wide_text_hashes)
        self._hashes, self._codes = np.unique(keys, return_inverse=True)
        self._filled = tokens.lengths > 0

    def summarize(self, rows: Integers) -> Copies:
        """Return how often the texts in these rows are repeated."""
        counts = np.bincount(self._codes[rows[self._filled[rows]]], minlength=len(self._hashes))
        present = np.flatnonzero(counts)
        return Copies.of(self._hashes[present], counts[present])
