"""Texts tokenized by the compiled scan."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from distinctly.errors import InputError
from distinctly.hashing import Hashes
from distinctly.kernels import scan as kernel
from distinctly.ragged import Integers
from distinctly.strings import Bytes, Strings


def scan(strings: Strings, classes: Bytes) -> tuple[Hashes, Integers, Scanned]:
    """Return the hashes of the tokens, the bounds of the texts, and the spelling of the tokens."""
    hashes, bounds, _ = _scan(strings, classes, spelled=False)
    return hashes, bounds, Scanned(strings, classes)


@dataclass(frozen=True)
class Scanned:
    """The spelling of tokens, as positions in the bytes that a second scan finds when they are needed."""

    strings: Strings
    classes: Bytes

    @cached_property
    def _spans(self) -> Integers:
        return _scan(self.strings, self.classes, spelled=True)[2]

    def __getitem__(self, place: int) -> str:
        start, end = self._spans[2 * place : 2 * place + 2]
        return bytes(self.strings.data[start:end]).decode("utf-8", "surrogatepass")


def _scan(strings: Strings, classes: Bytes, *, spelled: bool) -> tuple[Hashes, Integers, Integers]:
    most_tokens = strings.size  # every token has at least one byte
    hashes = np.empty(most_tokens, np.uint64)
    bounds = np.zeros(len(strings) + 1, np.int64)
    spans = np.empty(2 * most_tokens if spelled else 0, np.int64)
    tokens, fault = kernel.scan(strings.data, strings.starts, strings.ends, classes, hashes, bounds, spans)
    if fault >= 0:
        row = int(np.searchsorted(strings.starts, fault, side="right"))
        raise InputError(f"not valid UTF-8 (byte {fault} of the batch).", row=f"text {row} of the batch")
    return hashes[:tokens].copy(), bounds, spans[: 2 * tokens]
