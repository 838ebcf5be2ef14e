"""Texts tokenized by the compiled scan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import InputError
from distinctly.hashing import Bits, Hashes, hash_words
from distinctly.kernels import scan as finding
from distinctly.kernels import token_hashes
from distinctly.ragged import Integers
from distinctly.strings import Bytes, Strings
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.dropping import Dropping

# The number of bytes that are scanned at a time: their tokens stay in the processor's cache.
BYTES_AT_ONCE = 1 << 18

Column = TypeVar("Column", Bytes, Integers)


def scan(
    strings: Strings, classes: Bytes, tokenizer: Tokenizer, bits: Bits
) -> tuple[Hashes, Integers, Scanned]:
    """Return the hashes of the tokens, the bounds of the texts, and the spelling of the tokens.

    The strings are prepared; `classes` are the character classes of the tokenizer.
    """
    dropping = tokenizer if isinstance(tokenizer, Dropping) and tokenizer.drops else None
    scanned = Scanned(strings, classes, dropping, wide=bits == 128)
    hashes, bounds, _ = scanned.scan(spelled=False)
    return hashes, bounds, scanned


@dataclass(frozen=True)
class Scanned:
    """The spelling of tokens, as positions in the bytes that a second scan finds when they are needed."""

    strings: Strings
    classes: Bytes
    dropping: Dropping | None
    wide: bool = False

    @cached_property
    def _spans(self) -> Integers:
        return self.scan(spelled=True)[2]

    def __getitem__(self, place: int) -> str:
        start, end = self._spans[2 * place : 2 * place + 2]
        return bytes(self.strings.data[start:end]).decode("utf-8", "surrogatepass")

    def take(self, places: Integers, bounds: Integers) -> Strings:
        """Return a copy of the tokens at these positions; only the texts that have them are scanned again."""
        rows = np.searchsorted(bounds, places, "right") - 1
        scanned, where = np.unique(rows, return_inverse=True)
        part = replace(self, strings=self.strings.take(scanned))
        _, new_bounds, spans = part.scan(spelled=True)
        chosen = spans.reshape(-1, 2)[places - bounds[rows] + new_bounds[where]]
        return Strings(self.strings.data, chosen[:, 0], chosen[:, 1]).copy()

    def scan(self, *, spelled: bool) -> tuple[Hashes, Integers, Integers]:
        """Return the hashes of the tokens, the bounds of the texts, and the positions if `spelled`."""
        texts = self.strings
        sizes = texts.ends - texts.starts
        ends = np.cumsum(sizes)
        # Every token has at least one byte. Memory that is never written takes no room, and is given back.
        most, longest = int(sizes.sum()), int(sizes.max(initial=0))
        hashes = np.empty((most, 2)[: 1 + self.wide], np.uint64)
        most_at_once = min(most, max(BYTES_AT_ONCE, longest))
        room, spans = np.empty(2 * most_at_once, np.int64), np.empty(2 * most if spelled else 0, np.int64)
        words, long = np.empty(most_at_once, np.uint64), np.empty(most_at_once, np.uintp)
        bounds = np.zeros(len(texts) + 1, np.int64)
        first = tokens = 0
        while first < len(texts):
            before = int(ends[first - 1]) if first else 0
            last = max(int(np.searchsorted(ends, before + BYTES_AT_ONCE, "right")), first + 1)
            counts = bounds[first + 1 : last + 1]
            part = self._find(slice(first, last), room, counts)
            until = tokens + len(part) // 2
            self._hash(part, words[: until - tokens], long, hashes[tokens:until])
            if self.dropping is not None and self.dropping.stop_set:
                part = self._without_stop_words(hashes[tokens:until], part, counts)
                until = tokens + len(part) // 2
            if spelled:
                spans[2 * tokens : 2 * until] = part
            counts += tokens
            first, tokens = last, until
        hashes.resize((tokens, 2)[: 1 + self.wide], refcheck=False)
        spans.resize(2 * tokens if spelled else 0, refcheck=False)
        return hashes, bounds, spans

    def _find(self, part: slice, room: Integers, counts: Integers) -> Integers:
        """Return the start and the end of each token of some texts."""
        strings, dropping = self.strings, self.dropping
        # The scan is compiled once: for columns that cannot be written, whether these can or not.
        data, classes = _read_only(strings.data), _read_only(self.classes)
        starts, ends = _read_only(strings.starts[part]), _read_only(strings.ends[part])
        if dropping is None:
            tokens, fault = finding.find_tokens(data, starts, ends, classes, room, counts)
        else:
            kinds = dropping.punct, dropping.numbers
            tokens, fault = finding.find_some_tokens(data, starts, ends, classes, room, counts, *kinds)
        if fault >= 0:
            row = int(np.searchsorted(strings.starts, fault, side="right"))
            raise InputError(f"not valid UTF-8 (byte {fault} of the batch).", row=f"text {row} of the batch")
        return room[: 2 * tokens]

    def _hash(self, spans: Integers, words: Hashes, long: NDArray[np.uintp], hashes: Hashes) -> None:
        """Write the hashes of tokens at these positions; `words` and `long` are overwritten."""
        data = _read_only(self.strings.data)
        others = long[: token_hashes.as_words(data, spans, words, long)]
        if self.wide:
            token_hashes.hash_wide_words(words, hashes)
            token_hashes.hash_wide_long(data, spans, others, hashes)
        else:
            token_hashes.hash_words(words, hashes)
            token_hashes.hash_long(data, spans, others, hashes)

    def _without_stop_words(self, hashes: Hashes, spans: Integers, counts: Integers) -> Integers:
        """Leave out the stop words of some texts in hashes and counts; return the positions of the others."""
        stop_words = hash_words(list(self.dropping.stop_set)) if self.dropping is not None else hashes[:0]
        kept = ~np.isin(hashes[:, 0] if self.wide else hashes, stop_words)
        hashes[: int(kept.sum())] = hashes[kept]
        counts[:] = np.append(0, np.cumsum(kept))[counts]
        return spans.reshape(-1, 2)[kept].reshape(-1)


def _read_only(column: Column) -> Column:
    view: Column = column.view()
    view.flags.writeable = False
    return view
