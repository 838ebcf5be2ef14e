"""Sketches of constant size: `HyperLogLog` for the number of distinct items, `FrequentItems` for counts."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import InputError
from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.score import Note

# The bits of a hash that choose a register, and the others, from which its rank is read.
INDEX_BITS = 14
RANK_BITS = 64 - INDEX_BITS
REGISTERS = 1 << INDEX_BITS
# The standard error of the estimate, as a share of the number: √(3 ln 2 − 1) / √(number of registers).
RELATIVE_ERROR = math.sqrt(3 * math.log(2) - 1) / math.sqrt(REGISTERS)
ESTIMATED = Note(
    "Approximate: numbers of distinct n-grams and texts are estimated by HyperLogLog, with a standard error "
    f"of {100 * RELATIVE_ERROR:.2f} %. An interval is the error of this estimate, not of sampling.",
    scope="run",
)
# Half the width of a 95 % interval, in standard errors.
_Z = 1.959963984540054
# The number of frequent items that are kept.
MOST_ITEMS = 1 << 14

# Apache DataSketches: the first bytes of an HLL sketch, version 1, and the values of those that are fixed.
_PREAMBLE = struct.Struct("<8B3d2i")
_PREAMBLE_INTS, _VERSION, _FAMILY, _LIST_SIZE, _CURRENT_MINIMUM, _HLL_8 = 10, 1, 7, 0, 0, 0b1010
# Registers were merged, so that DataSketches does not estimate from the order of updates.
_OUT_OF_ORDER = 1 << 4
_LARGEST_FOREIGN_RANK = 63


@dataclass(frozen=True, eq=False)
class HyperLogLog:
    """The number of distinct hashes, estimated from 2¹⁴ registers (Flajolet et al., 2007).

    The last 14 bits of a hash choose a register. Its rank is the number of zeros before the first one among
    the other 50 bits, plus 1. A register holds the largest rank of its hashes, so that registers of any
    parts, in any order, are merged by their maximum, to the same bits.

    Attributes
    ----------
    registers
        One byte per register.

    Examples
    --------
    >>> from distinctly.hashing import hash_words
    >>> left, right = (HyperLogLog.of(hash_words(words)) for words in (["a", "b", "c"], ["c", "d"]))
    >>> round((left + right).estimate, 1)
    4.0
    """

    registers: NDArray[np.uint8]

    @classmethod
    def of(cls, hashes: Hashes) -> HyperLogLog:
        """Return the sketch of 64-bit hashes."""
        registers = np.zeros(REGISTERS, np.uint8)
        places = (hashes & np.uint64(REGISTERS - 1)).astype(np.int64)
        # The exponent of a number is its number of bits: 50 bits are exact in a float.
        _, used = np.frexp((hashes >> np.uint64(INDEX_BITS)).astype(np.float64))
        np.maximum.at(registers, places, (RANK_BITS + 1 - used).astype(np.uint8))
        return cls(registers)

    def __add__(self, other: HyperLogLog) -> HyperLogLog:
        return HyperLogLog(np.maximum(self.registers, other.registers))

    @cached_property
    def estimate(self) -> float:
        """The estimated number of distinct hashes.

        It is the improved estimator of Ertl (2017), which is unbiased from 0 to 2⁶⁴ without corrections found
        by experiment.
        """
        numbers = np.bincount(self.registers, minlength=RANK_BITS + 2).astype(np.float64) / REGISTERS
        total = _tau(1 - float(numbers[RANK_BITS + 1 :].sum()))
        for share in numbers[RANK_BITS:0:-1].tolist():
            total = (total + share) / 2
        total += _sigma(float(numbers[0]))
        return REGISTERS / (2 * math.log(2) * total)

    def to_bytes(self) -> bytes:
        """Return the sketch in the binary format HLL_8 of Apache DataSketches."""
        powers = np.exp2(-self.registers.astype(np.float64))
        large = self.registers >= 32
        preamble = _PREAMBLE.pack(
            *(_PREAMBLE_INTS, _VERSION, _FAMILY, INDEX_BITS, _LIST_SIZE),
            *(_OUT_OF_ORDER, _CURRENT_MINIMUM, _HLL_8),
            *(0.0, float(powers[~large].sum()), float(powers[large].sum())),
            *(int((self.registers == 0).sum()), 0),
        )
        return preamble + self.registers.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> HyperLogLog:
        """Return the sketch of bytes in the format HLL_8, with 2¹⁴ registers.

        Examples
        --------
        >>> HyperLogLog.from_bytes(HyperLogLog.of(np.arange(9, dtype=np.uint64)).to_bytes()).estimate > 8
        True
        """
        if len(data) != _PREAMBLE.size + REGISTERS:
            size = _PREAMBLE.size + REGISTERS
            raise InputError(
                f"expected a sketch of {size:,} bytes (HLL_8, lg k = 14), got {len(data):,} bytes."
            )
        ints, version, family, bits, _, _, _, mode, *_ = _PREAMBLE.unpack_from(data)
        if (ints, version, family, bits, mode) != (_PREAMBLE_INTS, _VERSION, _FAMILY, INDEX_BITS, _HLL_8):
            raise InputError(
                "expected a sketch of Apache DataSketches in the format HLL_8 with lg k = 14, got bytes that "
                f"begin with {data[:8].hex(' ')}."
            )
        registers = np.frombuffer(data, np.uint8, offset=_PREAMBLE.size).copy()
        if registers.max() > _LARGEST_FOREIGN_RANK:
            raise InputError(f"expected registers of at most 63 in a sketch, got {registers.max()}.")
        return cls(registers)


def estimated_within(distinct: float, total: int) -> tuple[float, float]:
    """Return the 95 % interval of an estimated number of distinct items, of `total` items in all."""
    half = _Z * RELATIVE_ERROR * distinct
    return max(distinct - half, min(total, 1)), min(distinct + half, total)


def _sigma(x: float) -> float:
    """Return ``x + Σ x^(2^k)·2^(k−1)``, the part of registers that are 0."""
    if x == 1:
        return math.inf
    power, weight, total = x, 1.0, x
    while True:
        power *= power
        before = total
        total += power * weight
        weight += weight
        if total == before:
            return total


def _tau(x: float) -> float:
    """Return ``(1 − x − Σ (1 − x^(2^−k))²·2^−k) / 3``, the part of registers with the largest rank."""
    if x in (0, 1):
        return 0.0
    power, weight, total = x, 1.0, 1 - x
    while True:
        power = math.sqrt(power)
        before = total
        weight /= 2
        total -= (1 - power) ** 2 * weight
        if total == before:
            return total / 3


@dataclass(frozen=True, eq=False)
class FrequentItems:
    """The most frequent items with bounds of their counts (Misra & Gries, 1982; Agarwal et al., 2013).

    At most `MOST_ITEMS` items are kept. When there are more, the largest count that is not kept is subtracted
    from all, and items without a count are dropped. So the count of an item, kept or not, is too small by at
    most `error`, which is at most the number of all occurrences divided by `MOST_ITEMS`. The bounds always
    hold; which items are kept near the error depends on how the occurrences are divided into parts.

    Attributes
    ----------
    hashes
        The items, ascending.
    counts
        The smallest possible count of each; the largest is larger by `error`.
    texts
        The items as text; None for those that are not spelled yet.
    error
        The largest possible count of an item that is not kept.
    """

    hashes: Hashes
    counts: Integers
    texts: NDArray[np.object_]
    error: int = 0

    @classmethod
    def of(cls, hashes: Hashes, counts: Integers) -> FrequentItems:
        """Return the most frequent of distinct items, not spelled."""
        counts, kept, error = _reduced(counts)
        hashes, counts = hashes[kept], counts[kept]
        order = np.argsort(hashes)
        return cls(hashes[order], counts[order], np.full(len(order), None, np.object_), error)

    def __add__(self, other: FrequentItems) -> FrequentItems:
        hashes = np.concatenate([self.hashes, other.hashes])
        order = np.argsort(hashes, kind="stable")
        hashes, counts = hashes[order], np.concatenate([self.counts, other.counts])[order]
        texts = np.concatenate([self.texts, other.texts])[order]
        first = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1])) if len(hashes) else order
        counts = np.add.reduceat(counts, first) if len(first) else counts
        counts, kept, error = _reduced(counts)
        kept_first = first[kept]
        return FrequentItems(
            hashes[kept_first], counts[kept], texts[kept_first], self.error + other.error + error
        )

    def ranked(self, top: int) -> tuple[tuple[str, int], ...]:
        """Return the `top` items with the largest counts, and these; ties are in alphabetical order.

        The count is the upper bound, as in Apache DataSketches. That of an item which was always kept is
        exact.
        """
        if not len(self.hashes) or not top:
            return ()
        least = np.partition(self.counts, -min(top, len(self.counts)))[-min(top, len(self.counts))]
        places = np.flatnonzero(self.counts >= least)
        pairs = zip(self.texts[places].tolist(), (self.counts[places] + self.error).tolist())
        return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:top])


def _reduced(counts: Integers) -> tuple[Integers, Integers, int]:
    """Return counts less a number, the places of those to keep, at most `MOST_ITEMS`, and the number."""
    if len(counts) <= MOST_ITEMS:
        return counts, np.arange(len(counts)), 0
    place = len(counts) - MOST_ITEMS - 1
    largest_left_out = int(np.partition(counts, place)[place])
    counts = counts - largest_left_out
    return counts, np.flatnonzero(counts > 0), largest_left_out
