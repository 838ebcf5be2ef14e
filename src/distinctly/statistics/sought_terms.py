"""`SoughtTerms`: how the occurrences of some terms are spread over texts, and how the terms are spelled."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import Hashes, hash_strings
from distinctly.ragged import Integers
from distinctly.statistics.base import Mergeable
from distinctly.statistics.collector import Collector, ReadAgain, Runner
from distinctly.strings import Strings
from distinctly.views.base import View
from distinctly.views.rows import Rows
from distinctly.views.tokens import WORDS, Tokens

if TYPE_CHECKING:
    from distinctly.statistics.collector import Spill


@dataclass(frozen=True, eq=False)
class TermKeys:
    """Terms of one length that are sought, known by their hashes.

    Attributes
    ----------
    hashes
        Their hashes, ascending.
    counts
        Their counts in the corpus; 0 if they do not matter.
    total
        The number of all n-grams of this length in the corpus.
    """

    hashes: Hashes
    counts: Integers
    total: int

    @classmethod
    def of(cls, hashes: Hashes) -> TermKeys:
        """Return terms of which nothing but the hashes is known, in any order."""
        return cls(np.sort(hashes), np.zeros(len(hashes), np.int64), 0)

    def occurrences(self, tokens: Tokens, n: int) -> tuple[Integers, Integers]:
        """Return the place of the term and the position of each occurrence of terms of n tokens."""
        grams = tokens.grams(n)
        if not len(self.hashes) or not len(grams):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        places: Integers = np.minimum(np.searchsorted(self.hashes, grams), len(self.hashes) - 1)
        sought = np.flatnonzero(self.hashes[places] == grams)
        return places[sought], tokens.starts(n)[sought]

    @cached_property
    def _digest(self) -> str:
        data = b"".join([self.hashes.tobytes(), self.counts.tobytes(), str(self.total).encode()])
        return hashlib.blake2b(data, digest_size=8).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TermKeys) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __repr__(self) -> str:
        return f"TermKeys({len(self.hashes)} terms, {self._digest})"

    @cached_property
    def index(self) -> TermIndex:
        """The terms as compiled loops look them up."""
        return TermIndex.of(self)

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in ("hashes", "counts", "total")}


@dataclass(frozen=True, eq=False)
class TermIndex:
    """Terms as compiled loops look them up: frequent ones first, so that these share lines of the cache.

    Attributes
    ----------
    order
        The place of each term among those that are sought.
    hashes, counts
        Their hashes and counts.
    slots, bits
        The table that finds a hash, and the bits that reject most others.
    """

    order: Integers
    hashes: Hashes
    counts: Integers
    slots: NDArray[np.int32]
    bits: NDArray[np.uint8]

    @classmethod
    def of(cls, terms: TermKeys) -> TermIndex:
        """Return the index of terms."""
        from distinctly.kernels.terms import slot_table

        order = np.argsort(-terms.counts, kind="stable")
        hashes = terms.hashes[order]
        return cls(order, hashes, terms.counts[order], *slot_table(hashes))


@dataclass(frozen=True)
class TermUses:
    """How terms are used: one entry per sought term.

    Attributes
    ----------
    units
        The number of texts (or groups of texts) that have the term: its range.
    even
        ``Σ_i min(c_i·C, n_i·c)`` over the texts (or groups) with the term, of which text i has c_i of its c
        occurrences, and n_i of all C n-grams. Divided by ``c·C`` it is 1 − DP, Gries' deviation of
        proportions.
    places, words
        The terms that were spelled, ascending, and their tokens, one term after another.
    """

    units: Integers
    even: Integers
    places: Integers
    words: Strings

    def __add__(self, other: TermUses) -> TermUses:
        new = np.flatnonzero(~np.isin(other.places, self.places))
        places, words = self.places, self.words
        if len(new):
            length = len(other.words) // len(other.places)
            added = other.words.take((new[:, None] * length + np.arange(length)).ravel()).copy()
            places, words = _in_order(
                np.concatenate([places, other.places[new]]), Strings.concatenate([words, added]), length
            )
        return TermUses(self.units + other.units, self.even + other.even, places, words)


def _in_order(places: Integers, words: Strings, length: int) -> tuple[Integers, Strings]:
    """Return terms of `length` words in the order of their places."""
    order = np.argsort(places)
    return places[order], words.take((order[:, None] * length + np.arange(length)).ravel())


@dataclass(frozen=True)
class SoughtTerms(Mergeable[TermUses, TermUses]):
    """The number of texts with each of some terms, their dispersion, and their spelling.

    Attributes
    ----------
    n
        The number of tokens per term.
    terms
        The terms.
    grouped
        Whether the terms are spread over groups of texts; the texts of a group follow each other, in one
        batch.

    Examples
    --------
    >>> tokens = Tokens.of([["a", "b", "a"], ["a"], ["c", "b"]])
    >>> keys = TermKeys(np.sort(tokens.hashes[:1]), np.array([3]), 6)
    >>> sought = SoughtTerms(1, keys)
    >>> uses = sought.summarize(sought.collect(tokens))  # of 3 a, 2 are in 3 and 1 in 1 of 6 tokens
    >>> uses.units.tolist(), uses.even.tolist(), uses.words.tolist()
    ([2], [12], ['a'])
    """

    n: int
    terms: TermKeys
    grouped: bool = False
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> TermUses:
        """Look the terms up in a batch."""
        keys, counts, total = self.terms.hashes, self.terms.counts, self.terms.total
        units, even = np.zeros((2, len(keys)), np.int64)
        places, starts = self.terms.occurrences(tokens, self.n)
        rows = np.searchsorted(tokens.bounds, starts, "right") - 1
        last = self.last_of_units(tokens)
        unit_of_text: Integers = np.cumsum(last) - last
        sizes = np.bincount(unit_of_text, np.diff(tokens.gram_bounds(self.n))).astype(np.int64)
        pairs, in_unit = np.unique(unit_of_text[rows] * len(keys) + places, return_counts=True)
        unit, place = np.divmod(pairs, max(len(keys), 1))
        np.add.at(units, place, 1)
        np.add.at(even, place, np.minimum(in_unit * total, sizes[unit] * counts[place]))
        spelled, first = np.unique(places, return_index=True)
        return TermUses(units, even, spelled, self.words(tokens, starts[first]))

    def summarize(self, state: TermUses) -> TermUses:
        """Return the uses: the state is the summary."""
        return state

    def words(self, tokens: Tokens, starts: Integers) -> Strings:
        """Return the tokens of the terms at these positions, one term after another."""
        return tokens.words_at((starts[:, None] + np.arange(self.n)).ravel())

    def last_of_units(self, tokens: Tokens) -> NDArray[np.bool_]:
        """Return whether each text is the last of its unit."""
        last = np.ones(len(tokens), np.bool_)
        if self.grouped and tokens.groups is not None:
            groups = hash_strings(tokens.groups)
            last[:-1] = groups[1:] != groups[:-1]
        return last

    @classmethod
    def collector(cls, statistics: Sequence[SoughtTerms], spill: Spill) -> Collector:  # noqa: ARG003
        """Return a collector that spells each term once."""
        return SoughtCollector(statistics)


class SpreadTerms:
    """How terms are used in some batches, counted by compiled loops.

    Parameters
    ----------
    sought
        The terms.
    is_spelled
        Whether each term of the index has been spelled. It is shared: if two threads spell the same term, one
        of both spellings is kept.
    """

    def __init__(self, sought: SoughtTerms, is_spelled: NDArray[np.bool_]) -> None:
        self._sought, self._is_spelled = sought, is_spelled
        self._in_unit, self._units, self._even = np.zeros((3, len(is_spelled)), np.int64)
        self._places = [np.zeros(0, np.int64)]
        self._words = [Strings.encode([])]

    def add(self, tokens: Tokens, windows: Hashes) -> None:
        """Add a batch, given its windows of the length of the terms."""
        from distinctly.kernels.terms import spread

        sought, index = self._sought, self._sought.terms.index
        new, starts = spread(
            windows,
            tokens.bounds,
            sought.last_of_units(tokens),
            sought.n,
            index.hashes,
            index.slots,
            index.bits,
            index.counts,
            sought.terms.total,
            self._in_unit,
            self._units,
            self._even,
            self._is_spelled,
        )
        if len(new):
            self._places.append(index.order[new])
            self._words.append(sought.words(tokens, starts))

    def uses(self) -> TermUses:
        """Return the uses in all batches that were added."""
        order = self._sought.terms.index.order
        units, even = np.empty((2, len(order)), np.int64)
        units[order], even[order] = self._units, self._even
        places, words = np.concatenate(self._places), Strings.concatenate(self._words)
        return TermUses(units, even, *_in_order(places, words, self._sought.n))


class SoughtCollector(Collector):
    """Looks up terms of several lengths, and spells each of them once.

    There is room for counts per thread and not per batch, since there may be many terms.
    """

    def __init__(self, statistics: Sequence[SoughtTerms]) -> None:
        self._statistics = sorted(statistics, key=lambda statistic: statistic.n)
        self._is_spelled = [np.zeros(len(sought.terms.hashes), np.bool_) for sought in self._statistics]
        self._idle: list[list[SpreadTerms]] = [self._new()]

    def _new(self) -> list[SpreadTerms]:
        return [SpreadTerms(*each) for each in zip(self._statistics, self._is_spelled)]

    def prepare(self, rows: Rows) -> list[SpreadTerms]:
        """Look the terms up in a batch, and add their uses to those of batches that were absorbed."""
        try:
            spreads = self._idle.pop()
        except IndexError:
            spreads = self._new()
        tokens: Tokens = rows[self._statistics[0].view]
        sizes = [sought.n for sought in self._statistics]
        for spread, windows in zip(spreads, tokens.windows_in_turn(sizes)):
            spread.add(tokens, windows)
        return spreads

    def absorb(self, part: list[SpreadTerms]) -> None:
        """Let the next batch be added."""
        self._idle.append(part)

    def states(self) -> Mapping[Mergeable[Any, Any], Any]:
        """Return the uses of all terms."""
        of_threads = [[spread.uses() for spread in spreads] for spreads in self._idle]
        return {sought: reduce(add, uses) for sought, uses in zip(self._statistics, zip(*of_threads))}

    def summaries(self, run: Runner, read_again: ReadAgain) -> Mapping[Any, Any]:
        """Return the uses of all terms: the states are the summaries."""
        return self.states()
