"""Texts tokenized by the compiled scan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from distinctly.errors import InputError
from distinctly.hashing import Bits, Hashes, hash_words
from distinctly.kernels import scan as kernel
from distinctly.ragged import Integers
from distinctly.strings import Bytes, Strings
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.dropping import Dropping

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
        strings = self.strings
        most_tokens = strings.size  # every token has at least one byte
        width = 2 if self.wide else 1
        hashes = np.empty(width * most_tokens, np.uint64)
        bounds = np.zeros(len(strings) + 1, np.int64)
        spans = np.empty(2 * most_tokens if spelled else 0, np.int64)
        # The scan is compiled once: for columns that cannot be written, whether these can or not.
        data, starts, ends = _read_only(strings.data), _read_only(strings.starts), _read_only(strings.ends)
        columns = (data, starts, ends, _read_only(self.classes), hashes, bounds, spans)
        if self.dropping is None and not self.wide:
            tokens, fault = kernel.scan(*columns)
        else:
            keeping = (True, True, frozenset[str]())
            dropping = self.dropping
            punct, numbers, stop_set = (
                keeping if dropping is None else (dropping.punct, dropping.numbers, dropping.stop_set)
            )
            tokens, fault = kernel.scan_with(
                *columns, punct, numbers, np.sort(hash_words(list(stop_set))), self.wide
            )
        if fault >= 0:
            row = int(np.searchsorted(strings.starts, fault, side="right"))
            raise InputError(f"not valid UTF-8 (byte {fault} of the batch).", row=f"text {row} of the batch")
        written = hashes[: width * tokens].copy()
        return written.reshape(-1, 2) if self.wide else written, bounds, spans[: 2 * tokens]


def _read_only(column: Column) -> Column:
    view: Column = column.view()
    view.flags.writeable = False
    return view
